/* Parser and printer of sizes, times and numbers. Pure; no locale, no floating point. */
#include "wire/units.h"

#include <errno.h>
#include <string.h>

#define LARGEST ((uint64_t)INT64_MAX)

struct suffix {
	const char *text;
	uint64_t factor;
};

/* Largest first, so that the printer takes the first that divides. */
static const struct suffix sizes[] = {
    {"EiB", UINT64_C(1) << 60},
    {"TiB", UINT64_C(1) << 40},
    {"GiB", UINT64_C(1) << 30},
    {"MiB", UINT64_C(1) << 20},
    {"KiB", UINT64_C(1) << 10},
    {"B", 1},
};
static const struct suffix times[] = {
    {"d", 86400000},
    {"h", 3600000},
    {"m", 60000},
    {"s", 1000},
    {"ms", 1},
};

static int multiply(uint64_t *value, uint64_t factor)
{
	if (*value > LARGEST / factor)
		return -ERANGE;
	*value *= factor;
	return 0;
}

static int digits(const char **text, uint64_t base, uint64_t *value)
{
	const char *p = *text;
	*value = 0;
	for (; *p >= '0' && (uint64_t)(*p - '0') < base; p++) {
		uint64_t d = (uint64_t)(*p - '0');
		if (*value > (LARGEST - d) / base)
			return -ERANGE;
		*value = *value * base + d;
	}
	if (p == *text)
		return -EINVAL;
	*text = p;
	return 0;
}

static int suffixed(const struct suffix *table, size_t n, const char *text, uint64_t *value)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(table[i].text, text) == 0)
			return multiply(value, table[i].factor);
	return -EINVAL;
}

static int thousandths(const char *text, uint64_t *value)
{
	int r = multiply(value, 1000);
	if (r < 0 || *text == '\0')
		return r;
	if (*text++ != '.' || *text == '\0')
		return -EINVAL;
	for (uint64_t place = 100; *text; text++, place /= 10) {
		if (*text < '0' || *text > '9' || place == 0)
			return -EINVAL;
		*value += (uint64_t)(*text - '0') * place;
	}
	return *value > LARGEST ? -ERANGE : 0;
}

int unit_parse(enum unit unit, const char *text, uint64_t *value)
{
	uint64_t v;
	int r = digits(&text, unit == UNIT_OCTAL ? 8 : 10, &v);
	if (r < 0)
		return r;
	switch (unit) {
	case UNIT_COUNT:
	case UNIT_OCTAL:
		r = *text ? -EINVAL : 0;
		break;
	case UNIT_SIZE:
		r = *text ? suffixed(sizes, sizeof sizes / sizeof *sizes, text, &v) : 0;
		break;
	case UNIT_TIME:
		r = *text || v ? suffixed(times, sizeof times / sizeof *times, text, &v) : 0;
		break;
	case UNIT_MILLI:
		r = thousandths(text, &v);
		break;
	}
	if (r == 0)
		*value = v;
	return r;
}

static char *number(char *out, uint64_t value, uint64_t base)
{
	char reversed[24];
	size_t n = 0;
	do
		reversed[n++] = (char)('0' + value % base);
	while (value /= base);
	while (n)
		*out++ = reversed[--n];
	*out = '\0';
	return out;
}

/* Times stay in seconds below two minutes: 60 s reads better against a live clock than 1 m. */
static int reads_well(enum unit unit, const struct suffix *s, uint64_t value)
{
	return unit == UNIT_SIZE || s->factor <= 1000 || value >= 2 * s->factor || s->factor > 60000;
}

char *unit_format(enum unit unit, uint64_t value, char out[32])
{
	const struct suffix *table = unit == UNIT_SIZE ? sizes : times;
	size_t n = unit == UNIT_SIZE ? sizeof sizes / sizeof *sizes : sizeof times / sizeof *times;

	if (unit == UNIT_MILLI) {
		char *end = number(out, value / 1000, 10);
		uint64_t rest = value % 1000;
		if (rest) {
			*end++ = '.';
			for (uint64_t place = 100; rest; rest %= place, place /= 10)
				*end++ = (char)('0' + rest / place);
			*end = '\0';
		}
		return out;
	}
	if (unit == UNIT_SIZE || unit == UNIT_TIME) {
		for (size_t i = 0; i < n; i++)
			if (value >= table[i].factor && value % table[i].factor == 0 &&
			    reads_well(unit, &table[i], value)) {
				strcpy(number(out, value / table[i].factor, 10), table[i].text);
				return out;
			}
		strcpy(out, unit == UNIT_SIZE ? "0B" : "0s");
		return out;
	}
	number(out, value, unit == UNIT_OCTAL ? 8 : 10);
	return out;
}
