/* The tables of the wire: units, options, verdicts, requirements, layers; and the codecs of header and sample. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "wire/frame.h"
#include "wire/limits.h"
#include "wire/require.h"
#include "wire/sample.h"
#include "wire/verdict.h"

static void unit_reads(void **state)
{
	static const struct {
		enum unit unit;
		int r;
		const char *text;
		uint64_t value;
	} rows[] = {
	    {UNIT_COUNT, 0, "0", 0},
	    {UNIT_COUNT, 0, "4294967294", 4294967294},
	    {UNIT_COUNT, 0, "9223372036854775807", INT64_MAX},
	    {UNIT_COUNT, -ERANGE, "9223372036854775808", 0},
	    {UNIT_COUNT, -ERANGE, "99999999999999999999999", 0},
	    {UNIT_COUNT, -EINVAL, "", 0},
	    {UNIT_COUNT, -EINVAL, "-1", 0},
	    {UNIT_COUNT, -EINVAL, "+1", 0},
	    {UNIT_COUNT, -EINVAL, " 1", 0},
	    {UNIT_COUNT, -EINVAL, "1 ", 0},
	    {UNIT_COUNT, -EINVAL, "1x", 0},
	    {UNIT_COUNT, -EINVAL, "0x10", 0},
	    {UNIT_SIZE, 0, "512", 512},
	    {UNIT_SIZE, 0, "512B", 512},
	    {UNIT_SIZE, 0, "64MiB", 64 << 20},
	    {UNIT_SIZE, 0, "1GiB", UINT64_C(1) << 30},
	    {UNIT_SIZE, 0, "7EiB", UINT64_C(7) << 60},
	    {UNIT_SIZE, -ERANGE, "8EiB", 0},
	    {UNIT_SIZE, -EINVAL, "1.5GiB", 0},
	    {UNIT_SIZE, -EINVAL, "1GB", 0},
	    {UNIT_SIZE, -EINVAL, "1gib", 0},
	    {UNIT_SIZE, -EINVAL, "1 GiB", 0},
	    {UNIT_SIZE, -EINVAL, "GiB", 0},
	    {UNIT_TIME, 0, "0", 0},
	    {UNIT_TIME, 0, "0s", 0},
	    {UNIT_TIME, -EINVAL, "60", 0},
	    {UNIT_TIME, 0, "100ms", 100},
	    {UNIT_TIME, 0, "60s", 60000},
	    {UNIT_TIME, 0, "10m", 600000},
	    {UNIT_TIME, 0, "6h", 21600000},
	    {UNIT_TIME, 0, "7d", 604800000},
	    {UNIT_TIME, -EINVAL, "1h30m", 0},
	    {UNIT_TIME, -ERANGE, "106751991168d", 0},
	    {UNIT_MILLI, 0, "1", 1000},
	    {UNIT_MILLI, 0, "0.5", 500},
	    {UNIT_MILLI, 0, "2.125", 2125},
	    {UNIT_MILLI, -EINVAL, "2.1255", 0},
	    {UNIT_MILLI, -EINVAL, "2.", 0},
	    {UNIT_MILLI, -EINVAL, ".5", 0},
	    {UNIT_MILLI, -EINVAL, "0,5", 0},
	    {UNIT_OCTAL, 0, "0022", 022},
	    {UNIT_OCTAL, 0, "777", 0777},
	    {UNIT_OCTAL, -EINVAL, "8", 0},
	    {UNIT_OCTAL, -EINVAL, "78", 0},
	};
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint64_t value = 42;
		int r = unit_parse(rows[i].unit, rows[i].text, &value);
		if (r != rows[i].r || value != (r == 0 ? rows[i].value : 42))
			fail_msg("\"%s\": %d, %llu", rows[i].text, r, (unsigned long long)value);
	}
}

static void unit_writes(void **state)
{
	static const struct {
		enum unit unit;
		uint64_t value;
		const char *text;
	} rows[] = {
	    {UNIT_COUNT, 0, "0"},
	    {UNIT_SIZE, 0, "0B"},
	    {UNIT_SIZE, 1073741824, "1GiB"},
	    {UNIT_SIZE, 1073741825, "1073741825B"},
	    {UNIT_SIZE, 1536, "1536B"},
	    {UNIT_SIZE, 6 << 10, "6KiB"},
	    {UNIT_TIME, 0, "0s"},
	    {UNIT_TIME, 1500, "1500ms"},
	    {UNIT_TIME, 60000, "60s"},
	    {UNIT_TIME, 119000, "119s"},
	    {UNIT_TIME, 120000, "2m"},
	    {UNIT_TIME, 3600000, "1h"},
	    {UNIT_TIME, 86400000, "1d"},
	    {UNIT_MILLI, 500, "0.5"},
	    {UNIT_MILLI, 1000, "1"},
	    {UNIT_MILLI, 1005, "1.005"},
	    {UNIT_OCTAL, 022, "22"},
	};
	char text[32];
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_string_equal(unit_format(rows[i].unit, rows[i].value, text), rows[i].text);
}

static void unit_round_trip(void **state)
{
	static const enum unit units[] = {UNIT_COUNT, UNIT_SIZE, UNIT_TIME, UNIT_OCTAL};
	uint64_t x = 88172645463325252u;
	(void)state;
	for (int i = 0; i < 20000; i++) {
		char text[32];
		uint64_t back;
		x ^= x << 13, x ^= x >> 7, x ^= x << 17;
		uint64_t value = (x & INT64_MAX) >> (i % 63);
		if (i % 3 == 0)
			value &= ~UINT64_C(0) << (i % 40);
		for (size_t u = 0; u < 4; u++) {
			assert_int_equal(unit_parse(units[u], unit_format(units[u], value, text), &back), 0);
			assert_true(back == value && strlen(text) < sizeof text);
		}
		value %= INT64_MAX / 1000;
		assert_int_equal(unit_parse(UNIT_MILLI, unit_format(UNIT_MILLI, value, text), &back), 0);
		assert_true(back == value);
	}
}

static void options(void **state)
{
	(void)state;
	for (unsigned o = 0; o < OPTION_END; o++) {
		const struct option_row *row = &option_table[o];
		assert_true(
		    row->where != 0 && row->help && row->value && row->name[0] && row->name[0] != '-');
		assert_int_equal(option_find(row->name, strlen(row->name), row->where), o);
		assert_int_equal(option_find(row->name, strlen(row->name), ~row->where & 7), OPTION_END);
		assert_int_equal(option_find(row->name, strlen(row->name) - 1, row->where), OPTION_END);
		for (unsigned other = 0; other < o; other++)
			assert_string_not_equal(option_table[other].name, row->name);
		if (row->kind != VALUE_NUMBER)
			continue;
		char text[32];
		uint64_t value = 7;
		assert_true(row->min <= row->max && row->max <= LIMIT_HOST);
		assert_true(
		    row->preset == LIMIT_NONE || (row->preset >= row->min && row->preset <= row->max));
		assert_int_equal(
		    option_number((enum option)o, unit_format(row->unit, row->min, text), &value), 0);
		assert_true(value == row->min);
		assert_int_equal(
		    option_number((enum option)o, unit_format(row->unit, row->max, text), &value), 0);
		assert_true(value == row->max);
		if (row->max < LIMIT_HOST)
			assert_int_equal(
			    option_number((enum option)o, unit_format(row->unit, row->max + 1, text), &value),
			    -ERANGE);
		if (row->min > 0)
			assert_int_equal(
			    option_number((enum option)o, unit_format(row->unit, row->min - 1, text), &value),
			    -ERANGE);
		assert_int_equal(option_number((enum option)o, "x", &value), -EINVAL);
		assert_true(value == row->max);
	}
	uint64_t uid;
	assert_int_equal(option_number(OPTION_UID, "4294967295", &uid), -ERANGE);
	assert_int_equal(option_number(OPTION_UID, "4294967296", &uid), -ERANGE);
	assert_int_equal(option_number(OPTION_UID, "0", &uid), -ERANGE);
}

static void verdicts(void **state)
{
	(void)state;
	for (unsigned v = VERDICT_NONE + 1; v < VERDICT_END; v++) {
		assert_non_null(verdict_name((enum verdict)v));
		assert_int_equal(verdict_from_name(verdict_name((enum verdict)v)), v);
		assert_non_null(verdict_class_name(verdict_class((enum verdict)v)));
	}
	assert_null(verdict_name(VERDICT_NONE));
	assert_null(verdict_name(VERDICT_END));
	assert_int_equal(verdict_from_name(""), VERDICT_NONE);
	assert_int_equal(verdict_from_name("scored"), VERDICT_NONE);
	assert_int_equal(verdict_from_name("SCORED "), VERDICT_NONE);
	assert_int_equal(verdict_class(VERDICT_NONE), CLASS_INFRASTRUCTURE);
	assert_int_equal(verdict_class(VERDICT_END), CLASS_INFRASTRUCTURE);
	assert_int_equal(verdict_class(VERDICT_SCORED), CLASS_SCORED);
	assert_int_equal(verdict_class(VERDICT_IMAGE_REFUSED), CLASS_SUBMISSION);
	assert_int_equal(verdict_class(VERDICT_CANCELLED), CLASS_INFRASTRUCTURE);
	assert_int_equal(verdict_class(VERDICT_METHOD_WITHDRAWN), CLASS_EVALUATOR);
}

static void names(void **state)
{
	(void)state;
	for (unsigned r = 0; r < REQUIRE_END; r++) {
		const char *name = requirement_name((enum requirement)r);
		assert_int_equal(requirement_find(name, strlen(name)), r);
		assert_int_equal(requirement_find(name, strlen(name) - 1), REQUIRE_END);
		assert_true(requirement_by((enum requirement)r) != 0);
	}
	assert_null(requirement_name(REQUIRE_END));
	assert_int_equal(requirement_by(REQUIRE_END), 0);
	assert_int_equal(requirement_find("", 0), REQUIRE_END);
	for (unsigned l = 0; l < LAYER_END; l++)
		assert_non_null(layer_name((enum layer)l));
	assert_null(layer_name(LAYER_END));
	assert_string_equal(layer_state_name(STATE_OFF), "off");
	assert_string_equal(layer_state_name(STATE_ENFORCED), "enforced");
	assert_string_equal(layer_state_name((enum layer_state)99), "unavailable");
}

static void sample(void **state)
{
	const struct sample s = {1, UINT64_MAX, 3, UINT64_C(0x0102030405060708), 5, 6, 7, 8};
	struct sample back;
	uint8_t bytes[SAMPLE_BYTES];
	(void)state;
	sample_pack(bytes, &s);
	assert_int_equal(bytes[7], 1);
	assert_memory_equal(bytes + 24, ((const uint8_t[]){1, 2, 3, 4, 5, 6, 7, 8}), 8);
	sample_unpack(bytes, &back);
	assert_memory_equal(&s, &back, sizeof s);
}

/* Every byte of a header counts: another value is refused or read as another header. */
static void header(void **state)
{
	const struct frame_header h = {
	    .type = FRAME_LOG, .stream = 2, .sequence = UINT64_C(0x1122334455667788), .length = 0x1234};
	static const uint8_t layout[FRAME_HEADER] = {
	    'P', 'R', 'C', 'T', 1, 3, 2, 0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0, 0, 0x12, 0x34};
	struct frame_header back;
	uint8_t bytes[FRAME_HEADER];
	(void)state;
	frame_pack(bytes, &h);
	assert_memory_equal(bytes, layout, sizeof layout);
	assert_int_equal(frame_unpack(bytes, &back), 0);
	assert_true(back.type == h.type && back.stream == h.stream && back.sequence == h.sequence &&
		    back.length == h.length);
	for (unsigned i = 0; i < FRAME_HEADER; i++)
		for (unsigned bit = 0; bit < 8; bit++) {
			bytes[i] ^= (uint8_t)(1 << bit);
			if (frame_unpack(bytes, &back) == 0)
				assert_true(
				    i >= 5 && (back.type != h.type || back.stream != h.stream ||
						  back.sequence != h.sequence || back.length != h.length));
			bytes[i] ^= (uint8_t)(1 << bit);
		}
	assert_int_equal(frame_cap(FRAME_DENIAL), 0);
	assert_int_equal(frame_cap(0), 0);
	assert_int_equal(frame_cap(255), 0);
	assert_int_equal(frame_cap(FRAME_RECORD), RECORD_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(unit_reads),
	    cmocka_unit_test(unit_writes),
	    cmocka_unit_test(unit_round_trip),
	    cmocka_unit_test(options),
	    cmocka_unit_test(verdicts),
	    cmocka_unit_test(names),
	    cmocka_unit_test(sample),
	    cmocka_unit_test(header),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
