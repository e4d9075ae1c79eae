/*
 * Percentile intervals by resampling (Efron 1979). The generator is SplitMix64 (Steele, Lea, Flood 2014), begun anew for
 * every draw from its number, so that no draw depends on another.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judge/metrics.h"
#include "judge/sort.h"
#include "judge/wide.h"

enum { RESAMPLES = 2000, RESAMPLES_LEAST = 200 };
/* Up to here all resamples are drawn. */
#define UNITS_AT_FULL UINT64_C(1000000)

uint32_t bootstrap_resamples(uint64_t units)
{
	if (units <= UNITS_AT_FULL)
		return RESAMPLES;
	uint64_t n = RESAMPLES * UNITS_AT_FULL / units;
	return n < RESAMPLES_LEAST ? RESAMPLES_LEAST : (uint32_t)n;
}

static uint64_t next(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static void draw(uint32_t *weight, uint64_t units, uint32_t number)
{
	uint64_t seed = (uint64_t)SCORE_SEED << 32 | number, state = next(&seed);
	memset(weight, 0, units * sizeof *weight);
	for (uint64_t i = 0; i < units; i++)
		weight[(uint64_t)((uwide)next(&state) * units >> 64)]++;
}

/* Between the two nearest of the sorted values. */
static double percentile(const double *sorted, uint32_t n, double share)
{
	double at = share * (n - 1), low = floor(at);
	uint32_t i = (uint32_t)low;
	double here = sorted[i], after = sorted[i + 1 < n ? i + 1 : i];
	return here + (after - here) * (at - low);
}

static double key_number(uint64_t key)
{
	uint64_t bits = key >> 63 ? key & ~(UINT64_C(1) << 63) : ~key;
	double value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

int bootstrap_interval(struct metric_work *w, double percent, struct score_metric *result)
{
	uint32_t all = bootstrap_resamples(w->units), n = 0;
	uint32_t *weight = malloc(w->units * sizeof *weight);
	uint64_t *key = malloc(all * sizeof *key), *spare = malloc(all * sizeof *spare);
	double *value = malloc(all * sizeof *value);
	int r = weight && key && spare && value ? 0 : -ENOMEM;
	for (uint32_t i = 0; r == 0 && i < all; i++) {
		draw(weight, w->units, i);
		struct metric_value v = metric_kinds[w->metric->as].evaluate(w, weight);
		if (v.why == METRIC_NO_MEMORY)
			r = -ENOMEM;
		else if (v.why == WHY_DEFINED)
			key[n++] = sort_key(v.value);
	}
	if (r == 0 && n >= all / 2) {
		sort_keys(key, spare, n);
		for (uint32_t i = 0; i < n; i++)
			value[i] = key_number(key[i]);
		double tail = (100 - percent) / 200;
		result->resamples = all;
		result->low = percentile(value, n, tail);
		result->high = percentile(value, n, 1 - tail);
	}
	free(weight);
	free(key);
	free(spare);
	free(value);
	return r;
}
