/* Descriptors: closing what is not meant for the candidate, and the empty input. */
#include "sys/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "sys/dir.h"
#include "sys/file.h"
#include "sys/rlimit.h"

/* Where no limit is set or it is absurd: the kernel's own sysctl_nr_open default. */
enum { MOST_DESCRIPTORS = 1 << 20 };

static int number(const char *name)
{
	int n = 0;
	for (; *name >= '0' && *name <= '9' && n < INT_MAX / 10 - 1; name++)
		n = n * 10 + (*name - '0');
	return *name ? -1 : n;
}

/* One pass over /proc/self/fd; how many were closed, or -errno. */
static int close_listed(int first)
{
	int proc = file_proc();
	if (proc < 0)
		return proc;
	struct dir d;
	int r = dir_open(&d, proc, "self/fd");
	int closed = 0;
	if (r == 0) {
		unsigned char type;
		const char *name;
		while ((name = dir_next(&d, &type))) {
			int fd = number(name);
			if (fd >= first && fd != d.fd && fd != proc && close(fd) == 0)
				closed++;
		}
		r = dir_close(&d);
	}
	close(proc);
	return r < 0 ? r : closed;
}

static void close_counting(int first)
{
	uint64_t soft, hard;
	if (rlimit_get(RLIMIT_NOFILE, &soft, &hard) < 0 || hard > MOST_DESCRIPTORS)
		hard = MOST_DESCRIPTORS;
	for (int fd = first; fd < (int)hard; fd++)
		close(fd);
}

int fd_close_from(int first)
{
	if (syscall(SYS_close_range, (unsigned)first, UINT_MAX, 0U) == 0)
		return fcntl(first, F_GETFD) < 0 ? 0 : -EBADE;
	/* A pass may miss entries that move while the table shrinks: until a pass finds nothing. */
	int closed, passes = 0;
	do
		closed = close_listed(first);
	while (closed > 0 && ++passes < 64);
	if (closed != 0)
		close_counting(first);
	return fcntl(first, F_GETFD) < 0 ? 0 : -EBADE;
}

int fd_move(int fd, int to, int close_on_exec)
{
	if (fd == to)
		return fcntl(fd, F_SETFD, close_on_exec ? FD_CLOEXEC : 0) < 0 ? -errno : 0;
	if (dup3(fd, to, close_on_exec ? O_CLOEXEC : 0) < 0)
		return -errno;
	close(fd);
	return 0;
}

int fd_open_null(void)
{
	int fd = open("/dev/null", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	struct stat st;
	bool real = fstat(fd, &st) == 0 && S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3);
	if (real && fcntl(fd, F_SETFL, 0) == 0)
		return fd;
	close(fd);
	return -ENODEV;
}

int fd_open_empty(void)
{
	int fd[2];
	if (pipe2(fd, O_CLOEXEC) < 0)
		return -errno;
	close(fd[1]);
	return fd[0];
}
