/* Room on a filesystem. */
#include "sys/room.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "wire/limits.h"

int room_open(const char *path)
{
	int fd = open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int room_is_mount(int fd)
{
	struct stat own, above;

	if (fstat(fd, &own) < 0 || fstatat(fd, "..", &above, 0) < 0)
		return -errno;
	return own.st_dev != above.st_dev;
}

int room_look(int fd, struct room *r)
{
	struct statfs s;
	uint64_t unit;

	if (fstatfs(fd, &s) < 0)
		return -errno;
	unit = (uint64_t)(s.f_frsize ? s.f_frsize : s.f_bsize);
	r->bytes_all = (uint64_t)s.f_blocks * unit;
	r->bytes_used = s.f_blocks > s.f_bfree ? (uint64_t)(s.f_blocks - s.f_bfree) * unit : 0;
	r->inodes_all = s.f_files ? (uint64_t)s.f_files : LIMIT_NONE;
	r->inodes_used = !s.f_files		 ? LIMIT_NONE
			 : s.f_files > s.f_ffree ? (uint64_t)(s.f_files - s.f_ffree)
						 : 0;
	return 0;
}
