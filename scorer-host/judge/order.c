/* Sorting rows by a number. Pure. */
#include "judge/order.h"

#include <errno.h>
#include <stdlib.h>

#include "judge/sort.h"

int order_make(
    struct metric_work *w, const double *value, uint64_t n, const struct order *first, struct order *out)
{
	out->row = work_take(w, n, sizeof *out->row);
	out->fresh = work_take(w, n, sizeof *out->fresh);
	struct sort_pair *pair = malloc((n + 1) * sizeof *pair), *spare = malloc((n + 1) * sizeof *spare);
	int r = out->row && out->fresh && pair && spare ? 0 : -ENOMEM;
	for (uint64_t i = 0; r == 0 && i < n; i++) {
		uint32_t row = first ? first->row[i] : (uint32_t)i;
		pair[i] = (struct sort_pair){sort_key(value[row]), row};
	}
	if (r == 0)
		sort_pairs(pair, spare, n);
	for (uint64_t i = 0; r == 0 && i < n; i++) {
		out->row[i] = pair[i].row;
		out->fresh[i] = i == 0 || pair[i].key != pair[i - 1].key;
	}
	free(pair);
	free(spare);
	return r;
}

uint32_t order_ranks(const struct order *order, uint64_t n, uint32_t *rank)
{
	uint32_t now = 0;
	for (uint64_t i = 0; i < n; i++) {
		now += order->fresh[i];
		rank[order->row[i]] = now - 1;
	}
	return now;
}
