/* Order and authenticity of a session, from one table. Pure. */
#include "wire/session.h"

#include <errno.h>
#include <string.h>

/* What init may send in which state, and the state after it. Anything not listed breaks the session. */
static const uint8_t after[SESSION_STATE_END][FRAME_TYPE_END] = {
    [SESSION_OPENING] = {[FRAME_HELLO] = SESSION_GREETED},
    [SESSION_RUNNING] =
	{[FRAME_LOG] = SESSION_RUNNING, [FRAME_SAMPLE] = SESSION_RUNNING, [FRAME_RECORD] = SESSION_RECORDED},
    [SESSION_RECORDED] = {[FRAME_BYE] = SESSION_CLOSED},
};
_Static_assert(SESSION_OPENING == 0, "a zero in the table means: not allowed");

void session_start(struct session *s)
{
	memset(s, 0, sizeof *s);
	chain_start(&s->chain);
}

static int broken(struct session *s)
{
	s->state = SESSION_BROKEN;
	return -EBADMSG;
}

/* The two opening frames: no key yet, so a zero tag, sequence 0 and no binding. */
static int opens(struct session *s, const struct frame *f)
{
	static const uint8_t zero[FRAME_TAG];

	if (memcmp(f->tag, zero, FRAME_TAG) != 0 || f->header.sequence != 0 ||
	    f->header.length > frame_cap(f->header.type))
		return 0;
	chain_opening(&s->chain, f->bytes, f->size);
	return 1;
}

static int sized(uint8_t type, size_t length)
{
	switch (type) {
	case FRAME_LOG:
		return length > LOG_OFFSET && length <= LOG_MAX;
	case FRAME_SAMPLE:
		return length == frame_cap(type);
	default:
		return length <= frame_cap(type);
	}
}

int session_accept(struct session *s, const struct frame *f, struct message *m)
{
	uint8_t type = f->header.type;
	uint8_t next = after[s->state][type];
	size_t skip = 0;

	if (next == SESSION_OPENING)
		return broken(s);
	if (s->state == SESSION_OPENING) {
		if (!opens(s, f))
			return broken(s);
	} else {
		skip = chain_binds(&s->chain) ? BINDING : 0;
		if (chain_verify(&s->chain, f->bytes, f->payload, f->header.length, f->tag) < 0 ||
		    !sized(type, f->header.length - skip))
			return broken(s);
	}
	m->type = type;
	m->stream = f->header.stream;
	m->payload = f->payload + skip;
	m->length = f->header.length - skip;
	s->state = (enum session_state)next;
	s->frames++;
	return 0;
}

int session_ticket(struct session *s, const struct frame *f, const uint8_t key[CHAIN_KEY])
{
	if (s->state != SESSION_GREETED || f->header.type != FRAME_TICKET || !opens(s, f))
		return broken(s);
	chain_key(&s->chain, key);
	s->state = SESSION_RUNNING;
	s->frames++;
	return 0;
}

int session_whole(const struct session *s)
{
	return s->state == SESSION_CLOSED;
}
