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
 * of those after the candidate started becomes MEMORY when the host's own reading shows an own-limit OOM, else WALL_TIME
 * when the host's own deadline passed on a verified init —, then the record's cause, then what was measured against the
 * limits.
 *
 * Reads stage->{run, facts, record, log[].kept, command, observed}: facts and record as payload_parse gave them (NULL
 * when none came), log[].kept as counted from the LOG frames.
 */
int crosscheck(struct stage *stage, const struct task *task, struct fault *fault);

/*
 * Decides again, from HELLO's facts, the requirements that both sides decide and that hold or do not hold before
 * anything runs: no-network and read-only-root. To be asked before the ticket is sent. 0, or -1 with REQUIRE_UNMET.
 */
int crosscheck_facts(const json_t *facts, const struct task *task, struct fault *fault);

/*
 * How much longer than the wall limit the container may live on the host's clock before the host kills it, in ms: the
 * grace, 5 s, and a second for every 4 GiB of memory that has to be torn down.
 */
uint64_t crosscheck_slack(const struct task *task);

#endif
