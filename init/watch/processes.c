/* The run's processes and threads. */
#include "watch/processes.h"

#include "sys/clock.h"
#include "wire/limits.h"

/* A fork bomb grows by thousands in a tenth of a second; a walk over ten processes costs some 80 microseconds. */
enum { SOONEST = 20000, LATEST = 1000000, SHARE = 20 };

void processes_open(struct processes *p, int proc, uint64_t limit, bool wanted)
{
	*p = (struct processes){.proc = proc, .limit = limit, .next = UINT64_MAX};
	if (proc >= 0 && (limit != LIMIT_NONE || wanted))
		p->next = 0;
}

void processes_walk(struct processes *p)
{
	if (p->proc < 0)
		return;
	tree_look(p->proc, p->limit == LIMIT_NONE ? 65536 : p->limit, &p->last);
	if (p->last.tasks > p->peak)
		p->peak = p->last.tasks;
}

bool processes_look(struct processes *p, uint64_t now, bool *walked, struct breach *b)
{
	uint64_t cost;

	*walked = false;
	if (now < p->next)
		return false;
	processes_walk(p);
	*walked = true;
	cost = (clock_now() - now) * SHARE;
	p->next = now + (cost < SOONEST ? SOONEST : cost > LATEST ? LATEST : cost);
	if (p->last.tasks <= p->limit)
		return false;
	b->verdict = VERDICT_PROCESSES;
	b->limit = p->limit;
	b->observed = p->last.tasks;
	b->unit = "count";
	b->proof = "processes and threads in the run's pid namespace";
	b->graceful = false;
	return true;
}

struct figure processes_peak(const struct processes *p)
{
	if (p->proc < 0 || p->peak == 0)
		return (struct figure){LIMIT_NONE, HOW_UNAVAILABLE};
	return (struct figure){p->peak, HOW_MONITORED};
}
