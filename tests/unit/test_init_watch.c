/* The watchers as the loop asks them: what they say when the main process has ended. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "watch/watch.h"
#include "wire/limits.h"

enum { SECOND = 1000000, START = 100 * SECOND, LIMIT_MS = 4000 };

static void opened(struct watch *w, uint64_t wall_ms)
{
	static const struct fsids nobody = {.uid = -1, .gid = -1};
	static struct plan plan;

	for (unsigned o = 0; o < OPTION_END; o++)
		plan.number[o] = LIMIT_NONE;
	memset(w, 0, sizeof *w);
	watch_open(w, &plan, NULL, -1, -1, &nobody);
	wall_start(&w->wall, START, wall_ms);
}

static void an_end_in_time(void **state)
{
	struct watch w;
	struct breach b;

	(void)state;
	opened(&w, LIMIT_MS);
	assert_false(watch_main_ended(&w, START + LIMIT_MS * 1000 - 1, &b));
	assert_int_equal(wall_elapsed(&w.wall, START + 60 * SECOND), LIMIT_MS - 1);
	/* Tidying up is no limit. */
	assert_false(watch_look(&w, START + 60 * SECOND, &b));
	opened(&w, LIMIT_NONE);
	assert_false(watch_main_ended(&w, START + 3600 * (uint64_t)SECOND, &b));
}

/* The alarm was due, but the loop did not get to run before the end was there as well. */
static void an_end_that_was_seen_late(void **state)
{
	struct watch w;
	struct breach b = {.verdict = VERDICT_NONE};

	(void)state;
	opened(&w, LIMIT_MS);
	assert_true(watch_main_ended(&w, START + 5 * SECOND, &b));
	assert_int_equal(b.verdict, VERDICT_WALL_TIME);
	assert_int_equal(b.limit, LIMIT_MS);
	assert_int_equal(b.observed, 5000);
	assert_int_equal(wall_elapsed(&w.wall, START + 60 * SECOND), 5000);
	assert_int_equal(w.wall.alarm, -1);
}

static void an_end_in_the_grace(void **state)
{
	struct watch w;
	struct breach b;

	(void)state;
	opened(&w, LIMIT_MS);
	assert_true(watch_look(&w, START + LIMIT_MS * 1000, &b));
	assert_false(watch_main_ended(&w, START + 5 * SECOND, &b));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_end_in_time),
	    cmocka_unit_test(an_end_that_was_seen_late),
	    cmocka_unit_test(an_end_in_the_grace),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
