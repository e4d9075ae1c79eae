/*
 * The candidate's processes as a family: who is the main one, reaping all, signalling all, and counting who was left
 * behind. As PID 1 nobody can leave the family; elsewhere init adopts orphans and follows its descendants.
 */
#ifndef PROCTOR_WATCH_FAMILY_H
#define PROCTOR_WATCH_FAMILY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/cause.h"

struct family {
	bool pid1;
	int proc;	      /* descriptor of /proc where it shows this pid namespace, else -1 */
	int64_t uid;	      /* the candidate's, or KILL_OWN_ID */
	pid_t main;	      /* 0 before the spawn and once it is reaped */
	bool gone;	      /* nobody is left */
	bool more;	      /* the last reaping stopped at its bound */
	bool behind;	      /* whoever is still reaped by SIGKILL was left behind */
	uint64_t killed;      /* of these, reaped so far */
	uint64_t found;	      /* seen at once while they were signalled; a dying family may reap its own */
	struct ending ending; /* of the main process */
};

/* Before the spawn: adopts orphans where init is not PID 1. proc is a descriptor of /proc or -1. */
void family_open(struct family *f, int proc, int64_t uid);

/* Reaps what has ended, a bounded number. True when the main process was among them: f->ending tells how. */
bool family_reap(struct family *f);

/* Signals everybody. Where init is not PID 1, call again after reaping until nobody is left. */
void family_signal(struct family *f, int signal);

/* How many were left behind. */
uint64_t family_survivors(const struct family *f);

/* Passes a signal on to the main process alone. */
void family_pass_on(const struct family *f, int signal);

#endif
