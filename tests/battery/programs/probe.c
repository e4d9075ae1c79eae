/* The hostile programs' common part: see probe.h. Lines go out by one write each, so that processes do not mix them. */
#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int act(const struct action *actions, size_t count, int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < count; i++)
		if (strcmp(actions[i].name, argv[1]) == 0)
			return actions[i].run(argc - 2, argv + 2);
	return 100;
}

static const char *error_name(int error)
{
	static const struct {
		int error;
		const char *name;
	} names[] = {
	    {EPERM, "EPERM"},
	    {ENOENT, "ENOENT"},
	    {ESRCH, "ESRCH"},
	    {EACCES, "EACCES"},
	    {EROFS, "EROFS"},
	    {ENOSYS, "ENOSYS"},
	    {EINVAL, "EINVAL"},
	    {EBADF, "EBADF"},
	    {ENOSPC, "ENOSPC"},
	    {EAFNOSUPPORT, "EAFNOSUPPORT"},
	    {EOPNOTSUPP, "EOPNOTSUPP"},
	    {EXDEV, "EXDEV"},
	    {EBUSY, "EBUSY"},
	    {ECONNREFUSED, "ECONNREFUSED"},
	    {ENODEV, "ENODEV"},
	    {ENXIO, "ENXIO"},
	    {EIO, "EIO"},
	    {EAGAIN, "EAGAIN"},
	    {EEXIST, "EEXIST"},
	    {EFAULT, "EFAULT"},
	    {ETXTBSY, "ETXTBSY"},
	    {EMFILE, "EMFILE"},
	    {EISDIR, "EISDIR"},
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].error == error)
			return names[i].name;
	return "EOTHER";
}

void say_line(const char *text)
{
	char line[512];
	size_t n = strlen(text);
	if (n > sizeof line - 1)
		n = sizeof line - 1;
	memcpy(line, text, n);
	line[n] = '\n';
	if (write(1, line, n + 1) < 0)
		return; /* whoever closed the log does so on purpose */
}

int deny(const char *what, long r)
{
	int error = errno;
	say("deny %s %s", what, r < 0 ? error_name(error) : "ok");
	return r >= 0;
}

int allow(const char *what, long r)
{
	int error = errno;
	say("allow %s %s", what, r < 0 ? error_name(error) : "ok");
	return r >= 0;
}

void good_table(void)
{
	static const char table[] = "id,p\na,0.9\nb,0.8\nc,0.2\nd,0.1\n";
	int fd = open("/output/predictions.csv", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0 || write(fd, table, sizeof table - 1) != (ssize_t)sizeof table - 1 || close(fd) < 0)
		_exit(101);
}

void wait_forever(void)
{
	for (;;)
		pause();
}

long number(int argc, char **argv, int i, long otherwise)
{
	return i < argc ? strtol(argv[i], NULL, 10) : otherwise;
}
