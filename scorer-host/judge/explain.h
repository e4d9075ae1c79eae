/* Puts a decided cause into the operator's words: the limit, what was measured, what was done. Decides nothing. Pure. */
#ifndef PROCTOR_JUDGE_EXPLAIN_H
#define PROCTOR_JUDGE_EXPLAIN_H

#include "judge/record.h"
#include "judge/run.h"

/* Fills *fault for verdict v with the record's and the host's figures. Always -1. */
int explain_cause(const struct record *r, const struct stage *stage, const struct task *task, enum verdict v,
    struct fault *fault);

/* MEMORY as the host read it from the run's own counters. r is NULL when no record can be believed. Always -1. */
int explain_oom(
    const struct record *r, const struct stage *stage, const struct task *task, struct fault *fault);

/* WALL_TIME by the host's own deadline, on a run whose record cannot be had or believed. Always -1. */
int explain_deadline(const struct stage *stage, const struct task *task, struct fault *fault);

#endif
