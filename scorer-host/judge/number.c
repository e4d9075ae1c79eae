/*
 * The grammar is checked here. Most numbers are then made of their digits by integers alone; the rest is handed to
 * strtod, which rounds correctly but also takes hexadecimal, inf, nan and the locale's point, and gets a copy that was
 * checked: what was checked is what is converted.
 */
#include "judge/number.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/number_powers.h"

/* Up to here powers of ten are exact doubles, so that one multiplication or division rounds once (Clinger 1990). */
enum { EXACT_POWER = 22, EXPONENT_CAP = 100000 };
#define EXACT_MANTISSA (UINT64_C(1) << 53)
#define MANTISSA_FULL UINT64_C(1000000000000000000)
#define MANTISSA_EIGHT UINT64_C(10000000000)
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "eight digits are read as one number");

static const double power_of_ten[EXACT_POWER + 1] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10,
    1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

struct decimal {
	bool negative;
	bool fits; /* the mantissa is exact: 19 digits, or more that are nothing but zeros before them */
	uint64_t mantissa;
	long exponent;
};

static bool is_digit(uint8_t c)
{
	return c >= '0' && c <= '9';
}

/* Eight digits at once, the first in the lowest byte: pairs, then fours, then all (Lemire). */
static inline bool eight_digits(const uint8_t *text, uint64_t *value)
{
	uint64_t v;
	memcpy(&v, text, sizeof v);
	v -= UINT64_C(0x3030303030303030);
	if ((v | (v + UINT64_C(0x7676767676767676))) & UINT64_C(0x8080808080808080))
		return false;
	v = v * 10 + (v >> 8);
	*value = ((v & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x000f424000000064) +
		     (v >> 16 & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x0000271000000001)) >>
		 32;
	return true;
}

static inline size_t take_digits(const uint8_t *text, size_t n, size_t at, struct decimal *d, long step)
{
	uint64_t mantissa = d->mantissa;
	uint64_t eight;
	size_t first = at;
	for (; at + 8 <= n && mantissa < MANTISSA_EIGHT && eight_digits(text + at, &eight); at += 8)
		mantissa = mantissa * 100000000 + eight;
	for (; at < n && is_digit(text[at]); at++) {
		/* Below 10^18 ten times the mantissa and a digit more is below 2^64. */
		if (mantissa >= MANTISSA_FULL)
			d->fits = false;
		else
			mantissa = mantissa * 10 + (uint64_t)(text[at] - '0');
	}
	d->mantissa = mantissa;
	d->exponent += step * (long)(at - first);
	return at;
}

static size_t take_exponent(const uint8_t *text, size_t n, size_t at, struct decimal *d)
{
	bool negative = at < n && text[at] == '-';
	long value = 0;
	if (at < n && (text[at] == '-' || text[at] == '+'))
		at++;
	size_t first = at;
	for (; at < n && is_digit(text[at]); at++)
		if (value < EXPONENT_CAP)
			value = value * 10 + (text[at] - '0');
	d->exponent += negative ? -value : value;
	return at > first ? at : 0;
}

/* How many bytes from the first on are a decimal; 0 when none is. */
static inline size_t decimal_take(const uint8_t *text, size_t n, struct decimal *d)
{
	size_t at = n && (text[0] == '-' || text[0] == '+') ? 1 : 0;
	*d = (struct decimal){.negative = n && text[0] == '-', .fits = true};
	size_t first = at;
	at = take_digits(text, n, at, d, 0);
	size_t digits = at - first;
	if (at < n && text[at] == '.') {
		first = ++at;
		at = take_digits(text, n, at, d, -1);
		digits += at - first;
	}
	if (digits == 0)
		return 0;
	return at < n && (text[at] == 'e' || text[at] == 'E') ? take_exponent(text, n, at + 1, d) : at;
}

__extension__ typedef unsigned __int128 product;

/* mantissa · 10^power, rounded to even once (Eisel, Lemire). False when it is not sure, or not a normal number. */
static bool scale(uint64_t mantissa, long power, double *value)
{
	if (mantissa == 0 || power < POWER_LEAST || power > POWER_MOST)
		return false;
	const uint64_t *five = power_of_five[power - POWER_LEAST];
	int zeros = __builtin_clzll(mantissa);
	uint64_t w = mantissa << zeros;
	product p = (product)w * five[0];
	uint64_t high = (uint64_t)(p >> 64), low = (uint64_t)p;
	/* Only when the bits below the rounding are all ones can the power's lower half matter. */
	if ((high & 0x1ff) == 0x1ff) {
		uint64_t more = (uint64_t)((product)w * five[1] >> 64);
		low += more;
		high += low < more;
		if (low == UINT64_MAX && (power < -27 || power > 55))
			return false;
	}
	int upper = (int)(high >> 63), shift = upper + 9;
	uint64_t m = high >> shift;
	/* floor(log2(10^power)) + 63, and the bias of 1023. */
	long exponent = ((217706 * power + (2048L << 16)) >> 16) - 2048 + 63 + upper - zeros + 1023;
	if (exponent <= 0 || exponent >= 0x7fe)
		return false;
	/* A tie: the product is exact, and half-way. */
	if (low <= 1 && power >= -4 && power <= 23 && (m & 3) == 1 && m << shift == high)
		m &= ~UINT64_C(1);
	m = (m + (m & 1)) >> 1;
	if (m >= UINT64_C(2) << 52) {
		m = UINT64_C(1) << 52;
		exponent++;
	}
	uint64_t bits = (m & ~(UINT64_C(1) << 52)) | (uint64_t)exponent << 52;
	memcpy(value, &bits, sizeof bits);
	return true;
}

static double power_up(const struct decimal *d)
{
	double v = (double)d->mantissa;
	return d->exponent < 0 ? v / power_of_ten[-d->exponent] : v * power_of_ten[d->exponent];
}

/* The rare rest: more digits than fit, or near either end of what a double holds. */
static int by_library(const uint8_t *text, size_t n, double *value)
{
	struct decimal d;
	char copy[NUMBER_TEXT + 1];
	memcpy(copy, text, n);
	copy[n] = '\0';
	if (decimal_take((const uint8_t *)copy, n, &d) != n)
		return -EINVAL;
	double v = strtod(copy, NULL);
	if (!isfinite(v))
		return -ERANGE;
	*value = v + 0.0;
	return 0;
}

/* Without the library; false when that is needed. */
static inline bool by_integers(const struct decimal *d, double *value)
{
	double v;
	if (d->fits && d->mantissa <= EXACT_MANTISSA && d->exponent >= -EXACT_POWER &&
	    d->exponent <= EXACT_POWER)
		v = power_up(d);
	else if (!d->fits || !scale(d->mantissa, d->exponent, &v))
		return false;
	*value = (d->negative ? -v : v) + 0.0;
	return true;
}

size_t number_take(const uint8_t *text, size_t n, double *value)
{
	struct decimal d;
	size_t taken = decimal_take(text, n < NUMBER_TEXT ? n : NUMBER_TEXT, &d);
	return taken && by_integers(&d, value) ? taken : 0;
}

int number_parse(const uint8_t *text, size_t n, double *value)
{
	struct decimal d;

	if (n == 0 || n > NUMBER_TEXT || decimal_take(text, n, &d) != n)
		return -EINVAL;
	return by_integers(&d, value) ? 0 : by_library(text, n, value);
}

int integer_parse(const uint8_t *text, size_t n, double *value)
{
	struct decimal d = {.fits = true};
	if (n == 0 || n > NUMBER_TEXT)
		return -EINVAL;
	size_t at = text[0] == '-' || text[0] == '+' ? 1 : 0;
	d.negative = text[0] == '-';
	if (at == n || take_digits(text, n, at, &d, 0) != n)
		return -EINVAL;
	if (!d.fits || d.mantissa > EXACT_MANTISSA)
		return -ERANGE;
	*value = (d.negative ? -(double)d.mantissa : (double)d.mantissa) + 0.0;
	return 0;
}

char *number_format(double value, char out[NUMBER_ROOM])
{
	int digits = 1, power;

	do {
		(void)snprintf(out, NUMBER_ROOM, "%.*e", digits - 1, value);
	} while (strtod(out, NULL) != value && ++digits <= 17);
	power = (int)strtol(strchr(out, 'e') + 1, NULL, 10);
	if (power >= -4 && power < 16)
		(void)snprintf(out, NUMBER_ROOM, "%.*f", digits - 1 > power ? digits - 1 - power : 0, value);
	return out;
}
