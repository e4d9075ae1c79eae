/*
 * Three ways to a row's partner, tried in this order: the row after the last match, since tables mostly come in the
 * truth's order; the row that a number at the id's end says, since ids are mostly counted; a keyed hash table over the
 * truth's ids. Whatever is found is compared. The hash table is made when it is first needed, which may be never when
 * the truth's ids are in order and so each there once. A second one, over the table's unknown ids, tells those that occur
 * twice, which are duplicates first.
 */
#include "judge/match.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "judge/siphash.h"

/* Rows whose hashes are worked out ahead, so that memory is on its way when it is looked at. */
enum { AHEAD = 32, DIGITS = 18 };

/*
 * Open addressing, at most three quarters full. A slot is row + 1 in its lowest `bits` bits, and of the hash what fits
 * above it; 0 is free.
 */
struct index {
	const struct columns *of;
	const uint64_t *key;
	uint32_t *slot;
	uint64_t mask;
	uint32_t rows; /* mask of the lowest bits */
};

static int index_make(struct index *x, const struct columns *of, const uint64_t key[2], uint64_t rows)
{
	uint64_t size = 16, bits = 1;
	while (size / 4 * 3 < rows)
		size *= 2;
	while (bits < 32 && of->header->rows >> bits)
		bits++;
	*x = (struct index){of, key, calloc(size, sizeof *x->slot), size - 1, UINT32_MAX >> (32 - bits)};
	return x->slot ? 0 : -ENOMEM;
}

static uint64_t hash_of(const struct index *x, const struct columns *in, const uint64_t *cell)
{
	struct text id = cell_text(in, cell);
	return siphash(x->key, id.at, id.n);
}

/* The part of the hash that does not say where the slot is. */
static uint32_t tag_of(const struct index *x, uint64_t hash)
{
	return (uint32_t)(hash >> 32) & ~x->rows;
}

/* The slot that holds this id, or the free one where it belongs. */
static uint32_t *index_find(
    const struct index *x, const struct columns *in, const uint64_t *cell, uint64_t hash)
{
	for (uint64_t at = hash & x->mask;; at = (at + 1) & x->mask) {
		uint32_t slot = x->slot[at];
		if (!slot)
			return &x->slot[at];
		if ((slot & ~x->rows) == tag_of(x, hash) &&
		    cell_same_text(x->of, &x->of->cell[0][(slot & x->rows) - 1], in, cell))
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
static void index_add(struct index *x, uint64_t row, uint64_t hash, struct match_fault *duplicate)
{
	uint32_t *slot = index_find(x, x->of, &x->of->cell[0][row], hash);
	if (*slot)
		add(duplicate, row, (*slot & x->rows) - 1);
	else
		*slot = tag_of(x, hash) | (uint32_t)(row + 1);
}

static int index_fill(
    struct index *x, const struct columns *of, const uint64_t key[2], struct match_fault *duplicate)
{
	uint64_t hash[AHEAD], rows = of->header->rows;
	if (index_make(x, of, key, rows) < 0)
		return -ENOMEM;
	for (uint64_t first = 0; first < rows; first += AHEAD) {
		uint64_t n = rows - first < AHEAD ? rows - first : AHEAD;
		for (uint64_t i = 0; i < n; i++) {
			hash[i] = hash_of(x, of, &of->cell[0][first + i]);
			__builtin_prefetch(&x->slot[hash[i] & x->mask]);
		}
		for (uint64_t i = 0; i < n; i++)
			index_add(x, first + i, hash[i], duplicate);
	}
	return 0;
}

/* Whether every id is longer than the one before, or as long and greater: then no two are the same. */
static bool ascending(const struct columns *c)
{
	const uint64_t *id = c->cell[0];
	for (uint64_t i = 1; i < c->header->rows; i++) {
		struct text a = cell_text(c, &id[i - 1]), b = cell_text(c, &id[i]);
		/* Texts that are their own cells compare as numbers whose first byte is the highest. */
		bool less = (id[i - 1] & 0xff) && (id[i] & 0xff)
				? __builtin_bswap64(id[i - 1]) < __builtin_bswap64(id[i])
				: memcmp(a.at, b.at, a.n < b.n ? a.n : b.n) < 0;
		if (a.n > b.n || (a.n == b.n && !less))
			return false;
	}
	return true;
}

/* The number that the id ends with. */
static uint64_t counted(const struct columns *c, const uint64_t *cell)
{
	struct text id = cell_text(c, cell);
	uint64_t value = 0, unit = 1;
	size_t least = id.n > DIGITS ? id.n - DIGITS : 0;
	for (size_t i = id.n; i > least && id.at[i - 1] >= '0' && id.at[i - 1] <= '9'; i--) {
		value += unit * (uint64_t)(id.at[i - 1] - '0');
		unit *= 10;
	}
	return value;
}

struct matching {
	const struct columns *truth, *table;
	const uint64_t *key;
	struct index index;
	uint64_t next;	/* the row after the last match */
	uint64_t first; /* what the truth's first id counts */
	bool lost;	/* rows do not come in the truth's order here */
	bool hashing;	/* nor do their numbers say where */
	struct match_report *report;
};

/* The truth's row with the id of that row of the table, UNMATCHED, or -ENOMEM. */
static int64_t partner(struct matching *m, uint64_t row, uint64_t guess)
{
	const uint64_t *cell = &m->table->cell[0][row], *ids = m->truth->cell[0];
	uint64_t rows = m->truth->header->rows;
	if (m->next < rows && cell_same_text(m->truth, &ids[m->next], m->table, cell))
		return (int64_t)m->next;
	if (guess == UNMATCHED)
		guess = counted(m->table, cell) - m->first;
	m->lost = true;
	if (guess < rows && cell_same_text(m->truth, &ids[guess], m->table, cell))
		return (int64_t)guess;
	if (!m->index.slot && index_fill(&m->index, m->truth, m->key, &m->report->truth_duplicate) < 0)
		return -ENOMEM;
	m->hashing = true;
	uint32_t slot = *index_find(&m->index, m->table, cell, hash_of(&m->index, m->table, cell));
	return slot ? (int64_t)(slot & m->index.rows) - 1 : (int64_t)UNMATCHED;
}

static int repeated_unknown(struct matching *m)
{
	struct index x;
	m->next = UNMATCHED;
	if (index_make(&x, m->table, m->key, m->report->unknown.count) < 0)
		return -ENOMEM;
	for (uint64_t row = 0; row < m->table->header->rows; row++)
		if (partner(m, row, UINT64_MAX) == (int64_t)UNMATCHED)
			index_add(
			    &x, row, hash_of(&x, m->table, &m->table->cell[0][row]), &m->report->duplicate);
	free(x.slot);
	return 0;
}

static int pair_rows(struct matching *m, uint32_t *row_of)
{
	uint64_t guess[AHEAD], rows = m->table->header->rows;
	for (uint64_t first = 0; first < rows; first += AHEAD) {
		uint64_t n = rows - first < AHEAD ? rows - first : AHEAD;
		for (uint64_t i = 0; i < n; i++) {
			const uint64_t *cell = &m->table->cell[0][first + i];
			guess[i] = m->lost ? counted(m->table, cell) - m->first : UNMATCHED;
			if (guess[i] < m->truth->header->rows) {
				__builtin_prefetch(&m->truth->cell[0][guess[i]]);
				__builtin_prefetch(&row_of[guess[i]], 1);
			}
			if (m->hashing)
				__builtin_prefetch(
				    &m->index.slot[hash_of(&m->index, m->table, cell) & m->index.mask]);
		}
		m->lost = m->hashing = false;
		for (uint64_t i = 0; i < n; i++) {
			int64_t found = partner(m, first + i, guess[i]);
			if (found < 0)
				return -ENOMEM;
			if (found == (int64_t)UNMATCHED) {
				add(&m->report->unknown, first + i, 0);
				continue;
			}
			m->next = (uint64_t)found + 1;
			if (row_of[found] != UNMATCHED)
				add(&m->report->duplicate, first + i, row_of[found]);
			else
				row_of[found] = (uint32_t)(first + i);
		}
	}
	return 0;
}

/* The id of the first row at fault, for people. */
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
	struct matching m = {.truth = truth, .table = table, .key = key, .report = report};
	int r = 0;

	memset(report, 0, sizeof *report);
	memset(row_of, 0xff, truth->header->rows * sizeof *row_of);
	if (truth->header->rows)
		m.first = counted(truth, &truth->cell[0][0]);
	if (!ascending(truth))
		r = index_fill(&m.index, truth, key, &report->truth_duplicate);
	if (r == 0)
		r = pair_rows(&m, row_of);
	if (r == 0 && report->unknown.count > 1)
		r = repeated_unknown(&m);
	for (uint64_t i = 0; r == 0 && i < truth->header->rows; i++)
		if (row_of[i] == UNMATCHED)
			add(&report->missing, i, 0);
	take_sample(&report->truth_duplicate, truth);
	take_sample(&report->missing, truth);
	take_sample(&report->duplicate, table);
	take_sample(&report->unknown, table);
	free(m.index.slot);
	return r;
}
