/*
 * How many processes and threads the run has, by walking the own pid namespace; and by the same walk the lower bound of
 * CPU time. Looks are paced by what they cost.
 */
#ifndef PROCTOR_WATCH_PROCESSES_H
#define PROCTOR_WATCH_PROCESSES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/cause.h"
#include "core/usage.h"
#include "watch/tree.h"

struct processes {
	int proc;	/* descriptor of /proc, or -1: they cannot be counted */
	uint64_t limit; /* LIMIT_NONE for none */
	uint64_t peak;
	struct tree last;
	uint64_t next; /* look, in clock_now's microseconds */
};

/* proc is -1 unless init is PID 1 of the namespace that it shows. wanted: walks are needed for CPU time too. */
void processes_open(struct processes *p, int proc, uint64_t limit, bool wanted);

/* A walk, whoever asked for it. */
void processes_walk(struct processes *p);

/* Looks if it is due. True when the limit is passed; *walked tells whether p->last is new. */
bool processes_look(struct processes *p, uint64_t now, bool *walked, struct breach *b);

struct figure processes_peak(const struct processes *p);

#endif
