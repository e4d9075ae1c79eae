/* Fork, confine, wait with a deadline. The wait is bounded whatever the child does. */
#include "sys/child.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sys/memfd.h"

enum { STATUS_NOT_RUN = 120 };

static uint64_t now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_BOOTTIME, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void plain_signals(void)
{
	sigset_t none;
	for (int s = 1; s < NSIG; s++)
		(void)signal(s, SIG_DFL);
	sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
}

_Noreturn static void child(const struct child_work *w, pid_t parent, int *error)
{
	int r = 0;
	(void)setpgid(0, 0);
	plain_signals();
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
		r = -errno;
	if (getppid() != parent)
		_exit(STATUS_NOT_RUN);
	if (r == 0 && w->prepare)
		r = w->prepare(w->argument);
	if (r == 0)
		r = confine(&w->confinement);
	if (r < 0) {
		*error = -r;
		_exit(STATUS_NOT_RUN);
	}
	/* From here on it can no longer say that it never was at work. */
	(void)munmap(error, sizeof *error);
	_exit(w->work(w->argument));
}

/* Until the child has ended or the time is over. True: over. */
static bool wait_until(int pidfd, uint64_t deadline)
{
	struct pollfd p = {.fd = pidfd, .events = POLLIN};
	for (;;) {
		uint64_t now = now_ms();
		if (now >= deadline)
			return true;
		uint64_t left = deadline - now;
		int n = poll(&p, 1, left > 60000 ? 60000 : (int)left);
		if (n > 0)
			return false;
	}
}

static void reap(pid_t pid, struct child_end *end)
{
	int status = 0;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	end->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	end->status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

int child_run(const struct child_work *work, struct child_end *end)
{
	memset(end, 0, sizeof *end);
	int *error = memory_shared(sizeof *error);
	if (!error)
		return -ENOMEM;
	uint64_t deadline = now_ms() + work->deadline_ms;
	pid_t parent = getpid(), pid = fork();
	if (pid == 0)
		child(work, parent, error);
	int r = pid < 0 ? -errno : 0;
	int pidfd = pid < 0 ? -1 : (int)syscall(SYS_pidfd_open, pid, 0);
	if (pid > 0 && pidfd < 0) {
		r = -errno;
		(void)kill(pid, SIGKILL);
		reap(pid, end);
	}
	if (pidfd >= 0) {
		end->late = wait_until(pidfd, deadline);
		if (end->late)
			(void)kill(pid, SIGKILL);
		reap(pid, end);
		close(pidfd);
		end->error = *error;
	}
	(void)munmap(error, sizeof *error);
	return r;
}
