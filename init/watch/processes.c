/* The run's processes and threads. */
#include "watch/processes.h"

#include <unistd.h>

#include "sys/clock.h"
#include "watch/counter.h"
#include "wire/limits.h"

/* A fork bomb grows by thousands in a tenth of a second; a walk over ten processes costs some 80 microseconds. */
enum { SOONEST = 20000, LATEST = 1000000, SHARE = 20, COUNT_PACE = 2000 };

static void open_cgroup(struct processes *p, const struct fact_cgroup *c)
{
	p->count = p->highest = p->events = -1;
	p->refused = p->cgroup_limit = LIMIT_NONE;
	if (!c || !c->pids[0] || !counter_is_own(c->pids))
		return;
	p->count = counter_open(c->pids);
	p->before = counter_read(p->count, NULL);
	if (p->before == LIMIT_NONE) {
		if (p->count >= 0)
			close(p->count);
		p->count = -1;
		return;
	}
	p->highest = counter_open(c->pids_peak);
	/* A peak from before the spawn would be somebody else's. */
	if (counter_read(p->highest, NULL) != p->before && p->highest >= 0) {
		close(p->highest);
		p->highest = -1;
	}
	p->events = counter_open(c->pids_events);
	p->refused = counter_read(p->events, "max");
	p->cgroup_limit = c->pids_limit;
}

void processes_open(struct processes *p, int proc, const struct facts *facts, uint64_t limit, bool wanted)
{
	*p = (struct processes){
	    .proc = proc, .limit = limit, .next_walk = UINT64_MAX, .next_count = UINT64_MAX};
	open_cgroup(p, facts ? &facts->cgroup : NULL);
	if (p->count >= 0 && limit != LIMIT_NONE)
		p->next_count = 0;
	if (proc >= 0 && (wanted || (limit != LIMIT_NONE && p->count < 0)))
		p->next_walk = 0;
}

bool processes_counted(const struct processes *p)
{
	return p->count >= 0 || p->proc >= 0;
}

static uint64_t less_own(const struct processes *p, uint64_t v)
{
	return v == LIMIT_NONE ? v : v > p->before ? v - p->before : 0;
}

static void walk(struct processes *p)
{
	tree_look(p->proc, p->limit == LIMIT_NONE ? 65536 : p->limit, &p->last);
	if (p->count < 0 && p->last.tasks > p->peak)
		p->peak = p->last.tasks;
}

uint64_t processes_now(struct processes *p)
{
	uint64_t v = less_own(p, counter_read(p->count, NULL));

	if (v != LIMIT_NONE) {
		p->peak = v > p->peak ? v : p->peak;
		return v;
	}
	if (p->proc < 0)
		return LIMIT_NONE;
	if (p->next_walk == UINT64_MAX)
		walk(p);
	return p->last.tasks;
}

uint64_t processes_next(const struct processes *p)
{
	return p->next_walk < p->next_count ? p->next_walk : p->next_count;
}

static bool over(const struct processes *p, uint64_t seen, const char *proof, struct breach *b)
{
	if (seen == LIMIT_NONE || seen <= p->limit)
		return false;
	*b = (struct breach){.verdict = VERDICT_PROCESSES,
	    .limit = p->limit,
	    .observed = seen,
	    .unit = "count",
	    .proof = proof};
	return true;
}

static bool over_by_cgroup(struct processes *p, struct breach *b)
{
	uint64_t now = processes_now(p), highest = less_own(p, counter_read(p->highest, NULL));

	return over(p, now, "processes and threads in the run's cgroup", b) ||
	       over(p, highest, "peak of processes and threads in the run's cgroup", b);
}

bool processes_look(struct processes *p, uint64_t now, bool *walked, struct breach *b)
{
	uint64_t cost;

	*walked = false;
	if (now >= p->next_count) {
		p->next_count = now + COUNT_PACE;
		if (over_by_cgroup(p, b))
			return true;
	}
	if (now < p->next_walk)
		return false;
	walk(p);
	*walked = true;
	cost = (clock_now() - now) * SHARE;
	p->next_walk = now + (cost < SOONEST ? SOONEST : cost > LATEST ? LATEST : cost);
	return p->count < 0 && over(p, p->last.tasks,
				   getpid() == 1 ? "processes and threads in the run's pid namespace"
						 : "processes and threads among init's descendants",
				   b);
}

bool processes_end(struct processes *p, struct breach *b)
{
	return p->count >= 0 && p->limit != LIMIT_NONE && over_by_cgroup(p, b);
}

void processes_after(struct processes *p, struct cause *c, uint64_t at_ms)
{
	uint64_t refused = counter_read(p->events, "max"), highest = counter_read(p->highest, NULL);

	p->next_walk = p->next_count = UINT64_MAX;
	/* Without a limit of the cgroup's own, or with a peak below it, an ancestor refused: that is not the candidate's. */
	if (p->limit == LIMIT_NONE || p->cgroup_limit == LIMIT_NONE || p->refused == LIMIT_NONE ||
	    refused == LIMIT_NONE || refused <= p->refused ||
	    (highest != LIMIT_NONE && highest < p->cgroup_limit))
		return;
	cause_forks(c, refused - p->refused, p->limit,
	    highest == LIMIT_NONE ? less_own(p, p->cgroup_limit) : less_own(p, highest), at_ms);
}

struct figure processes_peak(const struct processes *p)
{
	uint64_t highest = less_own(p, counter_read(p->highest, NULL));

	if (highest != LIMIT_NONE)
		return (struct figure){highest, HOW_EXACT};
	if (!processes_counted(p) || p->peak == 0)
		return (struct figure){LIMIT_NONE, HOW_UNAVAILABLE};
	return (struct figure){p->peak, p->count >= 0 || getpid() == 1 ? HOW_MONITORED : HOW_LOWER_BOUND};
}
