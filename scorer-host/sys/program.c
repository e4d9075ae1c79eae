/* fork, exec and a bounded wait. */
#include "sys/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/clock.h"

static const char system_path[] = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

static int find_in(const char *list, const char *name, char *path, size_t room)
{
	while (list && *list) {
		size_t n = strcspn(list, ":");
		int len = snprintf(path, room, "%.*s/%s", (int)n, list, name);
		if (n > 0 && list[0] == '/' && len > 0 && (size_t)len < room && access(path, X_OK) == 0)
			return 0;
		list += n + (list[n] == ':');
	}
	return -ENOENT;
}

int program_find(const char *name, char *path, size_t room)
{
	if (strlen(name) + 2 > room)
		return -ENAMETOOLONG;
	if (find_in(system_path, name, path, room) == 0)
		return 0;
	return find_in(getenv("PATH"), name, path, room);
}

static void child(const char *const argv[], int out, int failed)
{
	char *const environment[] = {
	    (char[]){"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}, NULL};
	sigset_t none;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	(void)setpgid(0, 0);
	(void)umask(022);
	for (int s = 1; s < NSIG; s++)
		(void)signal(s, SIG_DFL);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	if (out < 0)
		out = null;
	/* Whatever else is open stays behind: an inherited descriptor is a way into the host. */
	if (null >= 0 && dup2(null, 0) == 0 && dup2(out, 1) == 1 && dup2(out, 2) == 2 &&
	    dup2(failed, 3) == 3 && fcntl(3, F_SETFD, FD_CLOEXEC) == 0 &&
	    syscall(SYS_close_range, 4U, ~0U, 0U) == 0) {
		union {
			const char *const *in;
			char *const *out;
		} words = {.in = argv};
		(void)execve(argv[0], words.out, environment);
		failed = 3;
	}
	int error = errno;
	(void)!write(failed, &error, sizeof error);
	_exit(127);
}

/* Reads what is there. Returns 0 at the end of the stream. */
static int collect(int fd, char *text, size_t room, size_t *have)
{
	char spare[4096];
	for (;;) {
		size_t left = room - 1 - *have;
		ssize_t n = left > 0 ? read(fd, text + *have, left) : read(fd, spare, sizeof spare);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n == 0 ? 0 : 1;
		if (left > 0)
			*have += (size_t)n;
	}
}

/* Waits for the child, draining its output meanwhile. A grandchild that keeps the pipe open delays nothing. */
static int await(pid_t pid, int out, unsigned timeout_ms, char *text, size_t room)
{
	uint64_t end = clock_ms() + timeout_ms;
	int pidfd = (int)syscall(SYS_pidfd_open, pid, 0), late = pidfd < 0 ? -errno : 0, status = 0;
	size_t have = 0;

	while (!late) {
		struct pollfd p[2] = {{pidfd, POLLIN, 0}, {out, POLLIN, 0}};
		uint64_t now = clock_ms();
		if (now >= end) {
			late = -ETIMEDOUT;
			break;
		}
		if (poll(p, 2, (int)(end - now)) < 0 && errno != EINTR)
			late = -errno;
		if (p[1].revents && !collect(out, text, room, &have))
			out = -1;
		if (p[0].revents)
			break;
	}
	if (late)
		(void)kill(-pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (out >= 0 && text)
		(void)collect(out, text, room, &have);
	if (text)
		text[have] = '\0';
	if (pidfd >= 0)
		(void)close(pidfd);
	if (late)
		return late;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int program_run(const char *const argv[], unsigned timeout_ms, char *text, size_t room)
{
	int out[2] = {-1, -1}, failed[2], error = 0, status;
	pid_t pid;

	if (pipe2(failed, O_CLOEXEC) < 0)
		return -errno;
	if (text && (room == 0 || pipe2(out, O_CLOEXEC) < 0)) {
		error = room == 0 ? EINVAL : errno;
		(void)close(failed[0]);
		(void)close(failed[1]);
		return -error;
	}
	pid = fork();
	if (pid == 0)
		child(argv, out[1], failed[1]);
	error = pid < 0 ? errno : 0;
	(void)close(failed[1]);
	if (text)
		(void)close(out[1]);
	if (pid > 0) {
		(void)setpgid(pid, pid);
		if (text)
			(void)fcntl(out[0], F_SETFL, O_NONBLOCK);
		ssize_t n = read(failed[0], &error, sizeof error); /* ends at the exec */
		status = await(pid, out[0], timeout_ms, text, room);
		error = n == (ssize_t)sizeof error ? error : 0;
		if (!error)
			error = status < 0 ? -status : 0;
	} else {
		status = -1;
	}
	(void)close(failed[0]);
	if (text)
		(void)close(out[0]);
	return error ? -error : status;
}
