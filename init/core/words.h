/*
 * The closed vocabularies of option values: profiles, system calls, requirements, carriers, run ids. Pure.
 */
#ifndef PROCTOR_CORE_WORDS_H
#define PROCTOR_CORE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/plan.h"

/* The profile of that name. 0 or -EINVAL. */
int words_profile(const char *name, int *profile);
int words_default_profile(void);

/*
 * A list of system call names, separated by commas, appended to numbers[*count] (PLAN_NAMES in all). 0, -EINVAL
 * with *wrong at the name that is not known, or -E2BIG.
 */
int words_calls(const char *list, int *numbers, unsigned *count, const char **wrong);

/* True for a call without which the command could not be started. */
bool words_call_needed(int number);

/* A list of requirements, added to *bits. 0, -EINVAL or -ENOTSUP (the host alone decides it), with *wrong at it. */
int words_require(const char *list, uint32_t *bits, const char **wrong);

/*
 * A carrier: unix:/PATH, or for a record fd:N, file:PATH and stderr. 0, -EINVAL, or -ENOTSUP for a carrier that exists
 * but not in this build.
 */
int words_carrier(const char *text, bool record, struct carrier *c);

/* A run id: 1 to RUN_ID_MAX of A-Z a-z 0-9 . _ -. 0 or -EINVAL. */
int words_run(const char *text, char run[RUN_ID_MAX + 1]);

#endif
