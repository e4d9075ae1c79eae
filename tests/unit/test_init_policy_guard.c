/*
 * The guard: no call that names init, however it names it, gets past the filter; every row by hand.
 */
#include "policy_rows.h"

enum { SIGTERM_ = 15, SELF = 4711 };
#define MINUS(n) (0u - (n))

/* Calls that name process 1, and the same calls naming another. */
static const struct row guarded[] = {
    {"kill", {1, SIGTERM_}, DENIED},
    {"kill", {SELF, SIGTERM_}, OK},
    {"kill", {0, SIGTERM_}, OK},
    {"kill", {MINUS(1), SIGTERM_}, OK},
    {"kill", {MINUS(SELF), SIGTERM_}, OK},
    {"tkill", {1, SIGTERM_}, DENIED},
    {"tkill", {SELF, 1}, OK},
    {"tgkill", {1, 1, SIGTERM_}, DENIED},
    {"tgkill", {SELF, 1, SIGTERM_}, DENIED},
    {"tgkill", {1, SELF, SIGTERM_}, DENIED},
    {"tgkill", {SELF, SELF, 1}, OK},
    {"rt_sigqueueinfo", {1, SIGTERM_}, DENIED},
    {"rt_sigqueueinfo", {SELF, 1}, OK},
    {"rt_tgsigqueueinfo", {1, 1, SIGTERM_}, DENIED},
    {"rt_tgsigqueueinfo", {SELF, 1, SIGTERM_}, DENIED},
    {"rt_tgsigqueueinfo", {SELF, SELF, 1}, OK},
    {"pidfd_open", {1}, DENIED},
    {"pidfd_open", {SELF}, OK},
    {"pidfd_send_signal", {3, SIGTERM_}, DENIED},
    {"pidfd_send_signal", {1, 1}, DENIED},
    {"pidfd_getfd", {3, 1}, DENIED},
    {"prlimit64", {1, 0}, DENIED},
    {"prlimit64", {0, 7}, OK},
    {"prlimit64", {SELF, 1}, OK},
    {"sched_setparam", {1}, DENIED},
    {"sched_setparam", {0}, OK},
    {"sched_setscheduler", {1, 3}, DENIED},
    {"sched_setscheduler", {0, 1}, OK},
    {"sched_setattr", {1}, DENIED},
    {"sched_setattr", {SELF}, OK},
    {"sched_setaffinity", {1, 8}, DENIED},
    {"sched_setaffinity", {0, 8}, OK},
    {"sched_setaffinity", {SELF, 1}, OK},
    {"setpriority", {0, 1, 19}, DENIED},
    {"setpriority", {1, 1, 19}, DENIED},
    {"setpriority", {2, 0, 19}, DENIED},
    {"setpriority", {2, 1000, 19}, DENIED},
    {"setpriority", {0, 0, 19}, OK},
    {"setpriority", {0, SELF, 1}, OK},
    {"setpriority", {1, 0, 1}, OK},
    {"ioprio_set", {1, 1, 0}, DENIED},
    {"ioprio_set", {2, 1, 0}, DENIED},
    {"ioprio_set", {3, 0, 0}, DENIED},
    {"ioprio_set", {3, 1000, 0}, DENIED},
    {"ioprio_set", {1, 0, 0}, OK},
    {"ioprio_set", {1, SELF, 1}, OK},
    {"fcntl", {3, 8, 1}, DENIED},
    {"fcntl", {3, 8, MINUS(1)}, DENIED},
    {"fcntl", {3, 8, SELF}, OK},
    {"fcntl", {3, 8, MINUS(SELF)}, OK},
    {"fcntl", {3, 15, 0x1000}, DENIED},
    {"fcntl", {3, 10, SIGTERM_}, DENIED},
    {"fcntl", {3, 4, 1}, OK},
    {"fcntl", {3, 0, 1}, OK},
    {"fcntl", {1, 1, 1}, OK},
    {"fcntl", {8, 2, 1}, OK},
    {"ioctl", {3, 0x8901, 0}, DENIED},
    {"ioctl", {3, 0x8902, 0}, DENIED},
    {"ioctl", {3, 0x8903, 0}, OK},
    /* asking about process 1 stays free */
    {"getpriority", {0, 1}, OK},
    {"sched_getaffinity", {1}, OK},
    {"getpgid", {1}, OK},
};

static void nobody_names_process_1(void **state)
{
	const struct policy_switches s = {.guard = true, .guard_pid = 1, .guard_group = 1};

	(void)state;
	check(POLICY_ML, &s, guarded, COUNT(guarded));
	check(POLICY_NONE, &s, guarded, COUNT(guarded));
	check(POLICY_GPU, &s, guarded, COUNT(guarded));
}

static void the_guard_outranks_allow(void **state)
{
	static const char *const names[] = {"ptrace", "process_vm_readv", "process_vm_writev", "kcmp",
	    "move_pages", "migrate_pages", "perf_event_open", "kill", "prlimit64"};
	static const struct row rows[] = {
	    {"ptrace", {16, 1}, DENIED},
	    {"ptrace", {16, SELF}, OK},
	    {"process_vm_readv", {1}, DENIED},
	    {"process_vm_readv", {SELF}, OK},
	    {"process_vm_writev", {1}, DENIED},
	    {"kcmp", {1, SELF}, DENIED},
	    {"kcmp", {SELF, 1}, DENIED},
	    {"kcmp", {SELF, SELF}, OK},
	    {"move_pages", {1}, DENIED},
	    {"migrate_pages", {1}, DENIED},
	    {"perf_event_open", {0, 1}, DENIED},
	    {"perf_event_open", {0, 0}, OK},
	    {"kill", {1}, DENIED},
	    {"prlimit64", {1}, DENIED},
	};

	(void)state;
	for (unsigned a = 0; a < COUNT(arches); a++) {
		int allow[COUNT(names)];
		const struct policy_switches s = {
		    .guard = true, .guard_pid = 1, .guard_group = 1, .allow = allow, .allows = COUNT(names)};

		for (size_t i = 0; i < COUNT(names); i++)
			allow[i] = policy_number_on(arches[a], names[i], strlen(names[i]));
		assert_true(policy_assemble_for(arches[a], program, POLICY_PROGRAM_MAX, POLICY_ML, &s) > 0);
		for (size_t i = 0; i < COUNT(rows); i++)
			for (uint64_t high = 0; high < 2; high++) {
				int number = policy_number_on(arches[a], rows[i].call, strlen(rows[i].call));

				assert_int_equal(
				    ask(arches[a], number, &rows[i], high), answer_of(rows[i].want));
			}
	}
}

/* Without a pid namespace init is a process among others, and a broadcast reaches it. */
static void beside_other_processes_more_names_reach_init(void **state)
{
	static const struct row rows[] = {
	    {"kill", {500}, DENIED},
	    {"kill", {MINUS(500)}, DENIED},
	    {"kill", {MINUS(400)}, DENIED},
	    {"kill", {MINUS(1)}, DENIED},
	    {"kill", {1}, OK},
	    {"kill", {400}, OK},
	    {"kill", {0}, OK},
	    {"fcntl", {3, 8, MINUS(400)}, DENIED},
	    {"fcntl", {3, 8, 500}, DENIED},
	    {"fcntl", {3, 8, 1}, OK},
	    {"setpriority", {1, 400, 1}, DENIED},
	    {"setpriority", {0, 500, 1}, DENIED},
	    {"setpriority", {0, 1, 1}, OK},
	    {"prlimit64", {500}, DENIED},
	    {"prlimit64", {1}, OK},
	};
	const struct policy_switches s = {.guard = true, .guard_pid = 500, .guard_group = 400};

	(void)state;
	check(POLICY_ML, &s, rows, COUNT(rows));
}

static void a_group_outside_the_namespace_is_no_name(void **state)
{
	static const struct row rows[] = {
	    {"kill", {0}, OK},
	    {"kill", {1}, DENIED},
	    {"fcntl", {3, 8, 0}, OK},
	    {"setpriority", {1, 0, 1}, OK},
	    {"setpriority", {1, 1, 1}, DENIED},
	    {"fcntl", {3, 8, MINUS(1)}, DENIED},
	    {"ioprio_set", {1, 1, 0}, DENIED},
	    {"ioprio_set", {2, 0, 0}, OK},
	};
	const struct policy_switches s = {.guard = true, .guard_pid = 1, .guard_group = 0};

	(void)state;
	check(POLICY_ML, &s, rows, COUNT(rows));
}

static void with_a_uid_of_its_own_the_kernel_guards(void **state)
{
	static const struct row rows[] = {
	    {"kill", {1, SIGTERM_}, OK},
	    {"prlimit64", {1}, OK},
	    {"pidfd_send_signal", {3}, OK},
	    {"fcntl", {3, 8, 1}, OK},
	    {"ioctl", {3, 0x8901}, OK},
	};
	const struct policy_switches s = {.guard_pid = 1, .guard_group = 1};

	(void)state;
	check(POLICY_ML, &s, rows, COUNT(rows));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(nobody_names_process_1),
	    cmocka_unit_test(the_guard_outranks_allow),
	    cmocka_unit_test(beside_other_processes_more_names_reach_init),
	    cmocka_unit_test(a_group_outside_the_namespace_is_no_name),
	    cmocka_unit_test(with_a_uid_of_its_own_the_kernel_guards),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
