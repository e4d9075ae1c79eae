/* Layout and bounds of the block of columns. Believes nothing that it did not check. Pure. */
#include "judge/columns.h"

#include <errno.h>
#include <math.h>

#define MAGIC UINT64_C(0x324c4f43544f5250) /* "PROTCOL2" */

int columns_shape(const struct table_spec *spec, uint64_t bytes, struct columns_shape *shape)
{
	if (bytes > TABLE_BYTES_MAX)
		return -EOVERFLOW;
	size_t stored = 1 + spec->count - spec->ids;
	/* A row has at least a separator or line end for each field; only the last row may lack its own. */
	uint64_t capacity = bytes / spec->count + 1;
	/* What an empty value stands for can be longer than nothing. */
	uint64_t filled = 0;
	for (size_t i = spec->ids; i < spec->count; i++)
		if (spec->field[i].missing_label)
			filled += strlen(spec->field[i].missing_label);
	uint64_t arena = bytes + filled * capacity;
	if (arena > TABLE_BYTES_MAX)
		return -EOVERFLOW;
	/* Below 2^36 rows and 1025 cells of 8 bytes each, nothing here can pass 2^50. */
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
		if (!(cell[i] & 0xff) && (cell[i] >> 28) + (cell[i] >> 8 & 0xfffff) > used)
			return -EBADMSG;
	return 0;
}

static int check_labels(const struct columns *c, const uint64_t *cell, const struct table_field *field)
{
	for (uint64_t i = 0; i < c->header->rows; i++) {
		struct text t = cell_text(c, &cell[i]);
		if (!field_has_label(field, t.at, t.n))
			return -EBADMSG;
	}
	return 0;
}

static int check_numbers(const struct columns *c, const uint64_t *cell, const struct table_field *field)
{
	double min = field->has_min ? field->min : -HUGE_VAL, max = field->has_max ? field->max : HUGE_VAL;
	bool integer = field->type == COLUMN_INTEGER;
	for (uint64_t i = 0; i < c->header->rows; i++) {
		double v = cell_number(cell[i]);
		if (!isfinite(v) || v < min || v > max || (integer && v != trunc(v)))
			return -EBADMSG;
	}
	return 0;
}

static int check_sum(const struct columns *c, const struct table_spec *spec, const struct table_sum *sum)
{
	for (uint64_t i = 0; i < c->header->rows; i++) {
		double total = 0;
		for (size_t k = 0; k < sum->count; k++)
			total += cell_number(c->cell[1 + sum->first - spec->ids + k][i]);
		if (!sum_holds(sum, total))
			return -EBADMSG;
	}
	return 0;
}

int columns_check(const struct columns *c, const struct table_spec *spec, bool values)
{
	const struct columns_header *h = c->header;
	if (h->magic != MAGIC || h->stored != c->shape.stored || h->rows > c->shape.capacity ||
	    h->text > c->shape.arena || h->rows > TABLE_ROWS_MAX)
		return -EBADMSG;
	int r = check_texts(c, c->cell[0]);
	for (size_t i = 1; r == 0 && i < c->shape.stored; i++) {
		const struct table_field *field = &spec->field[spec->ids + i - 1];
		if (field->type != COLUMN_LABEL) {
			r = check_numbers(c, c->cell[i], field);
			continue;
		}
		r = check_texts(c, c->cell[i]);
		if (r == 0 && values && field->label_count)
			r = check_labels(c, c->cell[i], field);
	}
	for (size_t i = 0; r == 0 && values && i < spec->sums; i++)
		r = check_sum(c, spec, &spec->sum[i]);
	return r;
}

uint64_t columns_keep(struct columns *c, const uint8_t *bytes, size_t length)
{
	uint64_t cell = 0;
	if (length == 0)
		return 0;
	if (length <= 8 && bytes[0] && bytes[length - 1]) {
		memcpy(&cell, bytes, length);
		return cell;
	}
	uint64_t at = c->header->text;
	memcpy(c->text + at, bytes, length);
	c->header->text = at + length;
	return at << 28 | (uint64_t)length << 8;
}
