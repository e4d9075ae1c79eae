/*
 * A JSON writer (RFC 8259) into a buffer of the caller's: no allocation, no floats, ASCII only. Bytes that are not
 * printable ASCII become \u00XX, so that any byte string of the kernel's can be carried. The writer places commas.
 */
#ifndef PROCTOR_CORE_JSON_H
#define PROCTOR_CORE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JSON_DEPTH = 16 };

struct json {
	char *buffer;
	size_t capacity;
	size_t length; /* without the NUL; meaningless once failed */
	bool failed;   /* something did not fit or nested too deep */
	bool first[JSON_DEPTH];
	unsigned depth;
};

void json_start(struct json *j, char *buffer, size_t capacity);

/* key is NULL inside arrays and at the top. */
void json_open_object(struct json *j, const char *key);
void json_open_array(struct json *j, const char *key);
void json_close_object(struct json *j);
void json_close_array(struct json *j);
void json_text(struct json *j, const char *key, const char *value); /* NULL becomes null */
void json_bytes(struct json *j, const char *key, const char *value, size_t n);
void json_number(
    struct json *j, const char *key, uint64_t value); /* UINT64_MAX becomes null; at most 2^63-1 */
void json_signed(struct json *j, const char *key, int64_t value);
void json_bool(struct json *j, const char *key, bool value);
void json_null(struct json *j, const char *key);

/* NUL-terminates. The length, or -1 when something did not fit or is still open. */
long json_finish(struct json *j);

#endif
