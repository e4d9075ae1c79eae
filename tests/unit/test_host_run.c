/* scorer-host run's own small parts: its command line, its ticket, its live line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "command/run.h"
#include "command/run_live.h"
#include "command/run_ticket.h"
#include "intake/output_image.h"

static struct run_options o;
static struct fault fault;

/* The words are literals: they are copied, since a command line may be written to. */
static int read_line(const char *const *words)
{
	static char *argv[32];
	int argc = 0;

	for (int i = 0; argv[i]; i++)
		free(argv[i]);
	while (words[argc]) {
		argv[argc] = strdup(words[argc]);
		argc++;
	}
	argv[argc] = NULL;
	return run_options_read(argc, argv, &o, &fault);
}
#define LINE(...) read_line((const char *[]){"run", __VA_ARGS__, NULL})
#define BOTH "--task", "t", "--rootfs", "r"

static void options_that_are_taken(void **state)
{
	(void)state;
	assert_int_equal(LINE(BOTH, "--json", "--submission", "team07/3", "--limit", "memory=64MiB",
			     "--limit", "wall-time=90s", "--", "cmd", "--json", "--"),
	    0);
	assert_true(o.json);
	assert_string_equal(o.task, "t");
	assert_string_equal(o.submission, "team07/3");
	assert_int_equal(o.limit[OPTION_MEMORY], 64 << 20);
	assert_int_equal(o.limit[OPTION_WALL_TIME], 90000);
	assert_true(o.limit[OPTION_GRACE] == LIMIT_NONE);
	assert_string_equal(o.command[0], "cmd");
	assert_string_equal(o.command[2], "--");
	assert_null(o.command[3]);
}

static void options_that_are_refused(void **state)
{
	(void)state;
#define REFUSED(...) \
	do { \
		assert_int_equal(LINE(__VA_ARGS__), -1); \
		assert_int_equal(fault.verdict, VERDICT_NONE); \
		assert_true(fault.what[0] && fault.hint[0]); \
	} while (0)
	REFUSED("--task", "t");
	REFUSED("--rootfs", "r");
	REFUSED(BOTH, "--task", "t");
	REFUSED(BOTH, "--json", "--json");
	REFUSED(BOTH, "--image", "x");
	REFUSED(BOTH, "--files", "x");
	REFUSED(BOTH, "--bogus", "x");
	REFUSED(BOTH, "stray");
	REFUSED(BOTH, "--home");
	REFUSED(BOTH, "--home", "--", "x");
	REFUSED(BOTH, "--home", "");
	REFUSED(BOTH, "--");
	REFUSED(BOTH, "--submission", "team07");
	REFUSED(BOTH, "--submission", "../x/3");
	REFUSED(BOTH, "--submission", "a/b/3");
	REFUSED(BOTH, "--submission", "a/");
	REFUSED(BOTH, "--limit", "memory");
	REFUSED(BOTH, "--limit", "memory=1");
	REFUSED(BOTH, "--limit", "memory=x");
	REFUSED(BOTH, "--limit", "uid=5");
	REFUSED(BOTH, "--limit", "memory=64MiB", "--limit", "memory=64MiB");
	assert_int_equal(LINE("--help"), 0);
	assert_true(o.help);
}

static void tickets_in_the_grammar(void **state)
{
	static uint8_t buffer[4096];
	static const uint8_t key[CHAIN_KEY] = {7};
	char tmp[] = "/tmp", shm[] = "/dev/shm", a[] = "A=b c", x[] = "/bin/x", uid[] = "--uid", zero[] = "0";
	char *scratch[] = {tmp, shm}, *env[] = {a}, *command[] = {x, uid, zero, NULL};
	struct task task = {.scratch = scratch,
	    .scratch_count = 2,
	    .env = env,
	    .env_count = 1,
	    .require = UINT32_C(1) << REQUIRE_NO_NETWORK | UINT32_C(1) << REQUIRE_IMAGE_DIGEST |
		       UINT32_C(1) << REQUIRE_LANDLOCK};
	struct ticket_source source = {
	    .run = "r-1", .key = key, .uid = 0x70000001, .task = &task, .command = command};
	const char *argv[TICKET_WORDS];
	uint8_t got[CHAIN_KEY];
	struct ticket t;
	int n, dash = 0, seen = 0;
	(void)state;

	for (unsigned i = 0; i < OPTION_END; i++)
		task.limit[i] = option_table[i].where & ON_TASK ? option_table[i].preset : LIMIT_NONE;
	ticket_start(&t, buffer, sizeof buffer);
	run_ticket(&t, &source);
	assert_true(ticket_fits(&t));
	assert_int_equal(ticket_key(buffer, t.length, got), 0);
	assert_memory_equal(got, key, CHAIN_KEY);
	n = ticket_split(buffer, t.length, argv);
	assert_true(n > 0);
	while (strcmp(argv[dash], "--") != 0)
		dash++;
	assert_int_equal(dash % 2, 0);
	assert_string_equal(argv[dash + 1], "/bin/x");
	assert_int_equal(n, dash + 4);
	for (int i = 0; i < dash; i += 2) {
		const struct option_row *row;
		enum option which = option_find(argv[i] + 2, strlen(argv[i]) - 2, ON_TICKET);
		uint64_t v;
		assert_true(which != OPTION_END);
		row = &option_table[which];
		if (row->kind == VALUE_NUMBER)
			assert_int_equal(option_number(which, argv[i + 1], &v), 0);
		if (which == OPTION_REQUIRE) {
			assert_string_equal(
			    argv[i + 1], "landlock,no-network"); /* what the host decides stays with it */
			seen++;
		}
		if (which == OPTION_UID) {
			assert_string_equal(argv[i + 1], "1879048193");
			seen++;
		}
	}
	assert_int_equal(seen, 2);
}

/* The value of an option in a ticket for a task with this profile. */
static const char *value_for(char *profile, enum option wanted)
{
	static uint8_t buffer[4096];
	static const uint8_t key[CHAIN_KEY] = {7};
	char x[] = "/bin/x", *command[] = {x, NULL};
	struct task task = {.syscalls = profile};
	struct ticket_source source = {
	    .run = "r-1", .key = key, .uid = 0x70000001, .task = &task, .command = command};
	static const char *argv[TICKET_WORDS];
	struct ticket t;
	int n;

	for (unsigned i = 0; i < OPTION_END; i++)
		task.limit[i] = option_table[i].where & ON_TASK ? option_table[i].preset : LIMIT_NONE;
	ticket_start(&t, buffer, sizeof buffer);
	run_ticket(&t, &source);
	assert_true(ticket_fits(&t));
	n = ticket_split(buffer, t.length, argv);
	for (int i = 0; i + 1 < n && strcmp(argv[i], "--") != 0; i += 2)
		if (option_find(argv[i] + 2, strlen(argv[i]) - 2, ON_TICKET) == wanted)
			return argv[i + 1];
	fail_msg("no --%s", option_table[wanted].name);
	return NULL;
}

static void programs_of_several_ranks_find_each_other(void **state)
{
	static char names[][9] = {"strict", "ml", "ml-multi", "gpu", "none"};
	static const char *const network[] = {"none", "none", "loopback", "loopback", "none"};
	(void)state;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		assert_string_equal(value_for(names[i], OPTION_SYSCALLS), names[i]);
		assert_string_equal(value_for(names[i], OPTION_NETWORK), network[i]);
	}
	assert_string_equal(value_for(NULL, OPTION_SYSCALLS), "ml");
	assert_string_equal(value_for(NULL, OPTION_NETWORK), "none");
}

static void a_line_to_glance_at(void **state)
{
	struct task task = {.name = NULL};
	struct live l = {.who = "team07/3", .task = &task};
	struct sample s = {.elapsed_ms = 41999, .memory_bytes = MIB(310), .output_bytes = 0, .denied = 0};
	char text[256];
	(void)state;
	task.limit[OPTION_WALL_TIME] = 60000;
	task.limit[OPTION_MEMORY] = GIB(1);
	task.limit[OPTION_OUTPUT_BYTES] = MIB(1);
	assert_string_equal(
	    live_text(&l, &s, text), "team07/3  candidate  41s/60s  mem 310MiB/1GiB  out 0B/1MiB  denied 0");
	s.denied = s.memory_bytes = LIMIT_NONE;
	assert_string_equal(
	    live_text(&l, &s, text), "team07/3  candidate  41s/60s  mem ?/1GiB  out 0B/1MiB  denied ?");
}

static void an_image_larger_than_the_grant(void **state)
{
	(void)state;
	assert_true(output_image_size(MIB(1), 64) >= MIB(1) + MIB(1) / 8 + MIB(1));
	/* one inode for each block is all that ext4 has */
	assert_true(output_image_size(KIB(64), 1000000) >= UINT64_C(1000000) * 1024);
	assert_int_equal(output_image_size(12345, 7) % 4096, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(options_that_are_taken),
	    cmocka_unit_test(options_that_are_refused),
	    cmocka_unit_test(tickets_in_the_grammar),
	    cmocka_unit_test(programs_of_several_ranks_find_each_other),
	    cmocka_unit_test(a_line_to_glance_at),
	    cmocka_unit_test(an_image_larger_than_the_grant),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
