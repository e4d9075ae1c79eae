/*
 * CPU time of the whole tree: the cgroup's count less what was there before and less init's own (exact), else the sum
 * over the living and the reaped, which a parent that ignores SIGCHLD can hide children from (lower bound).
 */
#ifndef PROCTOR_WATCH_CPU_H
#define PROCTOR_WATCH_CPU_H

#include <stdbool.h>
#include <stdint.h>

#include "core/cause.h"
#include "core/facts.h"
#include "core/usage.h"
#include "watch/tree.h"

struct cpu {
	int fd; /* of the cgroup's count, or -1 */
	int version;
	uint64_t before_us;
	uint64_t seen_us;  /* the highest sum of the lower bound */
	uint64_t limit_ms; /* LIMIT_NONE for none */
	uint64_t cores;
	uint64_t next; /* look, in clock_now's microseconds */
};

/* facts may be NULL. */
void cpu_open(struct cpu *c, const struct facts *facts, uint64_t limit_ms);

bool cpu_exact(const struct cpu *c);

/* Takes in a walk over the living; needed for the lower bound alone. */
void cpu_walked(struct cpu *c, const struct tree *t);

uint64_t cpu_now_ms(struct cpu *c);

/* Looks if it is due or forced. True when the limit is passed. */
bool cpu_look(struct cpu *c, uint64_t now, bool forced, struct breach *b);

struct figure cpu_used(struct cpu *c);

#endif
