/* How full a filesystem is (statfs(2)), and whether a folder is the top of one. */
#ifndef PROCTOR_SYS_ROOM_H
#define PROCTOR_SYS_ROOM_H

#include <stdbool.h>
#include <stdint.h>

struct room {
	uint64_t bytes_used, bytes_all;
	uint64_t inodes_used, inodes_all; /* LIMIT_NONE both where the filesystem has no count */
	bool local; /* a kind whose figures are the kernel's own and of this filesystem alone */
};

/* Opens the folder as a name for a filesystem, following no link in its last part. The descriptor or -errno. */
int room_open(const char *path);

/* 1 when the folder is the top of a mounted filesystem that its parent is not part of, 0 when not, -errno. */
int room_is_mount(int fd);

/*
 * 1 when the mount that the folder is on shows the whole of its filesystem, 0 when a part of a larger one was mounted
 * there (proc_pid_mountinfo(5)), -errno when /proc does not tell.
 */
int room_is_whole(int fd);

/* Takes constant time and allocates nothing. 0 or -errno. */
int room_look(int fd, struct room *r);

#endif
