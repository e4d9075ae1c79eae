/* The session: frozen bytes, every truncation, every flipped bit, every chunking, and the table of what may follow what. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>

#include "wire/sample.h"
#include "wire_session.h"

static uint8_t session[SESSION_ROOM];
static size_t session_length;

static int build(void **state)
{
	(void)state;
	session_length = build_session(session, sizeof session, SESSION_RECORD);
	return 0;
}

/* Reads the hex digits of a file; '#' begins a comment. */
static size_t read_hex(const char *path, uint8_t *out, size_t room)
{
	FILE *f = fopen(path, "r");
	size_t digits = 0;
	int c;

	assert_non_null(f);
	while ((c = fgetc(f)) != EOF) {
		static const char hex[] = "0123456789abcdef";
		const char *at = strchr(hex, c);
		if (c == '#')
			while (c != '\n' && c != EOF)
				c = fgetc(f);
		else if (at && c) {
			assert_true(digits / 2 < room);
			if (digits % 2 == 0)
				out[digits / 2] = (uint8_t)((at - hex) << 4);
			else
				out[digits / 2] |= (uint8_t)(at - hex);
			digits++;
		}
	}
	assert_int_equal(fclose(f), 0);
	assert_int_equal(digits % 2, 0);
	return digits / 2;
}

static void golden(void **state)
{
	uint8_t frozen[SESSION_ROOM];
	size_t n = read_hex("tests/golden/session.hex", frozen, sizeof frozen);

	(void)state;
	assert_int_equal(n, session_length);
	assert_memory_equal(frozen, session, n);
}

static void whole(void **state)
{
	struct session s;

	(void)state;
	assert_true(replay(session, session_length, session_length, &s));
	assert_int_equal(s.frames, 8);
}

static void any_chunking(void **state)
{
	struct session s;

	(void)state;
	for (size_t piece = 1; piece < session_length; piece += piece < 300 ? 1 : 97)
		assert_true(replay(session, session_length, piece, &s));
}

static void every_truncation(void **state)
{
	struct session s;

	(void)state;
	for (size_t n = 0; n < session_length; n++)
		assert_false(replay(session, n, n ? n : 1, &s));
}

static void every_flipped_bit(void **state)
{
	struct session s;

	(void)state;
	for (size_t i = 0; i < session_length; i++)
		for (int bit = 0; bit < 8; bit++) {
			session[i] ^= (uint8_t)(1 << bit);
			if (replay(session, session_length, session_length, &s))
				fail_msg("bit %d of byte %zu was not missed", bit, i);
			session[i] ^= (uint8_t)(1 << bit);
		}
}

static void nothing_behind_bye(void **state)
{
	struct session s;

	(void)state;
	session[session_length] = 'P';
	assert_false(replay(session, session_length + 1, session_length + 1, &s));
	session[session_length] = 0;
	assert_false(replay(session, session_length + 1, 1, &s));
}

/* Where frame i begins; frame 8 is the end. */
static size_t frame_at(unsigned i)
{
	size_t at = 0;
	while (i--)
		at += get_u32(session + at + 16) + (size_t)FRAME_OVERHEAD;
	return at;
}

/* Leaving one out, sending one twice and exchanging two neighbours each break it. */
static void every_frame_at_its_place(void **state)
{
	uint8_t changed[2 * SESSION_ROOM];
	struct session s;

	(void)state;
	for (unsigned i = 0; i < 8; i++) {
		size_t a = frame_at(i), b = frame_at(i + 1), n = session_length;
		memcpy(changed, session, a);
		memcpy(changed + a, session + b, n - b);
		assert_false(replay(changed, n - (b - a), n, &s));
		memcpy(changed, session, b);
		memcpy(changed + b, session + a, n - a);
		assert_false(replay(changed, n + (b - a), 2 * n, &s));
		if (i == 7)
			break;
		size_t c = frame_at(i + 2);
		memcpy(changed, session, n);
		memcpy(changed + a, session + b, c - b);
		memcpy(changed + a + (c - b), session + a, b - a);
		assert_false(replay(changed, n, n, &s));
	}
}

/* Frames that are all under the chain, in an order that the table refuses or grants. */
static void order(void **state)
{
	static const struct {
		uint8_t types[4];
		bool whole;
	} rows[] = {
	    {{FRAME_RECORD, FRAME_BYE}, true},
	    {{FRAME_SAMPLE, FRAME_RECORD, FRAME_BYE}, true},
	    {{FRAME_BYE}, false},
	    {{FRAME_RECORD}, false},
	    {{FRAME_RECORD, FRAME_RECORD, FRAME_BYE}, false},
	    {{FRAME_RECORD, FRAME_SAMPLE, FRAME_BYE}, false},
	    {{FRAME_RECORD, FRAME_BYE, FRAME_BYE}, false},
	    {{FRAME_RECORD, FRAME_BYE, FRAME_SAMPLE}, false},
	    {{FRAME_HELLO, FRAME_RECORD, FRAME_BYE}, false},
	    {{FRAME_TICKET, FRAME_RECORD, FRAME_BYE}, false},
	    {{FRAME_DENIAL, FRAME_RECORD, FRAME_BYE}, false},
	    {{FRAME_FILE, FRAME_RECORD, FRAME_BYE}, false},
	    {{9, FRAME_RECORD, FRAME_BYE}, false},
	};
	static const uint8_t sample[SAMPLE_BYTES];
	uint8_t bytes[SESSION_ROOM];
	struct builder b;
	struct session s;

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		build_opening(&b, bytes, sizeof bytes);
		for (size_t k = 0; k < 4 && rows[i].types[k]; k++)
			build_frame(&b, rows[i].types[k], 0, sample,
			    rows[i].types[k] == FRAME_SAMPLE ? SAMPLE_BYTES : 0);
		if (replay(bytes, b.length, b.length, &s) != rows[i].whole)
			fail_msg("order %zu", i);
	}
}

/* Right under the chain, wrong in size. */
static void sizes(void **state)
{
	static const struct {
		uint8_t type, stream;
		uint16_t size;
		bool good;
	} rows[] = {
	    {FRAME_LOG, 1, 9, true},
	    {FRAME_LOG, 1, 8, false},
	    {FRAME_LOG, 2, 0, false},
	    {FRAME_LOG, 0, 9, false},
	    {FRAME_LOG, 3, 9, false},
	    {FRAME_SAMPLE, 0, SAMPLE_BYTES, true},
	    {FRAME_SAMPLE, 0, SAMPLE_BYTES - 1, false},
	    {FRAME_SAMPLE, 0, SAMPLE_BYTES + 1, false},
	    {FRAME_SAMPLE, 1, SAMPLE_BYTES, false},
	    {FRAME_SAMPLE, 0, SAMPLE_BYTES + BINDING, false},
	};
	static const uint8_t nothing[256];
	uint8_t bytes[SESSION_ROOM];
	struct builder b;
	struct session s;

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (int first = 0; first < 2; first++) {
			build_opening(&b, bytes, sizeof bytes);
			if (!first)
				build_log(&b, 1, 0, "x");
			build_frame(&b, rows[i].type, rows[i].stream, nothing, rows[i].size);
			build_frame(&b, FRAME_RECORD, 0, "{}", 2);
			build_frame(&b, FRAME_BYE, 0, NULL, 0);
			if (replay(bytes, b.length, b.length, &s) != rows[i].good)
				fail_msg("size %zu, %s frame", i, first ? "first" : "second");
		}
}

static void ticket_only_after_hello(void **state)
{
	uint8_t buffer[SESSION_ROOM], key[CHAIN_KEY] = {0};
	struct deframer d;
	struct session s;
	struct frame hello, ticket;
	struct message m;
	size_t used, at = frame_at(1);

	(void)state;
	deframe_start(&d, buffer, sizeof buffer);
	assert_int_equal(deframe_feed(&d, session + at, session_length - at, &used, &ticket), 1);
	session_start(&s);
	assert_int_equal(session_ticket(&s, &ticket, key), -EBADMSG);
	assert_int_equal(s.state, SESSION_BROKEN);
	session_start(&s);
	assert_int_equal(session_accept(&s, &ticket, &m), -EBADMSG);
	deframe_start(&d, buffer, sizeof buffer);
	assert_int_equal(deframe_feed(&d, session, session_length, &used, &hello), 1);
	session_start(&s);
	assert_int_equal(session_accept(&s, &hello, &m), 0);
	assert_int_equal(m.length, sizeof SESSION_FACTS - 1);
	assert_int_equal(session_ticket(&s, &hello, key), -EBADMSG);
	assert_int_equal(session_accept(&s, &hello, &m), -EBADMSG);
}

/* The length is refused before memory is touched, and a deframer that failed goes on failing. */
static void deframer_refuses(void **state)
{
	struct frame_header h = {.type = FRAME_RECORD, .sequence = 1, .length = RECORD_MAX + BINDING};
	uint8_t header[FRAME_HEADER], buffer[64];
	struct deframer d;
	struct frame f;
	size_t used;

	(void)state;
	frame_pack(header, &h);
	deframe_start(&d, buffer, sizeof buffer);
	assert_int_equal(deframe_feed(&d, header, sizeof header, &used, &f), -EMSGSIZE);
	h.length++;
	frame_pack(header, &h);
	deframe_start(&d, buffer, sizeof buffer);
	assert_int_equal(deframe_feed(&d, header, sizeof header, &used, &f), -EBADMSG);
	assert_true(deframe_feed(&d, header, sizeof header, &used, &f) < 0);
	h.length = UINT32_MAX;
	frame_pack(header, &h);
	deframe_start(&d, buffer, sizeof buffer);
	assert_int_equal(deframe_feed(&d, header, sizeof header, &used, &f), -EBADMSG);
	deframe_start(&d, buffer, sizeof buffer);
	assert_int_equal(deframe_feed(&d, header, 0, &used, &f), 0);
	assert_false(deframe_partial(&d));
	assert_int_equal(deframe_feed(&d, header, 1, &used, &f), 0);
	assert_true(deframe_partial(&d));
}

/* The key goes on: what was learned after frame n does not verify frame n. */
static void ratchet(void **state)
{
	struct chain c, later;
	uint8_t key[CHAIN_KEY] = {1}, header[FRAME_HEADER], first[FRAME_TAG], again[FRAME_TAG];
	struct frame_header h = {.type = FRAME_BYE, .sequence = 1};

	(void)state;
	chain_start(&c);
	chain_key(&c, key);
	frame_pack(header, &h);
	assert_true(chain_binds(&c));
	chain_seal(&c, header, c.binding, BINDING, first);
	assert_false(chain_binds(&c));
	assert_memory_not_equal(c.key, key, sizeof key);
	later = c;
	chain_seal(&later, header, c.binding, BINDING, again);
	assert_memory_not_equal(first, again, sizeof first);
	chain_wipe(&c);
	for (size_t i = 0; i < sizeof c; i++)
		assert_int_equal(((const uint8_t *)&c)[i], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(golden),
	    cmocka_unit_test(whole),
	    cmocka_unit_test(any_chunking),
	    cmocka_unit_test(every_truncation),
	    cmocka_unit_test(every_flipped_bit),
	    cmocka_unit_test(nothing_behind_bye),
	    cmocka_unit_test(every_frame_at_its_place),
	    cmocka_unit_test(order),
	    cmocka_unit_test(sizes),
	    cmocka_unit_test(ticket_only_after_hello),
	    cmocka_unit_test(deframer_refuses),
	    cmocka_unit_test(ratchet),
	};
	return cmocka_run_group_tests(tests, build, NULL);
}
