/* Time that also passes while the machine is suspended, and that nobody can step (CLOCK_BOOTTIME, clock_gettime(2)). */
#ifndef PROCTOR_SYS_CLOCK_H
#define PROCTOR_SYS_CLOCK_H

#include <stdint.h>

/* Microseconds since some point in the past. */
uint64_t clock_now(void);

/* CPU time that this process itself has used, in microseconds. */
uint64_t clock_own_cpu(void);

/*
 * A descriptor (close-on-exec, non-blocking) that becomes readable once at `when` of clock_now, at once on waking up
 * from a suspend that reached beyond it; -errno where the kernel has none (timerfd_create(2)).
 */
int clock_alarm(uint64_t when);

/* From here on waits of this process end when they are to, not up to 50 microseconds later. A child made later inherits it. */
void clock_punctual(void);

#endif
