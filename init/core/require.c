/* Requirements against what is. Pure. */
#include "core/require.h"

#include <string.h>

#include "wire/profile.h"

bool require_sees_no_network(const struct facts *f)
{
	if (f->incomplete || f->routes)
		return false;
	for (unsigned i = 0; i < f->interfaces; i++)
		if (strcmp(f->interface[i], "lo") != 0)
			return false;
	return true;
}

static bool wants(const struct plan *plan, enum requirement r)
{
	/* Internet sockets are let through only where they lead nowhere. */
	if (r == REQUIRE_NO_NETWORK && plan->network == NETWORK_LOOPBACK)
		return true;
	return plan->require >> r & 1;
}

static bool world_holds(
    enum requirement r, const struct plan *plan, const struct facts *f, const struct sight *v)
{
	switch ((unsigned)r) {
	case REQUIRE_SEPARATE_UID:
		return f && plan->number[OPTION_UID] != LIMIT_NONE && plan->number[OPTION_UID] != f->uid;
	case REQUIRE_PID_NAMESPACE:
		return f && f->pid1 && f->pid_namespace;
	case REQUIRE_NO_NETWORK:
		return f && require_sees_no_network(f);
	case REQUIRE_READ_ONLY_ROOT:
		return f && !f->root_writable;
	case REQUIRE_EXACT_OUTPUT:
		return v->exact_output;
	case REQUIRE_EXACT_MEMORY:
		return v->exact_memory;
	case REQUIRE_EXACT_CPU:
		return v->exact_cpu;
	default:
		return true;
	}
}

enum requirement require_world(const struct plan *plan, const struct facts *facts, const struct sight *sight)
{
	for (unsigned r = 0; r < REQUIRE_END; r++)
		if (wants(plan, (enum requirement)r) && !world_holds((enum requirement)r, plan, facts, sight))
			return (enum requirement)r;
	return REQUIRE_END;
}

static bool seal_holds(enum requirement r, const struct plan *plan, const struct sealed *s)
{
	switch ((unsigned)r) {
	case REQUIRE_SEPARATE_UID:
		return s->uid == STATE_ENFORCED;
	case REQUIRE_NO_CAPS:
		return s->capabilities == STATE_ENFORCED;
	case REQUIRE_NO_NEW_PRIVS:
		return s->no_new_privs == STATE_ENFORCED;
	case REQUIRE_LANDLOCK:
		return s->landlock == STATE_ENFORCED;
	case REQUIRE_SECCOMP:
		/* Without a profile a filter may still guard init; that confines nobody. */
		return s->seccomp == STATE_ENFORCED && plan->profile != POLICY_NONE;
	default:
		return true;
	}
}

enum requirement require_seal(const struct plan *plan, const struct sealed *sealed)
{
	for (unsigned r = 0; r < REQUIRE_END; r++)
		if (wants(plan, (enum requirement)r) && !seal_holds((enum requirement)r, plan, sealed))
			return (enum requirement)r;
	return REQUIRE_END;
}
