/*
 * A task's assets against its task.lock: task.yaml, the truth and every input, each file with its digest, in the form
 * that `sha256sum -c` reads from within the task folder.
 */
#ifndef PROCTOR_INTAKE_ASSETS_H
#define PROCTOR_INTAKE_ASSETS_H

#include <limits.h>
#include <stddef.h>

#include "intake/listing.h"
#include "judge/task.h"

struct asset {
	char path[PATH_MAX]; /* resolved */
	struct listing listing;
};

struct assets {
	struct asset *input; /* in the task's order */
	char truth_sha256[65];
	char *lock; /* the text of task.lock as the files are now */
	size_t lock_size;
};

/*
 * Digests everything. 0, or -1 with TASK_INVALID: an input or the truth that is not there or cannot be digested, or an
 * input that the candidate, a user of its own, could not read. assets_free in either case.
 */
int assets_take(const struct task *task, struct assets *a, struct fault *fault);

/* The same for who only compares: an input that the candidate could not read is none of its business. */
int assets_digest(const struct task *task, struct assets *a, struct fault *fault);

/* Holds them against a lock's text. 0, or -1 with ASSET_MISMATCH naming the first file that differs. */
int assets_agree(const struct assets *a, const char *lock, size_t size, struct fault *fault);

/* Holds them against the task folder's task.lock. 1: they agree; 0: there is none; -1 with ASSET_MISMATCH naming the
 * first file that differs. */
int assets_locked(const struct task *task, const struct assets *a, struct fault *fault);

/* 1 when that input was not written to since, else 0. Quick: looks at names, sizes and times only. */
int assets_unchanged(const struct task *task, const struct assets *a, size_t input);

void assets_free(struct assets *a);

#endif
