/* Truth and columns to matches and metrics. Pure. */
#include "judge/weigh.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compute(const struct pairs *pairs, struct weighed *out)
{
	for (size_t i = 0; i < pairs->task->metric_count; i++) {
		int r = metric_compute(i, pairs, &out->metric[i], out->group, &out->groups);
		if (r < 0)
			return r;
	}
	return 0;
}

/* Rows that may miss are told apart from rows that must not. */
static void allow_missing(const struct task *task, struct weighed *out)
{
	if (!rows_may_miss(task))
		return;
	out->filled = out->match.missing.count;
	out->match.missing = (struct match_fault){0};
}

static bool has_label(const struct columns *c, size_t cell, const char *label)
{
	size_t n = strlen(label);

	for (uint64_t i = 0; i < c->header->rows; i++) {
		struct text t = cell_text(c, &c->cell[cell][i]);
		if (t.n == n && memcmp(t.at, label, n) == 0)
			return true;
	}
	return false;
}

/* The first metric whose positive label no row of the truth has. */
static void find_absent(
    const struct task *task, const struct table_spec *spec, const struct columns *truth, struct weighed *out)
{
	for (size_t i = task->metric_count; i-- > 0;) {
		const struct task_metric *m = &task->metric[i];
		size_t cell = m->positive && m->truth ? truth_cell(spec, m->truth) : 0;
		if (cell && spec->field[spec->ids + cell - 1].type == COLUMN_LABEL &&
		    !has_label(truth, cell, m->positive))
			out->absent = (uint32_t)i + 1;
	}
}

int weigh(const struct task *task, const uint8_t *truth, size_t n, const struct columns_shape *truth_shape,
    void *block, const struct columns *table, const uint64_t key[2], bool with_metrics, struct weighed *out)
{
	struct table_spec table_spec, truth_spec;
	struct columns columns;

	memset(out, 0, sizeof *out);
	spec_of_table(task, &table_spec);
	spec_of_truth(task, &truth_spec);
	columns_bind(&columns, block, truth_shape);
	columns_start(&columns);
	table_read(truth, n, &truth_spec, &columns, &out->truth);
	if (!out->truth.clean || out->truth.fault[TABLE_KIND_VALUE].count)
		return 0;
	out->truth_rows = columns.header->rows;
	find_absent(task, &truth_spec, &columns, out);
	/* Looked at before all else that goes over the table's rows. */
	out->beyond = table->header->rows > spec_rows_most(out->truth_rows);
	if (out->beyond)
		return 0;
	if (columns_check(table, &table_spec, with_metrics) < 0)
		return -EBADMSG;
	uint32_t *row_of = calloc(out->truth_rows + 1, sizeof *row_of);
	if (!row_of)
		return -ENOMEM;
	int r = match_ids(&columns, table, key, row_of, &out->match);
	const struct match_report *m = &out->match;
	const struct pairs pairs = {task, &truth_spec, &columns, table, row_of, out->truth_rows, key};
	allow_missing(task, out);
	if (r == 0 && with_metrics && !m->truth_duplicate.count && !m->duplicate.count && !m->unknown.count &&
	    !m->missing.count)
		r = compute(&pairs, out);
	free(row_of);
	return r;
}

void weigh_truth(const struct task *task, const uint8_t *truth, size_t n,
    const struct columns_shape *truth_shape, void *block, struct weighed *out)
{
	struct table_spec spec;
	struct columns columns;

	memset(out, 0, sizeof *out);
	spec_of_truth(task, &spec);
	columns_bind(&columns, block, truth_shape);
	columns_start(&columns);
	table_read(truth, n, &spec, &columns, &out->truth);
	if (!out->truth.clean || out->truth.fault[TABLE_KIND_VALUE].count)
		return;
	out->truth_rows = columns.header->rows;
	find_absent(task, &spec, &columns, out);
}

static bool match_plausible(const struct match_fault *f, uint64_t rows)
{
	return f->sample_length <= MATCH_SAMPLE && f->count <= rows &&
	       (f->count == 0 || (f->row < rows && f->other < rows));
}

static bool within(double value, const struct metric_kind_row *kind)
{
	return isfinite(value) && value >= kind->low && value <= kind->high;
}

static bool metric_plausible(
    const struct score_metric *m, const struct metric_kind_row *kind, const struct weighed *w)
{
	/* What was not computed is all zero. */
	if (m->why >= WHY_END || m->n > w->truth_rows || m->fault_row > w->truth_rows ||
	    !isfinite(m->value) || (m->why && m->value != 0) || (!m->why && m->n && !within(m->value, kind)))
		return false;
	if (m->resamples && (!within(m->low, kind) || !within(m->high, kind) || m->low > m->high))
		return false;
	if (m->first > SCORE_GROUPS || m->groups > SCORE_GROUPS - m->first)
		return false;
	if (m->worst != SCORE_NO_GROUP && m->groups &&
	    (m->worst < m->first || m->worst - m->first >= m->groups))
		return false;
	for (uint32_t k = m->first; k < m->first + m->groups; k++) {
		const struct score_group *g = &w->group[k];
		if (g->why >= WHY_END || g->withheld > 1 || g->n > w->truth_rows ||
		    !memchr(g->name, '\0', sizeof g->name) ||
		    (g->why || g->withheld ? g->value != 0 : !within(g->value, kind)))
			return false;
	}
	return true;
}

bool weighed_check(const struct weighed *w, const struct task *task, uint64_t table_rows)
{
	if (w->absent > task->metric_count)
		return false;
	if (!match_plausible(&w->match.truth_duplicate, w->truth_rows) ||
	    !match_plausible(&w->match.missing, w->truth_rows) ||
	    !match_plausible(&w->match.duplicate, table_rows) || w->filled > w->truth_rows ||
	    !match_plausible(&w->match.unknown, table_rows) || w->truth_rows > TABLE_ROWS_MAX ||
	    w->beyond > 1)
		return false;
	for (size_t i = 0; i < task->metric_count; i++)
		if (!metric_plausible(&w->metric[i], &metric_kinds[task->metric[i].as], w))
			return false;
	return true;
}
