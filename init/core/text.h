/*
 * Text for people, built piece by piece into a buffer of the caller's. What does not fit is cut, never overrun; the
 * result is always NUL-terminated. Bytes that could disturb a terminal are shown as \xNN.
 */
#ifndef PROCTOR_CORE_TEXT_H
#define PROCTOR_CORE_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct text {
	char *buffer;
	size_t capacity; /* at least 1 */
	size_t length;	 /* without the NUL */
};

void text_start(struct text *t, char *buffer, size_t capacity);
void text_add(struct text *t, const char *piece);
void text_number(struct text *t, uint64_t value);

/* At most `most` bytes of a word that somebody else wrote, in quotes and with "..." where it was cut. */
void text_quoted(struct text *t, const char *word, size_t most);

/* Spaces up to the column. */
void text_column(struct text *t, size_t from, size_t column);

#endif
