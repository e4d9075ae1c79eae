/*
 * Weighs init's record against what the host saw itself. Nothing that the record claims is believed where the host has
 * a reading of its own; a contradiction is RECORD_MISMATCH. Pure.
 */
#ifndef PROCTOR_JUDGE_CROSSCHECK_H
#define PROCTOR_JUDGE_CROSSCHECK_H

#include "judge/run.h"

/*
 * Decides how the stage ended: VERDICT_NONE in fault->verdict and return 0 when the candidate finished by itself with
 * status 0 (the output is to be read); otherwise -1 with the verdict and its evidence in *fault. Writes
 * stage->crosscheck ("agree" or the contradiction). Order: cancelled, engine, record missing/invalid/mismatch — each
 * of those after the candidate started becomes MEMORY when the host's own reading shows an own-limit OOM —, then the
 * record's cause.
 */
int crosscheck(struct stage *stage, const struct task *task, struct fault *fault);

#endif
