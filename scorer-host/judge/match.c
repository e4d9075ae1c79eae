/*
 * A keyed hash table over the truth's ids; a second one over the table's unknown ids, made only when there are any,
 * because an unknown id that occurs twice is a duplicate first. Tables mostly come in the truth's order, so the row
 * after the last match is tried before any hashing.
 */
#include "judge/match.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "judge/siphash.h"

/* Open addressing, at most half full; a slot is the hash's upper half and row + 1. */
struct index {
	const struct columns *of;
	const uint64_t *key;
	uint64_t *slot;
	uint64_t mask;
};

static int index_make(struct index *x, const struct columns *of, const uint64_t key[2], uint64_t rows)
{
	uint64_t size = 16;
	while (size < 2 * rows)
		size *= 2;
	*x = (struct index){of, key, calloc(size, sizeof *x->slot), size - 1};
	return x->slot ? 0 : -ENOMEM;
}

/* The slot that holds this id, or the free one where it belongs. */
static uint64_t *index_find(
    const struct index *x, const struct columns *in, const uint64_t *cell, uint64_t *hash)
{
	struct text id = cell_text(in, cell);
	*hash = siphash(x->key, id.at, id.n);
	for (uint64_t at = *hash & x->mask;; at = (at + 1) & x->mask) {
		uint64_t slot = x->slot[at];
		if (!slot)
			return &x->slot[at];
		if (slot >> 32 == *hash >> 32 &&
		    cell_same_text(x->of, &x->of->cell[0][(uint32_t)slot - 1], in, cell))
			return &x->slot[at];
	}
}

static void add(struct match_fault *f, uint64_t row, uint64_t other)
{
	if (!f->count || row < f->row) {
		f->row = row;
		f->other = other;
	}
	f->count++;
}

/* Puts a row of the index's own columns in; a row with the same id that is there already makes it a duplicate. */
static void index_add(struct index *x, uint64_t row, struct match_fault *duplicate)
{
	uint64_t hash;
	uint64_t *slot = index_find(x, x->of, &x->of->cell[0][row], &hash);
	if (*slot)
		add(duplicate, row, (uint32_t)*slot - 1);
	else
		*slot = (hash >> 32) << 32 | (row + 1);
}

/* The truth's row with the id of that row of the table, or UNMATCHED. */
static uint32_t partner(const struct index *truth, const struct columns *table, uint64_t row, uint64_t guess)
{
	uint64_t hash;
	const uint64_t *cell = &table->cell[0][row];
	if (guess < truth->of->header->rows &&
	    cell_same_text(truth->of, &truth->of->cell[0][guess], table, cell))
		return (uint32_t)guess;
	uint64_t slot = *index_find(truth, table, cell, &hash);
	return slot ? (uint32_t)slot - 1 : UNMATCHED;
}

static int repeated_unknown(
    const struct index *truth, const struct columns *table, struct match_report *report)
{
	struct index x;
	if (index_make(&x, table, truth->key, report->unknown.count) < 0)
		return -ENOMEM;
	for (uint64_t row = 0; row < table->header->rows; row++)
		if (partner(truth, table, row, UNMATCHED) == UNMATCHED)
			index_add(&x, row, &report->duplicate);
	free(x.slot);
	return 0;
}

static void take_sample(struct match_fault *f, const struct columns *of)
{
	struct text id;

	if (!f->count)
		return;
	id = cell_text(of, &of->cell[0][f->row]);
	f->sample_length = id.n < MATCH_SAMPLE ? id.n : MATCH_SAMPLE;
	memcpy(f->sample, id.at, f->sample_length);
}

int match_ids(const struct columns *truth, const struct columns *table, const uint64_t key[2],
    uint32_t *row_of, struct match_report *report)
{
	struct index x;
	uint64_t guess = 0;
	int r = 0;

	memset(report, 0, sizeof *report);
	if (index_make(&x, truth, key, truth->header->rows) < 0)
		return -ENOMEM;
	for (uint64_t i = 0; i < truth->header->rows; i++) {
		row_of[i] = UNMATCHED;
		index_add(&x, i, &report->truth_duplicate);
	}
	for (uint64_t row = 0; row < table->header->rows; row++) {
		uint32_t found = partner(&x, table, row, guess);
		if (found == UNMATCHED) {
			add(&report->unknown, row, 0);
			continue;
		}
		guess = (uint64_t)found + 1;
		if (row_of[found] != UNMATCHED)
			add(&report->duplicate, row, row_of[found]);
		else
			row_of[found] = (uint32_t)row;
	}
	if (report->unknown.count > 1)
		r = repeated_unknown(&x, table, report);
	for (uint64_t i = 0; i < truth->header->rows; i++)
		if (row_of[i] == UNMATCHED)
			add(&report->missing, i, 0);
	take_sample(&report->truth_duplicate, truth);
	take_sample(&report->missing, truth);
	take_sample(&report->duplicate, table);
	take_sample(&report->unknown, table);
	free(x.slot);
	return r;
}
