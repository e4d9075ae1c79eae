/* Truth and columns to matches and metrics. Pure. */
#include "judge/weigh.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compute(
    const struct task *task, const struct table_spec *spec, const struct pairs *pairs, struct weighed *out)
{
	for (size_t i = 0; i < task->metric_count; i++) {
		const struct task_metric *m = &task->metric[i];
		int r = metric_compute(m, pairs, truth_cell(spec, m), 1 + m->column, &out->metric[i]);
		if (r < 0)
			return r;
	}
	return 0;
}

int weigh(const struct task *task, const uint8_t *truth, size_t n, const struct columns_shape *truth_shape,
    void *block, const struct columns *table, const uint64_t key[2], bool with_metrics, struct weighed *out)
{
	struct table_spec table_spec, truth_spec;
	struct columns columns;

	memset(out, 0, sizeof *out);
	spec_of_table(task, &table_spec);
	spec_of_truth(task, &truth_spec);
	if (columns_check(table, &table_spec) < 0)
		return -EBADMSG;
	columns_bind(&columns, block, truth_shape);
	columns_start(&columns);
	table_read(truth, n, &truth_spec, &columns, &out->truth);
	if (!out->truth.clean || out->truth.fault[TABLE_KIND_VALUE].count)
		return 0;
	out->truth_rows = columns.header->rows;
	uint32_t *row_of = calloc(out->truth_rows + 1, sizeof *row_of);
	if (!row_of)
		return -ENOMEM;
	int r = match_ids(&columns, table, key, row_of, &out->match);
	const struct match_report *m = &out->match;
	const struct pairs pairs = {&columns, table, row_of, out->truth_rows};
	if (r == 0 && with_metrics && !m->truth_duplicate.count && !m->duplicate.count && !m->unknown.count &&
	    !m->missing.count)
		r = compute(task, &truth_spec, &pairs, out);
	free(row_of);
	return r;
}

static bool match_plausible(const struct match_fault *f, uint64_t rows)
{
	return f->count <= rows && (f->count == 0 || (f->row < rows && f->other < rows));
}

bool weighed_check(const struct weighed *w, const struct task *task, uint64_t table_rows)
{
	if (!match_plausible(&w->match.truth_duplicate, w->truth_rows) ||
	    !match_plausible(&w->match.missing, w->truth_rows) ||
	    !match_plausible(&w->match.duplicate, table_rows) ||
	    !match_plausible(&w->match.unknown, table_rows) || w->truth_rows > TABLE_ROWS_MAX)
		return false;
	for (size_t i = 0; i < task->metric_count; i++) {
		const struct metric_result *m = &w->metric[i];
		if (m->why >= WHY_END || !isfinite(m->value) || m->value < 0 || m->value > 1 ||
		    m->n > w->truth_rows)
			return false;
	}
	return true;
}
