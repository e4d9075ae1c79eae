/* Rows in the order of a number, and sums over a prefix of ranks that change: what rank metrics are made of. Pure. */
#ifndef PROCTOR_JUDGE_ORDER_H
#define PROCTOR_JUDGE_ORDER_H

#include "judge/metric.h"

/* Row numbers upwards by value, and for every place whether a new value begins there. */
struct order {
	uint32_t *row;
	uint8_t *fresh;
};

/*
 * Rows with equal values stay in the order of `first`, or of their numbers without it. No value is NaN or a minus zero.
 * 0 or -ENOMEM; the memory is the work's.
 */
int order_make(
    struct metric_work *w, const double *value, uint64_t n, const struct order *first, struct order *out);

/* rank[i] counts the different values below value[i]; returns how many there are. */
uint32_t order_ranks(const struct order *order, uint64_t n, uint32_t *rank);

/* A Fenwick tree (Fenwick 1994) over ranks 0 … n-1; cell has n + 1 places, all zero. */
static inline void tree_add(uint64_t *cell, uint32_t n, uint32_t rank, uint64_t count)
{
	for (uint64_t i = (uint64_t)rank + 1; i <= n; i += i & (~i + 1))
		cell[i] += count;
}

/* Σ over ranks below `rank`. */
static inline uint64_t tree_below(const uint64_t *cell, uint32_t rank)
{
	uint64_t sum = 0;
	for (uint64_t i = rank; i; i &= i - 1)
		sum += cell[i];
	return sum;
}

#endif
