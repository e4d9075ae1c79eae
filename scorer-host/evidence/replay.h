/* The level of a check that replays the stored session and holds it against the statement. */
#ifndef PROCTOR_EVIDENCE_REPLAY_H
#define PROCTOR_EVIDENCE_REPLAY_H

#include "evidence/check.h"
#include "evidence/subjects.h"

/*
 * When the session is stated to have been whole, the transcript must verify under its own key from its first byte to its
 * last, and carry the stated record, facts, run, log figures and number of frames. What the statement repeats of its own
 * files (task, transcript) must be their digests, and a scored run must have its score.
 */
void check_replay(int folder, const struct subjects *s, struct check *c);

#endif
