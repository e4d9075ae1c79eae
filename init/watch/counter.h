/*
 * A figure of the run's own cgroup, in a file that was opened and read once before the spawn: reading it again opens
 * nothing and allocates nothing, even when the cgroup's memory is full.
 */
#ifndef PROCTOR_WATCH_COUNTER_H
#define PROCTOR_WATCH_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/* "" gives no counter. The descriptor, or -1. */
int counter_open(const char *path);

/* The number behind `key `, or the only number when key is NULL; LIMIT_NONE when it cannot be read. */
uint64_t counter_read(int fd, const char *key);

/* True when the cgroup whose file `path` is holds init and nobody else: only then its figures are the run's. */
bool counter_is_own(const char *path);

#endif
