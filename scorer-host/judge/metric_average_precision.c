/* Average precision: the step sum of precision over recall, rows of one number together. */
#include <errno.h>

#include "judge/exact.h"
#include "judge/order.h"

int average_precision_open(struct metric_work *w)
{
	struct order *o = work_take(w, 1, sizeof *o);
	w->state = o;
	return o ? order_make(w, w->sample.score, w->sample.n, NULL, o) : -ENOMEM;
}

struct metric_value average_precision_evaluate(struct metric_work *w, const uint32_t *weight)
{
	const struct sample *s = &w->sample;
	const struct order *o = w->state;
	uint64_t right = 0, all = 0, here = 0;
	struct exact sum;
	exact_start(&sum);
	for (uint64_t i = s->n; i-- > 0;) {
		uint32_t row = o->row[i];
		uint64_t n = times(weight, row);
		all += n;
		here += s->flag[row] ? n : 0;
		if (o->fresh[i] && here) {
			right += here;
			exact_add_times(&sum, (double)right / (double)all, (uint32_t)here);
			here = 0;
		}
	}
	return right ? defined(exact_mean(&sum, right)) : undefined(WHY_NO_POSITIVE);
}
