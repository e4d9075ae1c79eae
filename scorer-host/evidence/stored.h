/*
 * A finished run read back from its directory, for those who ask about it later. Believes audit.json only as far as it
 * is held: under a key when there is one, and score and participant's view only by the digests stated there. Checking
 * the whole directory is check.h's business; nothing here reads outputs or logs.
 */
#ifndef PROCTOR_EVIDENCE_STORED_H
#define PROCTOR_EVIDENCE_STORED_H

#include <jansson.h>

#include "evidence/key.h"

struct stored {
	json_t *statement;   /* audit.json */
	json_t *score;	     /* score.json; NULL without one */
	json_t *participant; /* participant.json */
	enum verdict verdict;
};

/*
 * Reads the documents of the run directory at that path. key NULL: the signature is not looked at. 0; or -1 with a
 * usage fault that says which file cannot be read or is not what was stated. stored_free in either case.
 */
int stored_read(const char *folder, const struct signing_key *key, struct stored *s, struct fault *fault);
void stored_free(struct stored *s);

/* The object that `run --json` printed (urn:proctor:run:1), as far as the evidence holds it. NULL on no memory. */
json_t *stored_json(const struct stored *s, const char *folder);

/* Borrowed parts: predicate.PART.KEY as text, and the candidate's stage; NULL when not there. */
const char *stored_text(const struct stored *s, const char *part, const char *key);
const json_t *stored_stage(const struct stored *s);

/* The NOTE_ bits of judge/run.h that the stored record, logs, refusals and score give rise to. */
unsigned stored_notes(const struct stored *s);

#endif
