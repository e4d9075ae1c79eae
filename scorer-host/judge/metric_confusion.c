/*
 * Metrics over labels: accuracy, balanced accuracy, precision, recall, specificity, F1, MCC, kappa. All of them are made
 * of three counts a class (rows of the truth, rows of the table, rows of both), and kappa of a weighted disagreement.
 */
#include <errno.h>
#include <string.h>

#include "judge/exact.h"
#include "judge/metric.h"
#include "judge/wide.h"

struct counts {
	uint64_t *truth, *said, *both; /* a class */
	uint64_t all, right;
	uint64_t off; /* Σ of the rows' kappa weights */
};

int confusion_open(struct metric_work *w)
{
	struct counts *c = work_take(w, 1, sizeof *c);
	uint32_t classes = w->sample.classes;
	w->state = c;
	if (!c)
		return -ENOMEM;
	c->truth = work_take(w, classes, sizeof *c->truth);
	c->said = work_take(w, classes, sizeof *c->said);
	c->both = work_take(w, classes, sizeof *c->both);
	return c->truth && c->said && c->both ? 0 : -ENOMEM;
}

static uint64_t apart(const struct metric_work *w, uint32_t a, uint32_t b)
{
	uint64_t d = a > b ? a - b : b - a;
	switch (w->metric->weights) {
	case WEIGHTS_LINEAR:
		return d;
	case WEIGHTS_QUADRATIC:
		return d * d;
	case WEIGHTS_NONE:
		break;
	}
	return d != 0;
}

static void count(struct metric_work *w, const uint32_t *weight, struct counts *c)
{
	const struct sample *s = &w->sample;
	memset(c->truth, 0, s->classes * sizeof *c->truth);
	memset(c->said, 0, s->classes * sizeof *c->said);
	memset(c->both, 0, s->classes * sizeof *c->both);
	c->all = c->right = c->off = 0;
	bool kappa = w->metric->as == METRIC_KAPPA;
	for (uint64_t i = 0; i < s->n; i++) {
		uint64_t n = times(weight, i);
		uint32_t t = s->truth[i], p = s->said[i];
		c->all += n;
		c->truth[t] += n;
		c->said[p] += n;
		if (t == p) {
			c->both[t] += n;
			c->right += n;
		} else if (kappa) {
			c->off += n * apart(w, t, p);
		}
	}
}

static double ratio(uint64_t a, uint64_t b)
{
	return b ? (double)a / (double)b : 0;
}

/* Precision, recall or F1 of one class. */
static double of_class(const struct counts *c, enum metric_kind as, uint32_t k)
{
	if (as == METRIC_PRECISION)
		return ratio(c->both[k], c->said[k]);
	if (as == METRIC_RECALL)
		return ratio(c->both[k], c->truth[k]);
	return ratio(2 * c->both[k], c->truth[k] + c->said[k]);
}

static struct metric_value averaged(const struct metric_work *w, const struct counts *c)
{
	struct exact sum;
	uint64_t n = 0;
	bool weighted = w->metric->average == AVERAGE_WEIGHTED;
	exact_start(&sum);
	for (uint32_t k = 0; k < w->sample.classes; k++) {
		if (!c->truth[k] && !c->said[k])
			continue;
		uint64_t by = weighted ? c->truth[k] : 1;
		exact_add_times(&sum, of_class(c, w->metric->as, k), (uint32_t)by);
		n += by;
	}
	return defined(exact_mean(&sum, n));
}

static struct metric_value score_of_class(const struct metric_work *w, const struct counts *c)
{
	uint32_t positive = w->sample.positive;
	switch (w->metric->average) {
	case AVERAGE_MICRO:
		return defined(ratio(c->right, c->all));
	case AVERAGE_MACRO:
	case AVERAGE_WEIGHTED:
		return averaged(w, c);
	case AVERAGE_NONE:
	case AVERAGE_BINARY:
	case AVERAGE_OVO_MACRO:
	case AVERAGE_OVO_WEIGHTED:
		break;
	}
	return c->truth[positive] ? defined(of_class(c, w->metric->as, positive))
				  : undefined(WHY_NO_POSITIVE);
}

static struct metric_value specificity(const struct metric_work *w, const struct counts *c)
{
	uint32_t positive = w->sample.positive;
	uint64_t negative = c->all - c->truth[positive], false_alarms = c->said[positive] - c->both[positive];
	return negative ? defined(ratio(negative - false_alarms, negative)) : undefined(WHY_NO_NEGATIVE);
}

static struct metric_value balanced(const struct metric_work *w, const struct counts *c)
{
	struct exact sum;
	uint64_t n = 0;
	exact_start(&sum);
	for (uint32_t k = 0; k < w->sample.classes; k++)
		if (c->truth[k]) {
			exact_add(&sum, ratio(c->both[k], c->truth[k]));
			n++;
		}
	return defined(exact_mean(&sum, n));
}

static struct metric_value mcc(const struct metric_work *w, const struct counts *c)
{
	wide all = (wide)c->all, top = (wide)c->right * all, truth = all * all, said = truth;
	for (uint32_t k = 0; k < w->sample.classes; k++) {
		top -= (wide)c->truth[k] * c->said[k];
		truth -= (wide)c->truth[k] * c->truth[k];
		said -= (wide)c->said[k] * c->said[k];
	}
	return defined(truth == 0 || said == 0 ? 0 : wide_ratio(top, truth, said));
}

/* 1 - observed / expected disagreement, as one fraction. */
static struct metric_value kappa(const struct metric_work *w, const struct counts *c)
{
	wide expected = 0;
	uint32_t classes = w->sample.classes;
	if (w->metric->weights == WEIGHTS_NONE) {
		expected = (wide)c->all * c->all;
		for (uint32_t k = 0; k < classes; k++)
			expected -= (wide)c->truth[k] * c->said[k];
	} else {
		for (uint32_t i = 0; i < classes; i++)
			for (uint32_t k = 0; k < classes && c->truth[i]; k++)
				expected += (wide)(c->truth[i] * apart(w, i, k)) * c->said[k];
	}
	if (expected == 0)
		return undefined(WHY_ONE_LABEL);
	return defined(wide_double(expected - (wide)c->all * c->off) / wide_double(expected));
}

struct metric_value confusion_evaluate(struct metric_work *w, const uint32_t *weight)
{
	struct counts *c = w->state;
	count(w, weight, c);
	if (w->metric->as == METRIC_BALANCED_ACCURACY)
		return balanced(w, c);
	if (w->metric->as == METRIC_SPECIFICITY)
		return specificity(w, c);
	if (w->metric->as == METRIC_MCC)
		return mcc(w, c);
	if (w->metric->as == METRIC_KAPPA)
		return kappa(w, c);
	if (w->metric->as == METRIC_ACCURACY)
		return defined(ratio(c->right, c->all));
	return score_of_class(w, c);
}
