/* Lines of a file through a fixed buffer. */
#include "sys/lines.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "sys/file.h"

int lines_open(struct lines *l, int dir, const char *path, size_t most)
{
	l->fd = file_open(dir, path);
	l->ended = l->skipping = false;
	l->cut = 0;
	l->left = most;
	l->at = l->have = 0;
	return l->fd < 0 ? l->fd : 0;
}

/* Makes room at the front and reads more. False when nothing more comes. */
static bool fill(struct lines *l)
{
	memmove(l->buffer, l->buffer + l->at, l->have - l->at);
	l->have -= l->at;
	l->at = 0;
	if (l->have == sizeof l->buffer - 1) {
		l->have = 0;
		l->skipping = true;
	}
	size_t room = sizeof l->buffer - 1 - l->have;
	if (room > l->left)
		room = l->left;
	ssize_t n;
	do
		n = room ? read(l->fd, l->buffer + l->have, room) : -1;
	while (room && n < 0 && errno == EINTR);
	if (n < 0)
		l->cut++;
	if (n <= 0)
		return false;
	l->have += (size_t)n;
	l->left -= (size_t)n;
	return true;
}

char *lines_next(struct lines *l)
{
	for (;;) {
		char *start = l->buffer + l->at;
		char *end = memchr(start, '\n', l->have - l->at);
		if (!end && !l->ended) {
			l->ended = !fill(l);
			continue;
		}
		if (!end) {
			if (l->at == l->have)
				return NULL;
			end = l->buffer + l->have;
			l->at = l->have;
		} else {
			l->at = (size_t)(end - l->buffer) + 1;
		}
		if (l->skipping) {
			l->skipping = false;
			l->cut++;
			continue;
		}
		*end = '\0';
		return start;
	}
}

bool lines_close(struct lines *l)
{
	close(l->fd);
	return l->ended && l->cut == 0;
}
