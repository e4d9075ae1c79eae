/* Pipes for the candidate's streams: a pipe's inode belongs to the filesystem ids of whoever makes it. */
#include "sys/pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <unistd.h>

int pipe_owned(int fd[2], uint32_t uid, uint32_t gid)
{
	int old_gid = setfsgid(gid);
	int old_uid = setfsuid(uid);
	int r = pipe2(fd, O_CLOEXEC) < 0 ? -errno : 0;
	setfsuid((uid_t)old_uid);
	setfsgid((gid_t)old_gid);
	if (r < 0)
		return r;

	struct stat st;
	if (fcntl(fd[0], F_SETFL, O_NONBLOCK) < 0 || fstat(fd[1], &st) < 0) {
		r = -errno;
		close(fd[0]);
		close(fd[1]);
		return r;
	}
	return st.st_uid == uid && st.st_gid == gid ? 0 : 1;
}
