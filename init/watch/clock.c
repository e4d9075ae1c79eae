/* The wall limit. */
#include "watch/clock.h"

#include <unistd.h>

#include "sys/clock.h"
#include "wire/limits.h"

void wall_start(struct wall *w, uint64_t now, uint64_t limit_ms)
{
	w->started = now;
	w->ended = CLOCK_NEVER;
	w->limit_ms = limit_ms;
	/* Without an alarm the loop's own timeout does, but for the time after a suspend. */
	w->alarm = limit_ms == LIMIT_NONE ? -1 : clock_alarm(wall_due(w));
}

static void disarm(struct wall *w)
{
	if (w->alarm >= 0)
		close(w->alarm);
	w->alarm = -1;
}

void wall_stop(struct wall *w, uint64_t now)
{
	if (w->ended != CLOCK_NEVER)
		return;
	w->ended = now;
	disarm(w);
}

uint64_t wall_at(const struct wall *w, uint64_t now)
{
	return (now - w->started) / 1000;
}

uint64_t wall_elapsed(const struct wall *w, uint64_t now)
{
	return wall_at(w, w->ended != CLOCK_NEVER ? w->ended : now);
}

uint64_t wall_due(const struct wall *w)
{
	return w->limit_ms == LIMIT_NONE || w->ended != CLOCK_NEVER ? UINT64_MAX
								    : w->started + w->limit_ms * 1000;
}

bool wall_breach(struct wall *w, uint64_t now, struct breach *b)
{
	if (now < wall_due(w))
		return false;
	b->verdict = VERDICT_WALL_TIME;
	b->limit = w->limit_ms;
	b->observed = wall_at(w, now);
	b->unit = "ms";
	b->proof = "CLOCK_BOOTTIME since the start";
	b->graceful = true;
	w->limit_ms = LIMIT_NONE;
	disarm(w);
	return true;
}
