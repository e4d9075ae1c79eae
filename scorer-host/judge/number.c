/*
 * The grammar is checked here and only then handed to strtod, which rounds correctly but also takes hexadecimal, inf,
 * nan and the locale's point. The text is copied first: what was checked is what is converted.
 */
#include "judge/number.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Up to here powers of ten are exact doubles, so that one multiplication or division rounds once (Clinger 1990). */
enum { EXACT_POWER = 22, EXPONENT_CAP = 100000 };
#define EXACT_MANTISSA (UINT64_C(1) << 53)

static const double power_of_ten[EXACT_POWER + 1] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10,
    1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

struct decimal {
	bool negative;
	bool fits; /* the mantissa is exact */
	uint64_t mantissa;
	long exponent;
};

static bool is_digit(uint8_t c)
{
	return c >= '0' && c <= '9';
}

static size_t take_digits(const uint8_t *text, size_t n, size_t at, struct decimal *d, long step)
{
	for (; at < n && is_digit(text[at]); at++) {
		/* Below 2^53 ten times the mantissa is far from an overflow. */
		uint64_t next = d->mantissa * 10 + (uint64_t)(text[at] - '0');
		if (next > EXACT_MANTISSA)
			d->fits = false;
		if (d->fits)
			d->mantissa = next;
		d->exponent += step;
	}
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

/* 0 or -EINVAL. */
static int decimal_parse(const uint8_t *text, size_t n, struct decimal *d)
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
		return -EINVAL;
	if (at < n && (text[at] == 'e' || text[at] == 'E'))
		at = take_exponent(text, n, at + 1, d);
	return at == n ? 0 : -EINVAL;
}

int number_parse(const uint8_t *text, size_t n, double *value)
{
	struct decimal d;
	char copy[NUMBER_TEXT + 1];
	double v;

	if (n == 0 || n > NUMBER_TEXT)
		return -EINVAL;
	memcpy(copy, text, n);
	copy[n] = '\0';
	if (decimal_parse((const uint8_t *)copy, n, &d) < 0)
		return -EINVAL;
	if (d.fits && d.exponent >= -EXACT_POWER && d.exponent <= EXACT_POWER) {
		v = (double)d.mantissa;
		v = d.exponent < 0 ? v / power_of_ten[-d.exponent] : v * power_of_ten[d.exponent];
		if (d.negative)
			v = -v;
	} else {
		v = strtod(copy, NULL);
	}
	if (!isfinite(v))
		return -ERANGE;
	*value = v + 0.0;
	return 0;
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
	if (!d.fits)
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
