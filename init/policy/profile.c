/*
 * The lookup of profile names, over the one list in profile.h.
 */
#include "policy/profile.h"

#include <errno.h>
#include <string.h>

static const struct {
	const char *name;
	bool carried;
} profiles[] = {
#define X(id, name, carried) [POLICY_##id] = {name, carried},
    POLICY_PROFILES(X)
#undef X
	[POLICY_NONE] = {"none", true},
};

enum { PROFILES = sizeof profiles / sizeof profiles[0] };

const char policy_profiles_carried[] = "ml, none";

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

bool policy_profile_carried(enum policy_profile profile)
{
	return (unsigned)profile < PROFILES && profiles[profile].carried;
}
