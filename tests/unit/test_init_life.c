/* The table of a run's life: every path leads to an end, and nothing brings anybody back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/life.h"

static unsigned play(enum life_state *state, const enum life_event *events, int n)
{
	unsigned last = 0;
	for (int i = 0; i < n; i++)
		last = life_step(state, events[i]);
	return last;
}
#define PLAY(state, ...) \
	play(state, (const enum life_event[]){__VA_ARGS__}, \
	    sizeof((const enum life_event[]){__VA_ARGS__}) / sizeof(enum life_event))

static void a_run_that_ends_by_itself(void **state)
{
	enum life_state s = LIFE_RUNNING;
	(void)state;
	assert_int_equal(life_step(&s, EVENT_ALL_GONE), DO_DRAIN_CLOCK);
	assert_int_equal(s, LIFE_DRAINING);
	assert_int_equal(life_step(&s, EVENT_DRAINED), 0);
	assert_true(life_over(s));
}

static void survivors_are_killed(void **state)
{
	enum life_state s = LIFE_RUNNING;
	(void)state;
	assert_int_equal(life_step(&s, EVENT_MAIN_ENDED), DO_KILL | DO_KILL_CLOCK);
	assert_int_equal(PLAY(&s, EVENT_LIMIT, EVENT_BREACH, EVENT_STOP, EVENT_GRACE_OVER), 0);
	assert_int_equal(s, LIFE_KILLING);
	PLAY(&s, EVENT_ALL_GONE, EVENT_DRAINED);
	assert_int_equal(s, LIFE_ENDED);
}

static void a_limit_gives_grace_once(void **state)
{
	enum life_state s = LIFE_RUNNING;
	(void)state;
	assert_int_equal(life_step(&s, EVENT_LIMIT), DO_TERM | DO_GRACE_CLOCK);
	/* A second limit does not prolong it. */
	assert_int_equal(PLAY(&s, EVENT_LIMIT, EVENT_LIMIT), 0);
	assert_int_equal(s, LIFE_GRACE);
	assert_int_equal(life_step(&s, EVENT_GRACE_OVER), DO_KILL | DO_KILL_CLOCK);
}

static void a_second_stop_ends_the_grace(void **state)
{
	static const enum life_event first[] = {EVENT_STOP, EVENT_LIMIT};
	(void)state;
	for (int i = 0; i < 2; i++) {
		enum life_state s = LIFE_RUNNING;
		assert_int_equal(life_step(&s, first[i]), DO_TERM | DO_GRACE_CLOCK);
		assert_int_equal(life_step(&s, EVENT_STOP), DO_KILL | DO_KILL_CLOCK);
		assert_int_equal(s, LIFE_KILLING);
		assert_int_equal(life_step(&s, EVENT_STOP), 0);
	}
}

static void a_breach_in_the_grace_ends_it(void **state)
{
	enum life_state s = LIFE_RUNNING;
	(void)state;
	assert_int_equal(PLAY(&s, EVENT_STOP, EVENT_BREACH), DO_KILL | DO_KILL_CLOCK);
	assert_int_equal(s, LIFE_KILLING);
}

static void what_cannot_be_killed_does_not_hold_the_record(void **state)
{
	enum life_state s = LIFE_RUNNING;
	(void)state;
	PLAY(&s, EVENT_BREACH, EVENT_KILL_OVER, EVENT_DRAIN_OVER);
	assert_int_equal(s, LIFE_ENDED);
}

static void without_a_host_everything_dies_and_nothing_is_reported(void **state)
{
	static const enum life_state from[] = {LIFE_RUNNING, LIFE_GRACE, LIFE_KILLING};
	(void)state;
	for (int i = 0; i < 3; i++) {
		enum life_state s = from[i];
		assert_int_equal(life_step(&s, EVENT_CARRIER_LOST), DO_KILL | DO_KILL_CLOCK);
		assert_int_equal(s, LIFE_LEAVING);
		PLAY(&s, EVENT_MAIN_ENDED, EVENT_ALL_GONE);
		assert_int_equal(s, LIFE_LEFT);
	}
	enum life_state s = LIFE_DRAINING;
	life_step(&s, EVENT_CARRIER_LOST);
	assert_int_equal(s, LIFE_LEFT);
}

/* From every state, whatever came before, killing, dying and draining to the bound lead to an end. */
static void every_state_can_end(void **state)
{
	(void)state;
	for (int from = 0; from < LIFE_STATE_END; from++) {
		enum life_state s = (enum life_state)from;
		PLAY(&s, EVENT_BREACH, EVENT_KILL_OVER, EVENT_DRAIN_OVER);
		assert_true(life_over(s));
	}
}

static void the_end_is_final(void **state)
{
	(void)state;
	for (int event = 0; event < EVENT_END; event++) {
		enum life_state ended = LIFE_ENDED, left = LIFE_LEFT;
		assert_int_equal(life_step(&ended, (enum life_event)event), 0);
		assert_int_equal(life_step(&left, (enum life_event)event), 0);
		assert_int_equal(ended, LIFE_ENDED);
		assert_int_equal(left, LIFE_LEFT);
	}
}

/* No event leads back: the numbers of the states only grow, but for a lost host, which leads to LEAVING. */
static void nothing_leads_back(void **state)
{
	(void)state;
	for (int from = 0; from < LIFE_STATE_END; from++)
		for (int event = 0; event < EVENT_END; event++) {
			enum life_state s = (enum life_state)from;
			life_step(&s, (enum life_event)event);
			assert_true((int)s >= from);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_run_that_ends_by_itself),
	    cmocka_unit_test(survivors_are_killed),
	    cmocka_unit_test(a_limit_gives_grace_once),
	    cmocka_unit_test(a_second_stop_ends_the_grace),
	    cmocka_unit_test(a_breach_in_the_grace_ends_it),
	    cmocka_unit_test(what_cannot_be_killed_does_not_hold_the_record),
	    cmocka_unit_test(without_a_host_everything_dies_and_nothing_is_reported),
	    cmocka_unit_test(every_state_can_end),
	    cmocka_unit_test(the_end_is_final),
	    cmocka_unit_test(nothing_leads_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
