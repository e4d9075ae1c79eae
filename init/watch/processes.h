/*
 * How many processes and threads the run has: by the count of its own pids cgroup, which is exact, costs one read and
 * keeps its peak; else by walking them, paced by what that costs. By the same walk the lower bound of CPU time and, where
 * no cgroup can be read, the sum of resident memory.
 */
#ifndef PROCTOR_WATCH_PROCESSES_H
#define PROCTOR_WATCH_PROCESSES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/cause.h"
#include "core/facts.h"
#include "core/usage.h"
#include "watch/tree.h"

struct processes {
	int proc;	/* descriptor of /proc, or -1: they cannot be walked */
	uint64_t limit; /* LIMIT_NONE for none */
	uint64_t peak;	/* the highest count looked at */
	struct tree last;
	uint64_t next_walk, next_count; /* in clock_now's microseconds */
	int count, highest, events;	/* of the cgroup: descriptors or -1 */
	uint64_t before;		/* init's own part of its count */
	uint64_t refused;		/* forks before the spawn; LIMIT_NONE when unreadable */
	uint64_t cgroup_limit;
};

/*
 * proc: /proc as tree_look wants it, or -1; facts may be NULL. wanted: walks are needed for CPU time or memory too.
 */
void processes_open(struct processes *p, int proc, const struct facts *facts, uint64_t limit, bool wanted);

/* True when they can be counted at all. */
bool processes_counted(const struct processes *p);

uint64_t processes_next(const struct processes *p);

/* Looks if it is due. True when the limit is passed; *walked tells whether p->last is new. */
bool processes_look(struct processes *p, uint64_t now, bool *walked, struct breach *b);

/* The main process ended: true when the cgroup's peak passed the limit. */
bool processes_end(struct processes *p, struct breach *b);

/* After the end: lets refused forks replace an exit or a signal in *c. */
void processes_after(struct processes *p, struct cause *c, uint64_t at_ms);

/* How many there are, by whatever counts them; LIMIT_NONE. */
uint64_t processes_now(struct processes *p);

struct figure processes_peak(const struct processes *p);

#endif
