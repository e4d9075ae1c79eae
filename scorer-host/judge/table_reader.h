/* The table reader's state, shared by what reads any row (table.c) and what reads plain ones fast (table_plain.c). */
#ifndef PROCTOR_JUDGE_TABLE_READER_H
#define PROCTOR_JUDGE_TABLE_READER_H

#include "judge/table.h"

enum { UNWANTED = TABLE_FIELDS };

/* One field as it stands in the file. */
struct slice {
	const uint8_t *at;
	size_t length;
	bool escapes; /* holds doubled quotes */
};

struct reader {
	const uint8_t *at, *end;
	const struct table_spec *spec;
	struct columns *out;
	struct table_report *report;
	uint64_t row;	       /* of the record being read; the header is 1 */
	const uint8_t *record; /* its first byte */
	size_t fields;	       /* read of it so far */
	size_t header_fields;
	uint16_t
	    wanted[TABLE_HEADER_FIELDS]; /* position in the file → index into the spec, UNWANTED for none */
	uint32_t position[TABLE_FIELDS]; /* index into the spec → position in the file from 1, 0 for none */
	struct slice slice[TABLE_FIELDS];
	uint8_t plain[TABLE_FIELD]; /* a field without its doubled quotes */
	uint8_t id[TABLE_LINE];	    /* the parts of a composite id, put together */
};

/*
 * Reads rows from r->at on as long as they are plain: no quotes, no empty value, nothing at fault, one id. Stops before
 * the first that is not, having changed nothing for it. The header was read and is whole.
 */
void table_plain_rows(struct reader *r);

/* Whether the families' sums hold in the record stored at that row; notes the fault when not. */
bool table_sums_hold(struct reader *r, uint64_t at);

#endif
