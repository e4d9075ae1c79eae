/*
 * Parts of a run as JSON, as the several documents share them. Each is a new reference, or NULL on no memory. Nothing
 * here decides who may see what: participant.c does, by an allow-list.
 */
#ifndef PROCTOR_EVIDENCE_VIEW_H
#define PROCTOR_EVIDENCE_VIEW_H

#include <jansson.h>
#include <stdbool.h>

#include "judge/run.h"

/* {name, version, sha256}, or null without a task. */
json_t *view_task(const struct task *task);

/* ["bom", …], in the fixed order of the closed list. */
json_t *view_notes(unsigned notes);

/* {name, value}, or null when the fault names no limit. */
json_t *view_limit(const struct fault *fault);

/* A member of the record that init sent; without one what is given instead. Takes `instead` over. */
json_t *view_record(const struct stage *stage, const char *key, json_t *instead);

/* "auroc" */
const char *view_metric_kind(enum metric_kind kind);

/* The same value with that many decimals, correctly rounded, never "-0"; round < 0: as it is. */
double view_round(double value, int decimals);

/* NULL instead of root when something on the way failed. */
json_t *view_done(json_t *root, int failed);

#endif
