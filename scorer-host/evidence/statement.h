/* audit.json: an in-toto Statement v1 about one run (predicate type urn:proctor:evaluation:1). Pure but for memory. */
#ifndef PROCTOR_EVIDENCE_STATEMENT_H
#define PROCTOR_EVIDENCE_STATEMENT_H

#include <jansson.h>

#include "evidence/subjects.h"
#include "judge/run.h"

#define STATEMENT_TYPE "https://in-toto.io/Statement/v1"
#define STATEMENT_PREDICATE "urn:proctor:evaluation:1"
#define AUDIT_FILE "audit.json"
#define ENVELOPE_FILE "audit.dsse.json"
#define SCORE_FILE "score.json"
#define PARTICIPANT_FILE "participant.json"
#define TRANSCRIPT_FILE "transcript.bin"
#define TASK_FILE "task.yaml"
/* The subject that is no file of the run directory: what was submitted. */
#define SUBMISSION_SUBJECT "submission"

/* The statement, its subjects being the submission and every file of s. A new reference, or NULL on no memory. */
json_t *statement_json(const struct run *run, const struct subjects *s);

#endif
