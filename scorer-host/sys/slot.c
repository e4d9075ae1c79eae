/* A number of one's own. */
#include "sys/slot.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "sys/files.h"

/* Held by the caller now. True when the last holder left nothing behind. */
static bool clear(int fd, int (*there)(const char *name))
{
	char name[SLOT_NAME];
	ssize_t n = pread(fd, name, sizeof name - 1, 0);

	if (n < 0)
		return false;
	name[n] = '\0';
	return n == 0 || !there(name);
}

static int write_down(int fd, const char *name)
{
	return ftruncate(fd, 0) < 0 ? -errno : write_all(fd, name, strlen(name));
}

int slot_take(
    const char *folder, unsigned count, const char *name, int (*there)(const char *name), unsigned *number)
{
	int r = folder_make_all(folder);

	for (unsigned i = 0; r == 0 && i < count; i++) {
		char path[PATH_MAX];
		int fd;
		if (snprintf(path, sizeof path, "%s/%u", folder, i) >= (int)sizeof path)
			return -ENAMETOOLONG;
		fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (fd < 0)
			return -errno;
		if (flock(fd, LOCK_EX | LOCK_NB) == 0 && clear(fd, there)) {
			*number = i;
			r = write_down(fd, name);
			if (r == 0)
				return fd;
		}
		(void)close(fd);
	}
	return r < 0 ? r : -EBUSY;
}
