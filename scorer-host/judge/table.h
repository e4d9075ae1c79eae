/*
 * Reads a table: CSV by RFC 4180, held strictly. One header row with the exact names in any order; LF or CRLF; one
 * UTF-8 BOM; quotes only around a whole field. Bytes are bytes: nothing is trimmed, decoded or guessed. Pure: it is
 * what the confined reader runs, and what the fuzzer holds.
 */
#ifndef PROCTOR_JUDGE_TABLE_H
#define PROCTOR_JUDGE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "judge/columns.h"
#include "judge/spec.h"

enum {
	TABLE_LINE = 1 << 20,	      /* bytes of one row, line end included */
	TABLE_FIELD = (1 << 16) - 1,  /* bytes of one field as written */
	TABLE_HEADER_FIELDS = 1 << 12 /* columns that a table may have at all */
};

/* The kinds of fault that the bytes alone show, worst first. */
enum table_kind { TABLE_KIND_SIZE, TABLE_KIND_FORMAT, TABLE_KIND_COLUMNS, TABLE_KIND_VALUE, TABLE_KIND_END };

/* X(name, text): the text completes "row 7, column p: …" */
#define TABLE_REASONS(X) \
	X(NONE, "nothing is wrong") \
	X(ROWS, "more rows than a table for this truth may have") \
	X(EMPTY, "the file is empty; a header row is expected") \
	X(BLANK, "the line is empty") \
	X(NUL, "a NUL byte") \
	X(BARE_CR, "a carriage return without a line feed") \
	X(QUOTE_INSIDE, "a quote inside a field that does not begin with one") \
	X(QUOTE_AFTER, "something stands between the closing quote and the comma or line end") \
	X(QUOTE_OPEN, "a quoted field is never closed") \
	X(LONG_LINE, "the row is longer than 1MiB") \
	X(LONG_FIELD, "the field is longer than 64KiB") \
	X(FEW_FIELDS, "fewer fields than the header has") \
	X(MANY_FIELDS, "more fields than the header has") \
	X(MANY_COLUMNS, "more than 4096 columns") \
	X(COLUMN_MISSING, "the column is missing") \
	X(COLUMN_TWICE, "the column occurs twice") \
	X(COLUMN_UNKNOWN, "a column that the task does not have") \
	X(VALUE_EMPTY, "the value is empty") \
	X(VALUE_NUMBER, "not a finite decimal number") \
	X(VALUE_INTEGER, "not a whole number within ±2^53") \
	X(VALUE_LOW, "below the least that is allowed") \
	X(VALUE_HIGH, "above the most that is allowed") \
	X(VALUE_LABEL, "not one of the labels of this column") \
	X(VALUE_SUM, "the columns of this family do not add up to what they must")

enum table_reason {
#define X(name, text) REASON_##name,
	TABLE_REASONS(X)
#undef X
	    REASON_END
};

enum { TABLE_SAMPLE = 40 };
#define FIELD_NONE UINT32_MAX

/* The first fault of one kind, and how many rows (for columns: columns) have one. */
struct table_fault {
	uint64_t count;
	uint64_t row;	 /* the header is row 1 */
	uint32_t column; /* position in the file, from 1; 0: the row as a whole */
	uint32_t field;	 /* index into the spec, or FIELD_NONE */
	uint32_t reason; /* enum table_reason */
	uint32_t sample_length;
	uint8_t sample[TABLE_SAMPLE]; /* the offending bytes, cut; hostile */
};

struct table_report {
	uint64_t rows; /* data rows, faulty ones included */
	uint32_t bom;
	uint32_t clean; /* no fault of any kind but VALUE: the columns are whole */
	struct table_fault fault[TABLE_KIND_END];
};

/*
 * Reads all n bytes; goes on after a fault, so that each kind has its count over the whole table. `out` is a started
 * block with the shape of this spec and size; its rows are whole when report->clean. A number at fault is kept as one
 * that its column may have.
 */
void table_read(const uint8_t *bytes, size_t n, const struct table_spec *spec, struct columns *out,
    struct table_report *report);

/* Fixed English for a reason; "" outside the table. */
const char *table_reason_text(uint32_t reason);

#endif
