/* The builder of texts. Pure. */
#include "core/text.h"

#include <string.h>

void text_start(struct text *t, char *buffer, size_t capacity)
{
	t->buffer = buffer;
	t->capacity = capacity;
	t->length = 0;
	buffer[0] = '\0';
}

static void put(struct text *t, const char *s, size_t n)
{
	size_t room = t->capacity - t->length - 1;
	if (n > room)
		n = room;
	memcpy(t->buffer + t->length, s, n);
	t->length += n;
	t->buffer[t->length] = '\0';
}

void text_add(struct text *t, const char *piece)
{
	put(t, piece, strlen(piece));
}

void text_number(struct text *t, uint64_t value)
{
	char digits[20];
	size_t at = sizeof digits;
	do
		digits[--at] = (char)('0' + value % 10);
	while (value /= 10);
	put(t, digits + at, sizeof digits - at);
}

void text_quoted(struct text *t, const char *word, size_t most)
{
	static const char hex[] = "0123456789abcdef";

	put(t, "'", 1);
	for (; *word && most; word++, most--) {
		unsigned char c = (unsigned char)*word;
		if (c < 0x20 || c > 0x7e) {
			char escape[4] = {'\\', 'x', hex[c >> 4], hex[c & 15]};
			put(t, escape, sizeof escape);
		} else {
			put(t, word, 1);
		}
	}
	put(t, *word ? "...'" : "'", *word ? 4 : 1);
}

void text_column(struct text *t, size_t from, size_t column)
{
	do
		put(t, " ", 1);
	while (t->length - from < column && t->length + 1 < t->capacity);
}
