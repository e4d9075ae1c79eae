/*
 * The typed columns of one table in one block of memory: what the reader process leaves and the judge process takes.
 * Everything is an offset or a count, so that whoever takes it over can check every bound before he believes a byte.
 *
 *   header | cell[0][capacity] … cell[stored-1][capacity] | text arena
 *
 * Cell 0 is the row's id, then the columns in the order of their struct table_spec. A number's cell holds the double's
 * bits. A text of 1 to 8 bytes that neither begins nor ends with NUL is its own cell; any other lies in the arena, and
 * its cell is offset << 28 | length << 8. So texts of a cell of their own are equal when their cells are. A composite
 * id is its parts with a NUL between them, which no field can hold.
 */
#ifndef PROCTOR_JUDGE_COLUMNS_H
#define PROCTOR_JUDGE_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "judge/spec.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a short text is read where its cell lies");

/* Bytes of a table: what offsets can reach. */
#define TABLE_BYTES_MAX (UINT64_C(1) << 36)

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

/* What a table of that many bytes can need at most. 0, or -EOVERFLOW beyond TABLE_BYTES_MAX or the address space. */
int columns_shape(const struct table_spec *spec, uint64_t bytes, struct columns_shape *shape);

/* Lays a view over a block of shape->size bytes, aligned to 8. Reads and writes nothing in it. */
void columns_bind(struct columns *c, void *block, const struct columns_shape *shape);

/* Marks an all-zero block as an empty table. */
void columns_start(struct columns *c);

/*
 * Checks a block that came from elsewhere: header, counts, every reference, every number finite, in its range and, in an
 * integer column, whole. With `values` (no value was at fault) also labels and sums. 0 or -EBADMSG; nothing in it may
 * be used before.
 */
int columns_check(const struct columns *c, const struct table_spec *spec, bool values);

/* The cell of a text; length below 2^20. What needs the arena has room there by the shape. */
uint64_t columns_keep(struct columns *c, const uint8_t *bytes, size_t length);

struct text {
	const uint8_t *at;
	size_t n;
};

/* The text of a cell, valid as long as the cell and the block are. */
static inline struct text cell_text(const struct columns *c, const uint64_t *cell)
{
	if (*cell & 0xff)
		return (struct text){(const uint8_t *)cell, (size_t)(71 - __builtin_clzll(*cell)) / 8};
	return (struct text){c->text + (*cell >> 28), (size_t)(*cell >> 8 & 0xfffff)};
}

static inline bool cell_same_text(
    const struct columns *a, const uint64_t *x, const struct columns *b, const uint64_t *y)
{
	if ((*x | *y) & 0xff)
		return *x == *y;
	struct text s = cell_text(a, x), t = cell_text(b, y);
	return s.n == t.n && (s.n == 0 || memcmp(s.at, t.at, s.n) == 0);
}

static inline uint64_t cell_from_number(double value)
{
	uint64_t cell;
	memcpy(&cell, &value, sizeof cell);
	return cell;
}

static inline double cell_number(uint64_t cell)
{
	double value;
	memcpy(&value, &cell, sizeof value);
	return value;
}

#endif
