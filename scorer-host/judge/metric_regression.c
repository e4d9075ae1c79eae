/* How far numbers are off: absolute, squared, relative, in logarithms; and R². */
#include <errno.h>
#include <float.h>
#include <math.h>

#include "judge/metric.h"
#include "judge/spread.h"

static double figure_of(enum metric_kind as, double truth, double said)
{
	double off = truth - said;
	if (as == METRIC_MAE || as == METRIC_MEDAE)
		return fabs(off);
	if (as == METRIC_MAPE)
		return fabs(off) / (fabs(truth) > DBL_EPSILON ? fabs(truth) : DBL_EPSILON);
	/* The difference of the two logarithms, without the digits that subtracting them would lose. */
	if (as == METRIC_RMSLE)
		off = log1p(fabs(off) / (1 + (truth < said ? truth : said)));
	return off * off;
}

int regression_open(struct metric_work *w)
{
	const struct sample *s = &w->sample;
	double *figure = work_take(w, s->n, sizeof *figure);
	w->state = figure;
	for (uint64_t i = 0; figure && i < s->n; i++)
		figure[i] = figure_of(w->metric->as, s->truth_number[i], s->score[i]);
	return figure ? 0 : -ENOMEM;
}

int r2_open(struct metric_work *w)
{
	return w->sample.n < 2 ? WHY_ONE_ROW : 0;
}

/* 1 - residual / total as (total - residual) / total, one exact sum. */
struct metric_value r2_evaluate(struct metric_work *w, const uint32_t *weight)
{
	const struct sample *s = &w->sample;
	struct spread truth;
	struct exact left, total, rest;
	double most = 0;
	spread_of(s->truth_number, s->n, weight, &truth);
	for (uint64_t i = 0; i < s->n; i++)
		if (times(weight, i))
			most = larger(most, fabs(s->truth_number[i] - s->score[i]));
	if (truth.constant)
		return defined(most == 0);
	if (!isfinite(truth.most) || !isfinite(most))
		return undefined(WHY_OVERFLOW);
	double scale = spread_scale(larger(truth.most, most));
	exact_start(&left);
	exact_start(&total);
	exact_start(&rest);
	for (uint64_t i = 0; i < s->n; i++) {
		uint32_t n = times(weight, i);
		if (!n)
			continue;
		struct apart d = apart_from(s->truth_number[i], truth.mean, scale);
		struct apart off = apart_from(s->truth_number[i], s->score[i], scale);
		exact_add_product(&total, d.high, d.high, n);
		exact_add_times(&total, 2 * d.high * d.low, n);
		exact_add_product(&left, d.high, d.high, n);
		exact_add_times(&left, 2 * d.high * d.low, n);
		exact_add_product(&left, off.high, -off.high, n);
		exact_add_times(&left, -2 * off.high * off.low, n);
		exact_add_times(&rest, d.high, n);
		exact_add_times(&rest, d.low, n);
	}
	double r = exact_value(&rest), correction = r * r / (double)truth.n;
	double all = exact_value(&total) - correction;
	/* So far apart that nothing of the truth's spread is left beside the error. */
	if (!(all > 0))
		return undefined(WHY_OVERFLOW);
	return defined((exact_value(&left) - correction) / all);
}
