/* Signals to a whole tree. */
#include "sys/kill.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/figures.h"
#include "sys/dir.h"
#include "sys/file.h"

/* Deeper descendants are reached once those above them are gone: they are children then. */
enum { DEEPEST = 12, MOST = 65536 };

static bool assume(int64_t uid, uid_t *before)
{
	*before = geteuid();
	return uid != KILL_OWN_ID && (uid_t)uid != *before && syscall(SYS_setresuid, -1, (uid_t)uid, -1) == 0;
}

static void resume(uid_t before)
{
	syscall(SYS_setresuid, -1, before, -1);
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); /* changing ids may have made this process readable again */
}

int kill_namespace(int signal, int64_t uid)
{
	uid_t before;

	if (getpid() != 1)
		return -EPERM;
	kill(-1, signal);
	if (assume(uid, &before)) {
		kill(-1, signal);
		resume(before);
	}
	return 0;
}

struct walk {
	int proc;
	int signal;
	int64_t uid;
	int signalled;
};

static int send_to(const struct walk *w, pid_t pid, int pidfd)
{
	/* A child that was not reaped keeps its number; anybody else may have lost it to a stranger. */
	long r =
	    pidfd >= 0 ? syscall(SYS_pidfd_send_signal, pidfd, w->signal, NULL, 0) : kill(pid, w->signal);
	return r < 0 ? -errno : 0;
}

static void deliver(struct walk *w, pid_t pid, int pidfd)
{
	uid_t before;
	int r = send_to(w, pid, pidfd);

	if (r == -EPERM && assume(w->uid, &before)) {
		r = send_to(w, pid, pidfd);
		resume(before);
	}
	if (r == 0)
		w->signalled++;
}

static void path_of(char out[64], uint64_t pid, const char *rest)
{
	char digits[24];
	size_t at = sizeof digits;

	do
		digits[--at] = (char)('0' + pid % 10);
	while (pid /= 10);
	memcpy(out, digits + at, sizeof digits - at);
	strcpy(out + sizeof digits - at, rest);
}

/* True while `parent` (itself proven, by its pidfd or as this process) is alive and says to be the parent of pid. */
static bool proven(const struct walk *w, uint64_t pid, uint64_t parent, int parent_fd)
{
	char path[64], text[1024];
	struct process_stat s;
	long n;

	path_of(path, pid, "/stat");
	n = file_read(w->proc, path, text, sizeof text);
	if (n < 0 || figure_process(text, (size_t)n, &s) < 0 || s.parent != parent || s.state == 'Z')
		return false;
	return parent_fd < 0 || syscall(SYS_pidfd_send_signal, parent_fd, 0, NULL, 0) == 0 || errno == EPERM;
}

/* Whatever /proc says, the kernel knows this process's own children. */
static bool is_child(pid_t pid)
{
	siginfo_t info;
	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0;
}

static int family(struct walk *w, uint64_t pid, int pidfd, int depth);

static void members(struct walk *w, const char *list, uint64_t parent, int parent_fd, int depth)
{
	while (*list && w->signalled < MOST) {
		const char *end = strchr(list, ' ');
		size_t n = end ? (size_t)(end - list) : strlen(list);
		uint64_t pid = figure_alone(list, n);
		int fd;

		list = end ? end + 1 : list + n;
		if (pid == 0 || pid > INT32_MAX)
			continue;
		fd = (int)syscall(SYS_pidfd_open, (pid_t)pid, 0);
		if (fd < 0) {
			if (depth == 0 && is_child((pid_t)pid))
				deliver(w, (pid_t)pid, -1);
			continue;
		}
		if (depth == 0 ? is_child((pid_t)pid) : proven(w, pid, parent, parent_fd)) {
			/* Children first: they would be somebody else's once their parent is gone. */
			if (depth + 1 < DEEPEST)
				family(w, pid, fd, depth + 1);
			deliver(w, (pid_t)pid, fd);
		}
		close(fd);
	}
}

/* Everybody below `pid`: the children of each of its threads. */
static int family(struct walk *w, uint64_t pid, int pidfd, int depth)
{
	struct dir tasks;
	const char *name;
	unsigned char type;
	char path[64];
	int r;

	path_of(path, pid, "/task");
	r = dir_open(&tasks, w->proc, path);
	if (r < 0)
		return r;
	while ((name = dir_next(&tasks, &type))) {
		char list[1024], file[64];
		size_t n = strlen(name);
		long got;
		if (n > 20)
			continue;
		memcpy(file, name, n);
		strcpy(file + n, "/children");
		got = file_read(tasks.fd, file, list, sizeof list);
		if (got < 0) {
			r = (int)got;
			continue;
		}
		/* A cut list ends in a number that may be cut too. */
		while ((size_t)got == sizeof list - 1 && got > 0 && list[got - 1] != ' ')
			got--;
		list[got] = '\0';
		members(w, list, pid, pidfd, depth);
	}
	dir_close(&tasks);
	return r;
}

int kill_can_follow(int proc)
{
	char number[16];
	ssize_t n = readlinkat(proc, "self", number, sizeof number);

	if (n < 0)
		return -errno;
	return figure_alone(number, (size_t)n) == (uint64_t)getpid() ? 0 : -EXDEV;
}

int kill_descendants(int proc, int signal, int64_t uid)
{
	struct walk w = {proc, signal, uid, 0};
	int r = family(&w, (uint64_t)getpid(), -1, 0);
	return r < 0 && w.signalled == 0 ? r : w.signalled;
}

static int kill_as(pid_t target, int signal, int64_t uid)
{
	uid_t before;
	int r = kill(target, signal) < 0 ? -errno : 0;

	if (r == -EPERM && assume(uid, &before)) {
		r = kill(target, signal) < 0 ? -errno : 0;
		resume(before);
	}
	return r;
}

int kill_child(pid_t child, int signal, int64_t uid)
{
	return child > 0 ? kill_as(child, signal, uid) : -ESRCH;
}

int kill_group(pid_t child, int signal, int64_t uid)
{
	if (child <= 1)
		return -ESRCH;
	return kill_as(getpgid(child) == child ? -child : child, signal, uid);
}
