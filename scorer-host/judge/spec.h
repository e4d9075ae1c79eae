/* What one table must look like: the fields that are wanted of it, made from a task for either side. Pure. */
#ifndef PROCTOR_JUDGE_SPEC_H
#define PROCTOR_JUDGE_SPEC_H

#include "judge/score.h"
#include "judge/task.h"

enum {
	TABLE_FIELDS = 64, /* id columns and other columns together */
	TABLE_IDS = 8
};
/* Rows are counted in 32 bits where memory counts, and 2·P·N of the rank sum must fit 64. */
#define TABLE_ROWS_MAX UINT64_C(0xfffffffe)

struct table_field {
	const char *name;
	enum column_type type;
	bool has_min, has_max;
	double min, max;
	char *const *labels; /* the allowed ones; none: any */
	size_t label_count;
};

struct table_spec {
	struct table_field field[TABLE_FIELDS]; /* first the id's, then the columns */
	size_t ids;
	size_t count;
	bool others; /* further columns may be there and are passed over */
};

/* The table of a submission. The task's counts are within TABLE_FIELDS and TABLE_IDS. */
void spec_of_table(const struct task *task, struct table_spec *spec);

/* The truth table: the ids and every truth column that a metric names, once; others are passed over. */
void spec_of_truth(const struct task *task, struct table_spec *spec);

/* The cell (struct columns) of the truth column of that metric. */
size_t truth_cell(const struct table_spec *truth, const struct task_metric *metric);

#endif
