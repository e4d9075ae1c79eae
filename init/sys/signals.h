/*
 * Signals as events (signalfd(2)): all are blocked in init for good and read from a descriptor, with who sent them. A
 * handler could be interrupted and a default action could end init; neither exists here.
 */
#ifndef PROCTOR_SYS_SIGNALS_H
#define PROCTOR_SYS_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct signal_seen {
	int number;
	pid_t sender; /* 0: from outside the pid namespace, or from the kernel */
	bool user;    /* SI_USER: sent by kill(2), with a sender that cannot be forged */
	bool kernel;  /* SI_KERNEL: a terminal's keys, for example */
};

/* Blocks everything, for good. The descriptor or -errno. */
int signals_open(void);

/* At most `most` signals that are pending. How many there were; -errno. */
int signals_read(int fd, struct signal_seen *seen, int most);

#endif
