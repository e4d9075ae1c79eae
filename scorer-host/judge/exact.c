/* The wide fixed-point number. Pure; integers alone decide. */
#include "judge/exact.h"

#include <math.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

enum { CARRY_AFTER = 1 << 29, MANTISSA = 52, SCALE = 128 };
#define LOW UINT64_C(0xffffffff)

void exact_start(struct exact *e)
{
	memset(e, 0, sizeof *e);
}

/* Every chunk but the highest back to 0 … 2^32 - 1. */
static void carry(struct exact *e)
{
	int64_t over = 0;
	for (unsigned i = 0; i < EXACT_CHUNKS - 1; i++) {
		int64_t v = e->chunk[i] + over;
		e->chunk[i] = (int64_t)((uint64_t)v & LOW);
		over = (v - e->chunk[i]) / (INT64_C(1) << 32);
	}
	e->chunk[EXACT_CHUNKS - 1] += over;
	e->added = 0;
}

/* Adds mantissa · times · 2^(place - 1074). */
static inline void put(struct exact *e, uint64_t mantissa, uint64_t times, unsigned place, bool negative)
{
	int64_t *c = &e->chunk[place >> 5];
	wide v = (wide)mantissa * times << (place & 31);
	uint64_t low = (uint64_t)v, high = (uint64_t)(v >> 64);
	if (negative) {
		c[0] -= (int64_t)(low & LOW);
		c[1] -= (int64_t)(low >> 32);
		c[2] -= (int64_t)(high & LOW);
		c[3] -= (int64_t)(high >> 32);
	} else {
		c[0] += (int64_t)(low & LOW);
		c[1] += (int64_t)(low >> 32);
		c[2] += (int64_t)(high & LOW);
		c[3] += (int64_t)(high >> 32);
	}
	if (++e->added >= CARRY_AFTER)
		carry(e);
}

static inline void add(struct exact *e, double value, uint64_t times)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof bits);
	unsigned exponent = (unsigned)(bits >> MANTISSA & 0x7ff);
	uint64_t mantissa = bits & ((UINT64_C(1) << MANTISSA) - 1);
	if (exponent == 0x7ff) {
		e->infinite = true;
		return;
	}
	if (exponent)
		mantissa |= UINT64_C(1) << MANTISSA;
	put(e, mantissa, times, exponent ? exponent - 1 : 0, bits >> 63);
}

void exact_add(struct exact *e, double value)
{
	add(e, value, 1);
}

void exact_add_times(struct exact *e, double value, uint32_t times)
{
	add(e, value, times);
}

void exact_add_product(struct exact *e, double a, double b, uint32_t times)
{
	double p = a * b;
	add(e, p, times);
	if (isfinite(p))
		add(e, fma(a, b, -p), times);
}

/* The sum times 2^-scale. */
static double read_out(struct exact *e, int scale)
{
	uint32_t digit[EXACT_CHUNKS];
	if (e->infinite)
		return HUGE_VAL;
	carry(e);
	bool negative = e->chunk[EXACT_CHUNKS - 1] < 0;
	uint64_t borrow = 0;
	for (unsigned i = 0; i < EXACT_CHUNKS; i++) {
		uint64_t v = (uint64_t)e->chunk[i];
		if (negative) {
			v = (~v & LOW) + (i == 0 ? 1 : borrow);
			borrow = v >> 32;
		}
		digit[i] = (uint32_t)(v & LOW);
	}
	int top = EXACT_CHUNKS - 1;
	while (top >= 0 && digit[top] == 0)
		top--;
	if (top < 0)
		return 0;
	/* The 64 bits from the highest one down, the lowest of them also standing for whatever lies below. */
	uint64_t head = (uint64_t)digit[top] << 32 | (top > 0 ? digit[top - 1] : 0);
	uint64_t next = top > 1 ? digit[top - 2] : 0;
	int shift = __builtin_clzll(head);
	head = shift ? head << shift | next >> (32 - shift) : head;
	bool rest = shift ? (next << shift & LOW) != 0 : next != 0;
	for (int i = top - 3; !rest && i >= 0; i--)
		rest = digit[i] != 0;
	int exponent = 32 * (top - 1) - shift - 1074 - scale;
	/* Round to 53 bits, to even; whatever lies below 2^-1022 has fewer and is exact as it is. */
	uint64_t kept = head >> 11, cut = head & 0x7ff;
	if (cut > 0x400 || (cut == 0x400 && (rest || (kept & 1))))
		kept++;
	double value = ldexp((double)kept, exponent + 11);
	return negative ? -value : value;
}

double exact_value(struct exact *e)
{
	return read_out(e, 0);
}

double exact_mean(struct exact *e, uint64_t count)
{
	double sum = read_out(e, 0);
	if (isfinite(sum) || e->infinite)
		return sum / (double)count;
	return ldexp(read_out(e, SCALE) / (double)count, SCALE);
}
