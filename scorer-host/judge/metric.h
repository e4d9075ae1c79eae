/*
 * What a metric gets and gives. It is opened once over the rows of a sample, does what does not depend on how often a row
 * counts, and is then evaluated: once with every row counting 1, and for an interval again and again with other counts.
 * Sums are exact (judge/exact.h) or whole numbers, so that the order of the rows never changes a digit.
 */
#ifndef PROCTOR_JUDGE_METRIC_H
#define PROCTOR_JUDGE_METRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "judge/task.h"

/*
 * X(name, whose, text): why a metric is undefined. Whose: 't', the truth's rows are such that it cannot be, and a group
 * for which it is so is passed over; 'c', the table's values make it so; 'f', the truth is at fault, and so the task.
 */
#define METRIC_WHYS(X) \
	X(DEFINED, 't', "") \
	X(NO_ROWS, 't', "there are no rows") \
	X(NO_POSITIVE, 't', "no row of the truth has the positive label") \
	X(NO_NEGATIVE, 't', "every row of the truth has the positive label") \
	X(NO_CLASS, 't', "a class has no row in the truth") \
	X(ONE_LABEL, 't', "truth and table have one and the same label in every row") \
	X(ONE_ROW, 't', "there is one row only") \
	X(NO_PAIR, 't', "no comparable pair") \
	X(CONSTANT_TRUTH, 't', "the truth has the same value in every row") \
	X(CONSTANT, 'c', "the column has the same value in every row") \
	X(FEW_SAMPLES, 'c', "a row has fewer samples than k") \
	X(MANY_RIGHT, 'c', "a row has more right samples than samples") \
	X(OVERFLOW, 'c', "the figure is beyond what a double holds") \
	X(NO_GROUP, 't', "no group is large enough and defined") \
	X(GROUP, 'c', "a group is undefined by the table's values") \
	X(TRUTH_NUMBER, 'f', "not a finite decimal number") \
	X(TRUTH_NEGATIVE, 'f', "a number below zero, which this metric cannot have") \
	X(TRUTH_EVENT, 'f', "neither 0 nor 1, which tell whether the event happened") \
	X(TRUTH_LABEL, 'f', "a label that the column does not have") \
	X(GROUPS, 'f', "there are more groups than 1024 in all metrics together")

enum metric_why {
#define X(name, whose, text) WHY_##name,
	METRIC_WHYS(X)
#undef X
	    WHY_END
};

const char *metric_why_text(uint32_t why);
char metric_why_whose(uint32_t why);

/* The rows of a metric as plain arrays, those that it needs. */
struct sample {
	uint64_t n;
	size_t width;		    /* numbers a row: 1, or the family's columns */
	double *score;		    /* number c of row i at score[c * n + i] */
	double *truth_number;	    /* */
	double *of;		    /* pass@k: samples of the row */
	uint8_t *flag;		    /* the truth's label is the positive one; the event happened */
	uint32_t *truth, *said;	    /* label codes below `classes` */
	uint32_t classes, positive; /* positive: its code */
	uint32_t *query;	    /* below queries */
	uint32_t queries;
	uint64_t fault_row; /* of the truth, when its value is at fault */
};

struct work_block;

struct metric_work {
	const struct task_metric *metric;
	struct sample sample;
	uint64_t units; /* what is drawn for an interval: rows or queries */
	bool again;	/* it will be evaluated more than once, or with weights */
	void *state;	/* the metric's own */
	struct work_block *blocks;
};

struct metric_value {
	double value;
	uint32_t why; /* enum metric_why, or METRIC_NO_MEMORY */
};
#define METRIC_NO_MEMORY UINT32_MAX

/* Memory for as long as the work; NULL when there is none. */
void *work_take(struct metric_work *w, uint64_t count, size_t size);
void work_free(struct metric_work *w);

/* Where a row's values come from. */
enum {
	FROM_NUMBER = 1,  /* one number or integer column */
	FROM_NUMBERS = 2, /* a family of them */
	FROM_LABEL = 4,
	FROM_LABELS = 8 /* a family of them: a ranking, the first before the second */
};
enum metric_truth { TRUTH_NONE, TRUTH_LABEL, TRUTH_NUMBER };
enum {
	NEED_POSITIVE = 1,    /* with a number: the label that counts as positive */
	NEED_THRESHOLD = 2,   /* with a number */
	NEED_PROBABILITY = 4, /* every number within 0 … 1 */
	NEED_SUM = 8,	      /* families sum to 1 */
	NEED_EVENT = 16,
	NEED_QUERY = 32,
	NEED_OF = 64,
	NEED_K = 128,
	MAY_K = 256,
	MAY_AVERAGE = 512, /* binary, micro, macro, weighted */
	MAY_OVR = 1024,	   /* families: macro, weighted, ovo-macro, ovo-weighted */
	MAY_WEIGHTS = 2048,
	MAY_BETTER = 4096,
	NEED_NOT_NEGATIVE = 8192,  /* neither truth nor table */
	ONE_LABEL_POSITIVE = 16384 /* with labels too, there must be a positive one */
};

/* One row of the table of metrics. */
struct metric_kind_row {
	const char *name;
	unsigned from, truth, needs;
	bool lower;	  /* is better */
	double low, high; /* what a value can be */
	/* 0 with the state made; a why (the metric is undefined for these rows); or -ENOMEM. */
	int (*open)(struct metric_work *w);
	/* weight: how often each unit counts, NULL for once each; at least one unit counts. */
	struct metric_value (*evaluate)(struct metric_work *w, const uint32_t *weight);
};

extern const struct metric_kind_row metric_kinds[METRIC_KIND_END];

int metric_kind_find(const char *name);
const char *metric_kind_name(enum metric_kind kind);

static inline uint32_t times(const uint32_t *weight, uint64_t unit)
{
	return weight ? weight[unit] : 1;
}

static inline struct metric_value defined(double value)
{
	return __builtin_isfinite(value) ? (struct metric_value){value + 0.0, WHY_DEFINED}
					 : (struct metric_value){0, WHY_OVERFLOW};
}

static inline struct metric_value undefined(enum metric_why why)
{
	return (struct metric_value){0, why};
}

/* open and evaluate of each file. */
#define METRIC(name) \
	int name##_open(struct metric_work *w); \
	struct metric_value name##_evaluate(struct metric_work *w, const uint32_t *weight);
METRIC(confusion)
METRIC(auroc)
METRIC(average_precision)
METRIC(mean)
METRIC(ece)
METRIC(median)
METRIC(r2)
METRIC(pearson)
METRIC(spearman)
METRIC(kendall)
METRIC(concordance)
#undef METRIC

/* Metrics that are a mean of something of each unit: they open, mean_evaluate does the rest. */
int probability_open(struct metric_work *w);
int top_k_open(struct metric_work *w);
int regression_open(struct metric_work *w);
int ranking_open(struct metric_work *w);
int passk_open(struct metric_work *w);
int column_open(struct metric_work *w);

#endif
