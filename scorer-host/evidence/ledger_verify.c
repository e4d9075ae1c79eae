/*
 * Holds a ledger against itself and against the run directories. Believes nothing that it did not compute: the schema
 * must be ours word for word, or a view could tell another story than the events.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "evidence/ledger_sql.h"
#include "evidence/statement.h"
#include "sys/digest.h"

struct finder {
	ledger_finding *find;
	void *context;
};

static void found(const struct finder *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void found(const struct finder *f, const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text, sizeof text, format, args);
	va_end(args);
	f->find(f->context, text);
}

static int schema(struct ledger *l, const struct finder *f, struct fault *fault)
{
	sqlite3_stmt *rows =
	    sql_prepare(l, fault, "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL", "");
	unsigned seen = 0;
	int r = rows ? 0 : -1;

	while (r == 0 && (r = sql_step(l, rows, fault)) == 1) {
		const char *name = sql_text(rows, 0), *sql = sql_text(rows, 1);
		unsigned i = 0;
		while (i < ledger_schema_count && strcmp(name, ledger_schema[i].name) != 0)
			i++;
		if (i == ledger_schema_count)
			found(f, "%s is not part of a ledger", name);
		else if (strcmp(sql, ledger_schema[i].sql) != 0)
			found(f, "the definition of %s was changed", name);
		seen += i < ledger_schema_count;
		r = 0;
	}
	(void)sqlite3_finalize(rows);
	if (r == 0 && seen != ledger_schema_count)
		found(f, "the ledger's definition is incomplete: %u of %u parts", seen, ledger_schema_count);
	return r;
}

/* SQLite's own check of its pages and indexes. */
static int structure(struct ledger *l, const struct finder *f, struct fault *fault)
{
	sqlite3_stmt *rows = sql_prepare(l, fault, "PRAGMA integrity_check(20)", "");
	int r = rows ? 0 : -1;

	while (r == 0 && (r = sql_step(l, rows, fault)) == 1) {
		const char *text = sql_text(rows, 0);
		if (text && strcmp(text, "ok") != 0)
			found(f, "database: %s", text);
		r = 0;
	}
	(void)sqlite3_finalize(rows);
	return r;
}

/* births: run → true while it is open, false once it is closed. */
static void order(const struct finder *f, int64_t seq, const json_t *content, json_t *births)
{
	const char *event = json_string_value(json_object_get(content, "event"));
	const char *run = json_string_value(json_object_get(content, "run"));
	json_t *born = run ? json_object_get(births, run) : NULL;

	if (!event || !run) {
		found(f, "event %lld says neither what happened nor to which run", (long long)seq);
	} else if (strcmp(event, "started") == 0 || strcmp(event, "imported") == 0) {
		if (born)
			found(f, "event %lld begins %s a second time", (long long)seq, run);
		(void)json_object_set_new(births, run, json_boolean(event[0] == 's'));
	} else if (strcmp(event, "closed") == 0) {
		if (!json_is_true(born))
			found(f, "event %lld closes %s, which was not open", (long long)seq, run);
		(void)json_object_set_new(births, run, json_false());
	} else {
		found(f, "event %lld is of no known kind", (long long)seq);
	}
}

/* One event; prev is the last hash before it, and this one's after it. */
static void event(const struct finder *f, sqlite3_stmt *row, int64_t expected, char prev[65], json_t *births)
{
	int64_t seq = sqlite3_column_int64(row, 0);
	const char *before = sql_text(row, 1), *hash = sql_text(row, 2), *text = sql_text(row, 3);
	json_t *content = text ? json_loads(text, JSON_REJECT_DUPLICATES, NULL) : NULL;
	char *again = content ? ledger_encode(content) : NULL, computed[65] = "";
	bool linked = before && strcmp(before, prev) == 0;

	if (seq != expected)
		found(f, "event %lld comes where %lld is due: events were taken out", (long long)seq,
		    (long long)expected);
	if (!linked)
		found(f, "event %lld does not hold the hash of the event before it", (long long)seq);
	if (!text || !before || ledger_hash(before, text, computed) < 0 || !hash ||
	    strcmp(hash, computed) != 0)
		found(f, "event %lld was changed: its content does not give its hash", (long long)seq);
	else if (!again || strcmp(again, text) != 0 ||
		 json_integer_value(json_object_get(content, "seq")) != seq)
		found(f, "event %lld is not in its one encoding", (long long)seq);
	if (content)
		order(f, seq, content, births);
	(void)snprintf(prev, 65, "%s", hash ? hash : "");
	free(again);
	json_decref(content);
}

int ledger_verify(struct ledger *l, ledger_finding *find, void *context, uint64_t *events, uint64_t *runs,
    struct fault *fault)
{
	const struct finder f = {find, context};
	char prev[65] = LEDGER_GENESIS;
	json_t *births = json_object();
	sqlite3_stmt *rows = NULL;
	int64_t expected = 1;
	int r = births ? 0 : fault_set(fault, VERDICT_SCORER_FAULT, "no memory");

	*events = *runs = 0;
	/* One view of the database for all that follows, whoever writes meanwhile. */
	if (r < 0 || sql_run(l, "BEGIN", fault) < 0) {
		json_decref(births);
		return -1;
	}
	r = schema(l, &f, fault);
	if (r == 0)
		r = structure(l, &f, fault);
	if (r == 0) {
		rows = sql_prepare(
		    l, fault, "SELECT seq, prev, hash, content FROM event NOT INDEXED ORDER BY seq", "");
		r = rows ? 0 : -1;
	}
	while (r == 0 && (r = sql_step(l, rows, fault)) == 1) {
		event(&f, rows, expected, prev, births);
		expected = sqlite3_column_int64(rows, 0) + 1;
		(*events)++;
		r = 0;
	}
	(void)sqlite3_finalize(rows);
	*runs = json_object_size(births);
	json_decref(births);
	return sql_end(l, r, fault);
}

struct folders {
	const struct finder *f;
	json_t *known; /* run → true */
};

static int evidence_there(void *context, const struct ledger_row *row)
{
	struct folders *c = context;
	char path[PATH_MAX + 32], hex[65];
	int fd, r;

	(void)json_object_set_new(c->known, row->run, json_true());
	if (!row->evidence || !row->folder)
		return 0;
	(void)snprintf(path, sizeof path, "%s/" ENVELOPE_FILE, row->folder);
	fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	r = fd < 0 ? -errno : digest_fd(fd, hex, NULL);
	if (r < 0)
		found(c->f, "%s: %s: %s", row->run, path, strerror(-r));
	else if (strcmp(hex, row->evidence) != 0)
		found(c->f, "%s: %s is not the evidence that was entered", row->run, path);
	if (fd >= 0)
		(void)close(fd);
	return 0;
}

int ledger_verify_folders(
    struct ledger *l, const char *home, ledger_finding *find, void *context, struct fault *fault)
{
	const struct finder f = {find, context};
	struct folders c = {&f, json_object()};
	char path[PATH_MAX];
	struct dirent *e;
	DIR *d;
	int r = c.known ? ledger_each(l, NULL, evidence_there, &c, fault)
			: fault_set(fault, VERDICT_SCORER_FAULT, "no memory");

	(void)snprintf(path, sizeof path, "%.4000s/runs", home);
	d = r == 0 ? opendir(path) : NULL;
	while (d && (e = readdir(d)) != NULL)
		if (e->d_name[0] != '.' && !json_object_get(c.known, e->d_name))
			found(&f, "%s/%s is not in the ledger (runs --import enters it)", path, e->d_name);
	if (d)
		(void)closedir(d);
	json_decref(c.known);
	return r;
}
