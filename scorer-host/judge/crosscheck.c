/*
 * The weighing of a record (crosscheck.h). Every check here asks two questions: can the record be wrong in this way, and
 * can the candidate bring the difference about? What it can bring about must end in a verdict of its own; what is left
 * for RECORD_MISMATCH is out of its reach: init's clock, init's counters, init's status, frames under the chain.
 */
#include "judge/crosscheck.h"

#include <stdio.h>
#include <string.h>

#include "judge/explain.h"
#include "judge/record.h"
#include "judge/words.h"

enum { CLOCKS_MS = 1000, DEADLINE_MS = 5000, FRESH_CPU_MS = 1000 };

static bool required(const struct task *task, enum requirement r)
{
	return task->require & (UINT32_C(1) << r);
}

static int unmet(struct fault *fault, enum requirement r, const char *why)
{
	fault_set(fault, VERDICT_REQUIRE_UNMET, "%s is required, but %s", requirement_name(r), why);
	return fault_hint(fault, "run it with an engine that provides %s, or drop it from the task's require",
	    requirement_name(r));
}

static bool only_loopback(const json_t *facts)
{
	const json_t *interfaces = json_object_get(facts, "interfaces");
	const json_t *routes = json_object_get(facts, "routes");
	const json_t *name;
	size_t i;

	if (!json_is_array(interfaces) || !json_is_integer(routes) || json_integer_value(routes) != 0)
		return false;
	json_array_foreach(interfaces, i,
	    name) if (!json_is_string(name) || strcmp(json_string_value(name), "lo") != 0) return false;
	return true;
}

int crosscheck_facts(const json_t *facts, const struct task *task, struct fault *fault)
{
	if (required(task, REQUIRE_NO_NETWORK) && !only_loopback(facts))
		return unmet(
		    fault, REQUIRE_NO_NETWORK, "the container has an interface or a route besides loopback");
	if (required(task, REQUIRE_READ_ONLY_ROOT) && !json_is_false(json_object_get(facts, "root_writable")))
		return unmet(fault, REQUIRE_READ_ONLY_ROOT, "the container's root can be written to");
	return 0;
}

/* What the record says took effect must cover what was required of init. */
static int crosscheck_layers(const struct record *r, const struct task *task, struct fault *fault)
{
	static const struct {
		enum requirement requirement;
		enum layer layer;
	} covers[] = {
	    {REQUIRE_NO_CAPS, LAYER_PRIVILEGES},
	    {REQUIRE_NO_NEW_PRIVS, LAYER_PRIVILEGES},
	    {REQUIRE_LANDLOCK, LAYER_FILES},
	    {REQUIRE_SECCOMP, LAYER_SYSCALLS},
	    {REQUIRE_NO_NETWORK, LAYER_NETWORK},
	};
	for (size_t i = 0; i < sizeof covers / sizeof *covers; i++)
		if (required(task, covers[i].requirement) && r->layer[covers[i].layer] <= STATE_UNAVAILABLE)
			return unmet(
			    fault, covers[i].requirement, "the record says that its layer is not in force");
	return 0;
}

static int requirements(
    const struct stage *stage, const struct record *r, const struct task *task, struct fault *fault)
{
	const struct observed *o = &stage->observed;

	if (crosscheck_facts(stage->facts, task, fault) < 0)
		return -1;
	if (r->verdict != VERDICT_EXEC_NOT_FOUND && r->verdict != VERDICT_EXEC_DENIED &&
	    crosscheck_layers(r, task, fault) < 0)
		return -1;
	if (required(task, REQUIRE_EXACT_MEMORY) &&
	    (o->memory_limit_hits == LIMIT_NONE || o->oom_kills == LIMIT_NONE))
		return unmet(
		    fault, REQUIRE_EXACT_MEMORY, "the host could not read the run's memory counters");
	if (required(task, REQUIRE_EXACT_CPU) && o->cpu_ms == LIMIT_NONE)
		return unmet(fault, REQUIRE_EXACT_CPU, "the host could not read the run's CPU counter");
	/* lower-bound is of the candidate's making (something unreadable), so it is no ground for a free retry. */
	if (required(task, REQUIRE_EXACT_OUTPUT) &&
	    (r->output_how == HOW_MONITORED || r->output_how == HOW_UNAVAILABLE))
		return unmet(
		    fault, REQUIRE_EXACT_OUTPUT, "the record says that the output was not counted exactly");
	return 0;
}

static bool own_oom(const struct observed *o)
{
	return o->oom_kills != LIMIT_NONE && o->oom_kills > 0 && o->memory_limit_hits != LIMIT_NONE &&
	       o->memory_limit_hits > 0;
}

/* A fork was refused at the run's own limit, which stands above the task's. */
static bool own_forks(const struct observed *o, const struct task *task)
{
	uint64_t limit = task->limit[OPTION_PROCESSES];
	return limit != LIMIT_NONE && o->processes_limit_hits != LIMIT_NONE && o->processes_limit_hits > 0 &&
	       (o->processes_peak == LIMIT_NONE || o->processes_peak > limit + 1 /* init */);
}

/*
 * The host's clock ran out on a container that its own init still held. Neither the record nor the way there is needed to
 * know that the limit, the grace and the slack were over.
 */
static bool own_deadline(const struct observed *o)
{
	return o->ticketed && o->peer_verified && o->init_intact && !o->session_broken && o->deadline_hit;
}

/* Is that exit status of init's one that goes with its record? */
static bool status_agrees(const struct record *r, int status)
{
	int own = r->signalled ? 128 + (int)r->status : (int)r->status;

	switch ((unsigned)r->verdict) {
	case VERDICT_NONE:
	case VERDICT_EXIT_NONZERO:
	case VERDICT_SIGNALED:
		return status == own;
	case VERDICT_EXEC_DENIED:
		return status == 126;
	case VERDICT_EXEC_NOT_FOUND:
		return status == 127;
	case VERDICT_REQUIRE_UNMET:
	case VERDICT_INIT_FAULT:
		return status == 125;
	case VERDICT_CANCELLED:
		return true; /* whatever the interrupted process ended with */
	default:
		return status == 124;
	}
}

static int contradicts(struct fault *fault, const char *record, const char *host)
{
	fault_set(fault, VERDICT_RECORD_MISMATCH, "the record says %s, but %s", record, host);
	return fault_hint(
	    fault, "init or the engine is not what it should be; look at audit.json's record and observed");
}

static int clocks(
    const struct record *r, const struct observed *o, const struct task *task, struct fault *fault)
{
	uint64_t wall = r->usage[USAGE_WALL_MS].value;
	char says[96], own[96], number[WORD];

	if (wall == LIMIT_NONE || o->wall_ms == LIMIT_NONE)
		return 0;
	(void)snprintf(says, sizeof says, "that it ran for %s", word_ms(wall, number));
	(void)snprintf(own, sizeof own, "by the host's clock it was %s", word_ms(o->wall_ms, number));
	/* Only that way round: how long its processes take to die is the candidate's affair. */
	if (wall > o->wall_ms + CLOCKS_MS)
		return contradicts(fault, says, own);
	if (r->verdict == VERDICT_WALL_TIME && o->wall_ms + CLOCKS_MS < task->limit[OPTION_WALL_TIME])
		return contradicts(fault, "WALL_TIME", own);
	return 0;
}

static int contradictions(
    const struct stage *stage, const struct record *r, const struct task *task, struct fault *fault)
{
	const struct observed *o = &stage->observed;
	char says[96], own[96];

	if (!stage->run || strcmp(r->run, stage->run) != 0)
		return contradicts(fault, "that it is of another run", "it came in this one");
	if (!json_equal(r->facts, stage->facts))
		return contradicts(fault, "other facts than its greeting", "both came from the same init");
	if (o->engine_status >= 0 && !o->deadline_hit && !status_agrees(r, o->engine_status)) {
		(void)snprintf(says, sizeof says, "%s with %s %u",
		    r->verdict ? verdict_name(r->verdict) : "exit", r->signalled ? "signal" : "code",
		    r->status);
		(void)snprintf(own, sizeof own, "the container ended with status %d", o->engine_status);
		return contradicts(fault, says, own);
	}
	for (int s = 0; s < 2; s++)
		if (r->log[s].kept != stage->log[s].kept) {
			(void)snprintf(says, sizeof says, "that %llu bytes of %s were sent",
			    (unsigned long long)r->log[s].kept, s ? "stderr" : "stdout");
			(void)snprintf(own, sizeof own, "%llu came", (unsigned long long)stage->log[s].kept);
			return contradicts(fault, says, own);
		}
	/* A watched sum (by_init) may count shared pages twice and so exceed what the kernel charged; it is init's own
	 * decision and stays the candidate's affair. Only a claim about the kernel's killer is held against it. */
	if (r->verdict == VERDICT_MEMORY && !r->by_init && o->oom_kills != LIMIT_NONE &&
	    o->memory_limit_hits != LIMIT_NONE && !own_oom(o))
		return contradicts(fault, "MEMORY by the kernel's OOM killer",
		    "the run's own counters show no kill at its limit");
	if (r->verdict == VERDICT_PROCESSES && !r->by_init && o->processes_limit_hits != LIMIT_NONE &&
	    !own_forks(o, task))
		return contradicts(fault, "PROCESSES by refused forks",
		    "the run's own counters show no fork refused at its limit");
	return clocks(r, o, task, fault);
}

/* Everything up to a record that can be believed. */
static int believable(
    const struct stage *stage, const struct task *task, struct record *r, struct fault *fault)
{
	const struct observed *o = &stage->observed;

	if (!o->created)
		return fault_set(fault, VERDICT_ENGINE_FAILED, "the engine did not make the container");
	if (!o->gone)
		return fault_set(fault, VERDICT_ENGINE_FAILED,
		    "the container or a process of it was still there after it had been removed");
	if (!o->init_intact)
		return fault_set(fault, VERDICT_RECORD_INVALID,
		    "the run's copy of proctor-init is not the one it began with");
	if (o->session_broken)
		return fault_set(fault, VERDICT_RECORD_INVALID,
		    "what came from the container is not the protocol, or not under the run's key");
	if (!o->greeted)
		return fault_set(fault, VERDICT_RECORD_MISSING,
		    "proctor-init never spoke; the container ended with status %d", o->engine_status);
	if (!o->peer_verified)
		return fault_set(fault, VERDICT_RECORD_INVALID,
		    "whoever spoke from the container was not proven to be the run's proctor-init");
	if (!o->session_whole)
		return fault_set(fault, VERDICT_RECORD_MISSING, "%s; its status is %d",
		    o->deadline_hit ? "the host's own deadline passed and it killed the container"
				    : "the container ended without a record",
		    o->engine_status);
	if (!stage->record || json_is_null(stage->record) || !stage->facts)
		return fault_set(fault, VERDICT_RECORD_INVALID, "the %s that came is no JSON object",
		    stage->facts ? "record" : "greeting");
	if (record_read(stage->record, r, fault) < 0)
		return -1;
	if (contradictions(stage, r, task, fault) < 0)
		return -1;
	if (r->verdict == VERDICT_REQUIRE_UNMET || r->verdict == VERDICT_INIT_FAULT ||
	    r->verdict == VERDICT_CANCELLED)
		return 0;
	return requirements(stage, r, task, fault);
}

/* The limits that the host can hold against the figures when the record's cause knows of nothing. */
static enum verdict own_reading(const struct record *r, const struct observed *o, const struct task *task)
{
	uint64_t cpu = task->limit[OPTION_CPU_TIME], wall = r->usage[USAGE_WALL_MS].value;

	if (wall != LIMIT_NONE && wall > task->limit[OPTION_WALL_TIME])
		return VERDICT_WALL_TIME;
	/* The reading includes init's own work, which is not the candidate's to pay: a second or a twentieth. */
	if (cpu != LIMIT_NONE && o->cpu_ms != LIMIT_NONE &&
	    o->cpu_ms > cpu + (cpu / 20 > FRESH_CPU_MS ? cpu / 20 : FRESH_CPU_MS))
		return VERDICT_CPU_TIME;
	if (o->output_bytes != LIMIT_NONE && o->output_bytes > task->limit[OPTION_OUTPUT_BYTES])
		return VERDICT_OUTPUT_BYTES;
	if (o->output_files != LIMIT_NONE && o->output_files > task->limit[OPTION_OUTPUT_FILES])
		return VERDICT_OUTPUT_FILES;
	return VERDICT_NONE;
}

uint64_t crosscheck_slack(const struct task *task)
{
	uint64_t memory = task->limit[OPTION_MEMORY];
	return task->limit[OPTION_GRACE] + DEADLINE_MS + (memory == LIMIT_NONE ? 0 : memory / GIB(4) * 1000);
}

int crosscheck(struct stage *stage, const struct task *task, struct fault *fault)
{
	struct observed *o = &stage->observed;
	struct record r = {0};
	enum verdict v;

	memset(fault, 0, sizeof *fault);
	(void)snprintf(stage->crosscheck, sizeof stage->crosscheck, "agree");
	if (o->cancelled) {
		(void)snprintf(stage->crosscheck, sizeof stage->crosscheck, "not weighed: cancelled");
		fault_set(fault, VERDICT_CANCELLED, "interrupted by the operator");
		return fault_hint(fault, "the same command starts it anew");
	}
	if (believable(stage, task, &r, fault) < 0) {
		(void)snprintf(stage->crosscheck, sizeof stage->crosscheck, "%.*s",
		    (int)sizeof stage->crosscheck - 1, fault->what);
		if (o->ticketed && own_oom(o))
			return explain_oom(NULL, stage, task, fault);
		return own_deadline(o) ? explain_deadline(stage, task, fault) : -1;
	}
	v = r.verdict;
	if ((v == VERDICT_NONE || v == VERDICT_EXIT_NONZERO || v == VERDICT_SIGNALED ||
		v == VERDICT_INIT_FAULT || (v == VERDICT_MEMORY && !r.by_init)) &&
	    own_oom(o))
		return explain_oom(&r, stage, task, fault);
	if ((v == VERDICT_NONE || v == VERDICT_EXIT_NONZERO || v == VERDICT_SIGNALED) && own_forks(o, task))
		v = VERDICT_PROCESSES;
	if (v == VERDICT_NONE)
		v = own_reading(&r, o, task);
	return v == VERDICT_NONE ? 0 : explain_cause(&r, stage, task, v, fault);
}
