/* The median, of a column or of absolute errors: the middle one, or the mean of the two in the middle. */
#include <errno.h>
#include <math.h>

#include "judge/order.h"

struct middle {
	const double *figure;
	struct order order;
};

int median_open(struct metric_work *w)
{
	struct middle *m = work_take(w, 1, sizeof *m);
	int r = m ? 0 : -ENOMEM;
	if (r == 0 && w->metric->as == METRIC_MEDAE) {
		r = regression_open(w);
		if (r == 0)
			m->figure = w->state;
	} else if (r == 0) {
		m->figure = w->sample.score;
	}
	w->state = m;
	return r == 0 ? order_make(w, m->figure, w->sample.n, NULL, &m->order) : r;
}

struct metric_value median_evaluate(struct metric_work *w, const uint32_t *weight)
{
	const struct middle *m = w->state;
	uint64_t all = 0, seen = 0;
	double low = 0;
	for (uint64_t i = 0; i < w->sample.n; i++)
		all += times(weight, i);
	uint64_t first = (all - 1) / 2, second = all / 2;
	for (uint64_t i = 0; i < w->sample.n; i++) {
		uint32_t row = m->order.row[i];
		uint64_t next = seen + times(weight, row);
		if (seen <= first && first < next)
			low = m->figure[row];
		if (seen <= second && second < next) {
			double high = m->figure[row], both = low + high;
			return defined(first == second	? high
				       : isfinite(both) ? both / 2
							: low / 2 + high / 2);
		}
		seen = next;
	}
	return undefined(WHY_NO_ROWS);
}
