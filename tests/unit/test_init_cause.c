/* The cause: first decision stays, only an own-limit OOM replaces an exit or a signal, nothing can be faked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/cause.h"
#include "wire/limits.h"

static const struct ending exit0 = {ENDING_CODE, 0}, exit7 = {ENDING_CODE, 7}, killed = {ENDING_SIGNAL, 9};
static const struct breach wall = {VERDICT_WALL_TIME, 1000, 1001, "ms", "clock", true};
static const struct breach bytes = {VERDICT_OUTPUT_BYTES, 10, 11, "bytes", "statfs", false};

static void a_limit_before_the_exit(void **state)
{
	struct cause c;
	(void)state;
	cause_start(&c);
	assert_true(cause_breach(&c, &wall, 1001));
	assert_false(cause_breach(&c, &bytes, 1002));
	cause_note(&c, "SIGTERM", 1001);
	cause_note(&c, "SIGKILL", 3001);
	cause_ended(&c, &killed, 3002);
	assert_int_equal(c.verdict, VERDICT_WALL_TIME);
	assert_true(c.by_init);
	assert_int_equal(c.limit, 1000);
	assert_int_equal(c.observed, 1001);
	assert_string_equal(c.unit, "ms");
	assert_string_equal(c.proof, "clock; SIGTERM at 1001 ms; SIGKILL at 3001 ms");
	assert_int_equal(cause_status(&c, &killed), 124);
}

static void an_exit_before_the_limit(void **state)
{
	struct cause c;
	(void)state;
	cause_start(&c);
	cause_ended(&c, &exit7, 5);
	assert_false(cause_breach(&c, &wall, 1001));
	cause_note(&c, "SIGKILL", 6);
	assert_int_equal(c.verdict, VERDICT_EXIT_NONZERO);
	assert_int_equal(c.observed, 7);
	assert_string_equal(c.unit, "code");
	assert_false(c.by_init);
	assert_null(strstr(c.proof, "SIGKILL"));
}

/* Exit codes and signals of its own never look like a limit. */
static void nothing_can_be_faked(void **state)
{
	(void)state;
	for (int code = 0; code < 256; code++) {
		struct ending e = {ENDING_CODE, code};
		struct cause c;
		cause_start(&c);
		cause_ended(&c, &e, 1);
		assert_int_equal(c.verdict, code ? VERDICT_EXIT_NONZERO : VERDICT_NONE);
		assert_int_equal(cause_status(&c, &e), code);
	}
	for (int signal = 1; signal <= 64; signal++) {
		struct ending e = {ENDING_SIGNAL, signal};
		struct cause c;
		cause_start(&c);
		cause_ended(&c, &e, 1);
		assert_int_equal(c.verdict, VERDICT_SIGNALED);
		assert_int_equal(cause_status(&c, &e), 128 + signal);
	}
}

static void oom_of_the_own_limit_replaces_an_end(void **state)
{
	const struct ending *const ends[] = {&exit0, &exit7, &killed};
	(void)state;
	for (int i = 0; i < 3; i++) {
		struct cause c;
		cause_start(&c);
		cause_ended(&c, ends[i], 50);
		cause_oom(&c, 2, 7, 64 << 20, 63 << 20, 60);
		assert_int_equal(c.verdict, VERDICT_MEMORY);
		assert_int_equal(c.limit, 64 << 20);
		assert_int_equal(c.at_ms, 50);
		assert_false(c.by_init);
		assert_non_null(strstr(c.proof, "2 OOM kills and 7 hits"));
		assert_int_equal(cause_status(&c, ends[i]), 124);
	}
}

static void oom_of_somebody_elses_limit_does_not(void **state)
{
	struct cause c;
	(void)state;
	cause_start(&c);
	cause_ended(&c, &killed, 50);
	cause_oom(&c, 1, 0, 64 << 20, 1 << 20, 60);
	cause_oom(&c, 0, 9, 64 << 20, 1 << 20, 60);
	cause_oom(&c, LIMIT_NONE, LIMIT_NONE, 64 << 20, 1 << 20, 60);
	assert_int_equal(c.verdict, VERDICT_SIGNALED);
}

static void oom_replaces_no_decision(void **state)
{
	struct cause c;
	(void)state;
	cause_start(&c);
	cause_breach(&c, &wall, 1001);
	cause_oom(&c, 1, 1, 64 << 20, 64 << 20, 1002);
	assert_int_equal(c.verdict, VERDICT_WALL_TIME);
	cause_start(&c);
	cause_decide(&c, VERDICT_EXEC_DENIED, false, "exec", 1);
	cause_oom(&c, 1, 1, 64 << 20, 64 << 20, 2);
	assert_int_equal(c.verdict, VERDICT_EXEC_DENIED);
}

static void statuses(void **state)
{
	static const struct {
		enum verdict v;
		int status;
	} rows[] = {{VERDICT_EXEC_NOT_FOUND, 127}, {VERDICT_EXEC_DENIED, 126}, {VERDICT_REQUIRE_UNMET, 125},
	    {VERDICT_INIT_FAULT, 125}, {VERDICT_PROCESSES, 124}, {VERDICT_LOG_BYTES, 124},
	    {VERDICT_CANCELLED, 137}};
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cause c;
		cause_start(&c);
		cause_decide(&c, rows[i].v, true, "", 1);
		assert_int_equal(cause_status(&c, &killed), rows[i].status);
	}
	struct cause none;
	const struct ending never = {ENDING_NONE, 0};
	cause_start(&none);
	assert_int_equal(cause_status(&none, &never), 125);
}

static void a_long_proof_is_cut(void **state)
{
	struct cause c;
	(void)state;
	cause_start(&c);
	cause_breach(&c, &wall, 1);
	for (int i = 0; i < 100; i++)
		cause_note(&c, "SIGKILL", 18446744073709551614u);
	assert_int_equal(strlen(c.proof), CAUSE_PROOF - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_limit_before_the_exit),
	    cmocka_unit_test(an_exit_before_the_limit),
	    cmocka_unit_test(nothing_can_be_faked),
	    cmocka_unit_test(oom_of_the_own_limit_replaces_an_end),
	    cmocka_unit_test(oom_of_somebody_elses_limit_does_not),
	    cmocka_unit_test(oom_replaces_no_decision),
	    cmocka_unit_test(statuses),
	    cmocka_unit_test(a_long_proof_is_cut),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
