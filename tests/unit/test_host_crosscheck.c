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

#include "judge/crosscheck.h"
#include "judge/record.h"
#include "judge/words.h"
#include "wire_session.h"

struct world {
	struct task task;
	struct stage stage;
	char *command[2];
	char name[16];
};

/* The clean run of wire_session.h: exit 0 after 4.1 s. */
static void clean(struct world *w)
{
	struct fault fault;

	memset(w, 0, sizeof *w);
	strcpy(w->name, "/bin/model");
	w->command[0] = w->name;
	for (unsigned o = 0; o < OPTION_END; o++)
		w->task.limit[o] = option_table[o].preset;
	w->task.limit[OPTION_WALL_TIME] = 60000;
	w->stage.run = SESSION_RUN;
	w->stage.command = w->command;
	w->stage.facts = payload_parse(SESSION_FACTS, sizeof SESSION_FACTS - 1, &fault);
	w->stage.record = payload_parse(SESSION_RECORD, sizeof SESSION_RECORD - 1, &fault);
	w->stage.log[0] = (struct log_kept){6, 6, 0};
	w->stage.log[1] = (struct log_kept){3, 2, 1};
	w->stage.observed = (struct observed){.created = true,
	    .greeted = true,
	    .ticketed = true,
	    .peer_verified = true,
	    .session_whole = true,
	    .gone = true,
	    .init_intact = true,
	    .wall_ms = 4160,
	    .engine_status = 0,
	    .memory_peak = 41943040,
	    .memory_limit_hits = 0,
	    .oom_kills = 0,
	    .cpu_ms = 3910,
	    .processes_peak = 4,
	    .output_bytes = 4096,
	    .output_files = 1};
}

static void done(struct world *w)
{
	json_decref(w->stage.facts);
	json_decref(w->stage.record);
}

/* Sets a member of the record by a path such as "cause.verdict" to a JSON text. */
static void set(struct world *w, const char *path, const char *text)
{
	json_t *at = w->stage.record, *value = json_loads(text, JSON_DECODE_ANY, NULL);
	char part[64];
	const char *dot;

	assert_non_null(value);
	while ((dot = strchr(path, '.')) != NULL) {
		(void)snprintf(part, sizeof part, "%.*s", (int)(dot - path), path);
		at = json_object_get(at, part);
		path = dot + 1;
	}
	assert_int_equal(json_object_set_new(at, path, value), 0);
}

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
		o->wall_ms = 4100 + 7001;
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
	static const enum verdict verdicts[] = {VERDICT_ENGINE_FAILED, VERDICT_RECORD_INVALID,
	    VERDICT_RECORD_INVALID, VERDICT_RECORD_MISSING, VERDICT_RECORD_INVALID, VERDICT_RECORD_MISSING,
	    VERDICT_RECORD_MISSING, VERDICT_RECORD_INVALID, VERDICT_RECORD_INVALID, VERDICT_RECORD_MISMATCH,
	    VERDICT_RECORD_MISMATCH, VERDICT_RECORD_MISMATCH, VERDICT_RECORD_MISMATCH,
	    VERDICT_RECORD_MISMATCH, VERDICT_RECORD_MISMATCH, VERDICT_RECORD_MISMATCH,
	    VERDICT_RECORD_INVALID};
	struct world w;
	char what[32];

	(void)state;
	for (int i = 0; i < (int)(sizeof verdicts / sizeof *verdicts); i++) {
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
		expect(&w, what, verdicts[i]);
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
	    cmocka_unit_test(clean_run),
	    cmocka_unit_test(spoiled),
	    cmocka_unit_test(candidates_own),
	    cmocka_unit_test(limits),
	    cmocka_unit_test(memory),
	    cmocka_unit_test(own_readings),
	    cmocka_unit_test(requirements),
	    cmocka_unit_test(strict),
	    cmocka_unit_test(payloads),
	    cmocka_unit_test(notes),
	    cmocka_unit_test(words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
