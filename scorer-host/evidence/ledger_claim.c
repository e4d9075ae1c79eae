/*
 * A run's way through the ledger: looked up by its submission, begun, closed. What decides is here in one function, and
 * the same whether it is asked beforehand or inside the transaction that begins the run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evidence/ledger_sql.h"

enum { HELD_AT = 2 };

bool ledger_unattributed(enum verdict verdict, int ran)
{
	if (ran != 1)
		return false;
	switch ((int)verdict) {
	case VERDICT_RECORD_MISSING:
	case VERDICT_RECORD_INVALID:
	case VERDICT_RECORD_MISMATCH:
	case VERDICT_ENGINE_FAILED:
	case VERDICT_INFRA_DISK:
	case VERDICT_SCORER_FAULT: /* a table that breaks the judge would do */
		return true;
	default:
		return false;
	}
}

static json_t *words(char *const *command)
{
	json_t *list = json_array();
	for (; list && command && *command; command++)
		if (json_array_append_new(list, json_string(*command)) < 0) {
			json_decref(list);
			return NULL;
		}
	return list;
}

static json_t *started(const struct ledger_start *s)
{
	/* Nothing is run to score a table again: no command of a later run is another one. */
	json_t *command = s->rescores ? json_null() : words(s->command);

	if (!command)
		return NULL;
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s?, s:s?, s:o, s:s, s:s, s:s, s:b, s:s*}", "event",
	    "started", "run", s->run, "folder", s->folder, "engine", s->engine, "started", s->started, "host",
	    s->host, "submission", s->submission, "sha256", s->sha256, "command", command, "task",
	    s->task->name, "version", s->task->version, "task_sha256", s->task->sha256, "again",
	    (int)s->again, "rescores", s->rescores);
}

static bool differs(const char *a, const char *b)
{
	return a && b && strcmp(a, b) != 0;
}

static int refuse(struct ledger_found *found, enum verdict verdict, const struct ledger_start *s,
    const char *what, const char *hint, struct fault *fault)
{
	found->claim = LEDGER_REFUSED;
	(void)fault_set(fault, verdict, "%s %s in %s", s->submission, what, found->run);
	return fault_hint(fault, "%s", hint);
}

/* One earlier run of the same name. -1 when it rules this one out. */
static int weigh(sqlite3_stmt *row, const struct ledger_start *s, const char *command,
    struct ledger_found *found, bool *decided, struct fault *fault)
{
	const char *verdict = sql_text(row, 2), *run = sql_text(row, 0), *folder = sql_text(row, 1);
	enum verdict v = verdict ? verdict_from_name(verdict) : VERDICT_NONE;
	int ran = sqlite3_column_type(row, 3) == SQLITE_NULL ? -1 : sqlite3_column_int(row, 3);
	enum verdict_class class = verdict_class(v);
	bool decides = v != VERDICT_NONE && (class == CLASS_SCORED || class == CLASS_SUBMISSION);

	/* The latest decision stays the one that is told, whatever a repetition ended in after it. */
	if (!*decided || decides || v == VERDICT_NONE) {
		(void)snprintf(found->run, sizeof found->run, "%s", run ? run : "");
		(void)snprintf(found->folder, sizeof found->folder, "%s", folder ? folder : "");
		found->verdict = v;
	}
	*decided = *decided || decides;
	if (differs(sql_text(row, 4), s->sha256))
		return refuse(found, VERDICT_NONE, s, "is the name of other bytes",
		    "other bytes are another submission: give it the next number", fault);
	if (!s->rescores && differs(sql_text(row, 5), command))
		return refuse(found, VERDICT_NONE, s, "was run with another command",
		    "another command is another submission: give it the next number", fault);
	if (differs(sql_text(row, 6), s->task->sha256)) {
		(void)refuse(found, VERDICT_TASK_INVALID, s, "was judged by another task", "", fault);
		(void)fault_set(fault, VERDICT_TASK_INVALID,
		    "task.yaml of %s %s is not the one that %s was judged by (%s)", s->task->name,
		    s->task->version, s->submission, found->run);
		return fault_hint(fault, "put it back as it was, or raise its version");
	}
	found->attempts += ran != 0 && v != VERDICT_NONE;
	found->unattributed += ledger_unattributed(v, ran);
	if (v == VERDICT_NONE) {
		found->claim = LEDGER_RUNNING;
		return -1;
	}
	return 0;
}

static const char earlier_runs[] =
    "SELECT run, folder, verdict, ran, sha256, command, task_sha256 FROM run "
    "WHERE task = ? AND version = ? AND submission = ? ORDER BY closed DESC, seq";

/* 0 with found filled, or -1 when the ledger cannot be read. */
static int look(
    struct ledger *l, const struct ledger_start *s, struct ledger_found *found, struct fault *fault)
{
	json_t *list = words(s->command);
	char *command = list ? ledger_encode(list) : NULL;
	sqlite3_stmt *rows = NULL;
	bool decided = false;
	int r = 0;

	memset(found, 0, sizeof *found);
	found->claim = LEDGER_FREE;
	json_decref(list);
	if (!command)
		r = fault_set(fault, VERDICT_SCORER_FAULT, "the command is not UTF-8, or there is no memory");
	if (r == 0 && s->submission) {
		rows = sql_prepare(
		    l, fault, earlier_runs, "ttt", s->task->name, s->task->version, s->submission);
		r = rows ? 0 : -1;
		while (r == 0 && (r = sql_step(l, rows, fault)) == 1)
			r = weigh(rows, s, command, found, &decided, fault) < 0 ? 2 : 0;
	}
	(void)sqlite3_finalize(rows);
	free(command);
	if (r == 2)
		return 0;
	if (r == 0 && !s->again && decided)
		found->claim = LEDGER_DECIDED;
	else if (r == 0 && !s->again && found->unattributed >= HELD_AT)
		found->claim = LEDGER_HELD;
	return r;
}

int ledger_look(
    struct ledger *l, const struct ledger_start *start, struct ledger_found *found, struct fault *fault)
{
	return look(l, start, found, fault);
}

int ledger_begin(
    struct ledger *l, const struct ledger_start *start, struct ledger_found *found, struct fault *fault)
{
	json_t *content;
	int r;

	memset(found, 0, sizeof *found);
	found->claim = LEDGER_FREE;
	if (sql_begin(l, fault) < 0)
		return -1;
	r = look(l, start, found, fault);
	if (r == 0 && found->claim == LEDGER_FREE) {
		content = started(start);
		r = content ? ledger_append(l, content, fault)
			    : fault_set(fault, VERDICT_SCORER_FAULT,
				  "a path or a name is not UTF-8, or there is no memory");
	}
	return sql_end(l, r, fault);
}

/* 1 when the run can be closed, 0 when not, -1. */
static int is_open(struct ledger *l, const char *run, struct fault *fault)
{
	sqlite3_stmt *row = sql_prepare(l, fault, "SELECT 1 FROM run WHERE run = ? AND NOT closed", "t", run);
	int r = row ? sql_step(l, row, fault) : -1;
	(void)sqlite3_finalize(row);
	return r;
}

int ledger_end(struct ledger *l, const struct ledger_end *end, struct fault *fault)
{
	const char *evidence = end->evidence && end->evidence[0] ? end->evidence : NULL;
	json_t *content;
	int r;

	if (sql_begin(l, fault) < 0)
		return -1;
	r = is_open(l, end->run, fault);
	if (r == 1) {
		content = json_pack("{s:s, s:s, s:s, s:s, s:s?, s:s, s:o}", "event", "closed", "run",
		    end->run, "verdict", verdict_name(end->verdict), "ended", end->ended, "evidence",
		    evidence, "by", end->by, "ran", end->ran < 0 ? json_null() : json_boolean(end->ran));
		r = content
			? ledger_append(l, content, fault)
			: fault_set(fault, VERDICT_SCORER_FAULT, "%s: nothing to close it with", end->run);
	} else if (r == 0) {
		r = 1;
	}
	return sql_end(l, r, fault);
}
