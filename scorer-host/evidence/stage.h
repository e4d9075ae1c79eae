/* One sealed container of a run as JSON, for the statement's stages[]. New references, or NULL on no memory. */
#ifndef PROCTOR_EVIDENCE_STAGE_H
#define PROCTOR_EVIDENCE_STAGE_H

#include <jansson.h>

#include "evidence/subjects.h"
#include "judge/run.h"

json_t *stage_json(const struct stage *stage, const struct subjects *s);

/* The scorer that is built in: no container of its own. */
json_t *stage_scorer_json(void);

#endif
