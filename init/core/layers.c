/* Derives the state of every layer. Pure. */
#include "core/layers.h"

#include "core/require.h"
#include "wire/profile.h"

static void set(struct layers *l, enum layer layer, enum layer_state state, const char *how)
{
	l->state[layer] = (uint8_t)state;
	l->how[layer] = how;
}

static bool asked(const struct plan *plan, enum option o)
{
	return plan->number[o] != LIMIT_NONE;
}

static void network(
    struct layers *l, const struct plan *plan, const struct facts *facts, const struct sealed *s)
{
	if (facts && require_sees_no_network(facts))
		set(l, LAYER_NETWORK, STATE_BY_ENGINE, "no interface but lo, no route");
	else if (plan->network == NETWORK_UNSET)
		set(l, LAYER_NETWORK, STATE_OFF, "socket families are not restricted");
	else if (s->seccomp == STATE_ENFORCED)
		set(l, LAYER_NETWORK, STATE_ENFORCED, "other socket families are refused");
	else
		set(l, LAYER_NETWORK, STATE_UNAVAILABLE, "no filter");
	if (l->state[LAYER_NETWORK] == STATE_BY_ENGINE && plan->network != NETWORK_UNSET &&
	    s->seccomp == STATE_ENFORCED)
		set(l, LAYER_NETWORK, STATE_ENFORCED,
		    "no interface but lo, and other socket families are refused");
}

static void files(
    struct layers *l, const struct plan *plan, const struct facts *facts, const struct sealed *s)
{
	bool wanted = plan->text[OPTION_OUTPUT] || plan->scratches;

	if (s->landlock == STATE_ENFORCED)
		set(l, LAYER_FILES, STATE_ENFORCED, "landlock");
	else if (facts && !facts->root_writable)
		set(l, LAYER_FILES, STATE_BY_ENGINE, "read-only root");
	else if (s->landlock != STATE_OFF)
		set(l, LAYER_FILES, (enum layer_state)s->landlock, "landlock");
	else if (wanted)
		set(l, LAYER_FILES, STATE_UNAVAILABLE, "landlock");
	else
		set(l, LAYER_FILES, STATE_OFF, "no --output, no --scratch");
}

static void privileges(struct layers *l, const struct sealed *s)
{
	if (s->no_new_privs != STATE_ENFORCED)
		set(l, LAYER_PRIVILEGES, STATE_UNAVAILABLE, "no_new_privs could not be set");
	else if (s->capabilities != STATE_ENFORCED)
		set(l, LAYER_PRIVILEGES, STATE_BEST_EFFORT, "no_new_privs; capabilities may be left");
	else if (s->uid != STATE_ENFORCED)
		set(l, LAYER_PRIVILEGES, STATE_BEST_EFFORT, "no_new_privs, no capabilities, init's own uid");
	else
		set(l, LAYER_PRIVILEGES, STATE_ENFORCED, "own uid, no capabilities, no_new_privs");
}

static void resources(struct layers *l, const struct plan *plan, const struct sight *v)
{
	if (!asked(plan, OPTION_MEMORY))
		set(l, LAYER_MEMORY, STATE_OFF, "no --memory");
	else if (v->exact_memory)
		set(l, LAYER_MEMORY, STATE_BY_ENGINE, "cgroup limit, with its OOM counters");
	else if (v->watches_memory)
		set(l, LAYER_MEMORY, STATE_BEST_EFFORT, "watched usage of the cgroup");
	else if (v->sums_memory)
		set(l, LAYER_MEMORY, STATE_BEST_EFFORT, "watched sum over the processes");
	else
		set(l, LAYER_MEMORY, STATE_UNAVAILABLE, "no readable cgroup");

	if (!asked(plan, OPTION_CPU_TIME))
		set(l, LAYER_CPU_TIME, STATE_OFF, "no --cpu-time");
	else
		set(l, LAYER_CPU_TIME, v->exact_cpu ? STATE_ENFORCED : STATE_BEST_EFFORT,
		    v->exact_cpu ? "cgroup's count" : "sum over processes, a lower bound");

	set(l, LAYER_CPUS, v->cpu_quota ? STATE_BY_ENGINE : STATE_OFF,
	    v->cpu_quota ? "quota of the run's cgroup" : "no quota in sight");

	if (!v->pid1)
		set(l, LAYER_PROCESSES, STATE_BEST_EFFORT,
		    "init is not PID 1: descendants are followed one by one");
	else if (asked(plan, OPTION_PROCESSES) && !v->counts_processes)
		set(l, LAYER_PROCESSES, STATE_BEST_EFFORT, "processes cannot be counted");
	else
		set(l, LAYER_PROCESSES, STATE_ENFORCED,
		    asked(plan, OPTION_PROCESSES) ? "counted in the own pid namespace"
						  : "held by the own pid namespace");
}

static void trees(struct layers *l, const struct plan *plan, const struct sight *v)
{
	if (!plan->text[OPTION_OUTPUT])
		set(l, LAYER_OUTPUT, STATE_OFF, "no --output");
	else if (v->exact_output)
		set(l, LAYER_OUTPUT, STATE_ENFORCED, "bounded filesystem of its own");
	else if (v->monitors_output)
		set(l, LAYER_OUTPUT, STATE_BEST_EFFORT, "monitored: counted while it runs");
	else if (asked(plan, OPTION_OUTPUT_BYTES) || asked(plan, OPTION_OUTPUT_FILES))
		set(l, LAYER_OUTPUT, STATE_UNAVAILABLE, "no bounded filesystem of its own");
	else
		set(l, LAYER_OUTPUT, STATE_OFF, "no --output-bytes, no --output-files");

	if (!plan->scratches || !asked(plan, OPTION_SCRATCH_BYTES))
		set(l, LAYER_SCRATCH, STATE_OFF, plan->scratches ? "no --scratch-bytes" : "no --scratch");
	else
		set(l, LAYER_SCRATCH,
		    v->bounds_scratch	  ? STATE_ENFORCED
		    : v->monitors_scratch ? STATE_BEST_EFFORT
					  : STATE_UNAVAILABLE,
		    v->bounds_scratch	  ? "bounded filesystems of their own"
		    : v->monitors_scratch ? "monitored: counted while it runs"
					  : "no bounded filesystem of its own");

	set(l, LAYER_LOGS, v->pumps_logs ? STATE_ENFORCED : STATE_OFF,
	    v->pumps_logs ? "head and tail kept, the rest counted" : "streams are passed through");
}

void layers_from(struct layers *l, const struct plan *plan, const struct facts *facts, const struct sealed *s,
    const struct sight *v)
{
	network(l, plan, facts, s);
	files(l, plan, facts, s);
	privileges(l, s);
	if (plan->profile == POLICY_NONE)
		set(l, LAYER_SYSCALLS, STATE_OFF, "--syscalls none");
	else
		set(l, LAYER_SYSCALLS, (enum layer_state)s->seccomp,
		    s->notifies ? "seccomp filter, denials answered by init" : "seccomp filter");
	set(l, LAYER_DESCRIPTORS, (enum layer_state)s->descriptors, "nothing above 2 is open");
	set(l, LAYER_RLIMITS, (enum layer_state)s->rlimits, "hard and soft");
	set(l, LAYER_CORE, (enum layer_state)s->core, "one byte, so that no pipe helper runs either");
	set(l, LAYER_OOM_SCORE, (enum layer_state)s->oom_score, "the candidate goes first");
	resources(l, plan, v);
	trees(l, plan, v);
}
