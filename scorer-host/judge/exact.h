/*
 * Sums of doubles without an error: a fixed-point number as wide as all doubles. The order of what is added never shows,
 * and only the reading of the sum rounds, once. Pure.
 */
#ifndef PROCTOR_JUDGE_EXACT_H
#define PROCTOR_JUDGE_EXACT_H

#include <stdbool.h>
#include <stdint.h>

enum { EXACT_CHUNKS = 72 };

/* Σ chunk[i] · 2^(32·i − 1074). All zero: the sum of nothing. */
struct exact {
	int64_t chunk[EXACT_CHUNKS];
	uint32_t added; /* since carries were last taken over */
	bool infinite;	/* something not finite was added */
};

void exact_start(struct exact *e);

/* Adds value, or value times a whole number below 2^32. */
void exact_add(struct exact *e, double value);
void exact_add_times(struct exact *e, double value, uint32_t times);

/* Adds a · b, exactly unless the product lies below 2^-968. */
void exact_add_product(struct exact *e, double a, double b, uint32_t times);

/* The sum, rounded to even once; infinite when no double holds it or something not finite was added. */
double exact_value(struct exact *e);

/* The sum divided by count, which is not 0: two roundings, and no overflow on the way. */
double exact_mean(struct exact *e, uint64_t count);

#endif
