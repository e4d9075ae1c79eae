/*
 * Replays a stored session (init/wire/PROTOCOL.md section 9) from its bytes alone: HELLO, TICKET with the key, then all
 * frames. The same deframer and session that judged it live judge it again. Pure: the caller brings the bytes.
 */
#ifndef PROCTOR_JUDGE_TRANSCRIPT_H
#define PROCTOR_JUDGE_TRANSCRIPT_H

#include <stdbool.h>

#include "wire/session.h"
#include "wire/ticket.h"

/* About 210 KiB: not for the stack. */
struct transcript {
	struct deframer deframer;
	struct session session;
	bool broken;
	char run[RUN_ID_MAX + 1]; /* the ticket's --run */
	uint64_t kept[2];	  /* bytes of stdout and stderr that LOG frames carried */
	size_t hello_length, record_length;
	uint8_t hello[HELLO_MAX], record[RECORD_MAX]; /* the two JSON payloads */
	uint8_t buffer[FRAME_MAX];
};

void transcript_start(struct transcript *t);

/* Takes any number of bytes, in order. 0, or -EBADMSG once something does not verify. */
int transcript_feed(struct transcript *t, const uint8_t *bytes, size_t n);

/* After the last byte. 0 when the session is whole; -EBADMSG when it is cut, goes on behind BYE, or broke before. */
int transcript_end(struct transcript *t);

/* Forgets the key. */
void transcript_wipe(struct transcript *t);

#endif
