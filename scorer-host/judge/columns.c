/* Layout and bounds of the block of columns. Believes nothing that it did not check. Pure. */
#include "judge/columns.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define MAGIC UINT64_C(0x314c4f43544f5250) /* "PROTCOL1" */
/* An arena offset has 40 bits. */
#define ARENA_MAX ((UINT64_C(1) << 40) - 1)

int columns_shape(const struct table_spec *spec, uint64_t bytes, struct columns_shape *shape)
{
	if (bytes > ARENA_MAX)
		return -EOVERFLOW;
	size_t stored = 1 + spec->count - spec->ids;
	/* A row has at least a separator or line end for each field; only the last row may lack its own. */
	uint64_t capacity = bytes / spec->count + 1;
	uint64_t arena = bytes;
	if (spec->ids > 1)
		arena += capacity * 4 * spec->ids;
	if (arena > ARENA_MAX)
		return -EOVERFLOW;
	/* Below 2^40 rows and 65 cells of 8 bytes each, nothing here can pass 2^50. */
	uint64_t size = sizeof(struct columns_header) + capacity * 8 * stored + arena;
	if (size > SIZE_MAX / 2)
		return -EOVERFLOW;
	*shape = (struct columns_shape){stored, capacity, arena, (size_t)size};
	return 0;
}

void columns_bind(struct columns *c, void *block, const struct columns_shape *shape)
{
	memset(c, 0, sizeof *c);
	c->header = block;
	c->shape = *shape;
	uint64_t *cells = (uint64_t *)(void *)((uint8_t *)block + sizeof *c->header);
	for (size_t i = 0; i < shape->stored; i++)
		c->cell[i] = cells + i * shape->capacity;
	c->text = (uint8_t *)(cells + shape->stored * shape->capacity);
}

void columns_start(struct columns *c)
{
	*c->header = (struct columns_header){.magic = MAGIC, .stored = c->shape.stored};
}

static int check_texts(const struct columns *c, const uint64_t *cell)
{
	uint64_t used = c->header->text;
	for (uint64_t i = 0; i < c->header->rows; i++)
		if (cell_offset(cell[i]) > used || cell_length(cell[i]) > used - cell_offset(cell[i]))
			return -EBADMSG;
	return 0;
}

static int check_numbers(const struct columns *c, const uint64_t *cell, const struct table_field *field)
{
	for (uint64_t i = 0; i < c->header->rows; i++) {
		double v = cell_number(cell[i]);
		if (!isfinite(v) || (field->has_min && v < field->min) || (field->has_max && v > field->max))
			return -EBADMSG;
	}
	return 0;
}

int columns_check(const struct columns *c, const struct table_spec *spec)
{
	const struct columns_header *h = c->header;
	if (h->magic != MAGIC || h->stored != c->shape.stored || h->rows > c->shape.capacity ||
	    h->text > c->shape.arena || h->rows > TABLE_ROWS_MAX)
		return -EBADMSG;
	int r = check_texts(c, c->cell[0]);
	for (size_t i = 1; r == 0 && i < c->shape.stored; i++) {
		const struct table_field *field = &spec->field[spec->ids + i - 1];
		r = field->type == COLUMN_LABEL ? check_texts(c, c->cell[i])
						: check_numbers(c, c->cell[i], field);
	}
	return r;
}

uint64_t columns_keep(struct columns *c, const uint8_t *bytes, size_t length)
{
	uint64_t at = c->header->text;
	memcpy(c->text + at, bytes, length);
	c->header->text = at + length;
	return at << 24 | length;
}

uint64_t cell_from_number(double value)
{
	uint64_t cell;
	memcpy(&cell, &value, sizeof cell);
	return cell;
}

double cell_number(uint64_t cell)
{
	double value;
	memcpy(&value, &cell, sizeof value);
	return value;
}
