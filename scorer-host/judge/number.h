/* Decimal numbers as tables and task files write them, read as correctly rounded doubles (IEEE 754 binary64). Pure. */
#ifndef PROCTOR_JUDGE_NUMBER_H
#define PROCTOR_JUDGE_NUMBER_H

#include <stddef.h>
#include <stdint.h>

/* Longest text that is read as a number. */
enum { NUMBER_TEXT = 512 };

/*
 * Reads n bytes, all of them, as [+-] digits [. digits] [e [+-] digits]; one side of the point may be empty. No spaces,
 * no comma, no hexadecimal, no inf or nan. Minus zero becomes zero, so that equal numbers have equal bits. 0 with
 * *value; -EINVAL when it is no such text or longer than NUMBER_TEXT; -ERANGE when it is too large for a double.
 */
int number_parse(const uint8_t *text, size_t n, double *value);

/*
 * Reads the number that the text begins with. How many bytes it has; 0 when there is none, or when only number_parse can
 * tell what it is.
 */
size_t number_take(const uint8_t *text, size_t n, double *value);

/* As number_parse for whole numbers, [+-] digits, exact: -ERANGE beyond ±2^53, above which doubles leave numbers out. */
int integer_parse(const uint8_t *text, size_t n, double *value);

enum { NUMBER_ROOM = 32 };

/* The fewest digits that read back as that finite double: "0.867", "1", "1e-07". Returns out. */
char *number_format(double value, char out[NUMBER_ROOM]);

#endif
