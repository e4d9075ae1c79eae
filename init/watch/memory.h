/*
 * Memory of the run from its cgroup: usage, peak, and the counters that prove an out-of-memory kill at the run's own
 * limit. A kill alone proves nothing: an ancestor's limit raises the same counter.
 */
#ifndef PROCTOR_WATCH_MEMORY_H
#define PROCTOR_WATCH_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "core/cause.h"
#include "core/facts.h"
#include "core/usage.h"

struct memory {
	int version;
	int usage, peak, oom, failcnt; /* descriptors or -1 */
	uint64_t kills, hits;	       /* before the spawn; LIMIT_NONE when unreadable */
	uint64_t limit;		       /* the plan's; LIMIT_NONE for none */
	uint64_t cgroup_limit;
	uint64_t seen; /* the highest usage looked at */
	bool watched;  /* the cgroup's limit is above the plan's: init decides by usage */
	bool summed;   /* no cgroup to read, but a limit: init decides by the sum over processes */
	uint64_t next; /* look, in clock_now's microseconds */
};

/* facts may be NULL. */
void memory_open(struct memory *m, const struct facts *facts, uint64_t limit);

/* True: the kernel enforces a limit that is not above the plan's, and its counters can be read. */
bool memory_exact(const struct memory *m);

/* A walk over the processes ended: with `summed`, what is resident counts. True when the plan's limit is passed. */
bool memory_walked(struct memory *m, uint64_t resident, struct breach *b);

/* Usage now; LIMIT_NONE. */
uint64_t memory_now(struct memory *m);

/* True when there may be no memory left to open anything with. */
bool memory_is_tight(struct memory *m);

/* Looks if it is due. True when the plan's limit is passed. */
bool memory_look(struct memory *m, uint64_t now, struct breach *b);

/* After the end: lets the counters replace an exit or a signal in *c. */
void memory_after(struct memory *m, struct cause *c, uint64_t at_ms);

struct figure memory_peak(const struct memory *m);

#endif
