/*
 * The recorded session that tests hold against tests/golden/session.hex, built frame by frame with a fixed key, and a
 * replay of such bytes. For test programs only.
 */
#ifndef PROCTOR_TEST_WIRE_SESSION_H
#define PROCTOR_TEST_WIRE_SESSION_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire/deframe.h"
#include "wire/session.h"
#include "wire/ticket.h"

#define SESSION_RUN "r-0123456789ab"
#define SESSION_FACTS \
	"{\"pid1\":true,\"pid_namespace\":true,\"uid\":0,\"gid\":0,\"caps\":{\"effective\":" \
	"\"00000000000001c0\",\"bounding\":\"00000000000001c0\"},\"no_new_privs\":true,\"seccomp\":0," \
	"\"root_writable\":false,\"mounts\":[],\"interfaces\":[\"lo\"],\"routes\":0,\"devices\":[\"null\"]," \
	"\"sockets\":[],\"cgroup\":{\"version\":1,\"path\":\"/\",\"readable\":[\"memory\",\"cpu\"]," \
	"\"memory\":1073741824},\"core_pattern_piped\":false,\"landlock_abi\":7,\"kernel\":\"6.1.0\"," \
	"\"incomplete\":false}"
#define SESSION_LAYER(name) "{\"name\":\"" name "\",\"state\":\"enforced\",\"how\":null}"
#define SESSION_FIGURE(name, value) "\"" name "\":{\"value\":" value ",\"how\":\"exact\"}"
#define SESSION_RECORD \
	"{\"run\":\"" SESSION_RUN \
	"\",\"init\":\"0.1.0\",\"facts\":" SESSION_FACTS ",\"layers\":[" SESSION_LAYER("network") "," SESSION_LAYER("files") "," SESSION_LAYER("privileges") "," SESSION_LAYER("syscalls") "," SESSION_LAYER("descriptors") "," SESSION_LAYER("rlimits") "," SESSION_LAYER("core") "," SESSION_LAYER("oom-score") "," SESSION_LAYER("memory") "," SESSION_LAYER("cpu-time") "," SESSION_LAYER("cpus") "," SESSION_LAYER("processes") "," SESSION_LAYER( \
	    "output") "," SESSION_LAYER("scratch") "," SESSION_LAYER("logs") "],\"exit\":{\"code\":0}," \
									     "\"cause\":{\"verdict\":null," \
									     "\"limit\":null,\"observed\":" \
									     "null," \
									     "\"unit\":null,\"at_ms\":4100," \
									     "\"by_init\":false,\"proof\":" \
									     "\"the main process exited by " \
									     "itself\"}," \
									     "\"usage\":{" SESSION_FIGURE( \
										 "wall_ms", \
										 "4100") "," SESSION_FIGURE("cpu_ms", \
										 "3900") "," SESSION_FIGURE("memory_peak", \
										 "41943040") "," SESSION_FIGURE("processes_peak", \
										 "3") "," SESSION_FIGURE("o" \
													 "u" \
													 "t" \
													 "p" \
													 "u" \
													 "t" \
													 "_" \
													 "b" \
													 "y" \
													 "t" \
													 "e" \
													 "s", \
										 "4096") "," SESSION_FIGURE("output_files", \
										 "1") "},\"logs\":{" \
										      "\"stdout\":{" \
										      "\"bytes\":6," \
										      "\"kept\":6," \
										      "\"dropped\":0}," \
										      "\"stderr\":{" \
										      "\"bytes\":3," \
										      "\"kept\":2," \
										      "\"dropped\":1}}," \
										      "\"denied\":null," \
										      "\"survivors\":0," \
										      "\"output\":{" \
										      "\"bytes\":4096," \
										      "\"files\":1,\"how\":" \
										      "\"exact\"}}"

enum { SESSION_ROOM = 16 << 10 };

struct builder {
	uint8_t *out;
	size_t room, length;
	struct chain chain;
};

/* Appends a frame under the chain; opening frames (no key yet) get their zero tag. */
static inline size_t build_frame(
    struct builder *b, uint8_t type, uint8_t stream, const void *content, size_t n)
{
	uint8_t payload[8 << 10];
	bool keyed = type != FRAME_HELLO && type != FRAME_TICKET;
	size_t skip = keyed && chain_binds(&b->chain) ? BINDING : 0, at = b->length;
	struct frame_header h = {.type = type, .stream = stream, .sequence = keyed ? b->chain.next : 0};

	h.length = (uint32_t)(n + skip);
	if (n + skip > sizeof payload || h.length + (size_t)FRAME_OVERHEAD > b->room - at)
		abort();
	memcpy(payload, b->chain.binding, skip);
	if (n > 0)
		memcpy(payload + skip, content, n);
	frame_pack(b->out + at, &h);
	memcpy(b->out + at + FRAME_HEADER, payload, h.length);
	memset(b->out + at + FRAME_HEADER + h.length, 0, FRAME_TAG);
	b->length += h.length + (size_t)FRAME_OVERHEAD;
	if (keyed)
		chain_seal(&b->chain, b->out + at, payload, h.length, b->out + at + FRAME_HEADER + h.length);
	else
		chain_opening(&b->chain, b->out + at, b->length - at);
	return at;
}

static inline void build_log(struct builder *b, uint8_t stream, uint64_t offset, const char *text)
{
	uint8_t payload[256];
	put_u64(payload, offset);
	memcpy(payload + LOG_OFFSET, text, strlen(text));
	build_frame(b, FRAME_LOG, stream, payload, LOG_OFFSET + strlen(text));
}

/* HELLO and TICKET; b is then keyed with 00 01 … 1f. */
static inline void build_opening(struct builder *b, uint8_t *out, size_t room)
{
	uint8_t words[1024], key[CHAIN_KEY];
	char hex[2 * CHAIN_KEY + 1];
	struct ticket t;

	memset(b, 0, sizeof *b);
	b->out = out;
	b->room = room;
	chain_start(&b->chain);
	build_frame(b, FRAME_HELLO, 0, SESSION_FACTS, sizeof SESSION_FACTS - 1);
	for (unsigned i = 0; i < CHAIN_KEY; i++)
		key[i] = (uint8_t)i;
	key_format(key, hex);
	ticket_start(&t, words, sizeof words);
	ticket_option(&t, OPTION_RUN, SESSION_RUN);
	ticket_option(&t, OPTION_KEY, hex);
	ticket_number(&t, OPTION_WALL_TIME, 60000);
	ticket_number(&t, OPTION_MEMORY, GIB(1));
	ticket_option(&t, OPTION_ENV, "A=--key");
	ticket_word(&t, "--");
	ticket_word(&t, "/bin/model");
	ticket_word(&t, "--key");
	if (!ticket_fits(&t))
		abort();
	build_frame(b, FRAME_TICKET, 0, words, t.length);
	chain_key(&b->chain, key);
}

/* The whole session with that record. Its length. */
static inline size_t build_session(uint8_t *out, size_t room, const char *record)
{
	static const uint8_t sample[64] = {[7] = 1};
	struct builder b;

	build_opening(&b, out, room);
	build_log(&b, 1, 0, "hello\n");
	build_log(&b, 2, 0, "\xff");
	build_frame(&b, FRAME_SAMPLE, 0, sample, sizeof sample);
	build_log(&b, 2, 2, "!");
	build_frame(&b, FRAME_RECORD, 0, record, strlen(record));
	build_frame(&b, FRAME_BYE, 0, NULL, 0);
	return b.length;
}

/* What a receiver makes of these bytes, taken in pieces of that size: true when they are a whole session. */
static inline bool replay(const uint8_t *bytes, size_t n, size_t piece, struct session *s)
{
	uint8_t *buffer = malloc(FRAME_MAX);
	struct deframer d;
	bool good = buffer != NULL;

	session_start(s);
	deframe_start(&d, buffer, FRAME_MAX);
	for (size_t at = 0; good && at < n;) {
		size_t used, take = piece < n - at ? piece : n - at;
		struct frame f;
		struct message m;
		uint8_t key[CHAIN_KEY];
		int r = deframe_feed(&d, bytes + at, take, &used, &f);
		at += used;
		if (r < 0)
			good = false;
		else if (r > 0 && s->state == SESSION_GREETED)
			good = ticket_key(f.payload, f.header.length, key) == 0 &&
			       session_ticket(s, &f, key) == 0;
		else if (r > 0)
			good = session_accept(s, &f, &m) == 0;
	}
	good = good && session_whole(s) && !deframe_partial(&d);
	free(buffer);
	return good;
}

#endif
