/*
 * Sizes, times and numbers as people write them: "64MiB", "10m", "0.5". One parser and one printer for the command
 * line, the ticket, the task file and every message. Exact integers inside: bytes, milliseconds, thousandths.
 */
#ifndef PROCTOR_WIRE_UNITS_H
#define PROCTOR_WIRE_UNITS_H

#include <stddef.h>
#include <stdint.h>

enum unit {
	UNIT_COUNT, /* plain decimal digits */
	UNIT_SIZE,  /* bytes: digits with an optional B, KiB, MiB, GiB, TiB, EiB (fractions are refused) */
	UNIT_TIME,  /* milliseconds: digits with ms, s, m, h or d (a bare number is refused, except 0) */
	UNIT_MILLI, /* thousandths: digits with up to three decimals, e.g. cpus 0.5 = 500 */
	UNIT_OCTAL  /* octal digits, e.g. umask 0022 */
};

/* Parses the whole NUL-terminated text. 0, or -EINVAL (malformed) or -ERANGE (more than 2^63-1). *value is set on 0. */
int unit_parse(enum unit unit, const char *text, uint64_t *value);

/*
 * Prints so that unit_parse reads the same value back, in the largest unit that divides it: 1073741824 is "1GiB",
 * 60000 ms is "60s" up to 119 s and "2m" above. Writes at most 32 bytes with the NUL; returns out.
 */
char *unit_format(enum unit unit, uint64_t value, char out[32]);

#endif
