/*
 * The session with the host, from init's end: frames under the chain, through a bounded outbox that is written without
 * waiting. It knows a connected stream descriptor only; how that came about is the carrier's business.
 */
#ifndef PROCTOR_REPORT_CHANNEL_H
#define PROCTOR_REPORT_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/sink.h"
#include "wire/chain.h"
#include "wire/deframe.h"

enum { OUTBOX = RECORD_MAX + BINDING + 2 * FRAME_OVERHEAD };

struct channel {
	int fd;
	bool lost; /* the host is gone, or the stream failed */
	struct chain chain;
	size_t start, end; /* the unsent part of the outbox */
	uint8_t outbox[OUTBOX];
	struct deframer deframer;
	uint8_t inbox[FRAME_MAX];
};

/* Takes over a connected, non-blocking, close-on-exec stream. */
void channel_start(struct channel *c, int fd);

/*
 * Where the next frame's content goes, and how much fits; *room 0: wait. The content is not more than cap bytes. The
 * pointer is good until the next call of anything here.
 */
uint8_t *channel_content(struct channel *c, size_t cap, size_t *room);

/* Sends off n bytes that were put there. HELLO goes under a zero tag, all others under the chain. */
void channel_send(struct channel *c, uint8_t type, uint8_t stream, size_t n);

/* Writes what can be written without waiting. True when the outbox is empty. */
bool channel_flush(struct channel *c);

/* Writes for at most so many milliseconds. True when everything is out. */
bool channel_flush_within(struct channel *c, int ms);

/*
 * Waits at most so many milliseconds for the TICKET. *payload points into the channel and stays good. 0 (the chain then
 * has no key yet: channel_key), -ETIMEDOUT, -ECONNRESET, or -EBADMSG for anything else than one TICKET frame.
 */
int channel_ticket(struct channel *c, int ms, uint8_t **payload, size_t *n);

/* Sets the first key. */
void channel_key(struct channel *c, const uint8_t key[CHAIN_KEY]);

/* LOG frames as a sink of the pump; c must outlive it. */
struct sink channel_sink(struct channel *c);

void channel_close(struct channel *c);

#endif
