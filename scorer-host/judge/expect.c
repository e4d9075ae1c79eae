/* Comparing a double with a decimal text. Pure. */
#include "judge/expect.h"

#include <math.h>
#include <stdio.h>
#include <stdint.h>
#include <string.h>

#include "judge/number.h"

int decimals_written(const char *text)
{
	static const char digits[] = "0123456789";
	text += *text == '-';
	size_t whole = strspn(text, digits);
	if (whole == 0 || whole > 300)
		return -1;
	if (text[whole] == '\0')
		return 0;
	if (text[whole] != '.')
		return -1;
	size_t n = strspn(text + whole + 1, digits);
	return n >= 1 && n <= EXPECT_DECIMALS && text[whole + 1 + n] == '\0' ? (int)n : -1;
}

char *decimal_format(double value, int decimals, char out[EXPECT_TEXT])
{
	(void)snprintf(out, EXPECT_TEXT, "%.*f", decimals, value);
	if (out[0] == '-' && strspn(out + 1, "0.") == strlen(out + 1))
		memmove(out, out + 1, strlen(out));
	return out;
}

bool expect_holds(double value, const char *expected, const char *within)
{
	char is[EXPECT_TEXT], wanted[EXPECT_TEXT];
	double e, w;
	int decimals = decimals_written(expected);
	if (decimals < 0 || number_parse((const uint8_t *)expected, strlen(expected), &e) < 0)
		return false;
	if (!within)
		return strcmp(decimal_format(value, decimals, is), decimal_format(e, decimals, wanted)) == 0;
	if (number_parse((const uint8_t *)within, strlen(within), &w) < 0)
		return false;
	return fabs(value - e) <= w + 1e-12;
}
