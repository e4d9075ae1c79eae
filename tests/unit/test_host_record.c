/* The record: what is one and what is not; and the words that figures are put into. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "judge/words.h"
#include "record_world.h"

/* A record with one member missing, added, of another type or out of range is none. */
static void strict(void **state)
{
	static const struct {
		const char *path, *text;
	} rows[] = {
	    {"run", "1"},
	    {"run", "null"},
	    {"init", "null"},
	    {"facts", "[]"},
	    {"layers", "[]"},
	    {"exit", "{\"code\":256}"},
	    {"exit", "{\"code\":-1}"},
	    {"exit", "{\"code\":0,\"signal\":9}"},
	    {"exit", "{\"signal\":0}"},
	    {"exit", "{\"signal\":65}"},
	    {"exit", "{\"signal\":9}"},
	    {"exit", "{\"code\":0.0}"},
	    {"exit", "{\"code\":1}"},
	    {"exit", "{}"},
	    {"exit", "null"},
	    {"cause.verdict", "\"SCORED\""},
	    {"cause.verdict", "\"TABLE_VALUE\""},
	    {"cause.verdict", "\"RECORD_MISSING\""},
	    {"cause.verdict", "\"nonsense\""},
	    {"cause.verdict", "0"},
	    {"cause.verdict", "\"EXIT_NONZERO\""},
	    {"cause.verdict", "\"SIGNALED\""},
	    {"cause.limit", "-1"},
	    {"cause.by_init", "1"},
	    {"cause.proof", "7"},
	    {"cause.more", "7"},
	    {"usage.wall_ms.value", "null"},
	    {"usage.wall_ms.how", "\"unavailable\""},
	    {"usage.wall_ms.how", "\"guessed\""},
	    {"usage.wall_ms", "4100"},
	    {"usage.cpu_ms.value", "1e3"},
	    {"logs", "null"},
	    {"logs.stdout.bytes", "7"},
	    {"logs.stdout.kept", "7"},
	    {"logs.stdout.dropped", "1"},
	    {"denied", "{}"},
	    {"denied", "[1]"},
	    {"denied", "[{\"call\":\"socket\",\"arg\":null,\"count\":-1,\"first_ms\":0}]"},
	    {"survivors", "null"},
	    {"survivors", "\"0\""},
	    {"output", "null"},
	    {"output.bytes", "1"},
	    {"output.how", "\"\""},
	};
	struct world w;
	struct record r;
	struct fault fault;
	const char *key;
	json_t *value;

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		clean(&w);
		set(&w, rows[i].path, rows[i].text);
		if (record_read(w.stage.record, &r, &fault) == 0)
			fail_msg("%s = %s was taken", rows[i].path, rows[i].text);
		assert_int_equal(fault.verdict, VERDICT_RECORD_INVALID);
		done(&w);
	}
	clean(&w);
	json_object_foreach(w.stage.record, key, value)
	{
		json_t *without = json_copy(w.stage.record);
		assert_int_equal(json_object_del(without, key), 0);
		assert_int_equal(record_read(without, &r, &fault), -1);
		json_decref(without);
	}
	assert_int_equal(record_read(w.stage.record, &r, &fault), 0);
	assert_int_equal(record_read(NULL, &r, &fault), -1);
	done(&w);
}

static void payloads(void **state)
{
	static const char *const bad[] = {"", "{", "[]", "1", "{} ", "{}x", "{\"a\":1,\"a\":1}",
	    "{\"a\":\"\\u0000\"}", "{\"a\":18446744073709551616}", "{\"a\":\"\xff\"}", "nul"};
	struct fault fault;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		json_t *v = payload_parse(bad[i], strlen(bad[i]), &fault);
		if (strcmp(bad[i], "{} ") == 0) { /* blanks are JSON */
			assert_non_null(v);
			json_decref(v);
			continue;
		}
		if (v)
			fail_msg("%s was taken", bad[i]);
		assert_int_equal(fault.verdict, VERDICT_RECORD_INVALID);
	}
}

static void notes(void **state)
{
	struct world w;
	struct record r;
	struct fault fault;

	(void)state;
	clean(&w);
	set(&w, "denied",
	    "[{\"call\":\"socket\",\"arg\":\"AF_INET\",\"count\":3,\"first_ms\":210},"
	    "{\"call\":\"bpf\",\"arg\":null,\"count\":1,\"first_ms\":1}]");
	set(&w, "survivors", "2");
	assert_int_equal(record_read(w.stage.record, &r, &fault), 0);
	assert_int_equal(r.network_denials, 3);
	assert_int_equal(record_notes(&r), NOTE_NETWORK_DENIED | NOTE_SURVIVORS | NOTE_LOG_TRUNCATED);
	done(&w);
}

static void words(void **state)
{
	char a[WORD];

	(void)state;
	assert_string_equal(word_size(812, a), "812B");
	assert_string_equal(word_size(UINT64_C(1) << 30, a), "1.00GiB");
	assert_string_equal(word_size(40 << 20, a), "40.0MiB");
	assert_string_equal(word_size(310 << 20, a), "310MiB");
	assert_string_equal(word_size(LIMIT_NONE, a), "unknown");
	assert_string_equal(word_size(LIMIT_HOST, a), "7.99EiB");
	assert_string_equal(word_ms(210, a), "0.210s");
	assert_string_equal(word_ms(62004, a), "62.0s");
	assert_string_equal(word_decade(0, a), "0");
	assert_string_equal(word_decade(1, a), "1-9");
	assert_string_equal(word_decade(9, a), "1-9");
	assert_string_equal(word_decade(10, a), "10-99");
	assert_string_equal(word_decade(12345, a), "10000-99999");
	assert_string_equal(word_decade(UINT64_MAX, a), "10000000000000000000-");
	assert_string_equal(word_signal(9), "SIGKILL");
	assert_null(word_signal(64));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(strict),
	    cmocka_unit_test(payloads),
	    cmocka_unit_test(notes),
	    cmocka_unit_test(words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
