/* The living descendants of this process (proc(5), /proc/PID/task/TID/children), for when init is not PID 1. */
#ifndef PROCTOR_SYS_DESCENDANTS_H
#define PROCTOR_SYS_DESCENDANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * proc: an open /proc in which getpid() is this process. Writes the pids of all descendants found, parents before
 * their children, at most cap. The number written. *whole is false when there were more, when a list could not be
 * read, or when a family moved meanwhile: the list is a lower bound then. Zombies count until they are reaped.
 */
size_t descendants(int proc, pid_t *out, size_t cap, bool *whole);

#endif
