/* Plain use's outlets. */
#include "report/plain.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "sys/clock.h"

int plain_open(struct plain *p, const struct carrier *record)
{
	int fd = -1;

	switch (record->kind) {
	case CARRIER_NONE:
	case CARRIER_UNIX:
		return 0;
	case CARRIER_STDERR:
		fd = STDERR_FILENO;
		break;
	case CARRIER_FD:
		fd = record->fd;
		break;
	case CARRIER_FILE:
		fd = open(record->path,
		    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0600);
		break;
	}
	if (fd < 0 || fcntl(fd, F_GETFD) < 0)
		return -errno;
	if (fd > STDERR_FILENO && fcntl(fd, F_SETFD, FD_CLOEXEC) < 0)
		return -errno;
	outlet_open(&p->record, fd);
	p->records = true;
	return 0;
}

bool plain_flush(struct plain *p)
{
	for (int i = 0; i < 2; i++) {
		size_t n;
		if (p->waiting[i] == 0 || outlet_room(&p->out[i]) == 0)
			continue;
		n = outlet_write(&p->out[i], p->held[i], p->waiting[i]);
		memmove(p->held[i], p->held[i] + n, p->waiting[i] - n);
		p->waiting[i] -= n;
	}
	return p->waiting[0] == 0 && p->waiting[1] == 0;
}

static size_t sink_room(void *at, int stream)
{
	struct plain *p = at;

	plain_flush(p);
	return p->waiting[stream - 1] ? 0 : outlet_room(&p->out[stream - 1]);
}

static void sink_take(void *at, int stream, uint64_t offset, const uint8_t *bytes, size_t n)
{
	struct plain *p = at;
	size_t written = outlet_write(&p->out[stream - 1], bytes, n);

	(void)offset;
	p->waiting[stream - 1] = n - written;
	memcpy(p->held[stream - 1], bytes + written, n - written);
}

struct sink plain_sink(struct plain *p)
{
	for (int i = 0; i < 2; i++) {
		outlet_open(&p->out[i], STDOUT_FILENO + i);
		p->waiting[i] = 0;
	}
	return (struct sink){p, sink_room, sink_take};
}

int plain_fd(const struct plain *p, int stream)
{
	return p->out[stream].fd;
}

int plain_record(struct plain *p, const char *line, size_t n, int ms)
{
	uint64_t until = clock_now() + (uint64_t)ms * 1000;
	struct outlet *o = &p->record;

	while (n > 0) {
		size_t portion = outlet_room(o), written = 0;
		struct pollfd wait = {.fd = o->fd, .events = POLLOUT};
		if (portion > n)
			portion = n;
		if (portion > 0)
			written = outlet_write(o, line, portion);
		if (o->broken)
			return -EPIPE;
		line += written;
		n -= written;
		if (written == 0) {
			if (clock_now() >= until)
				return -ETIMEDOUT;
			poll(&wait, 1, 100);
		}
	}
	return 0;
}
