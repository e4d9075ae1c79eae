/*
 * The table reader. It must never look outside the bytes it was given, never write outside the columns' shape, and
 * never need time or memory beyond one pass and fixed arrays, whatever the bytes are.
 */
#include "judge/table.h"

#include <math.h>
#include <string.h>

#include "judge/table_reader.h"
#include "judge/value.h"

static void note(struct reader *r, enum table_kind kind, enum table_reason reason, size_t column,
    uint32_t field, const uint8_t *sample, size_t length)
{
	struct table_fault *f = &r->report->fault[kind];
	if (f->count++)
		return;
	f->row = r->row;
	f->column = (uint32_t)column;
	f->field = field;
	f->reason = reason;
	f->sample_length = (uint32_t)(length < TABLE_SAMPLE ? length : TABLE_SAMPLE);
	if (f->sample_length)
		memcpy(f->sample, sample, f->sample_length);
}

/* After a fault inside a record: the next record begins behind the next line feed. */
static bool malformed(struct reader *r, enum table_reason reason, const uint8_t *at)
{
	note(r, TABLE_KIND_FORMAT, reason, r->fields + 1, FIELD_NONE, NULL, 0);
	const uint8_t *feed = at < r->end ? memchr(at, '\n', (size_t)(r->end - at)) : NULL;
	r->at = feed ? feed + 1 : r->end;
	return false;
}

/* What may end a field or may not stand in it. */
static const bool special[256] = {['\0'] = true, ['\n'] = true, ['\r'] = true, ['"'] = true, [','] = true};

/* The end of a quoted field's text; NULL after a fault. */
static const uint8_t *quoted(struct reader *r, const uint8_t *p, const uint8_t *limit, bool *escapes)
{
	for (;;) {
		while (p < limit && *p != '"' && *p != '\0')
			p++;
		/* A doubled quote may have stepped over the limit. */
		if (p >= limit) {
			malformed(r, limit == r->end ? REASON_QUOTE_OPEN : REASON_LONG_LINE, p);
			return NULL;
		}
		if (*p == '\0') {
			malformed(r, REASON_NUL, p);
			return NULL;
		}
		if (p + 1 == r->end || p[1] != '"')
			return p;
		*escapes = true;
		p += 2;
	}
}

enum after { AFTER_COMMA, AFTER_LINE, AFTER_FAULT };

/* Takes what stands behind a field: a comma, a line end, or the end of the file. */
static enum after delimiter(struct reader *r, const uint8_t *p, enum table_reason otherwise)
{
	if (p == r->end) {
		r->at = p;
		return AFTER_LINE;
	}
	switch (*p) {
	case ',':
		r->at = p + 1;
		return AFTER_COMMA;
	case '\n':
		r->at = p + 1;
		return AFTER_LINE;
	case '\r':
		if (p + 1 < r->end && p[1] == '\n') {
			r->at = p + 2;
			return AFTER_LINE;
		}
		malformed(r, REASON_BARE_CR, p);
		return AFTER_FAULT;
	case '\0':
		malformed(r, REASON_NUL, p);
		return AFTER_FAULT;
	default:
		malformed(r, otherwise, p);
		return AFTER_FAULT;
	}
}

static enum after next_field(struct reader *r, struct slice *s)
{
	const uint8_t *p = r->at;
	const uint8_t *limit = (size_t)(r->end - r->record) > TABLE_LINE ? r->record + TABLE_LINE : r->end;
	enum after after;

	*s = (struct slice){.at = p};
	if (p > limit) {
		malformed(r, REASON_LONG_LINE, p);
		return AFTER_FAULT;
	}
	if (p < limit && *p == '"') {
		s->at = ++p;
		p = quoted(r, p, limit, &s->escapes);
		if (!p)
			return AFTER_FAULT;
		s->length = (size_t)(p - s->at);
		after = delimiter(r, p + 1, REASON_QUOTE_AFTER);
	} else {
		while (p < limit && !special[*p])
			p++;
		s->length = (size_t)(p - s->at);
		if (p == limit && limit != r->end && *p != '\n') {
			malformed(r, REASON_LONG_LINE, p);
			return AFTER_FAULT;
		}
		after = delimiter(r, p, REASON_QUOTE_INSIDE);
	}
	if (after != AFTER_FAULT && s->length > TABLE_FIELD) {
		malformed(r, REASON_LONG_FIELD, after == AFTER_LINE ? r->at - 1 : r->at);
		return AFTER_FAULT;
	}
	return after;
}

/* The field's bytes with doubled quotes made single. */
static const uint8_t *unescape(struct reader *r, const struct slice *s, size_t *length)
{
	*length = s->length;
	if (!s->escapes)
		return s->at;
	size_t n = 0;
	for (size_t i = 0; i < s->length; i++) {
		r->plain[n++] = s->at[i];
		if (s->at[i] == '"')
			i++;
	}
	*length = n;
	return r->plain;
}

static void header_field(struct reader *r, const struct slice *s)
{
	size_t at = r->fields, length;
	const uint8_t *name = unescape(r, s, &length);
	if (at >= TABLE_HEADER_FIELDS) {
		note(r, TABLE_KIND_COLUMNS, REASON_MANY_COLUMNS, at + 1, FIELD_NONE, name, length);
		return;
	}
	r->wanted[at] = UNWANTED;
	for (uint32_t i = 0; i < r->spec->count; i++) {
		if (strlen(r->spec->field[i].name) != length ||
		    memcmp(r->spec->field[i].name, name, length) != 0)
			continue;
		if (r->position[i]) {
			note(r, TABLE_KIND_COLUMNS, REASON_COLUMN_TWICE, at + 1, i, name, length);
			return;
		}
		r->position[i] = (uint32_t)at + 1;
		r->wanted[at] = (uint16_t)i;
		return;
	}
	if (!r->spec->others)
		note(r, TABLE_KIND_COLUMNS, REASON_COLUMN_UNKNOWN, at + 1, FIELD_NONE, name, length);
}

static bool blank(const struct reader *r)
{
	return *r->at == '\n' || (*r->at == '\r' && r->end - r->at > 1 && r->at[1] == '\n');
}

/* False when no row can be read under this header. */
static bool header(struct reader *r)
{
	struct slice s;
	enum after after = AFTER_COMMA;
	r->row = 1;
	r->record = r->at;
	if (r->at == r->end)
		return malformed(r, REASON_EMPTY, r->at);
	if (blank(r))
		return malformed(r, REASON_BLANK, r->at);
	for (r->fields = 0; after == AFTER_COMMA; r->fields++) {
		after = next_field(r, &s);
		if (after == AFTER_FAULT)
			return false;
		header_field(r, &s);
	}
	r->header_fields = r->fields;
	for (uint32_t i = 0; i < r->spec->count; i++)
		if (!r->position[i])
			note(r, TABLE_KIND_COLUMNS, REASON_COLUMN_MISSING, 0, i, NULL, 0);
	return true;
}

static uint64_t keep(struct reader *r, const struct slice *s)
{
	size_t length;
	const uint8_t *bytes = unescape(r, s, &length);
	return columns_keep(r->out, bytes, length);
}

static uint64_t keep_id(struct reader *r)
{
	uint8_t *id = r->id;
	size_t n = 0, length;
	if (r->spec->ids == 1)
		return keep(r, &r->slice[0]);
	for (size_t i = 0; i < r->spec->ids; i++) {
		const uint8_t *bytes = unescape(r, &r->slice[i], &length);
		if (i)
			id[n++] = 0;
		memcpy(id + n, bytes, length);
		n += length;
	}
	return columns_keep(r->out, id, n);
}

/* What stands in for a value at fault is one that the column may have, so that the block passes its checks. */
static double stand_in(const struct table_field *f)
{
	double number = f->has_min ? f->min : f->has_max ? f->max : 0;
	if (f->type == COLUMN_INTEGER)
		number = f->has_min ? ceil(number) : floor(number);
	return number;
}

static void note_value(struct reader *r, enum table_reason reason, size_t field)
{
	size_t length;
	const uint8_t *bytes = unescape(r, &r->slice[field], &length);
	note(r, TABLE_KIND_VALUE, reason, r->position[field], (uint32_t)field, bytes, length);
}

/* A family's sum in the record just stored at that row. */
bool table_sums_hold(struct reader *r, uint64_t at)
{
	for (size_t i = 0; i < r->spec->sums; i++) {
		const struct table_sum *sum = &r->spec->sum[i];
		double total = 0;
		for (size_t k = sum->first; k < sum->first + sum->count; k++)
			total += cell_number(r->out->cell[1 + k - r->spec->ids][at]);
		if (sum_holds(sum, total))
			continue;
		note(r, TABLE_KIND_VALUE, REASON_VALUE_SUM, r->position[sum->first], (uint32_t)sum->first,
		    NULL, 0);
		return false;
	}
	return true;
}

/* Stores one whole record; the columns have room for every record that can be written in the file's size. */
static void store(struct reader *r)
{
	struct columns *out = r->out;
	uint64_t at = out->header->rows;
	bool noted = false;
	if (at >= out->shape.capacity)
		return;
	out->cell[0][at] = keep_id(r);
	for (size_t i = r->spec->ids; i < r->spec->count; i++) {
		size_t length;
		uint64_t *cell = &out->cell[1 + i - r->spec->ids][at];
		const uint8_t *bytes = unescape(r, &r->slice[i], &length);
		const struct table_field *f = &r->spec->field[i];
		double number = 0;
		enum table_reason reason = value_check(f, bytes, length, &number);
		if (f->type != COLUMN_LABEL)
			*cell = cell_from_number(reason == REASON_NONE ? number : stand_in(f));
		else if (length == 0 && f->has_missing)
			*cell =
			    columns_keep(out, (const uint8_t *)f->missing_label, strlen(f->missing_label));
		else
			*cell = columns_keep(out, bytes, length);
		if (reason != REASON_NONE && !noted) {
			note_value(r, reason, i);
			noted = true;
		}
	}
	if (!noted)
		(void)table_sums_hold(r, at);
	out->header->rows = at + 1;
}

/* One data record. */
static bool record(struct reader *r)
{
	struct slice other;
	enum after after = AFTER_COMMA;
	r->record = r->at;
	r->fields = 0;
	if (blank(r))
		return malformed(r, REASON_BLANK, r->at);
	for (; after == AFTER_COMMA; r->fields++) {
		size_t wanted = r->fields < r->header_fields && r->fields < TABLE_HEADER_FIELDS
				    ? r->wanted[r->fields]
				    : UNWANTED;
		after = next_field(r, wanted == UNWANTED ? &other : &r->slice[wanted]);
		if (after == AFTER_FAULT)
			return false;
	}
	if (r->fields != r->header_fields) {
		enum table_reason reason =
		    r->fields < r->header_fields ? REASON_FEW_FIELDS : REASON_MANY_FIELDS;
		note(r, TABLE_KIND_FORMAT, reason, 0, FIELD_NONE, NULL, 0);
		return false;
	}
	return true;
}

void table_read(const uint8_t *bytes, size_t n, const struct table_spec *spec, struct columns *out,
    struct table_report *report)
{
	/* The reader is single-threaded by design, and this is too large for a small stack. */
	static struct reader reader;
	struct reader *r = &reader;
	static const uint8_t bom[3] = {0xef, 0xbb, 0xbf};
	const uint64_t most = spec->rows_most ? spec->rows_most : TABLE_ROWS_MAX;

	memset(report, 0, sizeof *report);
	memset(r->position, 0, sizeof r->position);
	r->at = bytes;
	r->end = bytes + n;
	r->spec = spec;
	r->out = out;
	r->report = report;
	r->fields = 0;
	if (n >= sizeof bom && memcmp(bytes, bom, sizeof bom) == 0) {
		report->bom = true;
		r->at += sizeof bom;
	}
	if (header(r))
		while (r->at < r->end) {
			table_plain_rows(r);
			if (r->at == r->end)
				break;
			r->row++;
			report->rows++;
			bool whole = record(r);
			if (report->rows == most + 1)
				note(r, TABLE_KIND_SIZE, REASON_ROWS, 0, FIELD_NONE, NULL, 0);
			/* Once the rows cannot count any more, only faults are of interest. */
			if (whole && !report->fault[TABLE_KIND_SIZE].count &&
			    !report->fault[TABLE_KIND_FORMAT].count &&
			    !report->fault[TABLE_KIND_COLUMNS].count)
				store(r);
		}
	report->clean = !report->fault[TABLE_KIND_SIZE].count && !report->fault[TABLE_KIND_FORMAT].count &&
			!report->fault[TABLE_KIND_COLUMNS].count;
}

const char *table_reason_text(uint32_t reason)
{
	static const char *const texts[REASON_END] = {
#define X(name, text) text,
	    TABLE_REASONS(X)
#undef X
	};
	return reason < REASON_END ? texts[reason] : "";
}
