/*
 * User notification of seccomp (seccomp_unotify(2)): a filter's answer is asked of another process over a listener. What
 * the oldest supported build machine's headers lack has its number in notify.c.
 */
#ifndef PROCTOR_SYS_NOTIFY_H
#define PROCTOR_SYS_NOTIFY_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* One call that waits for its answer. */
struct notified {
	uint64_t id;
	pid_t process; /* in the caller's pid namespace; 0 when it is not in it */
	int number;
	uint32_t arch; /* AUDIT_ARCH_… */
	uint64_t args[6];
};

/* Whether this kernel can notify, in structures that have room here. */
bool notify_possible(void);

/*
 * As seccomp_load, with a listener for its notifications: a close-on-exec descriptor. -EBUSY where a filter of this
 * process has one already, -EINVAL or -ENOSYS where there is no such thing.
 */
int notify_load(const struct sock_filter *program, unsigned length);

/* Prepares a listener that was received: whoever is answered runs where the answer came from, where the kernel can. */
void notify_tune(int listener);

/*
 * The next call that waits. 1, 0 for none right now, or -errno; -EPIPE when nobody is left who could call. Never blocks:
 * whoever holds the listener alone calls it alone.
 */
int notify_next(int listener, struct notified *n);

/* Answers it with an error. 0, or -ENOENT when the caller is gone or was interrupted. */
int notify_refuse(int listener, const struct notified *n, int error);

/* Hands a descriptor over a socket of its own (socketpair). 0 or -errno. */
int handover_send(int socket, int fd);

/* The descriptor that was handed over (close-on-exec), -EAGAIN while there is none, or another -errno. */
int handover_receive(int socket);

/* Both ends of a socket for one hand-over, close-on-exec and non-blocking. 0 or -errno. */
int handover_open(int end[2]);

#endif
