/*
 * Rankings: NDCG@k, MAP@k and MRR, a mean over queries. A query's rows are ranked by their number, the greatest first;
 * or a row is a query and the family's labels are its ranking. Equal numbers share their gain in NDCG; in MAP and MRR the
 * relevant ones among them come last, so that nothing is won by not deciding.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "judge/exact.h"
#include "judge/order.h"

struct ranking {
	struct metric_work *w;
	uint32_t *row, *start; /* rows by query, best first; where each query begins */
	uint8_t *fresh;	       /* a lesser number than the one before in the query begins here */
	uint64_t k;
};

static double discount(uint64_t place)
{
	return 1 / log2((double)place + 2);
}

/* Σ gain · discount over places from … to - 1, all with the same gain. */
static void gain(struct exact *sum, double of_each, uint64_t from, uint64_t to, uint64_t k)
{
	struct exact places;
	uint64_t last = to < k ? to : k;
	if (from >= last)
		return;
	if (to - from == 1) {
		exact_add(sum, of_each * discount(from));
		return;
	}
	exact_start(&places);
	for (uint64_t p = from; p < last; p++)
		exact_add(&places, discount(p));
	exact_add(sum, of_each * exact_value(&places));
}

static double by_rank(const void *a)
{
	double v;
	__builtin_memcpy(&v, a, sizeof v);
	return v;
}

static int downwards(const void *a, const void *b)
{
	double x = by_rank(a), y = by_rank(b);
	return x < y ? 1 : x > y ? -1 : 0;
}

static double ndcg(const struct ranking *r, uint64_t from, uint64_t to, double *ideal)
{
	const struct sample *s = &r->w->sample;
	struct exact got, best, tied;
	exact_start(&got);
	exact_start(&best);
	for (uint64_t i = from, end; i < to; i = end) {
		exact_start(&tied);
		for (end = i; end == i || (end < to && !r->fresh[end]); end++)
			exact_add(&tied, s->truth_number[r->row[end]]);
		gain(&got, exact_value(&tied) / (double)(end - i), i - from, end - from, r->k);
	}
	for (uint64_t i = from; i < to; i++)
		ideal[i - from] = s->truth_number[r->row[i]];
	qsort(ideal, to - from, sizeof *ideal, downwards);
	for (uint64_t i = 0; i < to - from; i++)
		gain(&best, ideal[i], i, i + 1, r->k);
	double most = exact_value(&best);
	return most > 0 ? exact_value(&got) / most : 0;
}

/* The places of the relevant rows, ties against them: MAP's sum or MRR's first. */
static double precision_at(const struct ranking *r, uint64_t from, uint64_t to)
{
	const struct sample *s = &r->w->sample;
	bool first_only = r->w->metric->as == METRIC_MRR;
	uint64_t relevant = 0, seen = 0;
	struct exact sum;
	exact_start(&sum);
	for (uint64_t i = from; i < to; i++)
		relevant += s->flag[r->row[i]];
	for (uint64_t i = from, end; i < to; i = end) {
		uint64_t here = 0;
		for (end = i; end == i || (end < to && !r->fresh[end]); end++)
			here += s->flag[r->row[end]];
		for (uint64_t n = 1; n <= here; n++) {
			uint64_t place = end - from - here + n;
			if (place > r->k)
				break;
			if (first_only)
				return 1 / (double)place;
			exact_add(&sum, (double)++seen / (double)place);
		}
	}
	return relevant == 0 || first_only ? 0 : exact_mean(&sum, relevant < r->k ? relevant : r->k);
}

/* The row's one relevant label in the family's ranking. */
static double listed(const struct metric_work *w, uint64_t row, uint64_t k)
{
	const struct sample *s = &w->sample;
	for (uint64_t c = 0; c < s->width && c < k; c++)
		if (s->said[c * s->n + row] == s->truth[row])
			return 1 / (double)(c + 1);
	return 0;
}

/* Rows by query, within each by their number downwards. */
static int by_query(struct ranking *r)
{
	struct metric_work *w = r->w;
	const struct sample *s = &w->sample;
	struct order o;
	r->row = work_take(w, s->n, sizeof *r->row);
	r->fresh = work_take(w, s->n, sizeof *r->fresh);
	r->start = work_take(w, (uint64_t)s->queries + 2, sizeof *r->start);
	if (!r->row || !r->fresh || !r->start || order_make(w, s->score, s->n, NULL, &o) < 0)
		return -ENOMEM;
	for (uint64_t i = 0; i < s->n; i++)
		r->start[s->query[i] + 2]++;
	for (uint64_t q = 2; q < (uint64_t)s->queries + 2; q++)
		r->start[q] += r->start[q - 1];
	/* start[q + 1] is where the next row of query q goes; when all are placed, where query q + 1 begins. */
	for (uint64_t i = s->n; i-- > 0;) {
		uint32_t row = o.row[i], at = r->start[s->query[row] + 1]++;
		r->row[at] = row;
		r->fresh[at] = at == 0 || s->query[r->row[at - 1]] != s->query[row] ||
			       s->score[r->row[at - 1]] != s->score[row];
	}
	return 0;
}

int ranking_open(struct metric_work *w)
{
	struct sample *s = &w->sample;
	struct ranking r = {.w = w, .k = w->metric->k ? w->metric->k : UINT64_MAX};
	w->units = s->query ? s->queries : s->n;
	double *figure = work_take(w, w->units, sizeof *figure);
	w->state = figure;
	if (!figure)
		return -ENOMEM;
	if (!s->query) {
		for (uint64_t i = 0; i < s->n; i++)
			figure[i] = listed(w, i, r.k);
		return 0;
	}
	double *ideal = work_take(w, s->n, sizeof *ideal);
	if (!ideal || by_query(&r) < 0)
		return -ENOMEM;
	for (uint32_t q = 0; q < s->queries; q++)
		figure[q] = w->metric->as == METRIC_NDCG ? ndcg(&r, r.start[q], r.start[q + 1], ideal)
							 : precision_at(&r, r.start[q], r.start[q + 1]);
	return 0;
}
