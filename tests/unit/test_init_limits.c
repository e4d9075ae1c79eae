/* The watchers of time, CPU, memory and processes: on clocks and on counter files that the test moves. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "sys/clock.h"
#include "watch/clock.h"
#include "watch/cpu.h"
#include "watch/memory.h"
#include "watch/processes.h"
#include "wire/limits.h"

static char folder[64];
static struct facts facts;

static void put(const char *name, uint64_t value, const char *key)
{
	char path[128], text[64];
	int fd,
	    n = snprintf(text, sizeof text, "%s%s%llu\n", key, *key ? " " : "", (unsigned long long)value);

	(void)snprintf(path, sizeof path, "%s/%s", folder, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(fd >= 0 && write(fd, text, (size_t)n) == n);
	close(fd);
}

static void named(char to[FACT_FILE], const char *name)
{
	(void)snprintf(to, FACT_FILE, "%s/%s", folder, name);
}

/* A group of this process's own with nothing used yet: limit 1 MiB of memory, 10 processes. */
static int begin(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/limits-XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	memset(&facts, 0, sizeof facts);
	facts.cgroup.version = 1;
	facts.cgroup.memory_limit = MIB(1);
	facts.cgroup.pids_limit = 10;
	put("cgroup.procs", (uint64_t)getpid(), "");
	put("pids.current", 1, "");
	put("pids.peak", 1, "");
	put("pids.events", 0, "max");
	put("usage", 4096, "");
	put("peak", 4096, "");
	put("oom", 0, "oom_kill");
	put("failcnt", 0, "");
	put("cpu", 0, "");
	named(facts.cgroup.pids, "pids.current");
	named(facts.cgroup.pids_peak, "pids.peak");
	named(facts.cgroup.pids_events, "pids.events");
	named(facts.cgroup.memory, "usage");
	named(facts.cgroup.peak, "peak");
	named(facts.cgroup.oom, "oom");
	named(facts.cgroup.failcnt, "failcnt");
	named(facts.cgroup.cpu, "cpu");
	return 0;
}

static int end(void **state)
{
	static const char *const names[] = {"cgroup.procs", "pids.current", "pids.peak", "pids.events",
	    "usage", "peak", "oom", "failcnt", "cpu"};
	char path[128];
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		(void)snprintf(path, sizeof path, "%s/%s", folder, names[i]);
		(void)unlink(path);
	}
	return rmdir(folder);
}

/* ---- processes ---- */

static void processes_by_the_groups_count(void **state)
{
	struct processes p;
	struct breach b;
	bool walked;
	(void)state;
	processes_open(&p, -1, &facts, 4, false);
	assert_true(processes_counted(&p));
	put("pids.current", 5, ""); /* init and four */
	put("pids.peak", 5, "");
	assert_false(processes_look(&p, 1, &walked, &b));
	put("pids.current", 6, "");
	assert_false(processes_look(&p, 2, &walked, &b)); /* not due */
	assert_true(processes_look(&p, processes_next(&p), &walked, &b));
	assert_int_equal(b.verdict, VERDICT_PROCESSES);
	assert_int_equal(b.limit, 4);
	assert_int_equal(b.observed, 5);
}

static void a_peak_between_two_looks(void **state)
{
	struct processes p;
	struct breach b;
	(void)state;
	processes_open(&p, -1, &facts, 4, false);
	put("pids.peak", 6, "");
	assert_true(processes_end(&p, &b));
	assert_int_equal(b.observed, 5);
	assert_int_equal(processes_peak(&p).how, HOW_EXACT);
	assert_int_equal(processes_peak(&p).value, 5);
}

static void old_peaks_are_not_ours(void **state)
{
	struct processes p;
	struct breach b;
	(void)state;
	put("pids.peak", 9, "");
	processes_open(&p, -1, &facts, 4, false);
	assert_false(processes_end(&p, &b));
}

static void refused(uint64_t count, uint64_t peak, struct cause *c)
{
	struct processes p;
	const struct ending exit1 = {ENDING_CODE, 1};

	put("pids.peak", 1, "");
	put("pids.events", 3, "max");
	processes_open(&p, -1, &facts, 4, false);
	put("pids.events", 3 + count, "max");
	put("pids.peak", peak, "");
	cause_start(c);
	cause_ended(c, &exit1, 7);
	processes_after(&p, c, 8);
}

static void a_fork_refused(void **state)
{
	struct cause c;
	(void)state;
	refused(2, 10, &c);
	assert_int_equal(c.verdict, VERDICT_PROCESSES);
	assert_false(c.by_init);
	assert_int_equal(c.limit, 4);
	assert_int_equal(c.observed, 9);
	assert_int_equal(c.at_ms, 7);
	assert_non_null(strstr(c.proof, "refused 2 forks"));
	refused(0, 10, &c);
	assert_int_equal(c.verdict, VERDICT_EXIT_NONZERO);
	/* At an ancestor's limit: the own one was not reached, or there is none. */
	refused(2, 9, &c);
	assert_int_equal(c.verdict, VERDICT_EXIT_NONZERO);
	facts.cgroup.pids_limit = LIMIT_NONE;
	refused(2, 10, &c);
	assert_int_equal(c.verdict, VERDICT_EXIT_NONZERO);
}

static void decisions_stay(void **state)
{
	struct cause c;
	(void)state;
	cause_start(&c);
	cause_decide(&c, VERDICT_WALL_TIME, true, "x", 1);
	cause_forks(&c, 1, 4, 9, 2);
	assert_int_equal(c.verdict, VERDICT_WALL_TIME);
	cause_start(&c);
	cause_oom(&c, 1, 1, 5, 6, 2);
	cause_forks(&c, 1, 4, 9, 2);
	assert_int_equal(c.verdict, VERDICT_MEMORY);
}

static void strangers_in_the_group(void **state)
{
	struct processes p;
	(void)state;
	put("cgroup.procs", (uint64_t)getpid() + 1, "");
	processes_open(&p, -1, &facts, 4, false);
	assert_false(processes_counted(&p));
}

/* ---- memory ---- */

static enum verdict memory_says(uint64_t kills, uint64_t hits)
{
	struct memory m;
	struct cause c;
	const struct ending killed = {ENDING_SIGNAL, 9};

	put("oom", 1, "oom_kill");
	put("failcnt", 1, "");
	memory_open(&m, &facts, MIB(1));
	put("oom", 1 + kills, "oom_kill");
	put("failcnt", 1 + hits, "");
	cause_start(&c);
	cause_ended(&c, &killed, 5);
	memory_after(&m, &c, 6);
	return c.verdict;
}

static void oom_needs_both_counters(void **state)
{
	(void)state;
	assert_int_equal(memory_says(1, 3), VERDICT_MEMORY);
	assert_int_equal(memory_says(1, 0), VERDICT_SIGNALED); /* an ancestor's */
	assert_int_equal(memory_says(0, 3), VERDICT_SIGNALED); /* reclaimed in time */
}

static void watched_where_the_group_allows_more(void **state)
{
	struct memory m;
	struct breach b;
	(void)state;
	memory_open(&m, &facts, KIB(512));
	assert_false(memory_exact(&m));
	assert_true(m.watched);
	put("usage", KIB(512), "");
	assert_false(memory_look(&m, 1, &b));
	put("usage", KIB(512) + 1, "");
	assert_true(memory_look(&m, m.next, &b));
	assert_int_equal(b.verdict, VERDICT_MEMORY);
	assert_false(b.graceful);
}

static void tight_is_near_the_limit(void **state)
{
	struct memory m;
	(void)state;
	facts.cgroup.memory_limit = MIB(64);
	memory_open(&m, &facts, MIB(64));
	put("usage", MIB(62), "");
	assert_false(memory_is_tight(&m));
	put("usage", MIB(64) - 4096, "");
	assert_true(memory_is_tight(&m));
}

/* ---- CPU time ---- */

static void total_cpu_time_decides(void **state)
{
	struct cpu c;
	struct breach b;
	(void)state;
	facts.cgroup.version = 2;
	put("cpu", 5000000, "usage_usec");
	cpu_open(&c, &facts, 1000);
	assert_true(cpu_exact(&c));
	/* A tenth of a second of slack for what this process itself uses in between, which is taken off. */
	put("cpu", 5000000 + 990000, "usage_usec");
	assert_false(cpu_look(&c, 1, true, &b));
	put("cpu", 5000000 + 1100000, "usage_usec");
	assert_true(cpu_look(&c, 2, true, &b));
	assert_int_equal(b.verdict, VERDICT_CPU_TIME);
	assert_in_range(b.observed, 1000, 1100);
	assert_int_equal(cpu_used(&c).how, HOW_EXACT);
}

static void without_a_group_it_is_a_lower_bound(void **state)
{
	struct cpu c;
	struct breach b;
	const struct tree seen = {.cpu_us = 999999}, less = {.cpu_us = 10}, more = {.cpu_us = 1000000};
	(void)state;
	cpu_open(&c, NULL, 1000);
	cpu_walked(&c, &seen);
	assert_false(cpu_look(&c, 1, true, &b));
	cpu_walked(&c, &less); /* whoever ended takes nothing back */
	assert_true(cpu_now_ms(&c) >= 999);
	assert_int_equal(cpu_used(&c).how, HOW_LOWER_BOUND);
	cpu_walked(&c, &more);
	assert_true(cpu_look(&c, 2, true, &b));
}

/* ---- wall ---- */

static void wall_by_its_own_clock_alone(void **state)
{
	struct wall w;
	struct breach b;
	const uint64_t start = UINT64_C(1) << 60; /* wherever that clock stands */
	(void)state;
	wall_start(&w, start, 1000);
	assert_int_equal(wall_due(&w), start + 1000000);
	assert_false(wall_breach(&w, start + 999999, &b));
	assert_true(wall_breach(&w, start + 1000000, &b));
	assert_int_equal(b.observed, 1000);
	assert_true(b.graceful);
	assert_false(wall_breach(&w, start + 5000000, &b)); /* once */
	assert_int_equal(w.alarm, -1);
}

static void reaped_in_time_is_in_time(void **state)
{
	struct wall w;
	struct breach b;
	(void)state;
	wall_start(&w, 1000, 1000);
	wall_stop(&w, 900000);
	assert_true(wall_due(&w) == UINT64_MAX);
	assert_false(wall_breach(&w, UINT64_C(1) << 50, &b));
	assert_int_equal(wall_elapsed(&w, UINT64_C(1) << 50), 899);
	assert_int_equal(w.alarm, -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(processes_by_the_groups_count, begin, end),
	    cmocka_unit_test_setup_teardown(a_peak_between_two_looks, begin, end),
	    cmocka_unit_test_setup_teardown(old_peaks_are_not_ours, begin, end),
	    cmocka_unit_test_setup_teardown(a_fork_refused, begin, end),
	    cmocka_unit_test_setup_teardown(decisions_stay, begin, end),
	    cmocka_unit_test_setup_teardown(strangers_in_the_group, begin, end),
	    cmocka_unit_test_setup_teardown(oom_needs_both_counters, begin, end),
	    cmocka_unit_test_setup_teardown(watched_where_the_group_allows_more, begin, end),
	    cmocka_unit_test_setup_teardown(tight_is_near_the_limit, begin, end),
	    cmocka_unit_test_setup_teardown(total_cpu_time_decides, begin, end),
	    cmocka_unit_test_setup_teardown(without_a_group_it_is_a_lower_bound, begin, end),
	    cmocka_unit_test(wall_by_its_own_clock_alone),
	    cmocka_unit_test(reaped_in_time_is_in_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
