/* Runs a function in a confined process of its own, for a bounded time (pidfd_open(2), sys/confine.h). */
#ifndef PROCTOR_SYS_CHILD_H
#define PROCTOR_SYS_CHILD_H

#include <stdbool.h>
#include <stdint.h>

#include "sys/confine.h"

struct child_work {
	/* Opens and maps what the work needs; not confined yet. 0 or -errno. May be NULL. */
	int (*prepare)(void *argument);
	/* The work itself, confined: it has memory only. What it returns is its exit status, 0 … 99. */
	int (*work)(void *argument);
	void *argument;
	struct confinement confinement;
	uint64_t deadline_ms; /* then it is killed */
};

struct child_end {
	bool late;  /* killed at the deadline */
	int signal; /* 0, or the signal that ended it */
	int status; /* what work returned, when there was no signal */
	int error;  /* 0, or the errno of prepare or of the confinement; work did not run */
};

/*
 * Forks, waits, reaps. The child is in its own process group, so that a terminal's interrupt does not look like its
 * crash, and dies with its parent. 0 with *end filled, or -errno when there was no child.
 */
int child_run(const struct child_work *work, struct child_end *end);

#endif
