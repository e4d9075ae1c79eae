/*
 * The run directory's evidence (DESIGN 7): audit.json, audit.dsse.json, score.json, participant.json. Deterministic
 * where it says so; every file of the directory is a subject of the statement.
 */
#ifndef PROCTOR_EVIDENCE_EVIDENCE_H
#define PROCTOR_EVIDENCE_EVIDENCE_H

#include "evidence/key.h"
#include "judge/run.h"

/*
 * What the largest evidence needs (the names of outputs are bounded by intake), kept in the run directory and given
 * back just before the evidence is written; never part of it.
 */
#define EVIDENCE_RESERVE ".reserve"
enum { EVIDENCE_RESERVE_BYTES = 24 << 20 };

/* A canonical score.json (no time, no run id): the same table, truth and task give the same bytes. NULL on no memory. */
json_t *score_json(const struct task *task, const struct score *score);

/* The participant's view by allow-list: what the task's `tell` grants, rounded. NULL on no memory. */
json_t *participant_json(const struct run *run);

/* The object that `--json` prints (schema urn:proctor:run:1, DESIGN 7). NULL on no memory. */
json_t *run_json(const struct run *run);

/* Preallocates the reserve in a new run directory. 0, or -1 with INFRA_DISK. */
int evidence_reserve(int folder_fd, struct fault *fault);

/*
 * Writes score.json (when there is a score), participant.json, audit.json over every file found in run->folder_fd, and
 * its signature. Gives the reserve back first, so that this fits on a full disk. Called again for the same run (with
 * INFRA_DISK after a failure, say) it replaces what the first call wrote. -1 with INFRA_DISK or SCORER_FAULT.
 */
int evidence_write(const struct run *run, const struct signing_key *key, struct fault *fault);

#endif
