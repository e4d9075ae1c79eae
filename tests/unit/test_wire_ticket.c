/* Tickets: what is built is cut back into the same words; what is not a ticket is refused; the key is found where it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "wire/frame.h"
#include "wire/ticket.h"

#define HEX "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1eff"

static void round_trip(void **state)
{
	static const char *const words[] = {"--run", "r-1", "--wall-time", "60s", "--umask", "22", "--env",
	    "", "--", "/bin/sh", "-c", "--key \xff"};
	const char *argv[TICKET_WORDS];
	uint8_t room[256];
	struct ticket t;

	(void)state;
	ticket_start(&t, room, sizeof room);
	ticket_option(&t, OPTION_RUN, "r-1");
	ticket_number(&t, OPTION_WALL_TIME, 60000);
	ticket_number(&t, OPTION_CPU_TIME, LIMIT_NONE);
	ticket_number(&t, OPTION_UMASK, 022);
	ticket_option(&t, OPTION_ENV, "");
	for (size_t i = 8; i < 12; i++)
		ticket_word(&t, words[i]);
	assert_true(ticket_fits(&t));
	assert_int_equal(ticket_split(room, t.length, argv), 12);
	for (size_t i = 0; i < 12; i++)
		assert_string_equal(argv[i], words[i]);
	assert_null(argv[12]);
}

/* Every option of a ticket can be written with its name, however long. */
static void every_option(void **state)
{
	(void)state;
	for (unsigned o = 0; o < OPTION_END; o++) {
		const char *argv[TICKET_WORDS];
		uint8_t room[64];
		struct ticket t;
		ticket_start(&t, room, sizeof room);
		ticket_option(&t, (enum option)o, "v");
		assert_int_equal(ticket_split(room, t.length, argv), 2);
		assert_true(strncmp(argv[0], "--", 2) == 0);
		assert_string_equal(argv[0] + 2, option_table[o].name);
	}
}

static void too_much(void **state)
{
	uint8_t room[8];
	struct ticket t;

	(void)state;
	for (size_t capacity = 0; capacity <= sizeof room; capacity++) {
		ticket_start(&t, room, capacity);
		ticket_word(&t, "abc");
		ticket_word(&t, "def");
		assert_int_equal(ticket_fits(&t), capacity >= 8);
		ticket_word(&t, "");
		assert_false(ticket_fits(&t));
		ticket_word(&t, "");
		assert_false(ticket_fits(&t));
	}
}

static void split_refuses(void **state)
{
	const char *argv[TICKET_WORDS];
	uint8_t *many = calloc(1, TICKET_WORDS);

	(void)state;
	assert_non_null(many);
	assert_int_equal(ticket_split((const uint8_t *)"", 0, argv), -EBADMSG);
	assert_int_equal(ticket_split((const uint8_t *)"abc", 3, argv), -EBADMSG);
	assert_int_equal(ticket_split((const uint8_t *)"a\0bc", 4, argv), -EBADMSG);
	assert_int_equal(ticket_split((const uint8_t *)"", 1, argv), 1);
	assert_int_equal(ticket_split(many, TICKET_WORDS - 1, argv), TICKET_WORDS - 1);
	assert_null(argv[TICKET_WORDS - 1]);
	assert_int_equal(ticket_split(many, TICKET_WORDS, argv), -E2BIG);
	free(many);
}

#define KEY(text) ticket_key((const uint8_t *)(text), sizeof(text), key)

static void key_is_found(void **state)
{
	uint8_t key[CHAIN_KEY] = {0};

	(void)state;
	assert_int_equal(KEY("--run\0r\0--key\0" HEX "\0--\0x"), 0);
	assert_int_equal(key[0], 0);
	assert_int_equal(key[30], 0x1e);
	assert_int_equal(key[31], 0xff);
	assert_int_equal(KEY("--env\0--key\0--key\0" HEX), 0);
	assert_int_equal(KEY("--run\0r\0--\0--key\0" HEX), -EBADMSG);
	assert_int_equal(KEY("--env\0--key\0" HEX "\0x"), -EBADMSG);
	assert_int_equal(KEY("--key"), -EBADMSG);
	assert_int_equal(KEY("--run\0r\0--key"), -EBADMSG);
	assert_int_equal(KEY("--key=" HEX "\0x"), -EBADMSG);
	assert_int_equal(KEY("--key\0" HEX "0"), -EBADMSG);
	assert_int_equal(ticket_key((const uint8_t *)"--key\0" HEX, 6 + 64, key), -EBADMSG);
	assert_int_equal(ticket_key((const uint8_t *)"", 0, key), -EBADMSG);
}

static void hex(void **state)
{
	uint8_t key[CHAIN_KEY];
	char text[2 * CHAIN_KEY + 1], changed[2 * CHAIN_KEY + 2] = HEX;

	(void)state;
	assert_int_equal(key_parse(HEX, key), 0);
	key_format(key, text);
	assert_string_equal(text, HEX);
	for (size_t i = 0; i < 64; i++) {
		char kept = changed[i];
		for (const char *bad = "gA/:`\xff "; *bad; bad++) {
			changed[i] = *bad;
			assert_int_equal(key_parse(changed, key), -EINVAL);
		}
		changed[i] = '\0';
		assert_int_equal(key_parse(changed, key), -EINVAL);
		changed[i] = kept;
	}
	changed[64] = '0';
	assert_int_equal(key_parse(changed, key), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(round_trip),
	    cmocka_unit_test(every_option),
	    cmocka_unit_test(too_much),
	    cmocka_unit_test(split_refuses),
	    cmocka_unit_test(key_is_found),
	    cmocka_unit_test(hex),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
