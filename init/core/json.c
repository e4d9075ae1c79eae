/* The JSON writer. Pure; a document that does not fit is reported, never cut. */
#include "core/json.h"

#include <string.h>

static void put(struct json *j, const char *s, size_t n)
{
	if (j->failed || n >= j->capacity - j->length) {
		j->failed = true;
		return;
	}
	memcpy(j->buffer + j->length, s, n);
	j->length += n;
}

static void quoted(struct json *j, const char *s, size_t n)
{
	static const char hex[] = "0123456789abcdef";

	put(j, "\"", 1);
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];
		if (c == '"' || c == '\\') {
			put(j, "\\", 1);
			put(j, s + i, 1);
		} else if (c < 0x20 || c > 0x7e) {
			char escape[6] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
			put(j, escape, sizeof escape);
		} else {
			put(j, s + i, 1);
		}
	}
	put(j, "\"", 1);
}

static void lead(struct json *j, const char *key)
{
	if (!j->first[j->depth])
		put(j, ",", 1);
	j->first[j->depth] = false;
	if (key) {
		quoted(j, key, strlen(key));
		put(j, ":", 1);
	}
}

void json_start(struct json *j, char *buffer, size_t capacity)
{
	memset(j, 0, sizeof *j);
	j->buffer = buffer;
	j->capacity = capacity;
	j->failed = capacity == 0;
	j->first[0] = true;
}

static void opened(struct json *j, const char *key, const char *bracket)
{
	lead(j, key);
	put(j, bracket, 1);
	if (j->depth + 1 == JSON_DEPTH) {
		j->failed = true;
		return;
	}
	j->first[++j->depth] = true;
}

static void closed(struct json *j, const char *bracket)
{
	if (j->depth == 0) {
		j->failed = true;
		return;
	}
	j->depth--;
	put(j, bracket, 1);
}

void json_open_object(struct json *j, const char *key)
{
	opened(j, key, "{");
}

void json_open_array(struct json *j, const char *key)
{
	opened(j, key, "[");
}

void json_close_object(struct json *j)
{
	closed(j, "}");
}

void json_close_array(struct json *j)
{
	closed(j, "]");
}

void json_text(struct json *j, const char *key, const char *value)
{
	if (value)
		json_bytes(j, key, value, strlen(value));
	else
		json_null(j, key);
}

void json_bytes(struct json *j, const char *key, const char *value, size_t n)
{
	lead(j, key);
	quoted(j, value, n);
}

static void decimal(struct json *j, uint64_t value)
{
	char digits[20];
	size_t at = sizeof digits;
	do
		digits[--at] = (char)('0' + value % 10);
	while (value /= 10);
	put(j, digits + at, sizeof digits - at);
}

void json_number(struct json *j, const char *key, uint64_t value)
{
	if (value == UINT64_MAX) {
		json_null(j, key);
		return;
	}
	lead(j, key);
	decimal(j, value > INT64_MAX ? INT64_MAX : value);
}

void json_signed(struct json *j, const char *key, int64_t value)
{
	lead(j, key);
	if (value < 0)
		put(j, "-", 1);
	decimal(j, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void json_bool(struct json *j, const char *key, bool value)
{
	lead(j, key);
	put(j, value ? "true" : "false", value ? 4 : 5);
}

void json_null(struct json *j, const char *key)
{
	lead(j, key);
	put(j, "null", 4);
}

long json_finish(struct json *j)
{
	if (j->failed || j->depth != 0)
		return -1;
	j->buffer[j->length] = '\0';
	return (long)j->length;
}
