/* Texts to small numbers, in the order in which they are first asked for. Pure. */
#ifndef PROCTOR_JUDGE_LABELS_H
#define PROCTOR_JUDGE_LABELS_H

#include "judge/columns.h"

struct labels {
	const uint64_t *key; /* of the hash, which nobody outside knows */
	struct text *text;   /* by code; not owned */
	uint32_t *slot;	     /* code + 1, open addressing */
	uint32_t count, mask;
	uint32_t last; /* the code that was asked for last, for runs of one label */
};

/* 0 or -ENOMEM. */
int labels_start(struct labels *l, const uint64_t key[2]);
void labels_free(struct labels *l);

/* The text's code, a new one when it has none yet; the text stays where it is. UINT32_MAX: no memory. */
uint32_t labels_code(struct labels *l, struct text text);

/* The text's code, or UINT32_MAX when it has none. */
uint32_t labels_find(const struct labels *l, struct text text);

static inline bool text_same(struct text a, struct text b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.at, b.at, a.n) == 0);
}

static inline struct text text_of(const char *s)
{
	return (struct text){(const uint8_t *)s, strlen(s)};
}

#endif
