/* Figures out of the kernel's text: real lines, hostile names, cut and malformed text. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/figures.h"
#include "wire/limits.h"

static uint64_t alone(const char *text)
{
	return figure_alone(text, strlen(text));
}

static void single_numbers(void **state)
{
	(void)state;
	assert_int_equal(alone("0\n"), 0);
	assert_int_equal(alone("67108864\n"), 67108864);
	assert_int_equal(alone("42"), 42);
	assert_int_equal(alone("9223372036854775807\n"), INT64_MAX);
	assert_int_equal(alone("9223372036854775808\n"), LIMIT_NONE);
	assert_int_equal(alone("max\n"), LIMIT_NONE);
	assert_int_equal(alone(""), LIMIT_NONE);
	assert_int_equal(alone("\n"), LIMIT_NONE);
	assert_int_equal(alone("-1\n"), LIMIT_NONE);
	assert_int_equal(alone("1 2\n"), LIMIT_NONE);
	assert_int_equal(alone("1\n2\n"), LIMIT_NONE);
	assert_int_equal(alone("0x10\n"), LIMIT_NONE);
}

static void keyed_numbers(void **state)
{
	static const char v1[] = "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n";
	static const char v2[] = "low 0\nhigh 0\nmax 12\noom 2\noom_kill 1\noom_group_kill 0\n";
	(void)state;
	assert_int_equal(figure_keyed(v1, sizeof v1 - 1, "oom_kill"), 3);
	assert_int_equal(figure_keyed(v2, sizeof v2 - 1, "oom_kill"), 1);
	assert_int_equal(figure_keyed(v2, sizeof v2 - 1, "oom"), 2);
	assert_int_equal(figure_keyed(v2, sizeof v2 - 1, "oom_k"), LIMIT_NONE);
	assert_int_equal(figure_keyed(v2, 0, "oom"), LIMIT_NONE);
	assert_int_equal(figure_keyed("oom x\n", 6, "oom"), LIMIT_NONE);
	assert_int_equal(figure_keyed("oom", 3, "oom"), LIMIT_NONE);
	assert_int_equal(figure_keyed("oom ", 4, "oom"), LIMIT_NONE);
	/* A cut last line is taken as it stands only when it is a number. */
	assert_int_equal(figure_keyed("oom 12", 6, "oom"), 12);
}

#define REST \
	" S 1 12 12 0 -1 4194560 106 50 0 0 3 4 5 6 20 0 7 0 12345 2621440 229 18446744073709551615 1 1 0\n"

static void reads(const char *name)
{
	char text[256];
	struct process_stat s;
	strcpy(text, "12 (");
	strcat(strcat(strcat(text, name), ")"), REST);
	assert_int_equal(figure_process(text, strlen(text), &s), 0);
	assert_int_equal(s.state, 'S');
	assert_int_equal(s.parent, 1);
	assert_int_equal(s.ticks, 7);
	assert_int_equal(s.reaped_ticks, 11);
	assert_int_equal(s.threads, 7);
	assert_int_equal(s.resident, 229);
}

static void processes_by_any_name(void **state)
{
	(void)state;
	reads("sh");
	reads("");
	reads("a b");
	reads(") R 99 1 1 1");
	reads("((((");
	reads("))))");
	reads("x\ny");
	reads("\xff\x01");
}

/* Every prefix and every single byte changed: an answer or a refusal, never more than n bytes read. */
static void hostile_stat_lines(void **state)
{
	static const char line[] = "12 (name)" REST;
	struct process_stat s;
	int refused = 0;
	(void)state;
	for (size_t n = 0; n < sizeof line; n++) {
		/* An exact copy on the heap, so that a sanitizer sees a byte too far. */
		char *exact = malloc(n ? n : 1);
		assert_non_null(exact);
		memcpy(exact, line, n);
		refused += figure_process(exact, n, &s) == -EINVAL;
		for (size_t i = 0; i < n && n == sizeof line - 1; i++)
			for (int byte = 0; byte < 256; byte += 5) {
				exact[i] = (char)byte;
				int r = figure_process(exact, n, &s);
				assert_true(r == 0 || r == -EINVAL);
				exact[i] = line[i];
			}
		free(exact);
	}
	assert_true(refused > 60);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(single_numbers),
	    cmocka_unit_test(keyed_numbers),
	    cmocka_unit_test(processes_by_any_name),
	    cmocka_unit_test(hostile_stat_lines),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
