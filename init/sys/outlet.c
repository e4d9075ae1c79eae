/* Writing without waiting to a descriptor that is shared. */
#include "sys/outlet.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

void outlet_open(struct outlet *o, int fd)
{
	static const char folder[] = "/proc/self/fd/";
	char path[sizeof folder + 2];
	struct stat s;
	int again = -1;

	memset(o, 0, sizeof *o);
	o->fd = fd;
	if (fstat(fd, &s) < 0) {
		o->broken = true;
		return;
	}
	o->socket = S_ISSOCK(s.st_mode);
	if (fd < 10 && (S_ISFIFO(s.st_mode) || S_ISCHR(s.st_mode))) {
		memcpy(path, folder, sizeof folder);
		path[sizeof folder - 1] = (char)('0' + fd);
		path[sizeof folder] = '\0';
		again = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	}
	o->own = again >= 0;
	if (o->own)
		o->fd = again;
}

size_t outlet_room(const struct outlet *o)
{
	struct pollfd p = {.fd = o->fd, .events = POLLOUT};

	if (o->broken)
		return OUTLET_MOST;
	if (poll(&p, 1, 0) <= 0)
		return 0;
	return OUTLET_MOST;
}

size_t outlet_write(struct outlet *o, const void *bytes, size_t n)
{
	ssize_t r;

	if (o->broken)
		return n;
	r = o->socket ? send(o->fd, bytes, n, MSG_DONTWAIT | MSG_NOSIGNAL) : write(o->fd, bytes, n);
	if (r >= 0)
		return (size_t)r;
	if (errno == EAGAIN || errno == EINTR)
		return 0;
	o->broken = true;
	return n;
}
