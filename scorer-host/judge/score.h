/*
 * What scoring one table against the truth gave: a verdict of the table, and the metrics when it is SCORED.
 */
#ifndef PROCTOR_JUDGE_SCORE_H
#define PROCTOR_JUDGE_SCORE_H

#include <stdbool.h>
#include <stdint.h>

#include "judge/fault.h"

enum { SCORE_METRICS = 32, SCORE_GROUPS = 1024, SCORE_GROUP_NAME = 64, SCORE_SEED = 1 };
#define SCORE_NO_GROUP UINT32_MAX

/* One group of a breakdown. */
struct score_group {
	double value;
	uint64_t n;		     /* rows */
	uint32_t why;		     /* enum metric_why (judge/metric.h); 0: defined */
	uint32_t withheld;	     /* 1: too small, nothing was computed */
	char name[SCORE_GROUP_NAME]; /* bytes of the truth, cut, NUL-terminated */
};

struct score_metric {
	double value;		/* finite, 0 unless defined */
	uint64_t n;		/* rows it was computed over */
	uint32_t why;		/* enum metric_why; 0: defined */
	uint32_t resamples;	/* of the interval; 0: there is none */
	double low, high;	/* the interval */
	uint64_t fault_row;	/* data row of the truth from 0, when that is at fault */
	uint32_t first, groups; /* in struct score's group, in the order of their names' bytes */
	uint32_t worst;		/* with take: worst, the group whose value it is; else SCORE_NO_GROUP */
	uint32_t unused;
};

struct score {
	enum verdict verdict; /* SCORED, a TABLE_ verdict, METRIC_UNDEFINED, or an evaluator's */
	struct fault fault; /* when not SCORED: row and column for the operator, the count of rows at fault */
	uint64_t rows;	    /* data rows of the table */
	uint64_t truth_rows; /* of the truth; 0 when the table was not held against it */
	uint64_t filled;     /* ids of the truth without a row, to which `missing` applied */
	bool bom;	     /* a UTF-8 BOM was accepted */
	char table_sha256[65], truth_sha256[65];
	struct score_metric metric[SCORE_METRICS]; /* in the task's order */
	struct score_group group[SCORE_GROUPS];
};

#endif
