/*
 * The chain of events: how one is encoded, hashed and appended. Content is one line of JSON with sorted keys; each hash
 * covers the one before it, so that no event can be changed, taken out or put in between without all later ones showing
 * it. The schema keeps updates and deletions out by accident; the hashes show those on purpose.
 */
#include <stdlib.h>
#include <string.h>

#include "evidence/ledger_sql.h"
#include "sys/clock.h"
#include "sys/digest.h"

/* Every member that is searched for is computed from the content: no column can say anything else. */
#define FIELD(name) name " TEXT AS (json_extract(content, '$." name "')) VIRTUAL"
#define OF(event, key) "json_extract(" event ".content, '$." key "')"
#define EITHER(key) "coalesce(" OF("c", key) ", " OF("b", key) ")"

const struct ledger_schema ledger_schema[] = {
    {"event",
	"CREATE TABLE event (seq INTEGER PRIMARY KEY, prev TEXT NOT NULL, hash TEXT NOT NULL, content TEXT "
	"NOT NULL, " FIELD("event") ", " FIELD("run") ", " FIELD("task") ", " FIELD("version") ", " FIELD(
	    "submission") ", " FIELD("started") ")"},
    {"event_born", "CREATE UNIQUE INDEX event_born ON event (run) WHERE event <> 'closed'"},
    {"event_closed", "CREATE UNIQUE INDEX event_closed ON event (run) WHERE event = 'closed'"},
    {"event_submission", "CREATE INDEX event_submission ON event (submission, task, version)"},
    {"event_started", "CREATE INDEX event_started ON event (started)"},
    {"event_kept",
	"CREATE TRIGGER event_kept BEFORE DELETE ON event BEGIN SELECT raise(ABORT, 'the ledger is only "
	"ever appended to'); END"},
    {"event_fixed",
	"CREATE TRIGGER event_fixed BEFORE UPDATE ON event BEGIN SELECT raise(ABORT, 'the ledger is only "
	"ever appended to'); END"},
    {"run",
	"CREATE VIEW run AS SELECT b.seq, b.run, b.task, b.version, b.submission, b.started, "
	"b.event = 'imported' AS imported, c.seq IS NOT NULL OR b.event = 'imported' AS closed, " OF(
	    "b", "folder") " AS folder, " OF("b", "engine") " AS engine, " OF("b",
	    "host") " AS host, " OF("b", "sha256") " AS sha256, " OF("b", "command") " AS command, " OF("b",
	    "task_sha256") " AS task_sha256, " OF("b",
	    "again") " AS again, " EITHER("ended") " AS ended, " EITHER("verdict") " AS verdict, " EITHER("ra"
													  "n") " AS ran, " EITHER("evidence") " AS evidence "
																	      "FROM event b LEFT JOIN event c ON c.run = b.run AND c.event = 'closed' WHERE b.event <> 'closed'"},
};
const unsigned ledger_schema_count = sizeof ledger_schema / sizeof *ledger_schema;

int ledger_hash(const char *prev, const char *content, char hash[65])
{
	size_t a = strlen(prev), b = strlen(content);
	char *text = malloc(a + b + 1);

	if (!text)
		return -1;
	memcpy(text, prev, a);
	text[a] = '\n';
	memcpy(text + a + 1, content, b);
	digest_bytes(text, a + 1 + b, hash);
	free(text);
	return 0;
}

char *ledger_encode(const json_t *content)
{
	return json_dumps(content, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENSURE_ASCII);
}

static int head(struct ledger *l, int64_t *seq, char hash[65], struct fault *fault)
{
	sqlite3_stmt *last =
	    sql_prepare(l, fault, "SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1", "");
	int r = last ? sql_step(l, last, fault) : -1;

	*seq = 0;
	(void)snprintf(hash, 65, "%s", LEDGER_GENESIS);
	if (r == 1) {
		const char *text = sql_text(last, 1);
		*seq = sqlite3_column_int64(last, 0);
		(void)snprintf(hash, 65, "%s", text ? text : "");
	}
	(void)sqlite3_finalize(last);
	return r < 0 ? -1 : 0;
}

int ledger_append(struct ledger *l, json_t *content, struct fault *fault)
{
	char prev[65], hash[65], now[32], *text = NULL;
	sqlite3_stmt *insert = NULL;
	int64_t seq;
	int r = head(l, &seq, prev, fault);

	clock_utc(now);
	if (r == 0 && (json_object_set_new(content, "seq", json_integer(seq + 1)) < 0 ||
			  json_object_set_new(content, "at", json_string(now)) < 0 ||
			  !(text = ledger_encode(content)) || ledger_hash(prev, text, hash) < 0))
		r = fault_set(fault, VERDICT_SCORER_FAULT, "no memory for the ledger");
	if (r == 0) {
		insert =
		    sql_prepare(l, fault, "INSERT INTO event (seq, prev, hash, content) VALUES (?, ?, ?, ?)",
			"ittt", seq + 1, prev, hash, text);
		r = insert && sql_step(l, insert, fault) == 0 ? 0 : -1;
	}
	(void)sqlite3_finalize(insert);
	free(text);
	json_decref(content);
	return r;
}
