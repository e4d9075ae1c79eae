/* What one table must look like: the fields that are wanted of it, made from a task for either side. Pure. */
#ifndef PROCTOR_JUDGE_SPEC_H
#define PROCTOR_JUDGE_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "judge/score.h"
#include "judge/task.h"

enum {
	TABLE_FIELDS = 1024, /* id columns and other columns together, each of a family by itself */
	TABLE_IDS = 8,
	TABLE_SUMS = 32
};
/* Rows are counted in 32 bits where memory counts, and 2·P·N of the rank sum must fit 64. */
#define TABLE_ROWS_MAX UINT64_C(0xfffffffe)

struct table_field {
	const char *name;
	enum column_type type;
	bool has_min, has_max, has_missing;
	double min, max;
	double missing;		   /* what an empty value counts as */
	const char *missing_label; /* the same for labels, or NULL */
	char *const *labels;	   /* the allowed ones; none: any */
	size_t label_count;
};

/* Fields first … first + count - 1 of every row add up to `sum`, give or take `within`. */
struct table_sum {
	size_t first, count;
	double sum, within;
};

struct table_spec {
	struct table_field field[TABLE_FIELDS]; /* first the id's, then the columns */
	struct table_sum sum[TABLE_SUMS];
	size_t ids;
	size_t count;
	size_t sums;
	uint64_t rows_most; /* data rows above which it is too large whatever they hold; 0: TABLE_ROWS_MAX */
	bool others;	    /* further columns may be there and are passed over */
};

/*
 * The rows that a table may have for that many of the truth: far above what an honest one has, and few enough that no
 * table costs the judge more than its truth does and a moment.
 */
static inline uint64_t spec_rows_most(uint64_t truth_rows)
{
	return truth_rows > TABLE_ROWS_MAX / 16 - 62500 ? TABLE_ROWS_MAX : 16 * truth_rows + 1000000;
}

/* The table of a submission. The task's counts are within TABLE_FIELDS and TABLE_IDS. */
void spec_of_table(const struct task *task, struct table_spec *spec);

/* The truth table: the ids and every truth column that a metric names, once; others are passed over. */
void spec_of_truth(const struct task *task, struct table_spec *spec);

/* The cell (struct columns) of a column of the truth, 0 when the truth has no such column besides its id. */
size_t truth_cell(const struct table_spec *truth, const char *name);

/* Which part of the id a column is, or -1. */
int id_part(const struct task *task, const char *name);

/* The cell of the first field of that column of the table. */
size_t column_cell(const struct task *task, size_t column);

/* Whether rows may be absent: every column says what an absent value counts as. */
bool rows_may_miss(const struct task *task);

bool field_has_label(const struct table_field *field, const uint8_t *bytes, size_t n);

/* Up to 1e-12 for what decimals lose as doubles. */
bool sum_holds(const struct table_sum *sum, double total);

#endif
