/* Reading a directory without a heap. */
#include "sys/dir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* struct linux_dirent64 of getdents64(2), by offset: inode 8, offset 8, length 2, type 1, name. */
enum { ENTRY_OFFSET = 8, ENTRY_LENGTH = 16, ENTRY_TYPE = 18, ENTRY_NAME = 19 };

int dir_open(struct dir *d, int fd, const char *path)
{
	int opened = openat(fd, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	if (opened < 0)
		return -errno;
	dir_start(d, opened);
	return 0;
}

void dir_start(struct dir *d, int fd)
{
	d->fd = fd;
	d->error = 0;
	d->at = d->have = 0;
	d->position = 0;
}

const char *dir_next(struct dir *d, unsigned char *type)
{
	for (;;) {
		if (d->at >= d->have) {
			long n = syscall(SYS_getdents64, d->fd, d->buffer, sizeof d->buffer);
			if (n < 0)
				d->error = errno;
			if (n <= 0)
				return NULL;
			d->at = 0;
			d->have = (size_t)n;
		}
		const uint8_t *entry = d->buffer + d->at;
		uint16_t length;
		memcpy(&length, entry + ENTRY_LENGTH, sizeof length);
		memcpy(&d->position, entry + ENTRY_OFFSET, sizeof d->position);
		d->at += length;
		const char *name = (const char *)entry + ENTRY_NAME;
		bool self = name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]));
		if (self)
			continue;
		*type = entry[ENTRY_TYPE];
		return name;
	}
}

int dir_resume(struct dir *d, int64_t position)
{
	d->at = d->have = 0;
	d->position = position;
	return lseek(d->fd, (off_t)position, SEEK_SET) < 0 ? -errno : 0;
}

int dir_close(struct dir *d)
{
	close(d->fd);
	return -d->error;
}
