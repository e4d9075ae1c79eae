/*
 * participant.json. What a participant may see is first taken out of the run as numbers, bits of closed lists, and the
 * task's own names; the document is then written from that alone, which has no place for a text of the candidate's, of
 * its table or of its image. Never in it: logs, usage, times, exit codes, signals. A verdict that is not the
 * submission's own says nothing but itself.
 */
#include <stdio.h>
#include <string.h>

#include "evidence/canonical.h"
#include "evidence/evidence.h"
#include "evidence/view.h"
#include "judge/words.h"
#include "sys/digest.h"

/* All that a participant may see. Every pointer leads to what the organiser or the operator wrote. */
struct told {
	char run[24];		 /* "r-" and hex digits, or "" */
	const char *submission;	 /* WHO/N as the operator typed it, or NULL */
	char digest[DIGEST_HEX]; /* of what was submitted: hex digits, or "" */
	const struct task *task; /* the organiser's */
	enum verdict verdict;	 /* VERDICT_NONE: not told, or undecided */
	uint64_t count;		 /* 0: not told */
	enum option limit;	 /* OPTION_END: not told */
	uint64_t limit_value;	 /* LIMIT_NONE: not told */
	unsigned notes;
	bool charged; /* the submission's own affair; else there is nothing but the verdict */
	size_t metrics;
	struct {
		bool defined, interval;
		double value, low, high;
	} metric[SCORE_METRICS];
};

/* Copies what consists of hex digits behind the prefix; else leaves "". */
static void take_hex(char *out, size_t room, const char *prefix, const char *text)
{
	size_t n = strlen(prefix), length = strlen(text);

	out[0] = '\0';
	if (length < room && strncmp(text, prefix, n) == 0 &&
	    strspn(text + n, "0123456789abcdef") == length - n)
		memcpy(out, text, length + 1);
}

/* The table's own row and a number: the name and the value as text stay behind. */
static void take_limit(const struct fault *fault, struct told *t)
{
	uint64_t value;

	t->limit_value = LIMIT_NONE;
	t->limit = option_find(fault->limit_name, strlen(fault->limit_name), ON_TASK);
	if (t->limit == OPTION_END)
		return;
	if (option_table[t->limit].kind != VALUE_NUMBER)
		t->limit = OPTION_END;
	else if (unit_parse(option_table[t->limit].unit, fault->limit_value, &value) == 0)
		t->limit_value = value;
}

static void take_metrics(const struct run *run, struct told *t)
{
	if (run->fault.verdict != VERDICT_SCORED || !run->have_score || !run->task)
		return;
	for (; t->metrics < run->task->metric_count && t->metrics < SCORE_METRICS; t->metrics++) {
		const struct score_metric *m = &run->score.metric[t->metrics];
		t->metric[t->metrics].defined = !m->why;
		t->metric[t->metrics].value = !m->why ? view_round(m->value, run->task->round) : 0;
		t->metric[t->metrics].interval = !m->why && m->resamples;
		t->metric[t->metrics].low = view_round(m->low, run->task->round);
		t->metric[t->metrics].high = view_round(m->high, run->task->round);
	}
}

static void take(const struct run *run, struct told *t)
{
	enum verdict_class class = verdict_class(run->fault.verdict);
	/* Without a task nobody has granted anything. */
	unsigned tell = run->task ? run->task->tell : TELL_VERDICT;

	memset(t, 0, sizeof *t);
	t->limit = OPTION_END;
	take_hex(t->run, sizeof t->run, "r-", run->id);
	t->submission = run->submission;
	t->charged = class == CLASS_SUBMISSION || class == CLASS_SCORED;
	if (!t->charged || (tell & TELL_VERDICT))
		t->verdict = run->fault.verdict;
	if (!t->charged)
		return;
	take_hex(t->digest, sizeof t->digest, "", run->submission_sha256);
	t->task = run->task;
	if (tell & TELL_COUNT)
		t->count = run->fault.count;
	if (tell & TELL_LIMIT)
		take_limit(&run->fault, t);
	if (tell & TELL_NOTES)
		t->notes = run->notes;
	if (tell & TELL_METRICS)
		take_metrics(run, t);
}

static json_t *limit(const struct told *t)
{
	const struct option_row *row = &option_table[t->limit];
	json_t *root = json_object();
	char value[32];
	int failed = 0;

	canonical_put(root, "name", json_string(row->name), &failed);
	canonical_put(root, "value",
	    t->limit_value == LIMIT_NONE ? json_null()
					 : json_string(unit_format(row->unit, t->limit_value, value)),
	    &failed);
	return view_done(root, failed);
}

static json_t *metrics(const struct told *t)
{
	json_t *list = json_array();
	int failed = 0;

	for (size_t i = 0; i < t->metrics; i++) {
		json_t *one = json_object();
		canonical_put(one, "name", canonical_text(t->task->metric[i].name), &failed);
		canonical_put(one, "value",
		    t->metric[i].defined ? json_real(t->metric[i].value) : json_null(), &failed);
		if (t->metric[i].interval)
			canonical_put(
			    one, "ci", json_pack("[f, f]", t->metric[i].low, t->metric[i].high), &failed);
		if (json_array_append_new(list, one) < 0)
			failed = 1;
	}
	return view_done(list, failed);
}

static json_t *write(const struct told *t)
{
	json_t *root = json_object();
	char decade[WORD];
	int failed = 0;

	canonical_put(root, "schema", json_string("urn:proctor:participant:1"), &failed);
	canonical_put(root, "run", canonical_text(t->run[0] ? t->run : NULL), &failed);
	canonical_put(root, "submission", canonical_text(t->submission), &failed);
	if (t->charged) {
		canonical_put(root, "image",
		    t->digest[0] ? json_sprintf("sha256:%s", t->digest) : json_null(), &failed);
		canonical_put(root, "task", view_task(t->task), &failed);
		canonical_put(root, "method", json_null(), &failed);
	}
	if (!t->charged || t->verdict != VERDICT_NONE)
		canonical_put(root, "verdict", canonical_text(verdict_name(t->verdict)), &failed);
	if (t->count > 0)
		canonical_put(root, "count", json_string(word_decade(t->count, decade)), &failed);
	if (t->limit != OPTION_END)
		canonical_put(root, "limit", limit(t), &failed);
	if (t->charged) {
		canonical_put(root, "metrics", metrics(t), &failed);
		canonical_put(root, "notes", view_notes(t->notes), &failed);
	}
	return view_done(root, failed);
}

json_t *participant_json(const struct run *run)
{
	struct told t;

	take(run, &t);
	return write(&t);
}
