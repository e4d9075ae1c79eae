/* The run's CPU time. */
#include "watch/cpu.h"

#include <unistd.h>

#include "sys/child.h"
#include "sys/clock.h"
#include "watch/counter.h"
#include "wire/limits.h"

enum { SOONEST = 5000, LATEST = 1000000 };

static uint64_t counted_us(const struct cpu *c)
{
	uint64_t v = c->version == 2 ? counter_read(c->fd, "usage_usec") : counter_read(c->fd, NULL);
	if (v == LIMIT_NONE)
		return LIMIT_NONE;
	return c->version == 2 ? v : v / 1000;
}

void cpu_open(struct cpu *c, const struct facts *facts, uint64_t limit_ms)
{
	const struct fact_cgroup *g = facts ? &facts->cgroup : NULL;
	long cores;

	*c = (struct cpu){.fd = -1, .limit_ms = limit_ms, .next = UINT64_MAX, .cores = 1};
	if (limit_ms != LIMIT_NONE) {
		cores = sysconf(_SC_NPROCESSORS_ONLN);
		c->cores = cores > 0 ? (uint64_t)cores : 1;
		c->next = 0;
	}
	if (!g || !g->cpu[0] || !counter_is_own(g->cpu))
		return;
	c->version = g->version;
	c->fd = counter_open(g->cpu);
	c->before_us = counted_us(c);
	if (c->before_us == LIMIT_NONE) {
		close(c->fd);
		c->fd = -1;
	} else {
		/* init's own share is taken off again below; what it used so far is in before_us. */
		c->before_us -= clock_own_cpu() < c->before_us ? clock_own_cpu() : c->before_us;
	}
}

bool cpu_exact(const struct cpu *c)
{
	return c->fd >= 0;
}

void cpu_walked(struct cpu *c, const struct tree *t)
{
	uint64_t sum = t->cpu_us + child_reaped_cpu();
	if (sum > c->seen_us)
		c->seen_us = sum;
}

uint64_t cpu_now_ms(struct cpu *c)
{
	uint64_t v, own;

	if (c->fd < 0) {
		v = child_reaped_cpu();
		return (v > c->seen_us ? v : c->seen_us) / 1000;
	}
	v = counted_us(c);
	own = clock_own_cpu() + c->before_us;
	return v == LIMIT_NONE || v < own ? 0 : (v - own) / 1000;
}

bool cpu_look(struct cpu *c, uint64_t now, bool forced, struct breach *b)
{
	uint64_t used, left;

	if (c->limit_ms == LIMIT_NONE || (now < c->next && !forced))
		return false;
	used = cpu_now_ms(c);
	if (used < c->limit_ms) {
		/* All cores together cannot use up the rest any sooner. */
		left = (c->limit_ms - used) * 1000 / c->cores;
		c->next = now + (left < SOONEST ? SOONEST : left > LATEST ? LATEST : left);
		return false;
	}
	c->next = now + LATEST;
	b->verdict = VERDICT_CPU_TIME;
	b->limit = c->limit_ms;
	b->observed = used;
	b->unit = "ms";
	b->proof = c->fd >= 0 ? "CPU time of the run's cgroup" : "CPU time of the living and the reaped";
	b->graceful = true;
	return true;
}

struct figure cpu_used(struct cpu *c)
{
	return (struct figure){cpu_now_ms(c), c->fd >= 0 ? HOW_EXACT : HOW_LOWER_BOUND};
}
