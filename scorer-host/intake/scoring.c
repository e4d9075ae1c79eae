/*
 * One table to one verdict: bounds, reader, judge, and the words for what they found. Holds the order of verdicts:
 * TOO_LARGE, FORMAT, COLUMNS, DUPLICATE, UNKNOWN, MISSING, VALUE. Never looks into a table itself.
 */
#include "intake/scoring.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "intake/judge.h"
#include "intake/reader.h"
#include "judge/table_text.h"
#include "sys/digest.h"

/* A verdict of the submission: the caller goes on with it. */
static int decided(struct score *out)
{
	out->verdict = out->fault.verdict;
	return 0;
}

/* A verdict of ours: the caller stops. */
static int ours(struct score *out)
{
	out->verdict = out->fault.verdict;
	return -1;
}

static int no_process(struct score *out, const char *which, int error)
{
	(void)fault_set(
	    &out->fault, VERDICT_SCORER_FAULT, "the %s process could not be run: %s", which, strerror(error));
	(void)fault_hint(
	    &out->fault, "this host must have memory to spare, seccomp, memfd_create and pidfd_open");
	return ours(out);
}

/* Signals that a process can bring upon itself; any other came from outside. */
static bool own_doing(const struct child_end *end)
{
	static const int own[] = {
	    SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGSYS, SIGTRAP, SIGXCPU, SIGXFSZ};
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (end->signal == own[i])
			return true;
	return end->signal == 0;
}

static int outside(struct score *out, const char *which, const struct child_end *end)
{
	(void)fault_set(&out->fault, VERDICT_SCORER_FAULT,
	    "the %s process was killed from outside by signal %d", which, end->signal);
	(void)fault_hint(&out->fault, "see whether the host ran out of memory (dmesg), then run again");
	return ours(out);
}

/* What a table of that size, far above the truth's, does to the host's memory is its own doing. */
static bool out_of_proportion(const struct task *task, uint64_t bytes)
{
	return bytes / 16 > judge_truth_size(task) + (4 << 20);
}

static int killed(const struct task *task, const char *which, uint64_t bytes, const struct child_end *end,
    struct score *out)
{
	if (end->signal != SIGKILL || !out_of_proportion(task, bytes))
		return outside(out, which, end);
	(void)fault_set(&out->fault, VERDICT_TABLE_TOO_LARGE,
	    "%s: it is more than 16 times the truth's size, and the %s process was killed over it",
	    task->output_table, which);
	out->fault.count = 1;
	return decided(out);
}

static int reader_failed(
    const struct task *task, uint64_t bytes, const struct child_end *end, struct score *out)
{
	if (end->error)
		return no_process(out, "reader", end->error);
	if (!end->late && !own_doing(end))
		return killed(task, "reader", bytes, end, out);
	if (end->late || end->signal == SIGXCPU)
		(void)fault_set(&out->fault, VERDICT_TABLE_TOO_LARGE,
		    "%s: reading it took longer than any honest table needs", task->output_table);
	else
		(void)fault_set(&out->fault, VERDICT_TABLE_FORMAT,
		    "%s: the confined reader failed on it (signal %d, status %d)", task->output_table,
		    end->signal, end->status);
	out->fault.count = 1;
	return decided(out);
}

static int judge_failed(const struct task *task, uint64_t bytes, const struct judged *j, struct score *out)
{
	const struct child_end *end = &j->end;
	if (end->error) {
		(void)fault_set(
		    &out->fault, VERDICT_TASK_INVALID, "truth %s: %s", task->truth, strerror(end->error));
		(void)fault_hint(&out->fault, "truth: must name a regular file that this user may read");
		return ours(out);
	}
	if (!end->late && !own_doing(end))
		return killed(task, "judge", bytes, end, out);
	if (end->late)
		(void)fault_set(&out->fault, VERDICT_SCORER_FAULT, "the judge process did not end in time");
	else
		(void)fault_set(&out->fault, VERDICT_SCORER_FAULT,
		    "the judge process failed (signal %d, status %d)", end->signal, end->status);
	return ours(out);
}

/* The first metric without a figure decides: the truth's fault before any that the table may have. */
static int weigh_metrics(const struct task *task, const struct weighed *w, struct score *out)
{
	for (size_t i = 0; i < task->metric_count; i++) {
		const struct score_metric *m = &w->metric[i];
		if (metric_why_whose(m->why) != 'f')
			continue;
		if (m->why == WHY_GROUPS)
			(void)fault_set(&out->fault, VERDICT_TASK_INVALID, "metric %s by %s: %s",
			    task->metric[i].name, task->metric[i].by, metric_why_text(m->why));
		else
			(void)fault_set(&out->fault, VERDICT_TASK_INVALID,
			    "%s: row %" PRIu64 ", column %s: %s", task->truth, m->fault_row + 2,
			    m->why == WHY_TRUTH_EVENT ? task->metric[i].event : task->metric[i].truth,
			    metric_why_text(m->why));
		return ours(out);
	}
	for (size_t i = 0; i < task->metric_count; i++)
		if (w->metric[i].why) {
			(void)fault_set(&out->fault, VERDICT_METRIC_UNDEFINED, "metric %s is undefined: %s",
			    task->metric[i].name, metric_why_text(w->metric[i].why));
			return decided(out);
		}
	out->verdict = VERDICT_SCORED;
	return 0;
}

static int take_metrics(const struct task *task, const struct weighed *w, struct score *out)
{
	memcpy(out->metric, w->metric, sizeof out->metric);
	memcpy(out->group, w->group, sizeof out->group);
	out->filled = w->filled;
	return weigh_metrics(task, w, out);
}

static int too_many_rows(const struct task *task, uint64_t truth_rows, struct score *out)
{
	(void)fault_set(&out->fault, VERDICT_TABLE_TOO_LARGE,
	    "%s: %" PRIu64 " rows; for a truth of %" PRIu64 " it may have %" PRIu64, task->output_table,
	    out->rows, truth_rows, spec_rows_most(truth_rows));
	out->fault.count = out->rows;
	return decided(out);
}

static int truth_fits(const struct task *task, const struct judged *j, struct score *out)
{
	struct table_spec spec;

	spec_of_truth(task, &spec);
	if (table_verdict(&j->weighed.truth) != VERDICT_NONE) {
		(void)table_fault_text(
		    &out->fault, VERDICT_TASK_INVALID, task->truth, &spec, &j->weighed.truth, false);
		return ours(out);
	}
	if (j->weighed.absent > 0) {
		const struct task_metric *m = &task->metric[j->weighed.absent - 1];
		(void)fault_set(&out->fault, VERDICT_TASK_INVALID,
		    "metric %s: no row of %s has \"%.128s\", its positive label, in column %s", m->name,
		    task->truth, m->positive, m->truth);
		(void)fault_hint(&out->fault, "positive: names the label as the truth spells it");
		return ours(out);
	}
	return 0;
}

static int judge_table(const struct task *task, const struct table_spec *spec, uint64_t bytes,
    const struct read_table *read, struct score *out)
{
	struct judged j;
	bool good = read->report.fault[TABLE_KIND_VALUE].count == 0;
	int r = judge_run(task, read, good, &j);
	if (r < 0)
		return no_process(out, "judge", -r);
	if (!child_finished(&j.end))
		return judge_failed(task, bytes, &j, out);
	memcpy(out->truth_sha256, j.truth_sha256, sizeof out->truth_sha256);
	if (j.result == -EBADMSG) {
		/* Only a reader that no longer was our program can have left such columns. */
		(void)fault_set(&out->fault, VERDICT_TABLE_FORMAT,
		    "%s: the reader's columns do not hold together", task->output_table);
		return decided(out);
	}
	if (j.result < 0) {
		(void)fault_set(&out->fault, VERDICT_SCORER_FAULT, "judge: %s", strerror(-j.result));
		return ours(out);
	}
	out->truth_rows = j.weighed.truth_rows;
	if (truth_fits(task, &j, out) < 0)
		return -1;
	if (j.weighed.beyond || out->rows > spec_rows_most(out->truth_rows))
		return too_many_rows(task, out->truth_rows, out);
	if (match_verdict(&j.weighed.match) != VERDICT_NONE) {
		(void)match_fault_text(&out->fault, task->output_table, task->truth, &j.weighed.match);
		return out->fault.verdict == VERDICT_TASK_INVALID ? ours(out) : decided(out);
	}
	if (!good) {
		(void)table_fault_text(
		    &out->fault, VERDICT_TABLE_VALUE, task->output_table, spec, &read->report, true);
		return decided(out);
	}
	return take_metrics(task, &j.weighed, out);
}

int score_truth(const struct task *task, struct fault *fault)
{
	struct judged j;
	struct score out = {.verdict = VERDICT_NONE};
	int r = judge_run(task, NULL, false, &j);

	if (r < 0)
		r = no_process(&out, "judge", -r);
	else if (!child_finished(&j.end))
		r = judge_failed(task, 0, &j, &out);
	else
		r = truth_fits(task, &j, &out);
	if (r < 0)
		*fault = out.fault;
	return r;
}

static int too_large(const struct task *task, uint64_t bytes, struct score *out)
{
	char is[32];
	(void)fault_set(&out->fault, VERDICT_TABLE_TOO_LARGE, "%s: %s is more than output-bytes",
	    task->output_table, unit_format(UNIT_SIZE, bytes, is));
	(void)snprintf(out->fault.limit_name, sizeof out->fault.limit_name, "output-bytes");
	(void)unit_format(UNIT_SIZE, task->limit[OPTION_OUTPUT_BYTES], out->fault.limit_value);
	return decided(out);
}

static int beyond(const struct task *task, struct score *out)
{
	(void)fault_set(&out->fault, VERDICT_TABLE_TOO_LARGE, "%s: more than the 64GiB that a table may have",
	    task->output_table);
	return decided(out);
}

static int read_table(const struct task *task, int table, uint64_t bytes, struct score *out)
{
	struct table_spec spec;
	struct read_table read;
	spec_of_table(task, &spec);
	/* A row of the truth has two bytes at least; how many it has, only the judge knows. */
	spec.rows_most = spec_rows_most(judge_truth_size(task) / 2 + 1);
	int r = reader_run(&spec, table, bytes, &read);
	if (r < 0)
		return no_process(out, "reader", -r);
	if (!child_finished(&read.end)) {
		r = reader_failed(task, bytes, &read.end, out);
	} else {
		out->rows = read.report.rows;
		out->bom = read.report.bom;
		if (read.report.clean) {
			r = judge_table(task, &spec, bytes, &read, out);
		} else {
			(void)table_fault_text(&out->fault, table_verdict(&read.report), task->output_table,
			    &spec, &read.report, true);
			r = decided(out);
		}
	}
	close(read.columns);
	return r;
}

int score_table(const struct task *task, int table, struct score *out)
{
	struct stat st;
	uint64_t bytes = 0;

	memset(out, 0, sizeof *out);
	int r = fstat(table, &st) < 0 ? -errno : S_ISREG(st.st_mode) ? 0 : -EINVAL;
	if (r == 0 && (uint64_t)st.st_size > task->limit[OPTION_OUTPUT_BYTES])
		return too_large(task, (uint64_t)st.st_size, out);
	if (r == 0 && (uint64_t)st.st_size > TABLE_BYTES_MAX)
		return beyond(task, out);
	if (r == 0) {
		struct digest_job digest;
		digest_start(table, &digest);
		int read = read_table(task, table, (uint64_t)st.st_size, out);
		r = digest_finish(&digest, out->table_sha256, &bytes);
		if (r == 0 && bytes == (uint64_t)st.st_size)
			return read;
	}
	(void)fault_set(&out->fault, VERDICT_SCORER_FAULT, "%s: the private copy cannot be read: %s",
	    task->output_table, strerror(r < 0 ? -r : EBUSY));
	return ours(out);
}
