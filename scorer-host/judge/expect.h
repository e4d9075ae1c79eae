/* Whether a metric is what a self-check says it is. Pure. */
#ifndef PROCTOR_JUDGE_EXPECT_H
#define PROCTOR_JUDGE_EXPECT_H

#include <stdbool.h>

enum { EXPECT_DECIMALS = 17, EXPECT_TEXT = 352 };

/* The decimals of a plain decimal number ("0.9934": 4, "1": 0); -1 when the text is none or has more than 17. */
int decimals_written(const char *text);

/* value with that many decimals, ties to even, and no minus before a zero. */
char *decimal_format(double value, int decimals, char out[EXPECT_TEXT]);

/*
 * expected: a plain decimal number. within NULL: value, rounded to the decimals written, must read as expected. Else
 * |value - expected| ≤ within, up to 1e-12 for what decimals lose as doubles.
 */
bool expect_holds(double value, const char *expected, const char *within);

#endif
