/*
 * The self-check of a task: what its author wrote down must come out before a stranger is judged by it. Here are both
 * the keys of `selfcheck:` and the running of it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "intake/judge.h"
#include "intake/scoring.h"
#include "intake/task_build.h"
#include "intake/task_file.h"
#include "judge/expect.h"
#include "judge/number.h"

static size_t metric_find(const struct task *t, const char *name)
{
	size_t i = 0;
	while (i < t->metric_count && (!name || strcmp(t->metric[i].name, name) != 0))
		i++;
	return i;
}

static int expectation(
    struct builder *b, const struct yaml_expect *y, unsigned at, unsigned nth, struct task_expectation *e)
{
	double within = 0;
	if (metric_find(b->task, y->metric) == b->task->metric_count)
		return bad(b, y->metric, "expected the name of one of the metrics",
		    "selfcheck[%u].expect[%u].metric", at + 1, nth);
	if (!y->value || decimals_written(y->value) < 0)
		return bad(b, y->value, "expected a decimal number such as \"0.9934\"",
		    "selfcheck[%u].expect[%u].value", at + 1, nth);
	if (y->within &&
	    (number_parse((const uint8_t *)y->within, strlen(y->within), &within) < 0 || within < 0))
		return bad(b, y->within, "expected a decimal number, not negative",
		    "selfcheck[%u].expect[%u].within", at + 1, nth);
	*e = (struct task_expectation){y->metric, y->value, y->within};
	return 0;
}

static int item(struct builder *b, const struct yaml_selfcheck *y, unsigned at)
{
	struct task_selfcheck *s = &b->task->selfcheck[at];
	if (!!y->table + !!y->submission + !!y->files != 1)
		return bad(b, NULL, "expected one of table, submission, files", "selfcheck[%u]", at + 1);
	if (!!y->expect + !!y->verdict != 1)
		return bad(b, NULL, "expected either expect or verdict", "selfcheck[%u]", at + 1);
	if (y->submission)
		cannot(b, "selfcheck[%u].submission", at + 1);
	if (y->files)
		cannot(b, "selfcheck[%u].files", at + 1);
	if (y->table && !plain_text(y->table, 1024))
		return bad(
		    b, y->table, "expected a path below the task folder", "selfcheck[%u].table", at + 1);
	s->table = y->table;
	s->verdict = y->verdict ? verdict_from_name(y->verdict) : VERDICT_NONE;
	if (y->verdict && y->table && (s->verdict == VERDICT_SCORED || !verdict_of_table(s->verdict)))
		return bad(b, y->verdict, "expected a verdict of a table, such as TABLE_DUPLICATE",
		    "selfcheck[%u].verdict", at + 1);
	s->expect = task_keep(b, y->expect_count, sizeof *s->expect);
	if (!s->expect)
		return no_memory(b);
	for (; y->expect && s->expect_count < y->expect_count; s->expect_count++)
		if (expectation(b, &y->expect[s->expect_count], at, (unsigned)s->expect_count + 1,
			&s->expect[s->expect_count]) < 0)
			return -1;
	b->task->selfcheck_count = at + 1;
	return 0;
}

int build_selfcheck(struct builder *b)
{
	const struct yaml_task *y = b->yaml;
	if (!y->selfcheck) {
		(void)bad(b, NULL, "missing; a task shows with at least one table that it scores right",
		    "selfcheck");
		return fault_hint(b->fault,
		    "selfcheck: [{table: selfcheck/good.csv, expect: [{metric: AUROC, value: \"0.99\"}]}]");
	}
	b->task->selfcheck = task_keep(b, y->selfcheck_count, sizeof *b->task->selfcheck);
	if (!b->task->selfcheck)
		return no_memory(b);
	for (unsigned i = 0; i < y->selfcheck_count; i++)
		if (item(b, &y->selfcheck[i], i) < 0)
			return -1;
	return 0;
}

/* The first one is what happened; the others follow on lines of their own. */
__attribute__((format(printf, 2, 3))) static int mismatch(struct fault *fault, const char *format, ...)
{
	char text[sizeof fault->what];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text, sizeof text, format, args);
	va_end(args);
	if (fault->verdict == VERDICT_SELFCHECK_FAILED)
		return fault_more(fault, "", "%s", text);
	(void)fault_set(fault, VERDICT_SELFCHECK_FAILED, "%s", text);
	return fault_hint(fault, "either the truth or the table changed, or the expected value is wrong");
}

static int compare(
    const struct task *task, const struct task_selfcheck *s, const struct score *score, struct fault *fault)
{
	int r = 0;

	for (size_t i = 0; i < s->expect_count; i++) {
		const struct task_expectation *e = &s->expect[i];
		double value = score->metric[metric_find(task, e->metric)].value;
		char got[EXPECT_TEXT], exact[NUMBER_ROOM], more[NUMBER_ROOM + 16] = "";
		if (expect_holds(value, e->value, e->within))
			continue;
		(void)decimal_format(value, decimals_written(e->value) + (e->within ? 2 : 0), got);
		if (strtod(got, NULL) != value)
			(void)snprintf(more, sizeof more, " (exactly %s)", number_format(value, exact));
		r = mismatch(fault, "%s: %s expected %s%s%s, got %s%s", s->table, e->metric, e->value,
		    e->within ? " within " : "", e->within ? e->within : "", got, more);
	}
	return r;
}

/* *judged is set when the judge has looked at the truth and found it sound. */
static int check_item(
    const struct task *task, const struct task_selfcheck *s, bool *judged, struct fault *fault)
{
	char path[4096];
	struct score score;
	/* Messages name the table by its place in the task, not by the name that a candidate's has. */
	struct task named = *task;
	enum verdict wanted = s->verdict == VERDICT_NONE ? VERDICT_SCORED : s->verdict;
	int fd = open(task_path(task, s->table, path, sizeof path), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0) {
		bool denied = errno == EACCES;
		(void)fault_set(fault, VERDICT_TASK_INVALID, "self-check %s: %s", path, strerror(errno));
		return fault_hint(fault, "%s",
		    denied ? "let somebody call this who may read all of the task: root may"
			   : "selfcheck: names a table that lies in the task folder");
	}
	named.output_table = s->table;
	int r = score_table(&named, fd, &score);
	close(fd);
	if (r < 0) {
		*fault = score.fault;
		return -1;
	}
	*judged = *judged || score.truth_rows > 0;
	if (score.verdict != wanted)
		return mismatch(fault, "%s: expected %s, got %s%s%.700s", s->table, verdict_name(wanted),
		    verdict_name(score.verdict), *score.fault.what ? ": " : "", score.fault.what);
	return compare(task, s, &score, fault);
}

static int check_items(const struct task *task, size_t *items, bool *judged, struct fault *fault)
{
	memset(fault, 0, sizeof *fault);
	for (size_t i = 0; i < task->selfcheck_count; i++) {
		if (check_item(task, &task->selfcheck[i], judged, fault) == 0)
			++*items;
		else if (fault->verdict != VERDICT_SELFCHECK_FAILED)
			return -1;
	}
	return fault->verdict == VERDICT_NONE ? 0 : -1;
}

int task_selfcheck(const struct task *task, size_t *items, struct fault *fault)
{
	struct fault truth;
	bool judged = false;
	*items = 0;
	int r = check_items(task, items, &judged, fault);
	/* What no table can be blamed for is said first, and is looked for apart when no table got that far. */
	if (judged || score_truth(task, &truth) == 0)
		return r;
	*fault = truth;
	return -1;
}
