/* Decimal numbers: the grammar, correct rounding against known bit patterns, and comparing with decimals written. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "judge/expect.h"
#include "judge/number.h"

static uint64_t bits(double value)
{
	uint64_t b;
	memcpy(&b, &value, sizeof b);
	return b;
}

static int parse(const char *text, double *value)
{
	return number_parse((const uint8_t *)text, strlen(text), value);
}

static void test_good(void **state)
{
	(void)state;
	/* hexadecimal constants: the exact double that the decimal must become */
	static const struct {
		const char *text;
		double value;
	} good[] = {
	    {"0", 0x0p0},
	    {"1", 0x1p0},
	    {"+1", 0x1p0},
	    {"-1", -0x1p0},
	    {".5", 0x1p-1},
	    {"5.", 0x5p0},
	    {"0.1", 0x1.999999999999ap-4},
	    {"0.3", 0x1.3333333333333p-2},
	    {"1e-05", 0x1.4f8b588e368f1p-17},
	    {"1E5", 0x1.86ap16},
	    {"1e+5", 0x1.86ap16},
	    {"9007199254740993", 0x1p53},
	    {"9007199254740993.0000000000000000001", 0x1.0000000000001p53},
	    {"0.8734512345678901", 0x1.bf35000e3d653p-1},
	    {"1e22", 0x1.0f0cf064dd592p73},
	    {"1e23", 0x1.52d02c7e14af6p76},
	    {"8.533e+68", 0x1.fa69165a8eea2p228},
	    {"2.2250738585072014e-308", 0x1p-1022},
	    {"4.9406564584124654e-324", 0x1p-1074},
	    {"2.4703282292062327e-324", 0x0p0},
	    {"1e-400", 0x0p0},
	    {"0e999999999999999999999", 0x0p0},
	    {"1.7976931348623157e308", 0x1.fffffffffffffp1023},
	    {"000000000000000000000000000000000000000000000000012", 0x1.8p3},
	};
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		double v = -1;
		int r = parse(good[i].text, &v);
		if (r != 0 || bits(v) != bits(good[i].value))
			fail_msg("%s: %d %a, expected %a", good[i].text, r, v, good[i].value);
	}
	double v = -1;
	assert_int_equal(parse("-0.0", &v), 0);
	assert_int_equal(bits(v), 0);
}

static void test_bad(void **state)
{
	(void)state;
	static const char *const bad[] = {"", "+", "-", ".", "e5", "1e", "1e+", "1x", "0x1", "0x1p3", "nan",
	    "NaN", "inf", "-inf", "infinity", "1,5", "1 ", " 1", "1_000", "1.2.3", "--1", "+-1", "1e5.5",
	    "1e 5", "\t1", "1\n", "1f", "1d", "١"};
	double v;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (parse(bad[i], &v) != -EINVAL)
			fail_msg("\"%s\" was taken", bad[i]);
	assert_int_equal(parse("1e309", &v), -ERANGE);
	assert_int_equal(parse("-1e99999999999999999999", &v), -ERANGE);
	assert_int_equal(number_parse((const uint8_t *)"1\0002", 3, &v), -EINVAL);
	char longest[NUMBER_TEXT + 2];
	memset(longest, '1', sizeof longest);
	longest[NUMBER_TEXT] = '\0';
	assert_int_equal(parse(longest, &v), -ERANGE);
	memset(longest, '0', NUMBER_TEXT);
	assert_int_equal(parse(longest, &v), 0);
	assert_int_equal(number_parse((const uint8_t *)longest, NUMBER_TEXT + 1, &v), -EINVAL);
}

static void test_against_strtod(void **state)
{
	(void)state;
	uint64_t seed = 12345;
	for (int i = 0; i < 200000; i++) {
		char text[64];
		double v = 0, d;
		seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		memcpy(&d, &seed, sizeof d);
		if (d != d || d - d != 0)
			continue;
		if (i & 1)
			d = (double)(seed >> 11) * 0x1p-53;
		(void)snprintf(text, sizeof text, "%.*g", 1 + i % 18, d);
		double reference = strtod(text, NULL);
		if (reference - reference != 0) {
			assert_int_equal(parse(text, &v), -ERANGE);
			continue;
		}
		assert_int_equal(parse(text, &v), 0);
		if (reference != 0 && bits(v) != bits(reference))
			fail_msg("%s: %a, expected %a", text, v, reference);
	}
}

static void test_integers(void **state)
{
	(void)state;
	double v;
	assert_int_equal(integer_parse((const uint8_t *)"9007199254740992", 16, &v), 0);
	assert_true(v == 0x1p53);
	assert_int_equal(integer_parse((const uint8_t *)"9007199254740993", 16, &v), -ERANGE);
	assert_int_equal(integer_parse((const uint8_t *)"-7", 2, &v), 0);
	assert_true(v == -7);
	assert_int_equal(integer_parse((const uint8_t *)"+007", 4, &v), 0);
	assert_true(v == 7);
	static const char *const bad[] = {"", "-", "1.0", "1e1", " 1", "0x1", "1 "};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_int_equal(integer_parse((const uint8_t *)bad[i], strlen(bad[i]), &v), -EINVAL);
}

static void test_expectations(void **state)
{
	(void)state;
	assert_true(expect_holds(0.99335, "0.9934", NULL) == (0.99335 >= 0.99335L));
	assert_true(expect_holds(0.875, "0.88", NULL));
	assert_true(expect_holds(0.125, "0.12", NULL)); /* a tie: to even */
	assert_false(expect_holds(0.125, "0.13", NULL));
	assert_true(expect_holds(0.5, "0", NULL));
	assert_true(expect_holds(1.5, "2", NULL));
	assert_true(expect_holds(1, "1.0000", NULL));
	assert_false(expect_holds(0.99999, "1.00000", NULL));
	assert_true(expect_holds(-0.00001, "0.000", NULL));
	assert_true(expect_holds(0.4762, "0.4712", "0.0050"));
	assert_false(expect_holds(0.47621, "0.4712", "0.0050"));
	assert_true(expect_holds(0.4712, "0.4712", "0"));
	assert_int_equal(decimals_written("1"), 0);
	assert_int_equal(decimals_written("-0.9934"), 4);
	static const char *const bad[] = {
	    "", ".", "1.", ".5", "1e3", "nan", "+1", "1.0x", "0.123456789012345678"};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_int_equal(decimals_written(bad[i]), -1);
}

/* The fewest digits, over many bit patterns: they read back, and with one digit fewer nothing does. */
static void test_format(void **state)
{
	static const struct {
		double value;
		const char *text;
	} rows[] = {{0, "0"}, {1, "1"}, {0.1, "0.1"}, {0.867, "0.867"}, {1e15, "1000000000000000"},
	    {1e16, "1e+16"}, {0.0001, "0.0001"}, {0.00001, "1e-05"}, {-2.5, "-2.5"},
	    {5.0 / 6, "0.8333333333333334"}};
	uint64_t seed = 7;
	char text[NUMBER_ROOM];

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_string_equal(number_format(rows[i].value, text), rows[i].text);
	for (int i = 0; i < 20000; i++) {
		double value;
		seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
		memcpy(&value, &seed, sizeof value);
		if (value - value != 0)
			continue;
		assert_true(strtod(number_format(value, text), NULL) == value);
		assert_true(strlen(text) < NUMBER_ROOM);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_good),
	    cmocka_unit_test(test_bad),
	    cmocka_unit_test(test_against_strtod),
	    cmocka_unit_test(test_integers),
	    cmocka_unit_test(test_format),
	    cmocka_unit_test(test_expectations),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
