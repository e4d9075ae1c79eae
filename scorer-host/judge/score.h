/*
 * What scoring one table against the truth gave: a verdict of the table, and the metrics when it is SCORED.
 */
#ifndef PROCTOR_JUDGE_SCORE_H
#define PROCTOR_JUDGE_SCORE_H

#include <stdbool.h>
#include <stdint.h>

#include "judge/fault.h"

enum { SCORE_METRICS = 32 };

struct score_metric {
	double value; /* finite */
	uint64_t n;   /* rows it was computed over */
	bool defined; /* false: METRIC_UNDEFINED, with why */
	char why[96];
};

struct score {
	enum verdict verdict; /* SCORED, a TABLE_ verdict, METRIC_UNDEFINED, or an evaluator's */
	struct fault fault; /* when not SCORED: row and column for the operator, the count of rows at fault */
	uint64_t rows;	    /* data rows of the table */
	uint64_t truth_rows; /* of the truth; 0 when the table was not held against it */
	bool bom;	     /* a UTF-8 BOM was accepted */
	char table_sha256[65], truth_sha256[65];
	struct score_metric metric[SCORE_METRICS]; /* in the task's order */
};

#endif
