/*
 * The typed columns of one table in one block of memory: what the reader process leaves and the judge process takes.
 * Everything is an offset or a count, so that whoever takes it over can check every bound before he believes a byte.
 *
 *   header | cell[0][capacity] … cell[stored-1][capacity] | text arena
 *
 * Cell 0 is the row's id, then the columns in the order of their struct table_spec. A number's cell holds the double's
 * bits; an id's or a label's holds offset << 24 | length into the arena. A composite id is each part behind its length
 * as four bytes, so that no two different ids have the same bytes.
 */
#ifndef PROCTOR_JUDGE_COLUMNS_H
#define PROCTOR_JUDGE_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

#include "judge/spec.h"

struct columns_header {
	uint64_t magic;
	uint64_t rows;	 /* rows in use */
	uint64_t text;	 /* bytes of the arena in use */
	uint64_t stored; /* cells a row */
};

/* The block's measures, which its maker fixes and its taker works out for himself. */
struct columns_shape {
	size_t stored;
	uint64_t capacity; /* rows */
	uint64_t arena;	   /* bytes */
	size_t size;	   /* of the whole block */
};

struct columns {
	struct columns_header *header;
	uint64_t *cell[1 + TABLE_FIELDS];
	uint8_t *text;
	struct columns_shape shape;
};

/* What a table of that many bytes can need at most. 0, or -EOVERFLOW when no address space can hold it. */
int columns_shape(const struct table_spec *spec, uint64_t bytes, struct columns_shape *shape);

/* Lays a view over a block of shape->size bytes, aligned to 8. Reads and writes nothing in it. */
void columns_bind(struct columns *c, void *block, const struct columns_shape *shape);

/* Marks an all-zero block as an empty table. */
void columns_start(struct columns *c);

/*
 * Checks a block that came from elsewhere: header, counts, every reference, every number finite and in its range.
 * 0 or -EBADMSG; nothing in it may be used before.
 */
int columns_check(const struct columns *c, const struct table_spec *spec);

/* Appends bytes to the arena and returns the cell that refers to them; length below 2^24. The shape has room for it. */
uint64_t columns_keep(struct columns *c, const uint8_t *bytes, size_t length);

static inline uint64_t cell_offset(uint64_t cell)
{
	return cell >> 24;
}
static inline size_t cell_length(uint64_t cell)
{
	return (size_t)(cell & 0xffffff);
}

uint64_t cell_from_number(double value);
double cell_number(uint64_t cell);

#endif
