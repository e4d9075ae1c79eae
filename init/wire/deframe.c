/* Cuts a byte stream into frames. Pure; bounded by the buffer that the caller gave. */
#include "wire/deframe.h"

#include <errno.h>
#include <string.h>

void deframe_start(struct deframer *d, uint8_t *buffer, size_t capacity)
{
	memset(d, 0, sizeof *d);
	d->buffer = buffer;
	d->capacity = capacity;
}

static size_t wanted(const struct deframer *d)
{
	return d->have < FRAME_HEADER ? FRAME_HEADER : d->header.length + (size_t)FRAME_OVERHEAD;
}

int deframe_feed(struct deframer *d, const uint8_t *in, size_t n, size_t *used, struct frame *out)
{
	*used = 0;
	for (;;) {
		size_t want = wanted(d);
		size_t take = want - d->have < n - *used ? want - d->have : n - *used;
		if (want > d->capacity)
			return -EMSGSIZE;
		if (take > 0)
			memcpy(d->buffer + d->have, in + *used, take);
		d->have += take;
		*used += take;
		if (d->have < want)
			return 0;
		if (want == FRAME_HEADER) {
			int r = frame_unpack(d->buffer, &d->header);
			if (r < 0) {
				d->capacity = 0; /* whoever asks again gets an error again */
				return r;
			}
			continue;
		}
		out->header = d->header;
		out->bytes = d->buffer;
		out->size = want;
		out->payload = d->buffer + FRAME_HEADER;
		out->tag = d->buffer + want - FRAME_TAG;
		d->have = 0;
		return 1;
	}
}

int deframe_partial(const struct deframer *d)
{
	return d->have > 0;
}
