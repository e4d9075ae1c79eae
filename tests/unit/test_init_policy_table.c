/*
 * The syscall table as a program: every line, the numbers without a line, foreign ABIs, --deny and --allow, and the
 * names. Both architectures, by simulation.
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

enum { ALL_ML = 1, ML_UP_ML = 1, MULTI_UP_ML = 0, GPU_ONLY_ML = 0, NOBODY_ML = 0 };

#define CALL(name, where, profiles, otherwise, reason) {#name, #where, profiles##_ML, #otherwise},
static const struct {
	const char *name, *where;
	int allowed;
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

static void every_line_is_answered_as_written(void **state)
{
	const struct policy_switches s = {0};

	(void)state;
	for (unsigned a = 0; a < COUNT(arches); a++) {
		build(arches[a], POLICY_ML, &s);
		for (size_t i = 0; i < COUNT(lines); i++) {
			int number = number_of(arches[a], lines[i].name);
			int exists = strcmp(lines[i].where, "ANY") == 0 ||
				     (strcmp(lines[i].where, "X86") == 0 && a == X86_64);
			uint32_t want = lines[i].allowed ? ALLOWED : answer_called(lines[i].otherwise);

			assert_int_equal(number >= 0, exists);
			/* Without arguments these two name family 0, which the argument rules deny. */
			if (number == number_of(arches[a], "socket") ||
			    number == number_of(arches[a], "socketpair"))
				want = ERRNO(EPERM);
			if (exists && answer(audit[a], number) != want)
				fail_msg("%s: %s", arches[a]->name, lines[i].name);
		}
	}
}

static void numbers_without_a_line_do_not_exist(void **state)
{
	const struct policy_switches s = {0};
	static const int numbers[] = {335, 336, 423, 451, 452, 462, 469, 512, 547, 1023, 0x3fffffff, -1};

	(void)state;
	for (unsigned a = 0; a < COUNT(arches); a++) {
		build(arches[a], POLICY_ML, &s);
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

/* The kernel's own list, where its headers lie on this machine. */
static void the_kernel_headers_hold_nothing_unclassified(void **state)
{
	const struct policy_switches s = {0};
	const struct policy_arch *arch = &policy_arch_x86_64;
	FILE *f = fopen("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "re");
	char line[256], name[64];
	int number, seen = 0;

	(void)state;
	if (f == NULL)
		skip();
	build(arch, POLICY_ML, &s);
	while (fgets(line, sizeof line, f) != NULL) {
		if (sscanf(line, "#define __NR_%63s %d", name, &number) != 2)
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
		build(arches[a], POLICY_ML, &plain);
		for (size_t i = 0; i < COUNT(foreign); i++)
			assert_int_equal(answer(foreign[i], SOCKETCALL), SECCOMP_RET_KILL_PROCESS);
		assert_int_equal(answer(audit[1 - a], 0), SECCOMP_RET_KILL_PROCESS);
		build(arches[a], POLICY_ML, &notify);
		assert_int_equal(answer(foreign[0], SOCKETCALL), SECCOMP_RET_USER_NOTIF);
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
			int n = policy_assemble_for(arches[a], program, POLICY_PROGRAM_MAX, POLICY_ML, &s);

			assert_in_range(n, 300, POLICY_PROGRAM_MAX);
			for (int i = 0; i < n; i++)
				assert_false(
				    program[i].code == (BPF_RET | BPF_K) && program[i].k == POLICY_DENIED);
		}
}

/* ---- lists ---- */

static void deny_and_allow_stand_before_the_tree(void **state)
{
	(void)state;
	for (unsigned a = 0; a < COUNT(arches); a++) {
		int both = number_of(arches[a], "ptrace"), mount = number_of(arches[a], "mount"),
		    socket = number_of(arches[a], "socket"), getpid = number_of(arches[a], "getpid");
		const int deny[] = {getpid, both}, allow[] = {both, mount, socket};
		const struct policy_switches s = {.deny = deny, .denies = 2, .allow = allow, .allows = 3};

		build(arches[a], POLICY_ML, &s);
		assert_int_equal(answer(audit[a], getpid), ERRNO(EPERM));
		assert_int_equal(answer(audit[a], both), ERRNO(EPERM));
		assert_int_equal(answer(audit[a], mount), ALLOWED);
		/* family 0: no --allow lifts an argument rule */
		assert_int_equal(answer(audit[a], socket), ERRNO(EPERM));
		assert_int_equal(answer(audit[a], number_of(arches[a], "gettid")), ALLOWED);
	}
}

static void every_name_may_stand_in_both_lists(void **state)
{
	static int all[512];
	struct policy_switches s = {
	    .guard = true, .guard_pid = 1, .monitored = true, .deny = all, .allow = all};

	(void)state;
	for (int number = 0; number <= policy_arch_x86_64.last; number++)
		if (!policy_needed_on(&policy_arch_x86_64, number) &&
		    policy_call_name_on(&policy_arch_x86_64, number) != NULL)
			all[s.denies++] = number;
	s.allows = s.denies;
	assert_true(s.denies > 350);
	build(&policy_arch_x86_64, POLICY_ML, &s);
	assert_int_equal(answer(audit[X86_64], 0), ERRNO(EPERM));
}

static void bad_requests_are_refused(void **state)
{
	static const char *const needed[] = {"write", "close", "execve", "exit_group", "sendmsg"};
	const int too_high[] = {451}, negative[] = {-1};
	const struct policy_switches plain = {0}, high = {.deny = too_high, .denies = 1},
				     low = {.allow = negative, .allows = 1}, unguarded = {.guard = true};

	(void)state;
	for (unsigned a = 0; a < COUNT(arches); a++) {
		for (size_t i = 0; i < COUNT(needed); i++) {
			int number = number_of(arches[a], needed[i]);
			const struct policy_switches s = {.deny = &number, .denies = 1};

			assert_true(policy_needed_on(arches[a], number));
			assert_int_equal(
			    policy_assemble_for(arches[a], program, POLICY_PROGRAM_MAX, POLICY_ML, &s),
			    -EPERM);
		}
		assert_int_equal(
		    policy_assemble_for(arches[a], program, POLICY_PROGRAM_MAX, POLICY_ML, &high), -EINVAL);
		assert_int_equal(
		    policy_assemble_for(arches[a], program, POLICY_PROGRAM_MAX, POLICY_ML, &low), -EINVAL);
		assert_int_equal(
		    policy_assemble_for(arches[a], program, POLICY_PROGRAM_MAX, POLICY_ML, &unguarded),
		    -EINVAL);
		assert_int_equal(
		    policy_assemble_for(arches[a], program, POLICY_PROGRAM_MAX, POLICY_GPU, &plain),
		    -ENOTSUP);
	}
	assert_int_equal(policy_assemble(program, POLICY_PROGRAM_MAX, POLICY_NONE + 1, &plain), -ENOTSUP);
}

static void a_short_buffer_is_never_overrun(void **state)
{
	const struct policy_switches s = {.guard = true, .guard_pid = 1};
	int n = policy_assemble(program, POLICY_PROGRAM_MAX, POLICY_ML, &s);

	(void)state;
	assert_true(n > 0);
	for (size_t cap = 0; cap < (size_t)n; cap++) {
		struct sock_filter *tight = malloc(cap * sizeof *tight + 1);

		assert_non_null(tight);
		assert_int_equal(policy_assemble(tight, cap, POLICY_ML, &s), -E2BIG);
		free(tight);
	}
	assert_int_equal(policy_assemble(program, (size_t)n, POLICY_ML, &s), n);
}

/* ---- without a profile ---- */

static void none_is_only_what_was_asked(void **state)
{
	const struct policy_switches nothing = {.network = POLICY_NETWORK_OPEN}, network = {0};
	int mount = number_of(&policy_arch_x86_64, "mount");
	const struct policy_switches list = {.network = POLICY_NETWORK_OPEN, .deny = &mount, .denies = 1};

	(void)state;
	assert_int_equal(policy_assemble(program, POLICY_PROGRAM_MAX, POLICY_NONE, &nothing), 0);
	build(&policy_arch_x86_64, POLICY_NONE, &network);
	assert_int_equal(answer(audit[X86_64], mount), ALLOWED);
	assert_int_equal(answer(audit[X86_64], 1000), ALLOWED);
	assert_int_equal(answer(audit[X86_64], number_of(&policy_arch_x86_64, "socket")), ERRNO(EPERM));
	build(&policy_arch_x86_64, POLICY_NONE, &list);
	assert_int_equal(answer(audit[X86_64], mount), ERRNO(EPERM));
	assert_int_equal(answer(audit[X86_64], number_of(&policy_arch_x86_64, "socket")), ALLOWED);
}

/* ---- names ---- */

static void names_and_numbers_agree(void **state)
{
	(void)state;
	assert_int_equal(policy_number_on(&policy_arch_x86_64, "kill", 4), 62);
	assert_int_equal(policy_number_on(&policy_arch_aarch64, "kill", 4), 129);
	assert_int_equal(policy_number_on(&policy_arch_x86_64, "kill,read", 4), 62);
	assert_int_equal(policy_number_on(&policy_arch_x86_64, "kil", 3), -ENOENT);
	assert_int_equal(policy_number_on(&policy_arch_x86_64, "", 0), -ENOENT);
	assert_int_equal(policy_number_on(&policy_arch_x86_64, "kill\0read", 9), -ENOENT);
	assert_int_equal(policy_number_on(&policy_arch_aarch64, "open", 4), -ENOENT);
	assert_int_equal(policy_number_on(&policy_arch_x86_64, "cachestat", 9), -ENOENT);
	assert_string_equal(policy_call_name_on(&policy_arch_x86_64, 41), "socket");
	assert_null(policy_call_name_on(&policy_arch_x86_64, 335));
	assert_null(policy_call_name(-1));
	assert_int_equal(policy_number("execve", 6) >= 0, 1);
	assert_true(policy_needed(policy_number("execve", 6)));
	for (unsigned a = 0; a < COUNT(arches); a++)
		for (int number = 0; number < 600; number++) {
			const char *name = policy_call_name_on(arches[a], number);

			if (name != NULL)
				assert_int_equal(number_of(arches[a], name), number);
		}
}

static void profiles_are_named_and_refused_by_name(void **state)
{
	char carried[64] = "";

	(void)state;
	assert_int_equal(policy_profile_from_name("ml"), POLICY_ML);
	assert_int_equal(policy_profile_from_name("ml-multi"), POLICY_ML_MULTI);
	assert_int_equal(policy_profile_from_name("none"), POLICY_NONE);
	assert_int_equal(policy_profile_from_name("ML"), -EINVAL);
	assert_int_equal(policy_profile_from_name(""), -EINVAL);
	assert_null(policy_profile_name(POLICY_NONE + 1));
	for (unsigned p = 0; p <= POLICY_NONE; p++) {
		assert_int_equal(policy_profile_from_name(policy_profile_name(p)), p);
		if (!policy_profile_carried(p))
			continue;
		if (carried[0] != '\0')
			strcat(carried, ", ");
		strcat(carried, policy_profile_name(p));
	}
	assert_string_equal(carried, policy_profiles_carried);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_line_is_answered_as_written),
	    cmocka_unit_test(numbers_without_a_line_do_not_exist),
	    cmocka_unit_test(demands_hold_on_every_architecture),
	    cmocka_unit_test(the_kernel_headers_hold_nothing_unclassified),
	    cmocka_unit_test(foreign_abis_are_killed),
	    cmocka_unit_test(denials_alone_are_notified),
	    cmocka_unit_test(the_sentinel_never_reaches_the_kernel),
	    cmocka_unit_test(deny_and_allow_stand_before_the_tree),
	    cmocka_unit_test(every_name_may_stand_in_both_lists),
	    cmocka_unit_test(bad_requests_are_refused),
	    cmocka_unit_test(a_short_buffer_is_never_overrun),
	    cmocka_unit_test(none_is_only_what_was_asked),
	    cmocka_unit_test(names_and_numbers_agree),
	    cmocka_unit_test(profiles_are_named_and_refused_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
