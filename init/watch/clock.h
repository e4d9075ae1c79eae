/*
 * The wall limit, on a clock that counts suspended time and cannot be stepped. It is asked and disarmed when the main
 * process is reaped, so that a late reap hides nothing and tidying up never looks like a limit.
 */
#ifndef PROCTOR_WATCH_CLOCK_H
#define PROCTOR_WATCH_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "core/cause.h"

enum { CLOCK_NEVER = 0 };

struct wall {
	uint64_t started;  /* clock_now at the spawn */
	uint64_t ended;	   /* at the reap; CLOCK_NEVER while it runs */
	uint64_t limit_ms; /* LIMIT_NONE: none */
	int alarm;	   /* readable at the limit, or -1 */
};

void wall_start(struct wall *w, uint64_t now, uint64_t limit_ms);
void wall_stop(struct wall *w, uint64_t now);

/* Milliseconds since the spawn, and of the whole run so far. */
uint64_t wall_at(const struct wall *w, uint64_t now);
uint64_t wall_elapsed(const struct wall *w, uint64_t now);

/* When the limit is reached, in clock_now's microseconds; UINT64_MAX for never. */
uint64_t wall_due(const struct wall *w);

/* True when it is, once: what follows is the grace's business. */
bool wall_breach(struct wall *w, uint64_t now, struct breach *b);

#endif
