/* Signals read from a descriptor. */
#include "sys/signals.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

int signals_open(void)
{
	sigset_t all;
	int fd;

	sigfillset(&all);
	if (sigprocmask(SIG_SETMASK, &all, NULL) < 0)
		return -errno;
	/* Inherited as ignored, it would let the kernel reap the candidate before init sees its status. */
	signal(SIGCHLD, SIG_DFL);
	fd = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
	return fd < 0 ? -errno : fd;
}

int signals_read(int fd, struct signal_seen *seen, int most)
{
	int count = 0;

	while (count < most) {
		struct signalfd_siginfo info;
		ssize_t n = read(fd, &info, sizeof info);
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return -errno;
		if (n != (ssize_t)sizeof info)
			break;
		seen[count].number = (int)info.ssi_signo;
		seen[count].sender = (pid_t)info.ssi_pid;
		seen[count].user = info.ssi_code == SI_USER;
		seen[count].kernel = info.ssi_code == SI_KERNEL;
		count++;
	}
	return count;
}
