/*
 * Lookups over the generated list of names. Linear: a run resolves a handful of names, once.
 */
#include "policy/numbers.h"

#include <errno.h>
#include <string.h>

#include "policy/blob.h"

int policy_number_on(const struct policy_arch *arch, const char *name, size_t length)
{
	const char *text = arch->name_text;

	for (unsigned i = 0; i < arch->names; i++) {
		size_t n = strlen(text);

		if (n == length && memcmp(text, name, n) == 0)
			return arch->name_number[i];
		text += n + 1;
	}
	return -ENOENT;
}

const char *policy_call_name_on(const struct policy_arch *arch, int number)
{
	const char *text = arch->name_text;

	for (unsigned i = 0; i < arch->names; i++) {
		if (arch->name_number[i] == number)
			return text;
		text += strlen(text) + 1;
	}
	return NULL;
}

bool policy_needed_on(const struct policy_arch *arch, int number)
{
	for (unsigned i = 0; i < POLICY_NEEDED; i++)
		if (arch->needed[i] == number)
			return true;
	return false;
}

int policy_number(const char *name, size_t length)
{
	return policy_number_on(POLICY_NATIVE, name, length);
}

const char *policy_call_name(int number)
{
	return policy_call_name_on(POLICY_NATIVE, number);
}

bool policy_needed(int number)
{
	return policy_needed_on(POLICY_NATIVE, number);
}
