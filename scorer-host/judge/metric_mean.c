/* Metrics that are a mean of one figure a unit, or the root of it; the figures are made here for columns and pass@k. */
#include <errno.h>
#include <math.h>

#include "judge/exact.h"
#include "judge/metric.h"

int column_open(struct metric_work *w)
{
	w->state = w->sample.score;
	return 0;
}

/* 1 - C(n-c, k) / C(n, k) in the product form of Chen et al. 2021. */
static double pass(double samples, double right, double k)
{
	double none = 1;
	uint64_t n = (uint64_t)samples, wrong = (uint64_t)(samples - right);
	if (samples - right < k)
		return 1;
	for (uint64_t i = wrong + 1; i <= n; i++)
		none *= 1 - k / (double)i;
	return 1 - none;
}

int passk_open(struct metric_work *w)
{
	const struct sample *s = &w->sample;
	double k = (double)w->metric->k, *figure = work_take(w, s->n, sizeof *figure);
	w->state = figure;
	if (!figure)
		return -ENOMEM;
	for (uint64_t i = 0; i < s->n; i++) {
		if (s->of[i] < k)
			return WHY_FEW_SAMPLES;
		if (s->score[i] > s->of[i])
			return WHY_MANY_RIGHT;
		figure[i] = pass(s->of[i], s->score[i], k);
	}
	return 0;
}

struct metric_value mean_evaluate(struct metric_work *w, const uint32_t *weight)
{
	const double *figure = w->state;
	struct exact sum;
	uint64_t n = 0;
	exact_start(&sum);
	for (uint64_t i = 0; i < w->units; i++) {
		uint32_t here = times(weight, i);
		if (here == 1)
			exact_add(&sum, figure[i]);
		else if (here)
			exact_add_times(&sum, figure[i], here);
		n += here;
	}
	double mean = exact_mean(&sum, n);
	bool root = w->metric->as == METRIC_RMSE || w->metric->as == METRIC_RMSLE;
	return defined(root ? sqrt(mean) : mean);
}
