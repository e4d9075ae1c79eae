/* task.lock as check sees it: held against the task's files, and written with --lock. */
#ifndef PROCTOR_COMMAND_CHECK_LOCK_H
#define PROCTOR_COMMAND_CHECK_LOCK_H

#include "intake/assets.h"

enum lock_state { LOCK_UNKNOWN, LOCK_NONE, LOCK_AGREES, LOCK_STALE, LOCK_WRITTEN };

struct lock {
	enum lock_state state;
	size_t files; /* that it names, or would name */
	struct assets assets;
	struct fault stale; /* LOCK_STALE: what is not as it says */
	bool same_task;	    /* LOCK_STALE: task.yaml itself is the one that was locked */
};

/* Digests the task's files and holds them against its lock. 0, or -1 with the fault of files that cannot be locked. */
int lock_look(const struct task *task, struct lock *l, struct fault *fault);

/*
 * What --lock does, after everything else was found in order: writes TASK/task.lock in one step, unless it agrees
 * already. A stale one under the same task.yaml is ASSET_MISMATCH: the version was not raised. 0 or -1.
 */
int lock_write(const struct task *task, struct lock *l, struct fault *fault);

/* Adds to a failed self-check whether the files are those that were locked. */
void lock_explain(const struct lock *l, struct fault *fault);

/* "none", "agrees", "stale", "written"; NULL while unknown. */
const char *lock_state_name(enum lock_state state);

void lock_free(struct lock *l);

#endif
