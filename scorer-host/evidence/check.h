/*
 * Holds a run directory against its evidence, in levels, and says which file is at fault. Knows no task: recomputing
 * the score is the caller's level. Reads only; never believes a file because it is there.
 */
#ifndef PROCTOR_EVIDENCE_CHECK_H
#define PROCTOR_EVIDENCE_CHECK_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "evidence/key.h"

enum check_level { CHECK_SIGNATURE, CHECK_DIGESTS, CHECK_TRANSCRIPT, CHECK_RECOMPUTED, CHECK_LEVELS };

enum check_state { CHECK_NOT_DONE, CHECK_OK, CHECK_FAILED };

struct finding {
	enum check_level level;
	char file[256]; /* relative to the run directory, as the statement writes names */
	char what[256];
};

enum { FINDINGS = 64 };

struct check {
	enum check_state state[CHECK_LEVELS];
	struct finding finding[FINDINGS];
	size_t findings;   /* all of them; at most FINDINGS are kept */
	json_t *statement; /* the one that is believed; NULL when none can be read */
	size_t files;
	unsigned long long frames;
};

/*
 * Checks signature (when key is not NULL), digests and transcript. 0, whatever was found; or -1 with a fault when the
 * directory cannot be read. check_free in either case.
 */
int check_run(int folder, const struct signing_key *key, struct check *c, struct fault *fault);

/* Adds a finding and marks its level as failed. */
void check_find(struct check *c, enum check_level level, const char *file, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* "signature", "digests", "transcript", "recomputed" */
const char *check_level_name(enum check_level level);

void check_free(struct check *c);

#endif
