/*
 * How soon a budget has to be looked at again. The fastest rate seen so far is no bound for the next burst, so a rate
 * that memory itself hardly reaches is assumed at least; half of what is left is given away at that rate. Pure.
 */
#ifndef PROCTOR_CORE_PACE_H
#define PROCTOR_CORE_PACE_H

#include <stdint.h>

enum { PACE_SOONEST = 200, PACE_LATEST = 50000, PACE_RATE = 16000, PACE_CALM = 100000, PACE_REST = 2000 };

/*
 * Microseconds to the next look: half of what is left at the larger of `rate` (bytes a microsecond, the fastest seen)
 * and PACE_RATE, between PACE_SOONEST and PACE_LATEST.
 */
uint64_t pace_bytes(uint64_t left, uint64_t rate);

/* The same for files, of which no filesystem makes one a microsecond; never sooner than ten times PACE_SOONEST. */
uint64_t pace_files(uint64_t left);

/*
 * The pace of a filesystem that did not change for `calm` microseconds. A wake-up costs far more than the look: from
 * PACE_CALM on there are a quarter as many, and none sooner than PACE_REST. What is left is still not used up between two
 * looks by less than eight gigabytes a second, unless it is next to nothing.
 */
uint64_t pace_calm(uint64_t pace, uint64_t calm);

#endif
