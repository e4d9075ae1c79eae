/* The replay of a stored session. Pure. */
#include "judge/transcript.h"

#include <errno.h>
#include <string.h>

void transcript_start(struct transcript *t)
{
	memset(t, 0, sizeof *t);
	session_start(&t->session);
	deframe_start(&t->deframer, t->buffer, sizeof t->buffer);
}

/* The run's id and key out of the ticket; its options stand in pairs in front of "--". */
static int ticket(struct transcript *t, const struct frame *f)
{
	uint8_t key[CHAIN_KEY];
	const char *word = (const char *)f->payload, *end = word + f->header.length;
	int r = ticket_key(f->payload, f->header.length, key);

	if (r < 0)
		return r;
	while (word < end && strcmp(word, "--") != 0) {
		const char *value = word + strlen(word) + 1;
		if (value >= end)
			break;
		if (strcmp(word, "--run") == 0 && strlen(value) <= RUN_ID_MAX && t->run[0] == '\0')
			strcpy(t->run, value);
		word = value + strlen(value) + 1;
	}
	r = session_ticket(&t->session, f, key);
	explicit_bzero(key, sizeof key);
	return r;
}

static int frame(struct transcript *t, const struct frame *f)
{
	struct message m;

	if (t->session.state == SESSION_GREETED)
		return ticket(t, f);
	if (session_accept(&t->session, f, &m) < 0)
		return -EBADMSG;
	if (m.type == FRAME_HELLO) {
		memcpy(t->hello, m.payload, m.length);
		t->hello_length = m.length;
	} else if (m.type == FRAME_RECORD) {
		memcpy(t->record, m.payload, m.length);
		t->record_length = m.length;
	} else if (m.type == FRAME_LOG) {
		t->kept[m.stream - 1] += m.length - LOG_OFFSET;
	}
	return 0;
}

int transcript_feed(struct transcript *t, const uint8_t *bytes, size_t n)
{
	while (n > 0 && !t->broken) {
		struct frame f;
		size_t used;
		int r = deframe_feed(&t->deframer, bytes, n, &used, &f);
		if (r == 0)
			return 0;
		if (r < 0 || frame(t, &f) < 0)
			t->broken = true;
		bytes += used;
		n -= used;
	}
	return t->broken ? -EBADMSG : 0;
}

int transcript_end(struct transcript *t)
{
	if (!session_whole(&t->session) || deframe_partial(&t->deframer))
		t->broken = true;
	return t->broken ? -EBADMSG : 0;
}

void transcript_wipe(struct transcript *t)
{
	chain_wipe(&t->session.chain);
	explicit_bzero(t->buffer, sizeof t->buffer);
}
