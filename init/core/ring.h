/*
 * The last bytes of a stream, in a buffer of the caller's. Nothing is read that was not written. Pure.
 */
#ifndef PROCTOR_CORE_RING_H
#define PROCTOR_CORE_RING_H

#include <stddef.h>
#include <stdint.h>

struct ring {
	uint8_t *buffer;
	size_t capacity; /* may be 0: everything is forgotten */
	size_t next;	 /* where the next byte goes */
	size_t have;	 /* ≤ capacity */
};

void ring_start(struct ring *r, uint8_t *buffer, size_t capacity);
void ring_add(struct ring *r, const uint8_t *bytes, size_t n);

/* The content in order, as two pieces: part 0 is older than part 1. The length, 0 for an empty part. */
size_t ring_part(const struct ring *r, int part, const uint8_t **bytes);

#endif
