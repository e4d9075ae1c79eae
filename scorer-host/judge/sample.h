/* From paired rows to the arrays that a metric works on. Pure. */
#ifndef PROCTOR_JUDGE_SAMPLE_H
#define PROCTOR_JUDGE_SAMPLE_H

#include "judge/labels.h"
#include "judge/match.h"
#include "judge/metric.h"

/* The paired rows: row i of the truth belongs to row row_of[i] of the table, or to none where rows may miss. */
struct pairs {
	const struct task *task;
	const struct table_spec *truth_spec;
	const struct columns *truth, *table;
	const uint32_t *row_of;
	uint64_t rows;
	const uint64_t *key;
};

/* What `from` of a metric names: a FROM_ bit. */
unsigned from_of(const struct task *task, size_t column);

/*
 * Fills w->sample with what w->metric needs: of the n rows of the truth named in `rows`, of all without it. 0; a why,
 * with the row in fault_row where the truth is at fault; or -ENOMEM.
 */
int sample_fill(struct metric_work *w, const struct pairs *pairs, const uint32_t *rows, uint64_t n);

/* Where a column that groups rows lies, and its text in one row. */
struct grouping {
	int part;    /* of the id, or -1 */
	size_t cell; /* of the truth */
};
struct grouping grouping_of(const struct pairs *pairs, const char *name);
struct text grouping_text(const struct pairs *pairs, struct grouping g, uint64_t row);

#endif
