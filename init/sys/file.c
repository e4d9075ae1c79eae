/* Small files: read whole, written at once. */
#include "sys/file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

int file_proc(void)
{
	int fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	struct statfs fs;
	int r = fstatfs(fd, &fs) < 0 ? -errno : 0;
	if (r == 0 && fs.f_type != PROC_SUPER_MAGIC)
		r = -ENODEV;
	if (r == 0)
		return fd;
	close(fd);
	return r;
}

int file_open(int dir, const char *path)
{
	int fd = openat(dir, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	return fd < 0 ? -errno : fd;
}

long file_read(int dir, const char *path, char *buffer, size_t size)
{
	int fd = file_open(dir, path);
	if (fd < 0)
		return fd;
	size_t have = 0;
	long r = 0;
	while (have < size - 1) {
		ssize_t n = read(fd, buffer + have, size - 1 - have);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			r = -errno;
		if (n <= 0)
			break;
		have += (size_t)n;
	}
	close(fd);
	if (r < 0)
		return r;
	buffer[have] = '\0';
	return (long)have;
}

int file_write(int dir, const char *path, const char *text)
{
	int fd = openat(dir, path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return -errno;
	size_t size = strlen(text);
	ssize_t n = write(fd, text, size);
	int r = n < 0 ? -errno : (size_t)n < size ? -EIO : 0;
	close(fd);
	return r;
}
