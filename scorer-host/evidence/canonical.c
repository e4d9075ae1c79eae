/* The canonical JSON encoding, by jansson with fixed flags. */
#include "evidence/canonical.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "judge/number.h"
#include "wire/limits.h"

/* "1e+22" and "1e-07" without what JSON does not need: 1e22, 1e-7. */
static void bare_exponent(char *number)
{
	char *e = strchr(number, 'e'), *digits;

	if (!e)
		return;
	e += 1 + (e[1] == '-');
	digits = e + (*e == '+');
	digits += strspn(digits, "0");
	memmove(e, digits, strlen(digits) + 1);
}

/* Every real of the text, in place: it was written with all its digits, and never grows. */
static void shorten(char *text)
{
	static const char digits[] = "+-.0123456789eE";
	char *to = text;

	for (char *from = text; *from;) {
		char number[NUMBER_ROOM];
		size_t n = 1;
		if (*from == '"') {
			while (from[n] != '"')
				n += from[n] == '\\' ? 2 : 1;
			n++;
		} else if (*from == '-' || (*from >= '0' && *from <= '9')) {
			n = strspn(from, digits);
			if (memchr(from, '.', n) || memchr(from, 'e', n)) {
				bare_exponent(number_format(strtod(from, NULL), number));
				size_t length = strlen(number);
				memcpy(to, number, length);
				to += length;
				/* A real stays one when it is read. */
				if (!strpbrk(number, ".e")) {
					memcpy(to, ".0", 2);
					to += 2;
				}
				from += n;
				continue;
			}
		}
		memmove(to, from, n);
		to += n;
		from += n;
	}
	*to = '\0';
}

static char *encode(const json_t *value, size_t flags)
{
	char *text =
	    value ? json_dumps(value, flags | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(17) | JSON_ENCODE_ANY)
		  : NULL;

	if (text)
		shorten(text);
	return text;
}

char *canonical_encode(const json_t *value, size_t *n)
{
	char *text = encode(value, JSON_INDENT(2)), *line = text ? realloc(text, strlen(text) + 2) : NULL;

	if (!line) {
		free(text);
		return NULL;
	}
	*n = strlen(line) + 1;
	line[*n - 1] = '\n';
	line[*n] = '\0';
	return line;
}

int canonical_print(const json_t *value, FILE *out)
{
	char *text = encode(value, JSON_COMPACT);
	int r = text && fprintf(out, "%s\n", text) > 0 ? 0 : -1;

	free(text);
	return r;
}

json_t *canonical_decode(const char *bytes, size_t n)
{
	json_t *value = json_loadb(bytes, n, JSON_REJECT_DUPLICATES, NULL);
	size_t again;
	char *text = canonical_encode(value, &again);

	if (!text || again != n || memcmp(text, bytes, n) != 0) {
		json_decref(value);
		value = NULL;
	}
	free(text);
	return value;
}

json_t *canonical_name(const char *bytes)
{
	static const char hex[] = "0123456789abcdef";
	char *text = malloc(4 * strlen(bytes) + 1), *at = text;
	json_t *value;

	if (!text)
		return NULL;
	for (; *bytes; bytes++) {
		unsigned char c = (unsigned char)*bytes;
		if (c >= 0x20 && c < 0x7f && c != '\\') {
			*at++ = (char)c;
		} else {
			*at++ = '\\';
			*at++ = 'x';
			*at++ = hex[c >> 4];
			*at++ = hex[c & 15];
		}
	}
	*at = '\0';
	value = json_string(text);
	free(text);
	return value;
}

json_t *canonical_text(const char *bytes)
{
	json_t *value;

	if (!bytes)
		return json_null();
	value = json_string(bytes);
	return value ? value : canonical_name(bytes);
}

json_t *canonical_count(unsigned long long value)
{
	if (value == LIMIT_NONE)
		return json_null();
	return json_integer(value > INT64_MAX ? INT64_MAX : (json_int_t)value);
}

void canonical_put(json_t *object, const char *key, json_t *value, int *failed)
{
	if (json_object_set_new(object, key, value) < 0)
		*failed = 1;
}
