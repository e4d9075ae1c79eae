/*
 * The syscall table as a program: every line, the numbers without a line, foreign ABIs, and notification. Both architectures, by simulation.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "policy/assemble.h"
#include "policy/blob.h"
#include "policy/numbers.h"
#include "policy/simulate.h"

#define ERRNO(e) (SECCOMP_RET_ERRNO | (uint32_t)(e))
#define ALLOWED SECCOMP_RET_ALLOW
#define COUNT(a) (sizeof(a) / sizeof(a)[0])

enum { X86_64 = 0, AARCH64 = 1, X32 = 0x40000000 };

static const struct policy_arch *const arches[] = {&policy_arch_x86_64, &policy_arch_aarch64};
static const uint32_t audit[] = {0xc000003e, 0xc00000b7};

static struct sock_filter program[POLICY_PROGRAM_MAX];

static void build(
    const struct policy_arch *arch, enum policy_profile profile, const struct policy_switches *s)
{
	int n = policy_assemble_for(arch, program, POLICY_PROGRAM_MAX, profile, s);

	assert_in_range(n, 1, POLICY_PROGRAM_MAX);
	assert_true(policy_program_valid(program, (size_t)n));
}

static uint32_t answer(uint32_t arch, int number)
{
	struct seccomp_data data = {.nr = number, .arch = arch};

	return policy_simulate(program, &data);
}

static int number_of(const struct policy_arch *arch, const char *name)
{
	return policy_number_on(arch, name, strlen(name));
}

/* ---- every line ---- */

enum { NOBODY = 0, GPU_ONLY = 8, MULTI_UP = 12, ML_UP = 14, ALL = 15 };

#define CALL(name, where, profiles, otherwise, reason) {#name, #where, profiles, #otherwise},
static const struct {
	const char *name, *where;
	unsigned profiles;
	const char *otherwise;
} lines[] = {
#include "policy/table.h"
};
#undef CALL

static uint32_t answer_called(const char *otherwise)
{
	if (strcmp(otherwise, "EPERM") == 0)
		return ERRNO(EPERM);
	if (strcmp(otherwise, "ENOSYS") == 0)
		return ERRNO(ENOSYS);
	assert_string_equal(otherwise, "EOPNOTSUPP");
	return ERRNO(EOPNOTSUPP);
}

static void check_line(unsigned a, unsigned profile, size_t i)
{
	int number = number_of(arches[a], lines[i].name);
	int exists =
	    strcmp(lines[i].where, "ANY") == 0 || (strcmp(lines[i].where, "X86") == 0 && a == X86_64);
	uint32_t want = lines[i].profiles >> profile & 1 ? ALLOWED : answer_called(lines[i].otherwise);

	assert_int_equal(number >= 0, exists);
	/* Without arguments these two name family 0, which the argument rules deny. */
	if (strcmp(lines[i].name, "socket") == 0 || strcmp(lines[i].name, "socketpair") == 0)
		want = ERRNO(EPERM);
	if (exists && answer(audit[a], number) != want)
		fail_msg("%s, %s: %s", arches[a]->name, policy_profile_name(profile), lines[i].name);
}

static void every_line_is_answered_as_written(void **state)
{
	const struct policy_switches s = {0};

	(void)state;
	for (unsigned a = 0; a < COUNT(arches); a++)
		for (unsigned profile = 0; profile < POLICY_TREES; profile++) {
			build(arches[a], profile, &s);
			for (size_t i = 0; i < COUNT(lines); i++)
				check_line(a, profile, i);
		}
}

static void numbers_without_a_line_do_not_exist(void **state)
{
	const struct policy_switches s = {0};
	static const int numbers[] = {335, 336, 423, 451, 452, 462, 469, 512, 547, 1023, 0x3fffffff, -1};

	(void)state;
	for (unsigned a = 0; a < COUNT(arches); a++)
		for (unsigned profile = 0; profile < POLICY_TREES; profile++) {
			build(arches[a], profile, &s);
			for (size_t i = 0; i < COUNT(numbers); i++)
				assert_int_equal(answer(audit[a], numbers[i]), ERRNO(ENOSYS));
		}
	assert_int_equal(answer(audit[AARCH64], 0x40000001), ERRNO(ENOSYS));
}

/* By hand, not from the table: what must hold whatever the table becomes. */
static const struct {
	const char *name;
	uint32_t want;
} demands[] = {
    {"read", ALLOWED},
    {"write", ALLOWED},
    {"close", ALLOWED},
    {"execve", ALLOWED},
    {"exit_group", ALLOWED},
    {"sendmsg", ALLOWED},
    {"rt_sigreturn", ALLOWED},
    {"restart_syscall", ALLOWED},
    {"clone", ALLOWED},
    {"futex", ALLOWED},
    {"mmap", ALLOWED},
    {"mprotect", ALLOWED},
    {"sched_setaffinity", ALLOWED},
    {"rseq", ALLOWED},
    {"membarrier", ALLOWED},
    {"shmget", ALLOWED},
    {"memfd_create", ALLOWED},
    {"mbind", ALLOWED},
    {"pidfd_open", ALLOWED},
    {"getrandom", ALLOWED},
    {"inotify_init1", ALLOWED},
    {"clone3", ERRNO(ENOSYS)},
    {"io_uring_setup", ERRNO(ENOSYS)},
    {"io_uring_enter", ERRNO(ENOSYS)},
    {"io_uring_register", ERRNO(ENOSYS)},
    {"bpf", ERRNO(EPERM)},
    {"perf_event_open", ERRNO(EPERM)},
    {"userfaultfd", ERRNO(EPERM)},
    {"keyctl", ERRNO(EPERM)},
    {"add_key", ERRNO(EPERM)},
    {"request_key", ERRNO(EPERM)},
    {"ptrace", ERRNO(EPERM)},
    {"process_vm_readv", ERRNO(EPERM)},
    {"process_vm_writev", ERRNO(EPERM)},
    {"kexec_load", ERRNO(EPERM)},
    {"kexec_file_load", ERRNO(EPERM)},
    {"init_module", ERRNO(EPERM)},
    {"finit_module", ERRNO(EPERM)},
    {"delete_module", ERRNO(EPERM)},
    {"open_by_handle_at", ERRNO(EPERM)},
    {"mount", ERRNO(EPERM)},
    {"umount2", ERRNO(EPERM)},
    {"pivot_root", ERRNO(EPERM)},
    {"chroot", ERRNO(EPERM)},
    {"setns", ERRNO(EPERM)},
    {"fsopen", ERRNO(EPERM)},
    {"open_tree", ERRNO(EPERM)},
    {"move_mount", ERRNO(EPERM)},
    {"mount_setattr", ERRNO(EPERM)},
    {"pidfd_getfd", ERRNO(EPERM)},
    {"reboot", ERRNO(EPERM)},
    {"swapon", ERRNO(EPERM)},
    {"settimeofday", ERRNO(EPERM)},
    {"clock_settime", ERRNO(EPERM)},
    {"syslog", ERRNO(EPERM)},
    {"acct", ERRNO(EPERM)},
    {"fanotify_init", ERRNO(EPERM)},
    {"sethostname", ERRNO(EPERM)},
};

static void demands_hold_on_every_architecture(void **state)
{
	const struct policy_switches s = {0};

	(void)state;
	for (unsigned a = 0; a < COUNT(arches); a++) {
		build(arches[a], POLICY_ML, &s);
		for (size_t i = 0; i < COUNT(demands); i++) {
			int number = number_of(arches[a], demands[i].name);

			assert_true(number >= 0);
			if (answer(audit[a], number) != demands[i].want)
				fail_msg("%s: %s", arches[a]->name, demands[i].name);
		}
	}
}

/* `#define __NR_name number`; `name` has room for any line. */
static bool parse_define(const char *line, char *name, int *number)
{
	static const char start[] = "#define __NR_";
	size_t length;

	if (strncmp(line, start, sizeof start - 1) != 0)
		return false;
	line += sizeof start - 1;
	length = strcspn(line, " ");
	memcpy(name, line, length);
	name[length] = '\0';
	*number = (int)strtol(line + length, NULL, 10);
	return true;
}

/* The kernel's own list, where its headers lie on this machine. */
static void the_kernel_headers_hold_nothing_unclassified(void **state)
{
	const struct policy_switches s = {0};
	const struct policy_arch *arch = &policy_arch_x86_64;
	FILE *f = fopen("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "re");
	char line[256], name[256];
	int number, seen = 0;

	(void)state;
	if (f == NULL)
		skip();
	build(arch, POLICY_ML, &s);
	while (fgets(line, sizeof line, f) != NULL) {
		if (!parse_define(line, name, &number))
			continue;
		seen++;
		if (number > arch->last)
			assert_int_equal(answer(audit[X86_64], number), ERRNO(ENOSYS));
		else if (number_of(arch, name) != number)
			fail_msg("%s (%d) has no line", name, number);
	}
	fclose(f);
	assert_true(seen > 300);
}

/* Linux 6.18, by hand: the calls behind the pinned library's last. On both architectures they have these numbers. */
static const char *const newest[] = {"cachestat", "fchmodat2", "map_shadow_stack", "futex_wake", "futex_wait",
    "futex_requeue", "statmount", "listmount", "lsm_get_self_attr", "lsm_set_self_attr", "lsm_list_modules",
    "mseal", "setxattrat", "getxattrat", "listxattrat", "removexattrat", "open_tree_attr", "file_getattr",
    "file_setattr"};
enum { NEWEST_FIRST = 451, NEWEST_LAST = 469 };
_Static_assert(
    sizeof newest / sizeof newest[0] == NEWEST_LAST - NEWEST_FIRST + 1, "every number has its name");

static size_t line_of(const char *name)
{
	for (size_t i = 0; i < COUNT(lines); i++)
		if (strcmp(lines[i].name, name) == 0)
			return i;
	fail_msg("%s has no line", name);
	return 0;
}

/* A call newer than the library has a line that says why nobody needs it, or a number like any other. */
static void the_newest_calls_are_classified(void **state)
{
	const struct policy_switches s = {0};

	(void)state;
	for (size_t i = 0; i < COUNT(newest); i++)
		for (unsigned a = 0; a < COUNT(arches); a++) {
			int number = number_of(arches[a], newest[i]);

			assert_string_equal(lines[line_of(newest[i])].where, number < 0 ? "NEWER" : "ANY");
			assert_true(number < 0 || number == NEWEST_FIRST + (int)i);
			build(arches[a], POLICY_GPU, &s);
			if (number < 0)
				assert_int_equal(answer(audit[a], NEWEST_FIRST + (int)i), ERRNO(ENOSYS));
		}
}

/* ---- other ABIs ---- */

static void foreign_abis_are_killed(void **state)
{
	static const uint32_t foreign[] = {
	    0x40000003 /* i386 */, 0x40000028 /* arm */, 0xc00000f3 /* riscv64 */, 0};
	const struct policy_switches plain = {0}, notify = {.answer = POLICY_ANSWER_NOTIFY};
	const struct policy_switches none = {.denies = 0, .network = POLICY_NETWORK_NONE};
	enum { SOCKETCALL = 102 };

	(void)state;
	for (unsigned a = 0; a < COUNT(arches); a++) {
		for (unsigned profile = 0; profile < POLICY_TREES; profile++) {
			build(arches[a], profile, &plain);
			for (size_t i = 0; i < COUNT(foreign); i++)
				assert_int_equal(answer(foreign[i], SOCKETCALL), SECCOMP_RET_KILL_PROCESS);
			assert_int_equal(answer(audit[1 - a], 0), SECCOMP_RET_KILL_PROCESS);
		}
		build(arches[a], POLICY_ML, &notify);
		assert_int_equal(
		    answer(foreign[0], SOCKETCALL) & SECCOMP_RET_ACTION_FULL, SECCOMP_RET_USER_NOTIF);
		build(arches[a], POLICY_NONE, &none);
		assert_int_equal(answer(foreign[0], SOCKETCALL), SECCOMP_RET_KILL_PROCESS);
	}
	build(&policy_arch_x86_64, POLICY_ML, &plain);
	assert_int_equal(answer(audit[X86_64], X32 | 0), SECCOMP_RET_KILL_PROCESS);
	assert_int_equal(answer(audit[X86_64], X32 | 520), SECCOMP_RET_KILL_PROCESS);
	assert_int_equal(answer(audit[X86_64], (int)0xc0000001u), SECCOMP_RET_KILL_PROCESS);
}

/* ---- notification ---- */

static void denials_alone_are_notified(void **state)
{
	const struct policy_switches s = {.answer = POLICY_ANSWER_NOTIFY};

	(void)state;
	for (unsigned a = 0; a < COUNT(arches); a++) {
		build(arches[a], POLICY_ML, &s);
		for (size_t i = 0; i < COUNT(demands); i++) {
			uint32_t want = demands[i].want;

			if (want == ERRNO(EPERM))
				want = SECCOMP_RET_USER_NOTIF;
			assert_int_equal(answer(audit[a], number_of(arches[a], demands[i].name)), want);
		}
	}
}

static void the_sentinel_never_reaches_the_kernel(void **state)
{
	(void)state;
	for (unsigned a = 0; a < COUNT(arches); a++)
		for (int how = POLICY_ANSWER_ERRNO; how <= POLICY_ANSWER_NOTIFY; how++) {
			const struct policy_switches s = {.answer = (enum policy_answer)how,
			    .guard = true,
			    .guard_pid = 7,
			    .guard_group = 6,
			    .monitored = true,
			    .network = POLICY_NETWORK_LOOPBACK};
			for (unsigned profile = 0; profile <= POLICY_NONE; profile++) {
				int n =
				    policy_assemble_for(arches[a], program, POLICY_PROGRAM_MAX, profile, &s);

				assert_in_range(n, profile == POLICY_NONE ? 100 : 300, POLICY_PROGRAM_MAX);
				for (int i = 0; i < n; i++)
					assert_false(program[i].code == (BPF_RET | BPF_K) &&
						     program[i].k == POLICY_DENIED);
			}
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_line_is_answered_as_written),
	    cmocka_unit_test(numbers_without_a_line_do_not_exist),
	    cmocka_unit_test(demands_hold_on_every_architecture),
	    cmocka_unit_test(the_kernel_headers_hold_nothing_unclassified),
	    cmocka_unit_test(the_newest_calls_are_classified),
	    cmocka_unit_test(foreign_abis_are_killed),
	    cmocka_unit_test(denials_alone_are_notified),
	    cmocka_unit_test(the_sentinel_never_reaches_the_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
