/*
 * The names of the syscall profiles: what --syscalls and a task's `syscalls:` may say, and what init/policy builds a
 * filter for. One table for both programs; what each profile allows is init/policy's affair alone.
 */
#ifndef PROCTOR_WIRE_PROFILE_H
#define PROCTOR_WIRE_PROFILE_H

#include <stdbool.h>

/*
 * id, name on the command line and in a task, whether programs of its kind are several that find each other by
 * internet sockets on their own machine (MPI, NCCL, Gloo), so that a run with it is given loopback.
 */
#define POLICY_PROFILES(X) \
	X(STRICT, "strict", false) \
	X(ML, "ml", false) \
	X(ML_MULTI, "ml-multi", true) \
	X(GPU, "gpu", true)

enum policy_profile {
#define X(id, name, loopback) POLICY_##id,
	POLICY_PROFILES(X)
#undef X
	/* No tree at all: only what the switches ask for. */
	POLICY_NONE
};

enum { POLICY_TREES = POLICY_NONE, POLICY_PROFILE_DEFAULT = POLICY_ML };

/* All names, for messages. */
#define POLICY_PROFILE_WORDS "strict, ml, ml-multi, gpu or none"

/* The profile called `name`; -EINVAL where no profile has that name. */
int policy_profile_from_name(const char *name);

/* The name of `profile`; NULL outside the enumeration. */
const char *policy_profile_name(enum policy_profile profile);

/* Whether the host runs `profile` with --network loopback. */
bool policy_profile_loopback(enum policy_profile profile);

#endif
