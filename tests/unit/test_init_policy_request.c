/*
 * What can be asked of the assembler: --deny and --allow, no profile, bad requests, short buffers; and the names of
 * calls and profiles. Both architectures, by simulation.
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
	}
	assert_int_equal(policy_assemble(program, POLICY_PROGRAM_MAX, POLICY_NONE + 1, &plain), -EINVAL);
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

static void every_profile_has_one_name_and_a_program(void **state)
{
	static const char *const names[] = {"strict", "ml", "ml-multi", "gpu", "none"};
	const struct policy_switches s = {0};

	(void)state;
	assert_int_equal(COUNT(names), POLICY_NONE + 1);
	for (unsigned p = 0; p < COUNT(names); p++) {
		assert_int_equal(policy_profile_from_name(names[p]), p);
		assert_string_equal(policy_profile_name(p), names[p]);
		assert_int_equal(policy_profile_loopback(p), p == POLICY_ML_MULTI || p == POLICY_GPU);
		build(&policy_arch_x86_64, p, &s);
		build(&policy_arch_aarch64, p, &s);
	}
	assert_int_equal(policy_profile_from_name("ML"), -EINVAL);
	assert_int_equal(policy_profile_from_name("ml-"), -EINVAL);
	assert_int_equal(policy_profile_from_name(""), -EINVAL);
	assert_null(policy_profile_name(POLICY_NONE + 1));
	assert_false(policy_profile_loopback(POLICY_NONE + 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(deny_and_allow_stand_before_the_tree),
	    cmocka_unit_test(every_name_may_stand_in_both_lists),
	    cmocka_unit_test(bad_requests_are_refused),
	    cmocka_unit_test(a_short_buffer_is_never_overrun),
	    cmocka_unit_test(none_is_only_what_was_asked),
	    cmocka_unit_test(names_and_numbers_agree),
	    cmocka_unit_test(every_profile_has_one_name_and_a_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
