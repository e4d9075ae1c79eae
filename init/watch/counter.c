/* Figures of cgroup files. */
#include "watch/counter.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "core/facts.h"
#include "core/figures.h"
#include "sys/file.h"
#include "wire/limits.h"

int counter_open(const char *path)
{
	int fd = path[0] ? file_open(AT_FDCWD, path) : -1;
	return fd < 0 ? -1 : fd;
}

uint64_t counter_read(int fd, const char *key)
{
	char text[1024];
	ssize_t n = fd < 0 ? -1 : pread(fd, text, sizeof text, 0);

	if (n < 0)
		return LIMIT_NONE;
	return key ? figure_keyed(text, (size_t)n, key) : figure_alone(text, (size_t)n);
}

bool counter_is_own(const char *path)
{
	static const char procs[] = "/cgroup.procs";
	char file[FACT_PATH + sizeof procs], text[64];
	const char *slash = strrchr(path, '/');
	long n;

	if (!slash || slash == path)
		return false;
	memcpy(file, path, (size_t)(slash - path));
	strcpy(file + (slash - path), procs);
	n = file_read(AT_FDCWD, file, text, sizeof text);
	return n > 0 && figure_alone(text, (size_t)n) == (uint64_t)getpid();
}
