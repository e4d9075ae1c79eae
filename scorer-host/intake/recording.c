/* transcript.bin. */
#include "intake/recording.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void recording_start(struct recording *t, int fd)
{
	memset(t, 0, sizeof *t);
	t->fd = fd;
}

static int put(int fd, const uint8_t *bytes, size_t n, off_t at)
{
	while (n > 0) {
		ssize_t w = pwrite(fd, bytes, n, at);
		if (w < 0 && errno == EINTR)
			continue;
		if (w <= 0)
			return w < 0 ? -errno : -EIO;
		bytes += w;
		at += w;
		n -= (size_t)w;
	}
	return 0;
}

int recording_add(struct recording *t, const uint8_t *frame, size_t n)
{
	int r = put(t->fd, frame, n, t->end);
	if (r == 0)
		t->end += (off_t)n;
	return r;
}

int recording_ticket(struct recording *t, const uint8_t *frame, size_t n)
{
	if (t->ticket || (t->ticket = malloc(n)) == NULL)
		return -ENOMEM;
	memcpy(t->ticket, frame, n);
	t->ticket_size = n;
	t->hole = t->end;
	t->end += (off_t)n;
	return 0;
}

void recording_abandon(struct recording *t)
{
	if (t->ticket)
		explicit_bzero(t->ticket, t->ticket_size);
	free(t->ticket);
	t->ticket = NULL;
}

int recording_finish(struct recording *t)
{
	int r = t->ticket ? put(t->fd, t->ticket, t->ticket_size, t->hole) : 0;
	recording_abandon(t);
	return r;
}
