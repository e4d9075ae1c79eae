/* The record: its exact bytes in a small case, its bounds in a large one, and the states of layers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/options.h"
#include "core/record.h"
#include "wire/frame.h"
#include "wire/limits.h"

static struct facts facts;
static struct layers layers;
static struct usage usage = {
    .wall_ms = {1500, HOW_EXACT},
    .cpu_ms = {20, HOW_LOWER_BOUND},
    .memory_peak = {LIMIT_NONE, HOW_UNAVAILABLE},
    .processes_peak = {3, HOW_MONITORED},
    .output_bytes = {0, HOW_EXACT},
    .output_files = {LIMIT_NONE, HOW_UNAVAILABLE},
};
static const struct log_usage logs[2] = {{10, 10, 0}, {100, 60, 40}};

static const char *after(const char *text, const char *key)
{
	const char *at = strstr(text, key);
	assert_non_null(at);
	return at + strlen(key);
}

static void starts(const char *text, const char *with)
{
	char cut[512] = {0};
	memcpy(cut, text, strnlen(text, strlen(with)));
	assert_string_equal(cut, with);
}

static void plain_record_byte_for_byte(void **state)
{
	static char text[RECORD_MAX];
	const struct ending end = {ENDING_CODE, 7};
	const struct plan *plan;
	struct plan none;
	const struct sealed sealed = {0};
	const struct sight sight = {0};
	struct cause cause;
	(void)state;
	plan_start(&none);
	plan = &none;
	layers_from(&layers, plan, NULL, &sealed, &sight);
	cause_start(&cause);
	cause_ended(&cause, &end, 1499);
	const struct record r = {
	    .version = "0.1.0", .layers = &layers, .ending = &end, .cause = &cause, .usage = &usage};
	long n = record_write(&r, text, sizeof text);
	assert_int_equal(n, strlen(text));
	starts(text, "{\"run\":null,\"init\":\"0.1.0\",\"facts\":null,\"layers\":[{\"name\":\"network\","
		     "\"state\":\"off\",");
	assert_string_equal(after(text, "\"streams are passed through\"}],"),
	    "\"exit\":{\"code\":7},\"cause\":{\"verdict\":\"EXIT_NONZERO\",\"limit\":null,\"observed\":7,"
	    "\"unit\":\"code\","
	    "\"at_ms\":1499,\"by_init\":false,\"proof\":\"the main process exited by "
	    "itself\"},\"usage\":{\"wall_ms\":{"
	    "\"value\":1500,\"how\":\"exact\"},\"cpu_ms\":{\"value\":20,\"how\":\"lower-bound\"},\"memory_"
	    "peak\":{\"value\":"
	    "null,\"how\":\"unavailable\"},\"processes_peak\":{\"value\":3,\"how\":\"monitored\"},\"output_"
	    "bytes\":{"
	    "\"value\":0,\"how\":\"exact\"},\"output_files\":{\"value\":null,\"how\":\"unavailable\"}},"
	    "\"logs\":null,"
	    "\"denied\":null,\"survivors\":0,\"output\":{\"bytes\":0,\"files\":null,\"how\":\"exact\"},"
	    "\"authenticated\":false}");
}

static void a_signal_and_logs(void **state)
{
	static char text[RECORD_MAX];
	const struct ending end = {ENDING_SIGNAL, 31};
	struct cause cause;
	(void)state;
	cause_start(&cause);
	cause_ended(&cause, &end, 1);
	const struct record r = {.run = "r-1",
	    .version = "0.1.0",
	    .facts = &facts,
	    .layers = &layers,
	    .ending = &end,
	    .cause = &cause,
	    .usage = &usage,
	    .logs = logs,
	    .survivors = 2,
	    .authenticated = true};
	assert_true(record_write(&r, text, sizeof text) > 0);
	starts(text, "{\"run\":\"r-1\",");
	starts(after(text, "\"exit\":"), "{\"signal\":31},");
	starts(after(text, "\"logs\":"),
	    "{\"stdout\":{\"bytes\":10,\"kept\":10,\"dropped\":0},\"stderr\":{\"bytes\":100,"
	    "\"kept\":60,\"dropped\":40}},\"denied\":null,\"survivors\":2,");
	assert_null(strstr(text, "authenticated"));
}

static void a_clean_end_has_no_verdict_and_nothing_run_has_no_exit(void **state)
{
	static char text[RECORD_MAX];
	const struct ending end = {ENDING_CODE, 0}, never = {ENDING_NONE, 0};
	struct cause cause;
	struct record r = {
	    .version = "0", .layers = &layers, .ending = &end, .cause = &cause, .usage = &usage};
	(void)state;
	cause_start(&cause);
	cause_ended(&cause, &end, 1);
	assert_true(record_write(&r, text, sizeof text) > 0);
	starts(
	    after(text, "\"cause\":"), "{\"verdict\":null,\"limit\":null,\"observed\":null,\"unit\":null,");
	r.ending = &never;
	assert_true(record_write(&r, text, sizeof text) > 0);
	starts(after(text, "\"exit\":"), "null,");
}

static void the_largest_record_fits_a_frame(void **state)
{
	static char text[RECORD_MAX];
	const struct ending end = {ENDING_SIGNAL, 9};
	struct cause cause;
	(void)state;
	memset(&facts, 0xff, sizeof facts);
	facts.pid1 = facts.pid_namespace = facts.no_new_privs = facts.root_writable = true;
	facts.core_pattern_piped = facts.incomplete = true;
	for (int i = 0; i < FACT_MOUNTS; i++) {
		facts.mount[i].at[FACT_PATH - 1] = facts.mount[i].type[23] = '\0';
		facts.mount[i].writable = facts.mount[i].nosuid = facts.mount[i].nodev =
		    facts.mount[i].noexec = true;
	}
	for (int i = 0; i < FACT_INTERFACES; i++)
		facts.interface[i][15] = '\0';
	for (int i = 0; i < FACT_DEVICES; i++)
		facts.device[i][31] = '\0';
	for (int i = 0; i < FACT_SOCKETS; i++)
		facts.socket[i][FACT_PATH - 1] = '\0';
	facts.mounts = FACT_MOUNTS;
	facts.interfaces = FACT_INTERFACES;
	facts.devices = FACT_DEVICES;
	facts.sockets = FACT_SOCKETS;
	facts.kernel[63] = '\0';
	char *const path[] = {facts.cgroup.path, facts.cgroup.memory, facts.cgroup.peak, facts.cgroup.limit,
	    facts.cgroup.oom, facts.cgroup.failcnt, facts.cgroup.cpu};
	for (size_t i = 0; i < sizeof path / sizeof *path; i++)
		path[i][FACT_PATH - 1] = '\0';
	cause_start(&cause);
	memset(cause.proof, 0xff, sizeof cause.proof - 1);
	const struct record r = {.run = "r-1",
	    .version = "0.1.0",
	    .facts = &facts,
	    .layers = &layers,
	    .ending = &end,
	    .cause = &cause,
	    .usage = &usage,
	    .logs = logs,
	    .survivors = UINT64_MAX - 1,
	    .authenticated = true};
	assert_in_range(record_write(&r, text, sizeof text), 1, RECORD_MAX - 1);
	for (size_t n = 1; n < 4000; n += 7)
		assert_int_equal(record_write(&r, text, n), -1);
}

static void layers_claim_nothing_that_was_not_seen(void **state)
{
	const struct sealed nothing = {0};
	const struct sight blind = {0};
	struct plan plan;
	struct layers l;
	(void)state;
	plan_start(&plan);
	plan.network = NETWORK_NONE;
	plan.text[OPTION_OUTPUT] = "/o";
	plan.scratch[plan.scratches++] = "/s";
	static const enum option asked[] = {
	    OPTION_MEMORY, OPTION_CPU_TIME, OPTION_PROCESSES, OPTION_OUTPUT_BYTES, OPTION_SCRATCH_BYTES};
	for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
		plan.number[asked[i]] = option_table[asked[i]].max;
	layers_from(&l, &plan, NULL, &nothing, &blind);
	for (int i = 0; i < LAYER_END; i++) {
		assert_true(l.state[i] != STATE_ENFORCED && l.state[i] != STATE_BY_ENGINE);
		assert_non_null(l.how[i]);
	}
	assert_int_equal(l.state[LAYER_OUTPUT], STATE_UNAVAILABLE);
	assert_int_equal(l.state[LAYER_MEMORY], STATE_UNAVAILABLE);
	assert_int_equal(l.state[LAYER_PROCESSES], STATE_BEST_EFFORT);
	assert_int_equal(l.state[LAYER_FILES], STATE_UNAVAILABLE);
}

static void layers_say_what_took_effect(void **state)
{
	static const struct sealed sealed = {.descriptors = STATE_ENFORCED,
	    .uid = STATE_ENFORCED,
	    .capabilities = STATE_ENFORCED,
	    .no_new_privs = STATE_ENFORCED,
	    .landlock = STATE_ENFORCED,
	    .seccomp = STATE_ENFORCED};
	static const struct sight sight = {.pid1 = true,
	    .counts_processes = true,
	    .exact_output = true,
	    .exact_memory = true,
	    .watches_memory = true,
	    .exact_cpu = true,
	    .bounds_scratch = true,
	    .pumps_logs = true,
	    .cpu_quota = true};
	struct facts quiet = {.interfaces = 1, .interface = {"lo"}};
	struct plan plan;
	struct layers l;
	(void)state;
	plan_start(&plan);
	plan.network = NETWORK_NONE;
	plan.number[OPTION_MEMORY] = MIB(64);
	layers_from(&l, &plan, &quiet, &sealed, &sight);
	assert_int_equal(l.state[LAYER_NETWORK], STATE_ENFORCED);
	assert_int_equal(l.state[LAYER_PRIVILEGES], STATE_ENFORCED);
	assert_int_equal(l.state[LAYER_FILES], STATE_ENFORCED);
	assert_int_equal(l.state[LAYER_PROCESSES], STATE_ENFORCED);
	assert_int_equal(l.state[LAYER_MEMORY], STATE_BY_ENGINE);
	assert_int_equal(l.state[LAYER_OUTPUT], STATE_OFF);
	quiet.routes = 1;
	plan.network = NETWORK_UNSET;
	layers_from(&l, &plan, &quiet, &sealed, &sight);
	assert_int_equal(l.state[LAYER_NETWORK], STATE_OFF);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(plain_record_byte_for_byte),
	    cmocka_unit_test(a_signal_and_logs),
	    cmocka_unit_test(a_clean_end_has_no_verdict_and_nothing_run_has_no_exit),
	    cmocka_unit_test(the_largest_record_fits_a_frame),
	    cmocka_unit_test(layers_claim_nothing_that_was_not_seen),
	    cmocka_unit_test(layers_say_what_took_effect),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
