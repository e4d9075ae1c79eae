/* Deviations from a mean without loss: each as a double and what it rounded away, on a scale where squares fit. Pure. */
#ifndef PROCTOR_JUDGE_SPREAD_H
#define PROCTOR_JUDGE_SPREAD_H

#include <math.h>

#include "judge/exact.h"
#include "judge/metric.h"

struct spread {
	uint64_t n;  /* units, by weight */
	double mean; /* rounded */
	double most; /* largest deviation */
	bool constant;
};

struct apart {
	double high, low;
};

static inline double larger(double a, double b)
{
	return a > b ? a : b;
}

static inline void spread_of(const double *x, uint64_t rows, const uint32_t *weight, struct spread *out)
{
	struct exact sum;
	double low = HUGE_VAL, high = -HUGE_VAL;
	exact_start(&sum);
	out->n = 0;
	for (uint64_t i = 0; i < rows; i++) {
		uint32_t n = times(weight, i);
		if (!n)
			continue;
		exact_add_times(&sum, x[i], n);
		out->n += n;
		low = x[i] < low ? x[i] : low;
		high = x[i] > high ? x[i] : high;
	}
	out->mean = exact_mean(&sum, out->n);
	out->most = larger(high - out->mean, out->mean - low);
	out->constant = low == high;
}

/* A power of two that brings the largest of these numbers near 1. */
static inline double spread_scale(double most)
{
	int exponent;
	(void)frexp(most, &exponent);
	return ldexp(1, exponent < -1000 ? 1000 : -exponent);
}

/* x - mean without error (Knuth's two-sum), times scale. */
static inline struct apart apart_from(double x, double mean, double scale)
{
	double high = x - mean, back = high - x;
	double low = (x - (high - back)) + (-mean - back);
	return (struct apart){high * scale, low * scale};
}

#endif
