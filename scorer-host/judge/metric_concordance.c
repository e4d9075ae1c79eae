/*
 * Harrell's C: of all pairs whose order in time is known, the share in which the one whose event came first has the
 * greater risk, equal risks counting half. The order is known when the earlier time is an event's; at equal times, when
 * one is an event's and the other is not.
 */
#include <errno.h>
#include <string.h>

#include "judge/order.h"

struct concordance {
	struct order time;
	uint32_t *rank;
	uint32_t ranks;
	uint64_t *tree; /* of the rows known to have outlived */
};

int concordance_open(struct metric_work *w)
{
	const struct sample *s = &w->sample;
	struct concordance *c = work_take(w, 1, sizeof *c);
	struct order risk;
	w->state = c;
	int r = c ? order_make(w, s->truth_number, s->n, NULL, &c->time) : -ENOMEM;
	if (r == 0)
		r = order_make(w, s->score, s->n, NULL, &risk);
	if (r < 0 || !(c->rank = work_take(w, s->n, sizeof *c->rank)))
		return -ENOMEM;
	c->ranks = order_ranks(&risk, s->n, c->rank);
	c->tree = work_take(w, (uint64_t)c->ranks + 1, sizeof *c->tree);
	return c->tree ? 0 : -ENOMEM;
}

/* Adds the rows from `first` to `last` that did, or did not, have the event. */
static uint64_t outlived(
    const struct metric_work *w, const uint32_t *weight, uint64_t first, uint64_t last, unsigned event)
{
	const struct concordance *c = w->state;
	uint64_t added = 0;
	for (uint64_t i = first; i < last; i++) {
		uint32_t row = c->time.row[i];
		if (w->sample.flag[row] != event)
			continue;
		tree_add(c->tree, c->ranks, c->rank[row], times(weight, row));
		added += times(weight, row);
	}
	return added;
}

struct metric_value concordance_evaluate(struct metric_work *w, const uint32_t *weight)
{
	const struct concordance *c = w->state;
	uint64_t twice = 0, pairs = 0, later = 0;
	memset(c->tree, 0, ((size_t)c->ranks + 1) * sizeof *c->tree);
	for (uint64_t last = w->sample.n, first; last > 0; last = first) {
		first = last - 1;
		while (!c->time.fresh[first])
			first--;
		later += outlived(w, weight, first, last, 0);
		for (uint64_t i = first; i < last; i++) {
			uint32_t row = c->time.row[i], rank = c->rank[row];
			uint64_t n = times(weight, row);
			if (!w->sample.flag[row] || !n)
				continue;
			pairs += n * later;
			twice += n * (tree_below(c->tree, rank) + tree_below(c->tree, rank + 1));
		}
		later += outlived(w, weight, first, last, 1);
	}
	return pairs ? defined((double)twice / (2 * (double)pairs)) : undefined(WHY_NO_PAIR);
}
