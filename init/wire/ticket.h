/*
 * A ticket is an argv: NUL-terminated words in the command line's own grammar, then "--" and the candidate's command.
 * The run id and key are its options too (--run, --key). One parser, no second format.
 */
#ifndef PROCTOR_WIRE_TICKET_H
#define PROCTOR_WIRE_TICKET_H

#include <stddef.h>
#include <stdint.h>

#include "wire/chain.h"
#include "wire/limits.h"

enum { TICKET_WORDS = 4096, RUN_ID_MAX = 64 };

struct ticket {
	uint8_t *buffer; /* the caller's */
	size_t capacity;
	size_t length; /* greater than capacity once something did not fit */
};

void ticket_start(struct ticket *t, uint8_t *buffer, size_t capacity);

/* Appends one word. A word that does not fit makes ticket_fits false; the rest is then ignored. */
void ticket_word(struct ticket *t, const char *word);

/* Appends --NAME and the value. */
void ticket_option(struct ticket *t, enum option o, const char *value);

/* Appends --NAME and the number, printed exactly (bytes, ms or octal digits); nothing when it is LIMIT_NONE. */
void ticket_number(struct ticket *t, enum option o, uint64_t value);

int ticket_fits(const struct ticket *t);

/*
 * Cuts a received payload into words, which point into it. The number of words (argv[count] is NULL), -EBADMSG when
 * the payload is empty or does not end in a NUL, -E2BIG above TICKET_WORDS - 1.
 */
int ticket_split(const uint8_t *payload, size_t length, const char *argv[TICKET_WORDS]);

/* The key of a received ticket: the value behind the first --key before "--". 0 or -EBADMSG. */
int ticket_key(const uint8_t *payload, size_t length, uint8_t key[CHAIN_KEY]);

/* 64 hex digits, lower case, to 32 bytes. 0 or -EINVAL. */
int key_parse(const char *hex, uint8_t key[CHAIN_KEY]);

/* 32 bytes to 64 lower-case hex digits and a NUL. */
void key_format(const uint8_t key[CHAIN_KEY], char hex[2 * CHAIN_KEY + 1]);

#endif
