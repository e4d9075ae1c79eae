/* A keyed hash table that grows. Pure. */
#include "judge/labels.h"

#include <errno.h>
#include <stdlib.h>

#include "judge/siphash.h"

enum { FIRST = 64 };

int labels_start(struct labels *l, const uint64_t key[2])
{
	*l = (struct labels){.key = key, .mask = FIRST - 1};
	l->text = malloc(FIRST / 2 * sizeof *l->text);
	l->slot = calloc(FIRST, sizeof *l->slot);
	return l->text && l->slot ? 0 : -ENOMEM;
}

void labels_free(struct labels *l)
{
	free(l->text);
	free(l->slot);
	*l = (struct labels){0};
}

static uint32_t *place(const struct labels *l, struct text text)
{
	uint64_t at = siphash(l->key, text.at, text.n) & l->mask;
	while (l->slot[at] && !text_same(l->text[l->slot[at] - 1], text))
		at = (at + 1) & l->mask;
	return &l->slot[at];
}

/* Twice the slots, half of them full at most. */
static int grow(struct labels *l)
{
	uint32_t size = 2 * (l->mask + 1);
	struct text *text = size ? reallocarray(l->text, size / 2, sizeof *text) : NULL;
	if (!text)
		return -ENOMEM;
	l->text = text;
	uint32_t *slot = calloc(size, sizeof *slot);
	if (!slot)
		return -ENOMEM;
	free(l->slot);
	l->slot = slot;
	l->mask = size - 1;
	for (uint32_t i = 0; i < l->count; i++)
		*place(l, l->text[i]) = i + 1;
	return 0;
}

uint32_t labels_find(const struct labels *l, struct text text)
{
	uint32_t *slot = place(l, text);
	return *slot ? *slot - 1 : UINT32_MAX;
}

uint32_t labels_code(struct labels *l, struct text text)
{
	if (l->count && text_same(l->text[l->last], text))
		return l->last;
	uint32_t *slot = place(l, text);
	if (!*slot) {
		if (l->count >= (l->mask + 1) / 2) {
			if (grow(l) < 0)
				return UINT32_MAX;
			slot = place(l, text);
		}
		l->text[l->count] = text;
		*slot = ++l->count;
	}
	l->last = *slot - 1;
	return l->last;
}
