/* Whole numbers of 128 bits, for counts of pairs and their products. Pure. */
#ifndef PROCTOR_JUDGE_WIDE_H
#define PROCTOR_JUDGE_WIDE_H

#include <math.h>
#include <stdint.h>

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 uwide;

/* The nearest double, ties to even. */
static inline double wide_double(wide value)
{
	uwide v = value < 0 ? -(uwide)value : (uwide)value;
	uint64_t high = (uint64_t)(v >> 64), low = (uint64_t)v;
	double d;
	if (high) {
		int shift = 64 - __builtin_clzll(high);
		uint64_t head = (uint64_t)(v >> shift);
		/* What is cut off can only matter as not nothing. */
		head |= (v & (((uwide)1 << shift) - 1)) != 0;
		d = ldexp((double)head, shift);
	} else {
		d = (double)low;
	}
	return value < 0 ? -d : d;
}

/* a / sqrt(b · c), exact but for one rounding where b and c are the same. */
static inline double wide_ratio(wide a, wide b, wide c)
{
	if (b == c)
		return wide_double(a) / wide_double(b);
	double r = wide_double(a) / (sqrt(wide_double(b)) * sqrt(wide_double(c)));
	return r > 1 ? 1 : r < -1 ? -1 : r;
}

#endif
