/*
 * The lookup of profile names, over the one list in profile.h.
 */
#include "wire/profile.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

static const struct {
	const char *name;
	bool loopback;
} profiles[] = {
#define X(id, name, loopback) [POLICY_##id] = {name, loopback},
    POLICY_PROFILES(X)
#undef X
	[POLICY_NONE] = {"none", false},
};

enum { PROFILES = sizeof profiles / sizeof profiles[0] };

int policy_profile_from_name(const char *name)
{
	for (int i = 0; i < PROFILES; i++)
		if (strcmp(profiles[i].name, name) == 0)
			return i;
	return -EINVAL;
}

const char *policy_profile_name(enum policy_profile profile)
{
	return (unsigned)profile < PROFILES ? profiles[profile].name : NULL;
}

bool policy_profile_loopback(enum policy_profile profile)
{
	return (unsigned)profile < PROFILES && profiles[profile].loopback;
}
