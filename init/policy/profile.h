/*
 * The names of the syscall profiles and which of them this build carries. A name that is known but not carried yet
 * has to be refused by name; it must never be taken for another profile.
 */
#ifndef PROCTOR_POLICY_PROFILE_H
#define PROCTOR_POLICY_PROFILE_H

#include <stdbool.h>

/* id, name on the command line, carried by this build. The tree of a profile that is not carried is not embedded. */
#define POLICY_PROFILES(X) \
	X(STRICT, "strict", false) \
	X(ML, "ml", true) \
	X(ML_MULTI, "ml-multi", false) \
	X(GPU, "gpu", false)

enum policy_profile {
#define X(id, name, carried) POLICY_##id,
	POLICY_PROFILES(X)
#undef X
	/* No tree at all: only what the switches ask for. */
	POLICY_NONE
};

enum { POLICY_TREES = POLICY_NONE, POLICY_PROFILE_DEFAULT = POLICY_ML };

/* The profile called `name`, carried or not; -EINVAL where no profile has that name. */
int policy_profile_from_name(const char *name);

/* The name of `profile`; NULL outside the enumeration. */
const char *policy_profile_name(enum policy_profile profile);

/* Whether policy_assemble() can build `profile`. POLICY_NONE always can. */
bool policy_profile_carried(enum policy_profile profile);

/* The names of all carried profiles, for messages: "ml, none". */
extern const char policy_profiles_carried[];

#endif
