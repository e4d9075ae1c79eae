/*
 * The one encoding of every JSON file in the evidence: two blanks of indent, the members in the order in which they were
 * set, ASCII only, of every real the fewest digits that read back equal, one newline at the end. A reader encodes again what it read
 * and compares, so that not a byte of such a file can change unseen.
 */
#ifndef PROCTOR_EVIDENCE_CANONICAL_H
#define PROCTOR_EVIDENCE_CANONICAL_H

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

/* The encoding, NUL-terminated, for free(3). NULL on no memory, or when value is NULL. */
char *canonical_encode(const json_t *value, size_t *n);

/* One line for programs: the same, but without indent and blanks. 0, or -1: no memory, value NULL, or no writing. */
int canonical_print(const json_t *value, FILE *out);

/* Reads back. A new reference, or NULL: not JSON, a key twice, or not in this encoding. */
json_t *canonical_decode(const char *bytes, size_t n);

/*
 * A JSON string of arbitrary bytes: UTF-8 as it is; anything else with backslash and whatever is not printable ASCII
 * as \xNN. null for NULL. NULL on no memory.
 */
json_t *canonical_text(const char *bytes);

/* The same, but escaped whatever the bytes are: two different names never read alike. */
json_t *canonical_name(const char *bytes);

/* A count; null for LIMIT_NONE. */
json_t *canonical_count(unsigned long long value);

/* Sets key and gives value away. Once something failed (value NULL, no memory) *failed stays set. */
void canonical_put(json_t *object, const char *key, json_t *value, int *failed);

#endif
