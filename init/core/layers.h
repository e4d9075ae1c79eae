/*
 * How far each layer of confinement took effect, derived from the plan, the facts, the seal's own report and what the
 * watchers can see. Nothing is claimed that was not re-read or seen. Pure.
 */
#ifndef PROCTOR_CORE_LAYERS_H
#define PROCTOR_CORE_LAYERS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/facts.h"
#include "core/plan.h"
#include "wire/require.h"

struct layers {
	uint8_t state[LAYER_END];   /* enum layer_state */
	const char *how[LAYER_END]; /* constant */
};

/* What the seal says it did; enum layer_state each. All STATE_OFF while there was no seal yet. */
struct sealed {
	uint8_t descriptors, rlimits, core, oom_score;
	uint8_t uid, capabilities; /* capabilities: the worst of bounding set, ambient and inheritable */
	uint8_t no_new_privs, landlock, seccomp;
	bool notifies; /* init answers for the filter, and counts */
};

/* What the watchers can see of this run. */
struct sight {
	bool pid1;	       /* init is PID 1: nobody leaves its tree, and one kill reaches all */
	bool counts_processes; /* it can count them */
	bool exact_output;     /* the output is a bounded filesystem of its own */
	bool exact_memory; /* the cgroup's limit is not above the plan's, and its OOM counters are readable */
	bool watches_memory; /* its usage is readable */
	bool sums_memory;    /* what is resident is summed over the processes */
	bool exact_cpu;	     /* the cgroup counts CPU time */
	bool
	    bounds_scratch; /* each scratch tree is a filesystem of its own, no larger than its budget or watched */
	bool pumps_logs;
	bool monitors_output, monitors_scratch; /* what is not such a filesystem is counted again and again */
	bool cpu_quota;				/* the cgroup has a quota of CPU time */
};

/* facts may be NULL: nobody looked. */
void layers_from(struct layers *l, const struct plan *plan, const struct facts *facts, const struct sealed *s,
    const struct sight *v);

#endif
