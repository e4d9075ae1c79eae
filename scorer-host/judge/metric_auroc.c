/*
 * The area under the ROC curve as the share of (positive, negative) pairs in the right order, ties counting half: whole
 * numbers and one division. Several classes: one against the rest, or every pair of classes.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "judge/exact.h"
#include "judge/order.h"
#include "judge/sort.h"

struct auroc {
	struct order *order; /* one a number of the row; NULL: evaluated once, by sorting keys alone */
	uint64_t *rows, *here, *below, *pairs;
};

static int binary_open(struct metric_work *w, struct auroc *a)
{
	uint64_t positive = 0;
	for (uint64_t i = 0; i < w->sample.n; i++)
		positive += w->sample.flag[i];
	if (positive == 0 || positive == w->sample.n)
		return positive == 0 ? WHY_NO_POSITIVE : WHY_NO_NEGATIVE;
	if (!w->again)
		return 0;
	a->order = work_take(w, 1, sizeof *a->order);
	return a->order ? order_make(w, w->sample.score, w->sample.n, NULL, a->order) : -ENOMEM;
}

int auroc_open(struct metric_work *w)
{
	const struct sample *s = &w->sample;
	struct auroc *a = work_take(w, 1, sizeof *a);
	uint64_t k = s->width;
	w->state = a;
	if (!a)
		return -ENOMEM;
	if (s->flag)
		return binary_open(w, a);
	a->order = work_take(w, k, sizeof *a->order);
	a->rows = work_take(w, k, sizeof *a->rows);
	a->here = work_take(w, k, sizeof *a->here);
	a->below = work_take(w, k, sizeof *a->below);
	a->pairs = work_take(w, k * k, sizeof *a->pairs);
	int r = a->order && a->rows && a->here && a->below && a->pairs ? 0 : -ENOMEM;
	for (uint64_t c = 0; r == 0 && c < k; c++)
		r = order_make(w, s->score + c * s->n, s->n, NULL, &a->order[c]);
	return r;
}

/* Twice the Mann-Whitney U over sorted keys: a pair in the right order counts 2, a tie 1. At most rows²/2 < 2^63. */
static uint64_t twice_u(const uint64_t *positive, uint64_t np, const uint64_t *negative, uint64_t nn)
{
	uint64_t sum = 0, below = 0, through = 0;
	for (uint64_t i = 0; i < np; i++) {
		while (below < nn && negative[below] < positive[i])
			below++;
		if (through < below)
			through = below;
		while (through < nn && negative[through] == positive[i])
			through++;
		sum += below + through;
	}
	return sum;
}

static struct metric_value share(uint64_t twice, uint64_t positive, uint64_t negative)
{
	if (positive == 0 || negative == 0)
		return undefined(positive == 0 ? WHY_NO_POSITIVE : WHY_NO_NEGATIVE);
	return defined((double)twice / (double)(2 * positive * negative));
}

/* Once: positives from the front, negatives behind them, and no row numbers carried along. */
static struct metric_value by_keys(const struct sample *s)
{
	uint64_t *keys = malloc(s->n * sizeof *keys), *spare = malloc(s->n * sizeof *spare);
	uint64_t front = 0, back = s->n;
	struct metric_value v = {0, METRIC_NO_MEMORY};
	if (keys && spare) {
		for (uint64_t i = 0; i < s->n; i++) {
			uint64_t key = sort_key(s->score[i]);
			keys[front] = key;
			keys[back - 1] = key;
			front += s->flag[i];
			back -= !s->flag[i];
		}
		sort_keys(keys, spare, front);
		sort_keys(keys + front, spare, s->n - front);
		v = share(twice_u(keys, front, keys + front, s->n - front), front, s->n - front);
	}
	free(keys);
	free(spare);
	return v;
}

static struct metric_value by_order(const struct sample *s, const struct order *o, const uint32_t *weight)
{
	uint64_t twice = 0, below = 0, positive = 0, here[2] = {0, 0};
	for (uint64_t i = 0; i < s->n; i++) {
		if (o->fresh[i]) {
			twice += here[1] * (2 * below + here[0]);
			below += here[0];
			positive += here[1];
			here[0] = here[1] = 0;
		}
		here[s->flag[o->row[i]]] += times(weight, o->row[i]);
	}
	twice += here[1] * (2 * below + here[0]);
	return share(twice, positive + here[1], below + here[0]);
}

/* pairs[c][b]: twice the U of class c over class b, by the numbers of class c. */
static void count_pairs(const struct metric_work *w, const uint32_t *weight, const struct auroc *a)
{
	const struct sample *s = &w->sample;
	uint64_t k = s->width;
	memset(a->pairs, 0, k * k * sizeof *a->pairs);
	for (uint64_t c = 0; c < k; c++) {
		const struct order *o = &a->order[c];
		uint64_t *pairs = a->pairs + c * k;
		memset(a->below, 0, k * sizeof *a->below);
		for (uint64_t i = 0, end; i < s->n; i = end) {
			for (end = i; end == i || (end < s->n && !o->fresh[end]); end++)
				a->here[s->truth[o->row[end]]] += times(weight, o->row[end]);
			for (uint64_t b = 0; b < k && a->here[c]; b++)
				pairs[b] += a->here[c] * (2 * a->below[b] + a->here[b]);
			for (uint64_t at = i; at < end; at++) {
				uint32_t b = s->truth[o->row[at]];
				a->below[b] += a->here[b];
				a->here[b] = 0;
			}
		}
		memcpy(a->rows, a->below, k * sizeof *a->rows);
	}
}

static struct metric_value one_against_rest(const struct metric_work *w, const struct auroc *a)
{
	uint64_t k = w->sample.width, all = 0, by = 0;
	struct exact sum;
	exact_start(&sum);
	for (uint64_t c = 0; c < k; c++)
		all += a->rows[c];
	for (uint64_t c = 0; c < k; c++) {
		uint64_t twice = 0;
		for (uint64_t b = 0; b < k; b++)
			twice += b == c ? 0 : a->pairs[c * k + b];
		struct metric_value v = share(twice, a->rows[c], all - a->rows[c]);
		if (v.why)
			return undefined(WHY_NO_CLASS);
		uint64_t n = w->metric->average == AVERAGE_WEIGHTED ? a->rows[c] : 1;
		exact_add_times(&sum, v.value, (uint32_t)n);
		by += n;
	}
	return defined(exact_mean(&sum, by));
}

static struct metric_value every_pair(const struct metric_work *w, const struct auroc *a)
{
	uint64_t k = w->sample.width, by = 0;
	struct exact sum;
	exact_start(&sum);
	for (uint64_t c = 0; c < k; c++)
		for (uint64_t b = 0; b < c; b++) {
			uint64_t twice = a->pairs[c * k + b] + a->pairs[b * k + c];
			struct metric_value v = share(twice, a->rows[c], 2 * a->rows[b]);
			if (v.why)
				return undefined(WHY_NO_CLASS);
			uint64_t n = w->metric->average == AVERAGE_OVO_WEIGHTED ? a->rows[c] + a->rows[b] : 1;
			exact_add_times(&sum, v.value, (uint32_t)n);
			by += n;
		}
	return defined(exact_mean(&sum, by));
}

struct metric_value auroc_evaluate(struct metric_work *w, const uint32_t *weight)
{
	const struct auroc *a = w->state;
	if (w->sample.flag)
		return a->order ? by_order(&w->sample, a->order, weight) : by_keys(&w->sample);
	count_pairs(w, weight, a);
	bool pairs = w->metric->average == AVERAGE_OVO_MACRO || w->metric->average == AVERAGE_OVO_WEIGHTED;
	return pairs ? every_pair(w, a) : one_against_rest(w, a);
}
