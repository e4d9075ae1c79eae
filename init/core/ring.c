/* The ring of a stream's last bytes. Pure. */
#include "core/ring.h"

#include <string.h>

void ring_start(struct ring *r, uint8_t *buffer, size_t capacity)
{
	r->buffer = buffer;
	r->capacity = capacity;
	r->next = r->have = 0;
}

void ring_add(struct ring *r, const uint8_t *bytes, size_t n)
{
	if (n > r->capacity) {
		bytes += n - r->capacity;
		n = r->capacity;
	}
	while (n > 0) {
		size_t run = r->capacity - r->next < n ? r->capacity - r->next : n;
		memcpy(r->buffer + r->next, bytes, run);
		bytes += run;
		n -= run;
		r->next = (r->next + run) % r->capacity;
		r->have = r->have + run < r->capacity ? r->have + run : r->capacity;
	}
}

size_t ring_part(const struct ring *r, int part, const uint8_t **bytes)
{
	size_t start = r->have < r->capacity || r->capacity == 0 ? 0 : r->next;
	size_t older = r->have < r->capacity ? r->have : r->capacity - start;

	*bytes = r->buffer + (part == 0 ? start : 0);
	return part == 0 ? older : r->have - older;
}
