/*
 * Argument rules as tables for the tests: architecture, call, arguments, answer. Low words decide: each row is asked
 * again with rubbish in the high words, which the kernel does not see.
 */
#ifndef PROCTOR_TESTS_POLICY_ROWS_H
#define PROCTOR_TESTS_POLICY_ROWS_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "policy/assemble.h"
#include "policy/blob.h"
#include "policy/numbers.h"
#include "policy/simulate.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

enum answer { OK, DENIED, ENOSYS_, EOPNOTSUPP_, EPROTONOSUPPORT_ };

struct row {
	const char *call;
	uint32_t argument[3];
	enum answer want;
};

static const struct policy_arch *const arches[] = {&policy_arch_x86_64, &policy_arch_aarch64};
static struct sock_filter program[POLICY_PROGRAM_MAX];

static uint32_t answer_of(enum answer a)
{
	static const uint32_t answers[] = {
	    [OK] = SECCOMP_RET_ALLOW,
	    [DENIED] = SECCOMP_RET_ERRNO | EPERM,
	    [ENOSYS_] = SECCOMP_RET_ERRNO | ENOSYS,
	    [EOPNOTSUPP_] = SECCOMP_RET_ERRNO | EOPNOTSUPP,
	    [EPROTONOSUPPORT_] = SECCOMP_RET_ERRNO | EPROTONOSUPPORT,
	};

	return answers[a];
}

static uint32_t ask(const struct policy_arch *arch, int number, const struct row *r, uint64_t high)
{
	struct seccomp_data data = {.nr = number, .arch = arch->audit, .instruction_pointer = high};

	for (unsigned i = 0; i < 6; i++)
		data.args[i] = high << 32 | (i < 3 ? r->argument[i] : 0);
	return policy_simulate(program, &data);
}

static void check(
    enum policy_profile profile, const struct policy_switches *s, const struct row *rows, size_t n)
{
	static const uint64_t high[] = {0, 1, 0x80000000, 0xffffffff};
	unsigned asked = 0;

	for (unsigned a = 0; a < COUNT(arches); a++) {
		int length = policy_assemble_for(arches[a], program, POLICY_PROGRAM_MAX, profile, s);

		assert_in_range(length, 1, POLICY_PROGRAM_MAX);
		assert_true(policy_program_valid(program, (size_t)length));
		for (size_t i = 0; i < n; i++) {
			int number = policy_number_on(arches[a], rows[i].call, strlen(rows[i].call));

			if (number < 0) {
				assert_ptr_equal(arches[a], &policy_arch_aarch64);
				continue;
			}
			for (size_t h = 0; h < COUNT(high); h++, asked++) {
				uint32_t got = ask(arches[a], number, &rows[i], high[h]);

				if (got != answer_of(rows[i].want))
					fail_msg("%s: row %zu, %s(%#x, %#x, %#x): %#x", arches[a]->name, i,
					    rows[i].call, rows[i].argument[0], rows[i].argument[1],
					    rows[i].argument[2], got);
			}
		}
	}
	assert_true(asked >= n * COUNT(high));
}

#endif
