/* The carrier unix:. */
#include "report/unix.h"

#include <errno.h>
#include <poll.h>

#include "sys/clock.h"
#include "sys/stream.h"

enum { PAUSE_MS = 10 };

int unix_connect(struct channel *c, const char *path, int ms)
{
	uint64_t until = clock_now() + (uint64_t)ms * 1000;
	int fd = stream_connect(path);

	while (fd == -EAGAIN && clock_now() < until) {
		poll(NULL, 0, PAUSE_MS);
		fd = stream_connect(path);
	}
	if (fd < 0)
		return fd;
	channel_start(c, fd);
	return 0;
}
