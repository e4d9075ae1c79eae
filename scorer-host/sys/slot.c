/* A number of one's own. */
#include "sys/slot.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

#include "sys/files.h"

int slot_take(const char *folder, unsigned count, unsigned *number)
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
		if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
			*number = i;
			return fd;
		}
		(void)close(fd);
	}
	return r < 0 ? r : -EBUSY;
}
