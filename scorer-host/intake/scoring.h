/*
 * Scores one table: a confined reader process turns hostile bytes into typed columns, then a confined judge process
 * computes over columns and truth. The caller opens neither; the truth is opened here, after the reader has gone.
 */
#ifndef PROCTOR_INTAKE_SCORING_H
#define PROCTOR_INTAKE_SCORING_H

#include "judge/score.h"
#include "judge/task.h"

/*
 * table: an open file descriptor of the private copy, read from its start. Fills *out on every path: a crash or an
 * exhausted budget of the reader is TABLE_FORMAT or TABLE_TOO_LARGE, of the judge SCORER_FAULT. Bounded in time.
 * Returns 0, or -1 with out->fault when the verdict is an evaluator's or infrastructure's.
 */
int score_table(const struct task *task, int table, struct score *out);

/*
 * The truth alone, by the rules of tables and of the metrics: 0, or -1 with TASK_INVALID for a column, row or label that
 * is not there, so that no table is blamed for it; or with SCORER_FAULT.
 */
int score_truth(const struct task *task, struct fault *fault);

#endif
