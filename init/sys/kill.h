/*
 * Signalling a whole tree (kill(2), pidfd_send_signal(2)). As PID 1 one call reaches everybody at once; elsewhere the
 * descendants are followed through /proc, and only what is proven to be one is signalled: never a bystander.
 */
#ifndef PROCTOR_SYS_KILL_H
#define PROCTOR_SYS_KILL_H

#include <stdint.h>
#include <sys/types.h>

enum { KILL_OWN_ID = -1 };

/*
 * Signals every other process of the pid namespace, with the caller's ids and, if uid is not KILL_OWN_ID, with uid as
 * effective id too: without CAP_KILL root may not signal others. 0, or -EPERM when this process is not PID 1: it then
 * does nothing at all.
 */
int kill_namespace(int signal, int64_t uid);

/*
 * 0 when the numbers in this /proc are those that kill(2) takes here; -EXDEV when it shows another pid namespace, -errno
 * when it cannot be told. Without 0, kill_descendants must not be called.
 */
int kill_can_follow(int proc);

/*
 * Signals this process's descendants: children as such, deeper ones through a pidfd while their parent is known to be
 * alive. proc is a descriptor of /proc. How many of the living were signalled (the deepest may be missed: call again after reaping),
 * or -errno when /proc does not list children.
 */
int kill_descendants(int proc, int signal, int64_t uid);

/* One child that was not reaped yet, with uid as a second try. 0 or -errno; nothing for pid ≤ 0. */
int kill_child(pid_t child, int signal, int64_t uid);

/* The same for the process group that this child leads, if it leads one, else for it alone. */
int kill_group(pid_t child, int signal, int64_t uid);

#endif
