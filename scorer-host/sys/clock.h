/* The host's own clocks. */
#ifndef PROCTOR_HOST_SYS_CLOCK_H
#define PROCTOR_HOST_SYS_CLOCK_H

#include <stdint.h>

/* Milliseconds on CLOCK_BOOTTIME: steps of the wall clock and suspends do not bend it. */
uint64_t clock_ms(void);

/* Now as RFC 3339 UTC with milliseconds, e.g. 2026-09-30T17:00:02.114Z. */
void clock_utc(char out[32]);

#endif
