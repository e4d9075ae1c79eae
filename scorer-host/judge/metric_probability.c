/* What probabilities are worth: log loss, Brier score, expected calibration error, and the top k of them. */
#include <errno.h>
#include <float.h>
#include <math.h>

#include "judge/exact.h"
#include "judge/metric.h"

enum { ECE_BINS = 10 };

static double clip(double p)
{
	return p < DBL_EPSILON ? DBL_EPSILON : p > 1 - DBL_EPSILON ? 1 - DBL_EPSILON : p;
}

static double log_loss(const struct sample *s, uint64_t i)
{
	if (s->flag)
		return -log(s->flag[i] ? clip(s->score[i]) : 1 - clip(s->score[i]));
	double sum = 0;
	for (uint64_t c = 0; c < s->width; c++)
		sum += clip(s->score[c * s->n + i]);
	return -log(clip(s->score[s->truth[i] * s->n + i]) / sum);
}

int probability_open(struct metric_work *w)
{
	const struct sample *s = &w->sample;
	double *figure = work_take(w, s->n, sizeof *figure);
	w->state = figure;
	if (!figure)
		return -ENOMEM;
	for (uint64_t i = 0; i < s->n; i++) {
		double off = w->metric->as == METRIC_BRIER ? s->score[i] - s->flag[i] : 0;
		figure[i] = w->metric->as == METRIC_BRIER ? off * off : log_loss(s, i);
	}
	return 0;
}

/* The label is among the k greatest; of equal numbers the earlier column is the greater. */
int top_k_open(struct metric_work *w)
{
	const struct sample *s = &w->sample;
	double *figure = work_take(w, s->n, sizeof *figure);
	w->state = figure;
	if (!figure)
		return -ENOMEM;
	for (uint64_t i = 0; i < s->n; i++) {
		double own = s->score[s->truth[i] * s->n + i];
		uint64_t before = 0;
		for (uint64_t c = 0; c < s->width; c++) {
			double other = s->score[c * s->n + i];
			before += other > own || (other == own && c < s->truth[i]);
		}
		figure[i] = before < w->metric->k;
	}
	return 0;
}

struct calibration {
	uint32_t *bin;
	double *sure;	   /* of what was said */
	uint8_t *right;	   /* whether it was so */
	struct exact *off; /* a bin: Σ sure - right */
	uint32_t bins;
};

/* Bin b holds what is above b/k and not above (b+1)/k; 0 is in the first. */
static uint32_t bin_of(double p, uint32_t k)
{
	uint32_t b = (uint32_t)(p * k);
	b = b >= k ? k - 1 : b;
	while (b > 0 && p <= (double)b / k)
		b--;
	while (b + 1 < k && p > (double)(b + 1) / k)
		b++;
	return b;
}

int ece_open(struct metric_work *w)
{
	const struct sample *s = &w->sample;
	struct calibration *c = work_take(w, 1, sizeof *c);
	w->state = c;
	if (!c)
		return -ENOMEM;
	c->bins = w->metric->k ? (uint32_t)w->metric->k : ECE_BINS;
	c->bin = work_take(w, s->n, sizeof *c->bin);
	c->sure = work_take(w, s->n, sizeof *c->sure);
	c->right = work_take(w, s->n, sizeof *c->right);
	c->off = work_take(w, c->bins, sizeof *c->off);
	if (!c->bin || !c->sure || !c->right || !c->off)
		return -ENOMEM;
	for (uint64_t i = 0; i < s->n; i++) {
		uint64_t best = 0;
		for (uint64_t k = 1; k < s->width; k++)
			if (s->score[k * s->n + i] > s->score[best * s->n + i])
				best = k;
		c->sure[i] = s->score[best * s->n + i];
		c->right[i] = s->flag ? s->flag[i] : s->truth[i] == best;
		c->bin[i] = bin_of(c->sure[i], c->bins);
	}
	return 0;
}

struct metric_value ece_evaluate(struct metric_work *w, const uint32_t *weight)
{
	const struct calibration *c = w->state;
	struct exact all;
	uint64_t n = 0;
	for (uint32_t b = 0; b < c->bins; b++)
		exact_start(&c->off[b]);
	for (uint64_t i = 0; i < w->sample.n; i++) {
		uint32_t here = times(weight, i);
		exact_add_times(&c->off[c->bin[i]], c->sure[i], here);
		exact_add_times(&c->off[c->bin[i]], -(double)c->right[i], here);
		n += here;
	}
	exact_start(&all);
	for (uint32_t b = 0; b < c->bins; b++)
		exact_add(&all, fabs(exact_value(&c->off[b])));
	return defined(exact_mean(&all, n));
}
