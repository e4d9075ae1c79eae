/* Frames in a bounded outbox. */
#include "report/channel.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "sys/clock.h"
#include "sys/stream.h"

void channel_start(struct channel *c, int fd)
{
	c->fd = fd;
	c->lost = false;
	c->start = c->end = 0;
	chain_start(&c->chain);
	deframe_start(&c->deframer, c->inbox, sizeof c->inbox);
}

static size_t binding(const struct channel *c, uint8_t type)
{
	return type != FRAME_HELLO && chain_binds(&c->chain) ? (size_t)BINDING : 0;
}

uint8_t *channel_content(struct channel *c, size_t cap, size_t *room)
{
	/* BYE has to fit behind whatever comes. */
	size_t extra = FRAME_OVERHEAD + BINDING + FRAME_OVERHEAD;
	size_t left;

	if (c->start == c->end) {
		c->start = c->end = 0;
	} else if (c->start > 0 && sizeof c->outbox - c->end < cap + extra) {
		memmove(c->outbox, c->outbox + c->start, c->end - c->start);
		c->end -= c->start;
		c->start = 0;
	}
	left = sizeof c->outbox - c->end;
	*room = left > extra ? left - extra : 0;
	if (*room > cap)
		*room = cap;
	return c->outbox + c->end + FRAME_HEADER + (chain_binds(&c->chain) ? BINDING : 0);
}

void channel_send(struct channel *c, uint8_t type, uint8_t stream, size_t n)
{
	uint8_t *frame = c->outbox + c->end, *payload = frame + FRAME_HEADER;
	size_t bound = binding(c, type);
	struct frame_header h = {.type = type, .stream = stream, .length = (uint32_t)(n + bound)};

	if (c->lost)
		return;
	if (type == FRAME_HELLO)
		memmove(payload, payload + BINDING, n);
	if (bound)
		memcpy(payload, c->chain.binding, BINDING);
	h.sequence = type == FRAME_HELLO ? 0 : c->chain.next;
	frame_pack(frame, &h);
	if (type == FRAME_HELLO) {
		memset(payload + n, 0, FRAME_TAG);
		chain_opening(&c->chain, frame, n + FRAME_OVERHEAD);
	} else {
		chain_seal(&c->chain, frame, payload, n + bound, payload + n + bound);
	}
	c->end += n + bound + FRAME_OVERHEAD;
}

bool channel_flush(struct channel *c)
{
	while (c->start < c->end && !c->lost) {
		long n = stream_send(c->fd, c->outbox + c->start, c->end - c->start);
		if (n < 0)
			c->lost = true;
		if (n <= 0)
			break;
		c->start += (size_t)n;
	}
	return c->start == c->end;
}

/* Polls until the descriptor is ready or the moment is past. False when it is past. */
static bool await(int fd, short events, uint64_t until)
{
	struct pollfd p = {.fd = fd, .events = events};
	uint64_t now = clock_now();

	if (now >= until)
		return false;
	poll(&p, 1, (int)((until - now) / 1000) + 1);
	return true;
}

bool channel_flush_within(struct channel *c, int ms)
{
	uint64_t until = clock_now() + (uint64_t)ms * 1000;

	while (!channel_flush(c))
		if (c->lost || !await(c->fd, POLLOUT, until))
			return false;
	return !c->lost;
}

int channel_ticket(struct channel *c, int ms, uint8_t **payload, size_t *n)
{
	uint64_t until = clock_now() + (uint64_t)ms * 1000;
	uint8_t bytes[4096];
	struct frame f;

	if (!channel_flush_within(c, ms))
		return c->lost ? -ECONNRESET : -ETIMEDOUT;
	for (;;) {
		size_t used;
		long got = stream_receive(c->fd, bytes, sizeof bytes);
		int r;

		if (got == -EAGAIN) {
			if (!await(c->fd, POLLIN, until))
				return -ETIMEDOUT;
			continue;
		}
		if (got <= 0)
			return -ECONNRESET;
		r = deframe_feed(&c->deframer, bytes, (size_t)got, &used, &f);
		explicit_bzero(bytes, sizeof bytes);
		if (r < 0)
			return -EBADMSG;
		if (r == 0)
			continue;
		for (int i = 0; i < FRAME_TAG; i++)
			if (f.tag[i])
				return -EBADMSG;
		if (used != (size_t)got || f.header.type != FRAME_TICKET || f.header.sequence != 0 ||
		    f.header.length > TICKET_MAX)
			return -EBADMSG;
		chain_opening(&c->chain, f.bytes, f.size);
		*payload = c->inbox + FRAME_HEADER;
		*n = f.header.length;
		return 0;
	}
}

void channel_key(struct channel *c, const uint8_t key[CHAIN_KEY])
{
	chain_key(&c->chain, key);
}

static size_t sink_room(void *at, int stream)
{
	struct channel *c = at;
	size_t room;

	(void)stream;
	channel_content(c, LOG_MAX, &room);
	/* Small frames would spend more on tags than on bytes. */
	return room < LOG_MAX / 4 ? 0 : room - LOG_OFFSET;
}

static void sink_take(void *at, int stream, uint64_t offset, const uint8_t *bytes, size_t n)
{
	struct channel *c = at;
	size_t room;
	uint8_t *content = channel_content(c, LOG_MAX, &room);

	put_u64(content, offset);
	memcpy(content + LOG_OFFSET, bytes, n);
	channel_send(c, FRAME_LOG, (uint8_t)stream, LOG_OFFSET + n);
	channel_flush(c);
}

struct sink channel_sink(struct channel *c)
{
	return (struct sink){c, sink_room, sink_take};
}

void channel_close(struct channel *c)
{
	chain_wipe(&c->chain);
	close(c->fd);
	c->fd = -1;
}
