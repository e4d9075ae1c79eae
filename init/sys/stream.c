/* A non-blocking unix stream socket. */
#include "sys/stream.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int stream_connect(const char *path)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	size_t n = strlen(path);
	int fd;

	if (n >= sizeof a.sun_path)
		return -ENAMETOOLONG;
	memcpy(a.sun_path, path, n + 1);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -errno;
	if (connect(fd, (const struct sockaddr *)&a, sizeof a) < 0) {
		int error = errno;
		close(fd);
		return -error;
	}
	return fd;
}

long stream_send(int fd, const void *bytes, size_t n)
{
	ssize_t r = send(fd, bytes, n, MSG_NOSIGNAL | MSG_DONTWAIT);
	if (r < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -errno;
	return r;
}

long stream_receive(int fd, void *bytes, size_t n)
{
	ssize_t r = recv(fd, bytes, n, MSG_DONTWAIT);
	if (r < 0)
		return errno == EINTR ? -EAGAIN : -errno;
	return r;
}
