/* The one decision why a run ended. Pure. */
#include "core/cause.h"

#include <string.h>

#include "core/text.h"
#include "wire/limits.h"

void cause_start(struct cause *c)
{
	memset(c, 0, sizeof *c);
	c->limit = c->observed = LIMIT_NONE;
}

static void proof_add(struct cause *c, const char *piece, uint64_t at_ms)
{
	struct text t = {c->proof, sizeof c->proof, strlen(c->proof)};
	if (t.length)
		text_add(&t, "; ");
	text_add(&t, piece);
	if (at_ms != LIMIT_NONE) {
		text_add(&t, " at ");
		text_number(&t, at_ms);
		text_add(&t, " ms");
	}
}

bool cause_decide(struct cause *c, enum verdict v, bool by_init, const char *proof, uint64_t at_ms)
{
	if (c->decided)
		return false;
	c->decided = true;
	c->verdict = v;
	c->by_init = by_init;
	c->at_ms = at_ms;
	proof_add(c, proof, LIMIT_NONE);
	return true;
}

bool cause_breach(struct cause *c, const struct breach *b, uint64_t at_ms)
{
	if (!cause_decide(c, b->verdict, true, b->proof, at_ms))
		return false;
	c->limit = b->limit;
	c->observed = b->observed;
	c->unit = b->unit;
	return true;
}

void cause_ended(struct cause *c, const struct ending *e, uint64_t at_ms)
{
	if (e->kind == ENDING_CODE) {
		enum verdict v = e->value ? VERDICT_EXIT_NONZERO : VERDICT_NONE;
		if (cause_decide(c, v, false, "the main process exited by itself", at_ms) && e->value) {
			c->observed = (uint64_t)e->value;
			c->unit = "code";
		}
	} else if (e->kind == ENDING_SIGNAL) {
		if (cause_decide(c, VERDICT_SIGNALED, false,
			"the main process died of a signal that init did not send", at_ms)) {
			c->observed = (uint64_t)e->value;
			c->unit = "signal";
		}
	}
}

/* The kernel did it, not init: true when what was decided so far only tells how the main process ended. */
static bool replace(struct cause *c, enum verdict v, uint64_t at_ms)
{
	if (c->by_init || (c->decided && c->verdict != VERDICT_NONE && c->verdict != VERDICT_EXIT_NONZERO &&
			      c->verdict != VERDICT_SIGNALED))
		return false;
	if (!c->decided)
		c->at_ms = at_ms;
	c->decided = true;
	c->verdict = v;
	return true;
}

static bool some(uint64_t count)
{
	return count != 0 && count != LIMIT_NONE;
}

void cause_oom(struct cause *c, uint64_t kills, uint64_t hits, uint64_t limit, uint64_t peak, uint64_t at_ms)
{
	struct text t = {c->proof, sizeof c->proof, 0};

	if (!some(kills) || !some(hits) || !replace(c, VERDICT_MEMORY, at_ms))
		return;
	c->limit = limit;
	c->observed = peak;
	c->unit = "bytes";
	text_add(&t, "the run's cgroup counted ");
	text_number(&t, kills);
	text_add(&t, " OOM kills and ");
	text_number(&t, hits);
	text_add(&t, " hits of its own limit");
}

void cause_forks(struct cause *c, uint64_t refused, uint64_t limit, uint64_t peak, uint64_t at_ms)
{
	struct text t = {c->proof, sizeof c->proof, 0};

	if (!some(refused) || !replace(c, VERDICT_PROCESSES, at_ms))
		return;
	c->limit = limit;
	c->observed = peak;
	c->unit = "count";
	text_add(&t, "the run's cgroup refused ");
	text_number(&t, refused);
	text_add(&t, " forks at its own limit");
}

void cause_note(struct cause *c, const char *step, uint64_t at_ms)
{
	if (c->decided && c->by_init)
		proof_add(c, step, at_ms);
}

static int own_status(const struct ending *e)
{
	return e->kind == ENDING_SIGNAL ? 128 + e->value : e->value;
}

int cause_status(const struct cause *c, const struct ending *e)
{
	switch ((unsigned)c->verdict) {
	case VERDICT_WALL_TIME:
	case VERDICT_CPU_TIME:
	case VERDICT_MEMORY:
	case VERDICT_PROCESSES:
	case VERDICT_OUTPUT_BYTES:
	case VERDICT_OUTPUT_FILES:
	case VERDICT_SCRATCH_BYTES:
	case VERDICT_LOG_BYTES:
	case VERDICT_FORBIDDEN_SYSCALL:
		return 124;
	case VERDICT_EXEC_DENIED:
		return 126;
	case VERDICT_EXEC_NOT_FOUND:
		return 127;
	case VERDICT_NONE:
	case VERDICT_EXIT_NONZERO:
	case VERDICT_SIGNALED:
	case VERDICT_CANCELLED:
		return c->decided && e->kind != ENDING_NONE ? own_status(e) : 125;
	default:
		return 125;
	}
}
