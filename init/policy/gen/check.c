/*
 * Reads the exported program back as the kernel would and holds it against the table, number by number: a rule that
 * the library dropped or bent ends the build.
 */
#include "policy/gen/gen.h"
#include "policy/simulate.h"

static uint32_t expected(const struct target *t, enum policy_profile profile, int number)
{
	for (size_t i = 0; i < call_line_count; i++)
		if (t->number[i] == number)
			return line_answer(&call_lines[i], profile);
	return UNKNOWN_ANSWER;
}

void tree_check(
    const struct target *t, enum policy_profile profile, const struct sock_filter *program, size_t length)
{
	if (!policy_program_valid(program, length))
		die("%s: the kernel would refuse the program of %s", t->name, policy_profile_name(profile));
	for (int number = 0; number <= t->last + 64; number++) {
		struct seccomp_data data = {.nr = number, .arch = t->token};
		uint32_t want = expected(t, profile, number);
		uint32_t got = policy_simulate(program, &data);

		if (got != want)
			die("%s: %s answers number %d with %#x, the table says %#x", t->name,
			    policy_profile_name(profile), number, got, want);
	}
}
