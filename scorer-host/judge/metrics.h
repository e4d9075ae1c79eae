/*
 * The metrics, over rows that are already paired. Every one is made of exact integers and one division, so that the
 * order of rows never changes a digit. Pure.
 */
#ifndef PROCTOR_JUDGE_METRICS_H
#define PROCTOR_JUDGE_METRICS_H

#include <stdint.h>

#include "judge/columns.h"
#include "judge/task.h"

/* X(name, text): why a metric is undefined */
#define METRIC_WHYS(X) \
	X(DEFINED, "") \
	X(NO_ROWS, "there are no rows") \
	X(NO_POSITIVE, "no row of the truth has the positive label") \
	X(NO_NEGATIVE, "every row of the truth has the positive label")

enum metric_why {
#define X(name, text) WHY_##name,
	METRIC_WHYS(X)
#undef X
	    WHY_END
};

struct metric_result {
	double value; /* 0 unless defined */
	uint64_t n;
	uint32_t why; /* enum metric_why */
	uint32_t unused;
};

/* The paired rows: row i of the truth belongs to row row_of[i] of the table. */
struct pairs {
	const struct columns *truth, *table;
	const uint32_t *row_of;
	uint64_t rows;
};

/*
 * One metric; truth_cell and cell say where its truth column and its column lie. Area under the ROC curve: the share of
 * (positive, negative) pairs in the right order, ties counting half (mid-rank). Accuracy: the share of rows that are
 * right; by threshold a number p is positive when p ≥ threshold. 0 or -ENOMEM.
 */
int metric_compute(const struct task_metric *metric, const struct pairs *pairs, size_t truth_cell,
    size_t cell, struct metric_result *result);

/* The name of a kind as task files write it, and back; NULL, or -1. */
const char *metric_kind_name(enum metric_kind kind);
int metric_kind_find(const char *name);

const char *metric_why_text(uint32_t why);

#endif
