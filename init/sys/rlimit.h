/* Resource limits of this process (prlimit(2)). */
#ifndef PROCTOR_SYS_RLIMIT_H
#define PROCTOR_SYS_RLIMIT_H

#include <stdint.h>

/* RLIM_INFINITY of the 64-bit call. */
#define RLIMIT_UNLIMITED UINT64_MAX

/*
 * Sets both the soft and the hard limit and reads them back. 0, -EPERM when the hard limit is below value and may not be
 * raised, -EBADE when something else than asked for took effect, -errno.
 */
int rlimit_set(int resource, uint64_t value);

/* 0 or -errno. */
int rlimit_get(int resource, uint64_t *soft, uint64_t *hard);

#endif
