/* Small file work. */
#include "sys/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { DEPTH_MAX = 128 };

/* For kernels without openat2: each component by itself, never a symlink, never "..", never another filesystem. */
static int walk(int folder, const char *path, int flags, mode_t mode, int cross)
{
	struct stat top, st;
	int at = fcntl(folder, F_DUPFD_CLOEXEC, 3);

	if (at < 0 || fstat(at, &top) < 0 || *path == '/') {
		if (at >= 0)
			(void)close(at);
		return *path == '/' ? -EXDEV : -EBADF;
	}
	for (;;) {
		char name[NAME_MAX + 1];
		size_t n = strcspn(path, "/");
		const char *rest = path + n + strspn(path + n, "/");
		int next, error;
		if (n == 0 || n > NAME_MAX || (n == 2 && path[0] == '.' && path[1] == '.')) {
			(void)close(at);
			return n > NAME_MAX ? -ENAMETOOLONG : -EXDEV;
		}
		memcpy(name, path, n);
		name[n] = '\0';
		next = *rest ? openat(at, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
			     : openat(at, name, flags | O_NOFOLLOW | O_CLOEXEC, mode);
		error = errno;
		(void)close(at);
		if (next < 0)
			return -error;
		if (!cross && (fstat(next, &st) < 0 || st.st_dev != top.st_dev)) {
			(void)close(next);
			return -EXDEV;
		}
		if (!*rest)
			return next;
		at = next;
		path = rest;
	}
}

static int beneath(int folder, const char *path, int flags, mode_t mode, int cross)
{
	struct open_how how = {.flags = (uint64_t)(unsigned)(flags | O_NOFOLLOW | O_CLOEXEC),
	    .mode = flags & O_CREAT ? mode : 0,
	    .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS};
	long fd;

	if (!cross)
		how.resolve |= RESOLVE_NO_XDEV;
	do
		fd = syscall(SYS_openat2, folder, path, &how, sizeof how);
	while (fd < 0 && (errno == EINTR || errno == EAGAIN));
	if (fd < 0 && errno == ENOSYS)
		return walk(folder, path, flags, mode, cross);
	return fd < 0 ? -errno : (int)fd;
}

int open_beneath(int folder, const char *path, int flags, mode_t mode)
{
	return beneath(folder, path, flags, mode, 0);
}

int open_beneath_mounts(int folder, const char *path, int flags, mode_t mode)
{
	return beneath(folder, path, flags, mode, 1);
}

int write_all(int fd, const void *bytes, size_t n)
{
	const char *at = bytes;
	while (n > 0) {
		ssize_t w = write(fd, at, n);
		if (w < 0 && errno == EINTR)
			continue;
		if (w < 0)
			return -errno;
		at += w;
		n -= (size_t)w;
	}
	return 0;
}

int file_write(int folder, const char *name, const void *bytes, size_t n, mode_t mode)
{
	int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode), r;
	if (fd < 0)
		return -errno;
	r = write_all(fd, bytes, n);
	if (close(fd) < 0 && r == 0)
		r = -errno;
	return r;
}

ssize_t file_read(int folder, const char *name, char *buffer, size_t room)
{
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	size_t have = 0;
	ssize_t n;

	if (fd < 0)
		return -errno;
	do {
		n = read(fd, buffer + have, room - have);
		if (n > 0)
			have += (size_t)n;
	} while ((n > 0 && have < room) || (n < 0 && errno == EINTR));
	n = n < 0 ? -errno : have == room ? -EFBIG : (ssize_t)have;
	(void)close(fd);
	buffer[n < 0 ? 0 : n] = '\0';
	return n;
}

static int remove_below(int folder, dev_t device, unsigned depth)
{
	DIR *d = fdopendir(folder);
	struct dirent *e;
	int r = 0;

	if (!d) {
		r = -errno;
		(void)close(folder);
		return r;
	}
	while ((e = readdir(d)) != NULL) {
		struct stat st;
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		if (fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		if (S_ISDIR(st.st_mode)) {
			int sub =
			    openat(dirfd(d), e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
			if (sub >= 0 && st.st_dev == device && depth < DEPTH_MAX)
				(void)remove_below(sub, device, depth + 1);
			else if (sub >= 0)
				(void)close(sub);
		}
		if (unlinkat(dirfd(d), e->d_name, S_ISDIR(st.st_mode) ? AT_REMOVEDIR : 0) < 0)
			r = -errno;
	}
	(void)closedir(d);
	return r;
}

int folder_remove(int parent, const char *name)
{
	struct stat st;
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return errno == ENOENT ? 0 : -errno;
	if (fstat(fd, &st) < 0) {
		(void)close(fd);
		return -EIO;
	}
	(void)remove_below(fd, st.st_dev, 0);
	return unlinkat(parent, name, AT_REMOVEDIR) < 0 ? -errno : 0;
}

int folder_make_all(const char *path)
{
	char part[PATH_MAX];
	size_t n = strlen(path);

	if (n == 0 || n >= sizeof part)
		return n ? -ENAMETOOLONG : -EINVAL;
	memcpy(part, path, n + 1);
	for (size_t i = 1; i <= n; i++) {
		if (part[i] != '/' && part[i] != '\0')
			continue;
		char kept = part[i];
		part[i] = '\0';
		if (mkdir(part, 0700) < 0 && errno != EEXIST)
			return -errno;
		part[i] = kept;
	}
	return 0;
}
