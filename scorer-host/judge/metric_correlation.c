/* Correlations: Pearson's of the values, Spearman's of their mid-ranks, Kendall's tau-b of their order. */
#include <errno.h>
#include <math.h>

#include "judge/order.h"
#include "judge/spread.h"
#include "judge/wide.h"

int pearson_open(struct metric_work *w)
{
	return w->sample.n < 2 ? WHY_ONE_ROW : 0;
}

static void add_square(struct exact *sum, struct apart a, struct apart b, uint32_t n)
{
	exact_add_product(sum, a.high, b.high, n);
	exact_add_times(sum, a.high * b.low + a.low * b.high, n);
}

struct metric_value pearson_evaluate(struct metric_work *w, const uint32_t *weight)
{
	const struct sample *s = &w->sample;
	const double *x = s->truth_number, *y = s->score;
	struct spread sx, sy;
	struct exact xx, yy, xy, rx, ry;
	spread_of(x, s->n, weight, &sx);
	spread_of(y, s->n, weight, &sy);
	if (sx.constant || sy.constant)
		return undefined(sx.constant ? WHY_CONSTANT_TRUTH : WHY_CONSTANT);
	if (!isfinite(sx.most) || !isfinite(sy.most))
		return undefined(WHY_OVERFLOW);
	double cx = spread_scale(sx.most), cy = spread_scale(sy.most);
	exact_start(&xx);
	exact_start(&yy);
	exact_start(&xy);
	exact_start(&rx);
	exact_start(&ry);
	for (uint64_t i = 0; i < s->n; i++) {
		uint32_t n = times(weight, i);
		if (!n)
			continue;
		struct apart a = apart_from(x[i], sx.mean, cx), b = apart_from(y[i], sy.mean, cy);
		add_square(&xx, a, a, n);
		add_square(&yy, b, b, n);
		add_square(&xy, a, b, n);
		exact_add_times(&rx, a.high, n);
		exact_add_times(&rx, a.low, n);
		exact_add_times(&ry, b.high, n);
		exact_add_times(&ry, b.low, n);
	}
	double n = (double)sx.n, dx = exact_value(&rx), dy = exact_value(&ry);
	double vx = exact_value(&xx) - dx * dx / n, vy = exact_value(&yy) - dy * dy / n;
	double r = (exact_value(&xy) - dx * dy / n) / (sqrt(vx) * sqrt(vy));
	return defined(r > 1 ? 1 : r < -1 ? -1 : r);
}

struct ranked {
	struct order x, y; /* x: rows of equal x upwards by y */
	uint32_t *rank;	   /* of y */
	uint32_t ranks;
	uint64_t *tree;
	int64_t *dx; /* twice the mid-rank's distance from the mean rank */
};

int spearman_open(struct metric_work *w)
{
	const struct sample *s = &w->sample;
	struct ranked *k = work_take(w, 1, sizeof *k);
	w->state = k;
	if (s->n < 2)
		return WHY_ONE_ROW;
	int r = k ? order_make(w, s->score, s->n, NULL, &k->y) : -ENOMEM;
	if (r == 0)
		r = order_make(w, s->truth_number, s->n, &k->y, &k->x);
	if (r == 0 && !(k->dx = work_take(w, s->n, sizeof *k->dx)))
		r = -ENOMEM;
	return r;
}

int kendall_open(struct metric_work *w)
{
	struct ranked *k;
	int r = spearman_open(w);
	if (r)
		return r;
	k = w->state;
	k->rank = work_take(w, w->sample.n, sizeof *k->rank);
	if (!k->rank)
		return -ENOMEM;
	k->ranks = order_ranks(&k->y, w->sample.n, k->rank);
	k->tree = work_take(w, (uint64_t)k->ranks + 1, sizeof *k->tree);
	return k->tree ? 0 : -ENOMEM;
}

/* The next run of equal values from `at` on: its end, and its rows by weight. */
static uint64_t run(const struct order *o, uint64_t at, uint64_t n, const uint32_t *weight, uint64_t *here)
{
	*here = 0;
	do
		*here += times(weight, o->row[at]);
	while (++at < n && !o->fresh[at]);
	return at;
}

struct metric_value spearman_evaluate(struct metric_work *w, const uint32_t *weight)
{
	const struct ranked *k = w->state;
	uint64_t rows = w->sample.n, all = 0, here, below = 0;
	wide xx = 0, yy = 0, xy = 0;
	for (uint64_t i = 0; i < rows; i++)
		all += times(weight, i);
	for (uint64_t at = 0, end; at < rows; below += here, at = end) {
		end = run(&k->x, at, rows, weight, &here);
		int64_t d = (int64_t)(2 * below + here) - (int64_t)all;
		xx += (wide)d * d * (wide)here;
		for (uint64_t i = at; i < end; i++)
			k->dx[k->x.row[i]] = d;
	}
	below = 0;
	for (uint64_t at = 0, end; at < rows; below += here, at = end) {
		end = run(&k->y, at, rows, weight, &here);
		int64_t d = (int64_t)(2 * below + here) - (int64_t)all;
		yy += (wide)d * d * (wide)here;
		for (uint64_t i = at; i < end; i++)
			xy += (wide)d * k->dx[k->y.row[i]] * (wide)times(weight, k->y.row[i]);
	}
	if (xx == 0 || yy == 0)
		return undefined(xx == 0 ? WHY_CONSTANT_TRUTH : WHY_CONSTANT);
	return defined(wide_ratio(xy, xx, yy));
}

static wide pairs_of(uint64_t n)
{
	return (wide)n * (wide)(n ? n - 1 : 0) / 2;
}

struct metric_value kendall_evaluate(struct metric_work *w, const uint32_t *weight)
{
	const struct ranked *k = w->state;
	uint64_t rows = w->sample.n, here, before = 0;
	wide tied_x = 0, tied_y = 0, tied = 0, against = 0;
	for (uint64_t i = 0; i <= k->ranks; i++)
		k->tree[i] = 0;
	for (uint64_t at = 0, end; at < rows; before += here, at = end) {
		uint64_t same = 0;
		end = run(&k->x, at, rows, weight, &here);
		tied_x += pairs_of(here);
		for (uint64_t i = at; i < end; i++) {
			uint32_t row = k->x.row[i];
			uint64_t n = times(weight, row);
			if (i > at && k->rank[row] != k->rank[k->x.row[i - 1]]) {
				tied += pairs_of(same);
				same = 0;
			}
			same += n;
			if (n)
				against += (wide)n * (wide)(before - tree_below(k->tree, k->rank[row] + 1));
		}
		tied += pairs_of(same);
		for (uint64_t i = at; i < end; i++)
			tree_add(k->tree, k->ranks, k->rank[k->x.row[i]], times(weight, k->x.row[i]));
	}
	for (uint64_t at = 0; at < rows;) {
		at = run(&k->y, at, rows, weight, &here);
		tied_y += pairs_of(here);
	}
	wide all = pairs_of(before);
	if (all == tied_x || all == tied_y)
		return undefined(all == tied_x ? WHY_CONSTANT_TRUTH : WHY_CONSTANT);
	return defined(wide_ratio(all - tied_x - tied_y + tied - 2 * against, all - tied_x, all - tied_y));
}
