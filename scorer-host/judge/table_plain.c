/*
 * The rows that nearly all tables are made of, eight bytes at a time. It takes nothing that table.c would refuse: what is
 * not plain it leaves where it is.
 */
#include <string.h>

#include "judge/number.h"
#include "judge/table_reader.h"
#include "judge/value.h"

enum { AHEAD = 8 }; /* bytes that are looked at together */

#define EACH UINT64_C(0x0101010101010101)

/* NUL, line ends, quotes and commas are all below '-'; so are few bytes of numbers and names. */
static inline uint64_t below_minus(uint64_t bytes)
{
	return (bytes - EACH * '-') & ~bytes & EACH << 7;
}

/* The first byte from p on that ends a field or may not stand in one; `last` when there is none before it. */
static const uint8_t *field_end(const uint8_t *p, const uint8_t *last)
{
	while (p < last) {
		uint64_t bytes;
		memcpy(&bytes, p, sizeof bytes);
		uint64_t found = below_minus(bytes);
		if (!found) {
			p += AHEAD;
			continue;
		}
		p += __builtin_ctzll(found) / 8;
		if (p >= last || *p == ',' || *p == '\n' || *p == '\r' || *p == '"' || *p == '\0')
			return p;
		p++;
	}
	return p;
}

/* The cell of a text that holds no NUL; AHEAD bytes can be read from p on. */
static inline uint64_t keep(struct columns *out, const uint8_t *p, size_t n)
{
	uint64_t bytes;
	if (n > sizeof bytes)
		return columns_keep(out, p, n);
	memcpy(&bytes, p, sizeof bytes);
	return bytes & UINT64_MAX >> (64 - 8 * n);
}

/* One value into its cell of that row; false when it is at fault. */
static inline bool take(struct reader *r, size_t field, const uint8_t *p, size_t n, uint64_t row)
{
	const struct table_field *f = &r->spec->field[field];
	size_t cell = field < r->spec->ids ? 0 : 1 + field - r->spec->ids;
	double number = 0;
	if (cell && (f->type != COLUMN_LABEL || f->label_count) &&
	    value_check(f, p, n, &number) != REASON_NONE)
		return false;
	r->out->cell[cell][row] = f->type == COLUMN_LABEL ? keep(r->out, p, n) : cell_from_number(number);
	return true;
}

/* A number, without looking for its end first: the byte behind it, or p when it is not plain. */
static inline const uint8_t *take_number(
    struct reader *r, size_t field, const uint8_t *p, const uint8_t *last, uint64_t row)
{
	const struct table_field *f = &r->spec->field[field];
	double value;
	size_t n = p < last ? number_take(p, (size_t)(last - p), &value) : 0;
	if (n == 0 || (f->has_min && value < f->min) || (f->has_max && value > f->max))
		return p;
	r->out->cell[1 + field - r->spec->ids][row] = cell_from_number(value);
	return p + n;
}

/* The byte behind the row that begins at `start`; NULL when it is not plain. */
static const uint8_t *plain_row(struct reader *r, const uint8_t *start, const uint8_t *last, uint64_t row)
{
	const uint8_t *p = start;
	for (size_t i = 0; i < r->header_fields; i++) {
		const uint8_t *end = p;
		if (r->wanted[i] != UNWANTED && r->spec->field[r->wanted[i]].type == COLUMN_NUMBER)
			end = take_number(r, r->wanted[i], p, last, row);
		bool taken = end != p;
		if (!taken)
			end = field_end(p, last);
		size_t n = (size_t)(end - p);
		bool line = i + 1 == r->header_fields;
		if (end >= last || n == 0 || n > TABLE_FIELD)
			return NULL;
		if (line ? *end != '\n' && (*end != '\r' || end[1] != '\n') : *end != ',')
			return NULL;
		if (!taken && r->wanted[i] != UNWANTED && !take(r, r->wanted[i], p, n, row))
			return NULL;
		p = end + 1 + (*end == '\r');
	}
	return (size_t)(p - start) <= TABLE_LINE ? p : NULL;
}

void table_plain_rows(struct reader *r)
{
	struct columns_header *h = r->out->header;
	const struct table_report *report = r->report;
	/* Up to here AHEAD bytes can be read, and one behind the end of a field. */
	if (r->end - r->at <= AHEAD || r->spec->ids != 1 || r->header_fields > TABLE_HEADER_FIELDS ||
	    report->fault[TABLE_KIND_SIZE].count || report->fault[TABLE_KIND_FORMAT].count ||
	    report->fault[TABLE_KIND_COLUMNS].count)
		return;
	const uint8_t *last = r->end - AHEAD;
	uint64_t most = r->spec->rows_most ? r->spec->rows_most : TABLE_ROWS_MAX;
	while (r->at < last && h->rows < r->out->shape.capacity && report->rows < most) {
		uint64_t text = h->text;
		const uint8_t *next = plain_row(r, r->at, last, h->rows);
		if (!next) {
			h->text = text;
			return;
		}
		r->at = next;
		r->row++;
		r->report->rows++;
		if (r->spec->sums)
			(void)table_sums_hold(r, h->rows);
		h->rows++;
	}
}
