/*
 * The receiving end of a session as data: which frame may follow which (one table, state × type), and that each is
 * under the chain. Used by the host on the live stream, by `verify` on a stored transcript, and by the fuzzer. No I/O.
 */
#ifndef PROCTOR_WIRE_SESSION_H
#define PROCTOR_WIRE_SESSION_H

#include "wire/chain.h"
#include "wire/deframe.h"

enum session_state {
	SESSION_OPENING,  /* nothing came yet */
	SESSION_GREETED,  /* HELLO came; the ticket is to be sent */
	SESSION_RUNNING,  /* the ticket was sent; LOG, SAMPLE or RECORD may come */
	SESSION_RECORDED, /* RECORD came; only BYE may follow */
	SESSION_CLOSED,	  /* BYE came; nothing may follow */
	SESSION_BROKEN,	  /* something wrong came; nothing more is believed */
	SESSION_STATE_END
};

struct session {
	enum session_state state;
	struct chain chain;
	uint64_t frames; /* accepted so far, HELLO and TICKET included */
};

/* An accepted frame's meaning: the payload behind the binding. */
struct message {
	uint8_t type;
	uint8_t stream;
	const uint8_t *payload;
	size_t length;
};

void session_start(struct session *s);

/*
 * Judges one frame that the other side sent. 0: accepted, *m describes it (it points into the frame). -EBADMSG: out of
 * order, over its cap, or not under the chain; the session is broken for good.
 */
int session_accept(struct session *s, const struct frame *f, struct message *m);

/*
 * Tells the session that this TICKET (whole frame, zero tag) goes to init under that key. 0, or -EBADMSG in any state
 * but SESSION_GREETED or when the bytes are no TICKET frame; the session is broken then.
 */
int session_ticket(struct session *s, const struct frame *f, const uint8_t key[CHAIN_KEY]);

/* True when the session is whole: HELLO, TICKET, RECORD and BYE came, and nothing else. */
int session_whole(const struct session *s);

#endif
