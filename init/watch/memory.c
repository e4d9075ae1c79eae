/* The run's memory. */
#include "watch/memory.h"

#include "watch/counter.h"
#include "wire/limits.h"

enum { PACE = 10000, TIGHT = 1 << 20 };

/* How often the cgroup's own limit was hit. */
static uint64_t hits(const struct memory *m)
{
	return m->version == 2 ? counter_read(m->oom, "oom") : counter_read(m->failcnt, NULL);
}

void memory_open(struct memory *m, const struct facts *facts, uint64_t limit)
{
	const struct fact_cgroup *c = facts ? &facts->cgroup : NULL;

	*m = (struct memory){.usage = -1, .peak = -1, .oom = -1, .failcnt = -1};
	m->limit = limit;
	m->kills = m->hits = m->cgroup_limit = LIMIT_NONE;
	m->next = UINT64_MAX;
	m->seen = LIMIT_NONE;
	m->summed = limit != LIMIT_NONE;
	if (!c || c->version == 0 || !counter_is_own(c->memory[0] ? c->memory : c->oom))
		return;
	m->version = c->version;
	m->usage = counter_open(c->memory);
	m->peak = counter_open(c->peak);
	m->oom = counter_open(c->oom);
	m->failcnt = counter_open(c->failcnt);
	m->cgroup_limit = c->memory_limit;
	m->kills = counter_read(m->oom, "oom_kill");
	m->hits = hits(m);
	m->seen = memory_now(m);
	counter_read(m->peak, NULL);
	m->summed = m->summed && m->usage < 0;
	m->watched = limit != LIMIT_NONE && m->usage >= 0 && m->cgroup_limit > limit;
	if (m->watched)
		m->next = 0;
}

bool memory_exact(const struct memory *m)
{
	return m->limit != LIMIT_NONE && m->cgroup_limit <= m->limit && m->kills != LIMIT_NONE &&
	       m->hits != LIMIT_NONE;
}

uint64_t memory_now(struct memory *m)
{
	uint64_t v = counter_read(m->usage, NULL);
	if (v != LIMIT_NONE && (v > m->seen || m->seen == LIMIT_NONE))
		m->seen = v;
	return v;
}

bool memory_is_tight(struct memory *m)
{
	uint64_t v = memory_now(m);
	return v != LIMIT_NONE && m->cgroup_limit != LIMIT_NONE && v + TIGHT > m->cgroup_limit;
}

static bool over(const struct memory *m, uint64_t v, const char *proof, struct breach *b)
{
	if (v == LIMIT_NONE || v <= m->limit)
		return false;
	*b = (struct breach){
	    .verdict = VERDICT_MEMORY, .limit = m->limit, .observed = v, .unit = "bytes", .proof = proof};
	return true;
}

bool memory_walked(struct memory *m, uint64_t resident, struct breach *b)
{
	if (!m->summed)
		return false;
	if (resident > m->seen || m->seen == LIMIT_NONE)
		m->seen = resident;
	return over(m, resident, "resident memory summed over the processes", b);
}

bool memory_look(struct memory *m, uint64_t now, struct breach *b)
{
	if (now < m->next)
		return false;
	m->next = now + PACE;
	return over(m, memory_now(m), "usage of the run's cgroup", b);
}

void memory_after(struct memory *m, struct cause *c, uint64_t at_ms)
{
	uint64_t kills = counter_read(m->oom, "oom_kill"), now_hits = hits(m);

	m->next = UINT64_MAX;
	if (m->kills == LIMIT_NONE || m->hits == LIMIT_NONE || kills == LIMIT_NONE || now_hits == LIMIT_NONE)
		return;
	/* Counters that went back are not of this cgroup any more. */
	if (kills <= m->kills || now_hits <= m->hits)
		return;
	cause_oom(c, kills - m->kills, now_hits - m->hits, m->cgroup_limit, memory_peak(m).value, at_ms);
}

struct figure memory_peak(const struct memory *m)
{
	uint64_t v = counter_read(m->peak, NULL);

	if (v != LIMIT_NONE)
		return (struct figure){v, HOW_EXACT};
	if ((m->usage >= 0 || m->summed) && m->seen != LIMIT_NONE)
		return (struct figure){m->seen, m->summed ? HOW_MONITORED : HOW_LOWER_BOUND};
	return (struct figure){LIMIT_NONE, HOW_UNAVAILABLE};
}
