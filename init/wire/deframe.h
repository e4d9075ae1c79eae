/*
 * Cuts a byte stream into whole frames. The caller owns all memory; the length is refused before a byte of payload
 * is stored. Knows nothing of keys or order: session.h does.
 */
#ifndef PROCTOR_WIRE_DEFRAME_H
#define PROCTOR_WIRE_DEFRAME_H

#include <stddef.h>
#include <stdint.h>

#include "wire/frame.h"

struct deframer {
	uint8_t *buffer; /* the frame so far */
	size_t capacity;
	size_t have;
	struct frame_header header; /* valid once have ≥ FRAME_HEADER */
};

/* A whole frame, inside the deframer's buffer; valid until the next deframe_feed. */
struct frame {
	struct frame_header header;
	const uint8_t *bytes; /* header ‖ payload ‖ tag */
	size_t size;
	const uint8_t *payload;
	const uint8_t *tag;
};

void deframe_start(struct deframer *d, uint8_t *buffer, size_t capacity);

/*
 * Takes bytes from in. 1: *out holds a frame and *used bytes were taken (call again with the rest); 0: all n bytes
 * were taken and more are needed; -EBADMSG: not a frame; -EMSGSIZE: longer than the buffer. After an error the
 * stream cannot be resumed.
 */
int deframe_feed(struct deframer *d, const uint8_t *in, size_t n, size_t *used, struct frame *out);

/* True in the middle of a frame: an end of the stream here is a truncation. */
int deframe_partial(const struct deframer *d);

#endif
