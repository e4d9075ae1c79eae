/* The canonical JSON encoding, by jansson with fixed flags. */
#include "evidence/canonical.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "wire/limits.h"

/* The whole document is written with 15 digits, and with one or two more when that does not read back equal. */
char *canonical_encode(const json_t *value, size_t *n)
{
	for (size_t digits = 15; value && digits <= 17; digits++) {
		char *text = json_dumps(value,
		    JSON_INDENT(2) | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(digits) | JSON_ENCODE_ANY);
		json_t *back = text ? json_loads(text, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL) : NULL;
		int equal = back && json_equal(value, back);
		char *line;

		json_decref(back);
		if (equal && (line = realloc(text, strlen(text) + 2)) != NULL) {
			*n = strlen(line) + 1;
			line[*n - 1] = '\n';
			line[*n] = '\0';
			return line;
		}
		free(text);
	}
	return NULL;
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
