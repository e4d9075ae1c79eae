/*
 * Enters finished run directories of this or other homes. What is entered comes from the statement alone, after its
 * signature and every digest were checked: whoever can write into a directory cannot write the ledger through it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "evidence/check.h"
#include "evidence/ledger_sql.h"
#include "evidence/statement.h"
#include "sys/digest.h"

static int checked(
    int folder, const char *path, const struct signing_key *key, struct check *c, struct fault *fault)
{
	if (check_run(folder, key, c, fault) < 0)
		return -1;
	if (c->findings > 0) {
		fault_set(fault, VERDICT_NONE, "%s: %s %s%s", path, c->finding[0].file, c->finding[0].what,
		    c->findings > 1 ? ", and more" : "");
		return fault_hint(fault, "scorer-host verify names all of it; --key FILE names another key");
	}
	if (!c->statement || c->state[CHECK_SIGNATURE] != CHECK_OK || c->state[CHECK_DIGESTS] != CHECK_OK)
		return fault_set(fault, VERDICT_NONE, "%s: holds no evidence of a run", path);
	return 0;
}

static const char *submitted(const json_t *statement)
{
	const json_t *subject;
	size_t i;

	json_array_foreach(json_object_get(statement, "subject"), i, subject)
	{
		const char *name = json_string_value(json_object_get(subject, "name"));
		if (name && strcmp(name, SUBMISSION_SUBJECT) == 0)
			return json_string_value(
			    json_object_get(json_object_get(subject, "digest"), "sha256"));
	}
	return NULL;
}

/* The event, or NULL when the statement lacks what every run has. */
static json_t *imported(const json_t *statement, const char *folder, const char *evidence, const char *keyid)
{
	json_t *predicate = json_object_get(statement, "predicate"), *run = json_object_get(predicate, "run"),
	       *stage = json_array_get(json_object_get(predicate, "stages"), 0), *event;
	const char *id, *begun, *ended, *verdict, *submission, *host, *rescores;
	const char *task = NULL, *version = NULL, *digest = NULL, *engine = NULL;
	bool ran = json_is_integer(json_object_get(json_object_get(stage, "observed"), "wall_ms"));

	if (json_unpack(predicate, "{s:{s:s, s:s, s:s}, s:{s:s}}", "run", "id", &id, "started", &begun,
		"ended", &ended, "verdict", "code", &verdict) < 0 ||
	    verdict_from_name(verdict) == VERDICT_NONE || !*id)
		return NULL;
	submission = json_string_value(json_object_get(run, "submission"));
	host = json_string_value(json_object_get(run, "host"));
	rescores = json_string_value(json_object_get(run, "rescores"));
	engine = json_string_value(json_object_get(json_object_get(stage, "engine"), "name"));
	(void)json_unpack(
	    predicate, "{s:{s:s, s:s, s:s}}", "task", "name", &task, "version", &version, "sha256", &digest);
	event = json_pack("{s:s, s:s, s:s, s:s?, s:s, s:s?, s:s?, s:s?, s:O?, s:s?, s:s?, s:s?, s:b, s:s*}",
	    "event", "imported", "run", id, "folder", folder, "engine", engine, "started", begun, "host",
	    host, "submission", submission, "sha256", submitted(statement), "command",
	    json_object_get(stage, "command"), "task", task, "version", version, "task_sha256", digest,
	    "again", 0, "rescores", rescores);
	if (!event || json_object_set_new(event, "verdict", json_string(verdict)) < 0 ||
	    json_object_set_new(event, "ended", json_string(ended)) < 0 ||
	    json_object_set_new(event, "evidence", json_string(evidence)) < 0 ||
	    json_object_set_new(event, "keyid", json_string(keyid)) < 0 ||
	    json_object_set_new(event, "ran", json_boolean(ran)) < 0) {
		json_decref(event);
		return NULL;
	}
	return event;
}

static const char *member(const json_t *event, const char *key)
{
	return json_string_value(json_object_get(event, key));
}

/* 1 known already, 0 new, -1 when it cannot be had beside what is there. */
static int known(struct ledger *l, const json_t *event, struct fault *fault)
{
	const char *id = member(event, "run"), *evidence;
	sqlite3_stmt *row = sql_prepare(l, fault, "SELECT evidence, closed FROM run WHERE run = ?", "t", id);
	int r = row ? sql_step(l, row, fault) : -1;

	if (r == 1 && !sqlite3_column_int(row, 1)) {
		(void)fault_set(
		    fault, VERDICT_NONE, "%s is open here: it runs, or its scorer was killed", id);
		(void)fault_hint(fault, "the next start of scorer-host run closes it");
		r = -1;
	} else if (r == 1) {
		evidence = sql_text(row, 0);
		if (!evidence || strcmp(evidence, member(event, "evidence")) != 0)
			r = fault_set(fault, VERDICT_NONE, "%s is here already, with other evidence", id);
	}
	(void)sqlite3_finalize(row);
	return r;
}

/* One name, one submission, wherever it ran. */
static int same_bytes(struct ledger *l, const json_t *event, struct fault *fault)
{
	sqlite3_stmt *row = sql_prepare(l, fault,
	    "SELECT run FROM run WHERE submission = ? AND task = ? AND version = ? AND sha256 <> ? LIMIT 1",
	    "tttt", member(event, "submission"), member(event, "task"), member(event, "version"),
	    member(event, "sha256"));
	int r = row ? sql_step(l, row, fault) : -1;

	if (r == 1)
		r = fault_set(fault, VERDICT_NONE, "%s is %s, which is the name of other bytes in %s",
		    member(event, "run"), member(event, "submission"), sql_text(row, 0));
	(void)sqlite3_finalize(row);
	return r;
}

/* Takes the event over. */
static int enter(struct ledger *l, json_t *event, struct fault *fault)
{
	int r;

	if (sql_begin(l, fault) < 0) {
		json_decref(event);
		return -1;
	}
	r = known(l, event, fault);
	if (r == 0 && member(event, "submission"))
		r = same_bytes(l, event, fault);
	else if (r == 1)
		r = 2;
	if (r == 0)
		r = ledger_append(l, event, fault);
	else
		json_decref(event);
	r = sql_end(l, r, fault);
	return r == 2 ? 0 : r == 0 ? 1 : -1;
}

int ledger_import(struct ledger *l, const char *folder, const struct signing_key *key, struct fault *fault)
{
	char place[PATH_MAX], hex[65];
	struct check *c = calloc(1, sizeof *c);
	json_t *event = NULL;
	int at, fd = -1, r = -1;

	if (!c)
		return fault_set(fault, VERDICT_SCORER_FAULT, "no memory");
	at = realpath(folder, place) ? open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	if (at < 0)
		(void)fault_set(fault, VERDICT_NONE, "%s: %s", folder, strerror(errno));
	else
		r = checked(at, folder, key, c, fault);
	if (r == 0) {
		fd = openat(at, ENVELOPE_FILE, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0 || digest_fd(fd, hex, NULL) < 0)
			r = fault_set(fault, VERDICT_NONE, "%s: %s", folder, strerror(errno));
		else if (!(event = imported(c->statement, place, hex, key->id)))
			r = fault_set(fault, VERDICT_NONE, "%s: its statement names no run", folder);
	}
	if (r == 0)
		r = enter(l, event, fault);
	if (fd >= 0)
		(void)close(fd);
	if (at >= 0)
		(void)close(at);
	check_free(c);
	free(c);
	return r;
}
