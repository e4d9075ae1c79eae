/* Base64, strict both ways. */
#include "evidence/base64.h"

#include <stdlib.h>
#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

char *base64_encode(const uint8_t *bytes, size_t n)
{
	char *text = malloc((n + 2) / 3 * 4 + 1), *at = text;

	if (!text)
		return NULL;
	for (size_t i = 0; i < n; i += 3) {
		size_t left = n - i;
		uint32_t three = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
				 (left > 2 ? bytes[i + 2] : 0U);
		*at++ = digits[three >> 18];
		*at++ = digits[three >> 12 & 63];
		*at++ = left > 1 ? digits[three >> 6 & 63] : '=';
		*at++ = left > 2 ? digits[three & 63] : '=';
	}
	*at = '\0';
	return text;
}

static int value(char c, uint32_t *v)
{
	const char *at = c ? strchr(digits, c) : NULL;
	if (!at)
		return 0;
	*v = (uint32_t)(at - digits);
	return 1;
}

/* Whatever is lenient in here is caught at its end: the bytes must encode to the very text that was given. */
uint8_t *base64_decode(const char *text, size_t *n)
{
	size_t length = strlen(text);
	uint8_t *bytes = malloc(length / 4 * 3 + 1);
	char *again;

	if (!bytes)
		return NULL;
	*n = 0;
	for (size_t i = 0; i + 4 <= length; i += 4) {
		uint32_t a = 0, b = 0, c = 0, d = 0;
		int known = value(text[i], &a) + value(text[i + 1], &b);
		known += known == 2 && value(text[i + 2], &c);
		known += known == 3 && value(text[i + 3], &d);
		for (int k = 1; k < known; k++)
			bytes[(*n)++] = (uint8_t)((a << 18 | b << 12 | c << 6 | d) >> (24 - 8 * k));
	}
	again = base64_encode(bytes, *n);
	if (!again || strcmp(again, text) != 0) {
		free(bytes);
		bytes = NULL;
	}
	free(again);
	return bytes;
}
