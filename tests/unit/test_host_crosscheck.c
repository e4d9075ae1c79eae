/*
 * The cross-check as a table: a clean run, one thing changed, the verdict. And the same with an OOM at the run's own limit in
 * the host's counters, which no confusion may hide.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "record_world.h"

/* init decided this, killed the tree and exited 124. */
static void decided(struct world *w, const char *verdict)
{
	char text[32];
	(void)snprintf(text, sizeof text, "\"%s\"", verdict);
	set(w, "cause.verdict", text);
	set(w, "cause.by_init", "true");
	set(w, "exit", "{\"signal\":9}");
	w->stage.observed.engine_status = 124;
}

static void own_oom(struct world *w)
{
	w->stage.observed.oom_kills = 1;
	w->stage.observed.memory_limit_hits = 12;
}

static void expect(struct world *w, const char *what, enum verdict v)
{
	struct fault fault;
	int r = crosscheck(&w->stage, &w->task, &fault);

	if (fault.verdict != v || r != (v == VERDICT_NONE ? 0 : -1))
		fail_msg("%s: %s (%s), expected %s", what, verdict_name(fault.verdict), fault.what,
		    verdict_name(v));
	assert_true(v == VERDICT_NONE || fault.what[0] != '\0');
	assert_true(w->stage.crosscheck[0] != '\0');
	done(w);
}

static void clean_run(void **state)
{
	struct world w;

	(void)state;
	clean(&w);
	expect(&w, "clean", VERDICT_NONE);
	assert_string_equal(w.stage.crosscheck, "agree");
	clean(&w);
	w.task.require = (UINT32_C(1) << REQUIRE_END) - 1;
	expect(&w, "everything required, everything there", VERDICT_NONE);
	clean(&w);
	w.stage.observed.engine_status = -1;
	w.stage.observed.memory_peak = w.stage.observed.memory_limit_hits = w.stage.observed.oom_kills =
	    LIMIT_NONE;
	w.stage.observed.cpu_ms = w.stage.observed.processes_peak = LIMIT_NONE;
	w.stage.observed.output_bytes = w.stage.observed.output_files = LIMIT_NONE;
	expect(&w, "nothing readable", VERDICT_NONE);
}

enum { SPOILED = 17 };

/* What the host holds against the run; each once alone and once with an own-limit OOM beside it. */
static void spoil(struct world *w, int i)
{
	struct observed *o = &w->stage.observed;
	switch (i) {
	case 0:
		o->gone = false;
		break;
	case 1:
		o->init_intact = false;
		break;
	case 2:
		o->session_broken = true;
		break;
	case 3:
		o->greeted = false;
		break;
	case 4:
		o->peer_verified = false;
		break;
	case 5:
		o->session_whole = false;
		break;
	case 6:
		o->session_whole = false;
		o->deadline_hit = true;
		break;
	case 7:
		json_decref(w->stage.record);
		w->stage.record = NULL;
		break;
	case 8:
		set(w, "more", "1");
		break;
	case 9:
		set(w, "run", "\"r-000000000000\"");
		break;
	case 10:
		w->stage.run = NULL;
		break;
	case 11:
		set(w, "facts.uid", "7");
		break;
	case 12:
		o->engine_status = 137;
		break;
	case 13:
		w->stage.log[1].kept++;
		break;
	case 14:
		set(w, "usage.wall_ms.value", "5161");
		break;
	case 15:
		set(w, "run", "\"r-000000000001\"");
		break;
	case 16:
		json_decref(w->stage.facts);
		w->stage.facts = NULL;
		break;
	default:
		fail();
	}
}

static void spoiled(void **state)
{
	static const enum verdict verdicts[SPOILED] = {VERDICT_ENGINE_FAILED, VERDICT_RECORD_INVALID,
	    VERDICT_RECORD_INVALID, VERDICT_RECORD_MISSING, VERDICT_RECORD_INVALID, VERDICT_RECORD_MISSING,
	    VERDICT_WALL_TIME, VERDICT_RECORD_INVALID, VERDICT_RECORD_INVALID, VERDICT_RECORD_MISMATCH,
	    VERDICT_RECORD_MISMATCH, VERDICT_RECORD_MISMATCH, VERDICT_RECORD_MISMATCH,
	    VERDICT_RECORD_MISMATCH, VERDICT_RECORD_MISMATCH, VERDICT_RECORD_MISMATCH,
	    VERDICT_RECORD_INVALID};
	struct world w;
	char what[32];

	(void)state;
	for (int i = 0; i < SPOILED; i++) {
		(void)snprintf(what, sizeof what, "spoiled %d", i);
		clean(&w);
		spoil(&w, i);
		expect(&w, what, verdicts[i]);
		assert_string_not_equal(w.stage.crosscheck, "agree");
		clean(&w);
		spoil(&w, i);
		own_oom(&w);
		expect(&w, what, VERDICT_MEMORY);
		clean(&w);
		spoil(&w, i);
		own_oom(&w);
		w.stage.observed.ticketed = false; /* nothing of the candidate's ran */
		expect(&w, what, i == 6 ? VERDICT_RECORD_MISSING : verdicts[i]);
		clean(&w);
		spoil(&w, i);
		own_oom(&w);
		w.stage.observed.cancelled = true;
		expect(&w, what, VERDICT_CANCELLED);
	}
	clean(&w);
	w.stage.observed.created = false;
	expect(&w, "not created", VERDICT_ENGINE_FAILED);
}

/* What the candidate can do by itself never becomes anything else. */
static void candidates_own(void **state)
{
	static const int statuses[] = {1, 2, 124, 125, 126, 127, 128, 137, 255};
	struct world w;
	char text[32];

	(void)state;
	for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
		clean(&w);
		(void)snprintf(text, sizeof text, "{\"code\":%d}", statuses[i]);
		set(&w, "exit", text);
		set(&w, "cause.verdict", "\"EXIT_NONZERO\"");
		w.stage.observed.engine_status = statuses[i];
		expect(&w, text, VERDICT_EXIT_NONZERO);
	}
	for (int s = 1; s <= 64; s++) {
		clean(&w);
		(void)snprintf(text, sizeof text, "{\"signal\":%d}", s);
		set(&w, "exit", text);
		set(&w, "cause.verdict", "\"SIGNALED\"");
		w.stage.observed.engine_status = 128 + s;
		expect(&w, text, VERDICT_SIGNALED);
	}
	clean(&w);
	set(&w, "exit", "null");
	set(&w, "cause.verdict", "\"EXEC_NOT_FOUND\"");
	w.stage.observed.engine_status = 127;
	expect(&w, "not found", VERDICT_EXEC_NOT_FOUND);
	clean(&w);
	set(&w, "exit", "null");
	set(&w, "cause.verdict", "\"EXEC_DENIED\"");
	w.stage.observed.engine_status = 126;
	expect(&w, "denied", VERDICT_EXEC_DENIED);
}

static void limits(void **state)
{
	static const char *const names[] = {"CPU_TIME", "MEMORY", "PROCESSES", "OUTPUT_BYTES", "OUTPUT_FILES",
	    "SCRATCH_BYTES", "LOG_BYTES", "FORBIDDEN_SYSCALL"};
	struct world w;

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		clean(&w);
		decided(&w, names[i]);
		expect(&w, names[i], verdict_from_name(names[i]));
		clean(&w);
		decided(&w, names[i]);
		own_oom(&w);
		expect(&w, names[i], verdict_from_name(names[i])); /* the first decision stays */
		clean(&w);
		decided(&w, names[i]);
		w.stage.observed.engine_status = 0;
		expect(&w, names[i], VERDICT_RECORD_MISMATCH);
	}
	clean(&w);
	decided(&w, "WALL_TIME");
	set(&w, "usage.wall_ms.value", "60003");
	w.stage.observed.wall_ms = 62100;
	expect(&w, "wall", VERDICT_WALL_TIME);
	clean(&w);
	decided(&w, "WALL_TIME");
	expect(&w, "wall time after 4 s", VERDICT_RECORD_MISMATCH);
	clean(&w);
	decided(&w, "WALL_TIME");
	set(&w, "cause.by_init", "false");
	expect(&w, "a limit that nobody decided", VERDICT_RECORD_INVALID);
}

/* The host's deadline is a proof of its own, where init was init and nobody broke in. */
static void deadline(void **state)
{
	struct world w;

	(void)state;
	for (int i = 0; i < SPOILED; i++) {
		bool proven = i != 1 && i != 2 && i != 4;
		char what[32];
		(void)snprintf(what, sizeof what, "late, spoiled %d", i);
		clean(&w);
		spoil(&w, i);
		if (i == 12)
			w.stage.run = NULL; /* a status is no contradiction then */
		w.stage.observed.deadline_hit = true;
		expect(&w, what, proven ? VERDICT_WALL_TIME : VERDICT_RECORD_INVALID);
	}
	clean(&w);
	w.stage.observed.deadline_hit = true;
	w.stage.observed.engine_status = 137;
	expect(&w, "the record was there in time", VERDICT_NONE);
}

/* How long the candidate's processes take to die is in its own hands. */
static void slow_to_die(void **state)
{
	struct world w;

	(void)state;
	clean(&w);
	w.stage.observed.wall_ms = 4100 + 60000;
	expect(&w, "a minute behind the main process's end", VERDICT_NONE);
	clean(&w);
	decided(&w, "CPU_TIME");
	w.stage.observed.wall_ms = 4100 + 60000;
	expect(&w, "a minute behind a limit", VERDICT_CPU_TIME);
}

static void memory(void **state)
{
	struct world w;

	(void)state;
	clean(&w);
	own_oom(&w);
	expect(&w, "a child was killed, the main process exits 0", VERDICT_MEMORY);
	clean(&w);
	w.stage.observed.oom_kills = 1;
	expect(&w, "an ancestor's OOM", VERDICT_NONE);
	clean(&w);
	w.stage.observed.memory_limit_hits = 12;
	expect(&w, "only reclaim at the limit", VERDICT_NONE);
	clean(&w);
	set(&w, "cause.verdict", "\"MEMORY\"");
	w.stage.observed.engine_status = 124;
	expect(&w, "a kill that the host did not see", VERDICT_RECORD_MISMATCH);
	clean(&w);
	set(&w, "cause.verdict", "\"MEMORY\"");
	w.stage.observed.engine_status = 124;
	own_oom(&w);
	expect(&w, "both saw it", VERDICT_MEMORY);
	clean(&w);
	set(&w, "cause.verdict", "\"MEMORY\"");
	w.stage.observed.engine_status = 124;
	w.stage.observed.oom_kills = w.stage.observed.memory_limit_hits = LIMIT_NONE;
	expect(&w, "the host cannot read", VERDICT_MEMORY);
	clean(&w);
	set(&w, "cause.verdict", "\"INIT_FAULT\"");
	set(&w, "exit", "null");
	w.stage.observed.engine_status = 125;
	expect(&w, "init's fault", VERDICT_INIT_FAULT);
	clean(&w);
	set(&w, "cause.verdict", "\"INIT_FAULT\"");
	set(&w, "exit", "null");
	w.stage.observed.engine_status = 125;
	own_oom(&w);
	expect(&w, "init's fault for want of memory", VERDICT_MEMORY);
}

static void own_readings(void **state)
{
	struct world w;

	(void)state;
	clean(&w);
	w.task.limit[OPTION_CPU_TIME] = 2900;
	expect(&w, "init's own work is not charged", VERDICT_CPU_TIME);
	clean(&w);
	w.task.limit[OPTION_CPU_TIME] = 2910;
	expect(&w, "within a second", VERDICT_NONE);
	clean(&w);
	set(&w, "usage.wall_ms.value", "60001");
	w.stage.observed.wall_ms = 60100;
	expect(&w, "an end behind the limit", VERDICT_WALL_TIME);
	clean(&w);
	set(&w, "usage.wall_ms.value", "60000");
	w.stage.observed.wall_ms = 60100;
	expect(&w, "an end at the limit", VERDICT_NONE);
	clean(&w);
	w.stage.observed.output_bytes = w.task.limit[OPTION_OUTPUT_BYTES] + 1;
	expect(&w, "output", VERDICT_OUTPUT_BYTES);
	clean(&w);
	w.stage.observed.output_files = w.task.limit[OPTION_OUTPUT_FILES] + 1;
	expect(&w, "files", VERDICT_OUTPUT_FILES);
	clean(&w);
	set(&w, "exit", "{\"code\":3}");
	set(&w, "cause.verdict", "\"EXIT_NONZERO\"");
	w.stage.observed.engine_status = 3;
	w.stage.observed.output_files = LIMIT_HOST;
	expect(&w, "it had failed before", VERDICT_EXIT_NONZERO);
}

static void requirements(void **state)
{
	struct world w;
	struct fault fault;

	(void)state;
	clean(&w);
	w.task.require = UINT32_C(1) << REQUIRE_NO_NETWORK;
	assert_int_equal(crosscheck_facts(w.stage.facts, &w.task, &fault), 0);
	assert_int_equal(json_object_set_new(w.stage.facts, "routes", json_integer(1)), 0);
	assert_int_equal(crosscheck_facts(w.stage.facts, &w.task, &fault), -1);
	assert_int_equal(fault.verdict, VERDICT_REQUIRE_UNMET);
	assert_int_equal(json_object_set_new(w.stage.facts, "routes", json_integer(0)), 0);
	assert_int_equal(
	    json_array_append_new(json_object_get(w.stage.facts, "interfaces"), json_string("eth0")), 0);
	assert_int_equal(crosscheck_facts(w.stage.facts, &w.task, &fault), -1);
	assert_int_equal(crosscheck_facts(NULL, &w.task, &fault), -1);
	w.task.require = UINT32_C(1) << REQUIRE_READ_ONLY_ROOT;
	assert_int_equal(crosscheck_facts(w.stage.facts, &w.task, &fault), 0);
	assert_int_equal(crosscheck_facts(NULL, &w.task, &fault), -1);
	assert_int_equal(json_object_set_new(w.stage.facts, "root_writable", json_true()), 0);
	assert_int_equal(crosscheck_facts(w.stage.facts, &w.task, &fault), -1);
	w.task.require = 0;
	assert_int_equal(crosscheck_facts(w.stage.facts, &w.task, &fault), 0);
	done(&w);

	clean(&w);
	w.task.require = UINT32_C(1) << REQUIRE_EXACT_MEMORY;
	w.stage.observed.oom_kills = LIMIT_NONE;
	expect(&w, "exact memory", VERDICT_REQUIRE_UNMET);
	clean(&w);
	w.task.require = UINT32_C(1) << REQUIRE_EXACT_CPU;
	w.stage.observed.cpu_ms = LIMIT_NONE;
	expect(&w, "exact cpu", VERDICT_REQUIRE_UNMET);
	clean(&w);
	w.task.require = UINT32_C(1) << REQUIRE_EXACT_OUTPUT;
	set(&w, "output.how", "\"monitored\"");
	expect(&w, "exact output", VERDICT_REQUIRE_UNMET);
	clean(&w);
	w.task.require = UINT32_C(1) << REQUIRE_EXACT_OUTPUT;
	set(&w, "output.how", "\"lower-bound\"");
	expect(&w, "what the candidate hid buys no retry", VERDICT_NONE);
	clean(&w);
	w.task.require = UINT32_C(1) << REQUIRE_LANDLOCK;
	assert_int_equal(
	    json_object_set_new(json_array_get(json_object_get(w.stage.record, "layers"), LAYER_FILES),
		"state", json_string("unavailable")),
	    0);
	expect(&w, "landlock", VERDICT_REQUIRE_UNMET);
	clean(&w);
	set(&w, "cause.verdict", "\"REQUIRE_UNMET\"");
	set(&w, "exit", "null");
	w.stage.observed.engine_status = 125;
	expect(&w, "init refused", VERDICT_REQUIRE_UNMET);
	assert_string_equal(w.stage.crosscheck, "agree");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(clean_run),
	    cmocka_unit_test(spoiled),
	    cmocka_unit_test(candidates_own),
	    cmocka_unit_test(limits),
	    cmocka_unit_test(deadline),
	    cmocka_unit_test(slow_to_die),
	    cmocka_unit_test(memory),
	    cmocka_unit_test(own_readings),
	    cmocka_unit_test(requirements),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
