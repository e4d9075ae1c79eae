/* What the host itself sees of a container's inside, through its PID 1's proc files: no word of init's is taken. */
#ifndef PROCTOR_HOST_SYS_INSIDE_H
#define PROCTOR_HOST_SYS_INSIDE_H

#include <sys/types.h>

/* 1 when its network namespace has no interface but lo; 0 when it has one; -errno. */
int inside_only_loopback(pid_t pid);

/* 1 when its root is mounted read-only, 0 when not, -errno. */
int inside_root_read_only(pid_t pid);

/* Pure parts, for tests: the text of /proc/PID/net/dev and of /proc/PID/mountinfo. */
int inside_loopback_text(const char *net_dev);
int inside_root_text(const char *mountinfo);

#endif
