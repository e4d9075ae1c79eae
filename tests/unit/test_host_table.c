/* The table reader in this process: what is stored, and of every kind of fault the first place and the count. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "judge/match.h"
#include "judge/table.h"
#include "judge/table_text.h"

/* hospital and patient are the id; n is a number from 0 to 10, l a label. */
static const struct table_spec spec = {
    .field = {{.name = "hospital", .type = COLUMN_LABEL}, {.name = "patient", .type = COLUMN_LABEL},
	{.name = "n", .type = COLUMN_NUMBER, .has_min = true, .has_max = true, .max = 10},
	{.name = "l", .type = COLUMN_LABEL}},
    .ids = 2,
    .count = 4};

struct table {
	void *block;
	struct columns c;
	struct table_report report;
};

static void take(struct table *t, const char *bytes, size_t n)
{
	struct columns_shape shape;
	assert_int_equal(columns_shape(&spec, n, &shape), 0);
	t->block = calloc(1, shape.size);
	assert_non_null(t->block);
	columns_bind(&t->c, t->block, &shape);
	columns_start(&t->c);
	/* A copy without a byte behind it, so that a read past the end is seen by the sanitizer. */
	uint8_t *copy = malloc(n ? n : 1);
	assert_non_null(copy);
	memcpy(copy, bytes, n);
	table_read(copy, n, &spec, &t->c, &t->report);
	free(copy);
	assert_int_equal(columns_check(&t->c, &spec, false), 0);
}

static int text_is(const struct columns *c, uint64_t cell, const char *bytes, size_t n)
{
	struct text t = cell_text(c, &cell);
	return t.n == n && memcmp(t.at, bytes, n) == 0;
}

static void test_stored(void **state)
{
	(void)state;
	static const char text[] = "l,patient,n,hospital\r\n"
				   "\"say \"\"a, b\"\"\",7,1.5,A\n"
				   "\"two\r\nlines\",\"\",\"-0\",\"\"\n"
				   "\xff\xfe,07,1e1,AB";
	struct table t;
	take(&t, text, sizeof text - 1);
	assert_true(t.report.clean);
	assert_int_equal(t.report.rows, 3);
	assert_int_equal(t.c.header->rows, 3);
	assert_true(text_is(&t.c, t.c.cell[0][0],
	    "A\0"
	    "7",
	    3));
	assert_true(text_is(&t.c, t.c.cell[0][1], "\0", 1));
	assert_true(text_is(&t.c, t.c.cell[0][2],
	    "AB\0"
	    "07",
	    5));
	assert_true(cell_number(t.c.cell[1][0]) == 1.5);
	assert_int_equal(t.c.cell[1][1], 0);
	assert_true(cell_number(t.c.cell[1][2]) == 10);
	assert_true(text_is(&t.c, t.c.cell[2][0], "say \"a, b\"", 10));
	assert_true(text_is(&t.c, t.c.cell[2][1], "two\r\nlines", 10));
	assert_true(text_is(&t.c, t.c.cell[2][2], "\xff\xfe", 2));
	free(t.block);
}

#define HEAD "hospital,patient,n,l\n"
#define GOOD "A,1,5,x\n"

struct expected {
	const char *bytes;
	size_t length; /* 0: strlen */
	enum verdict verdict;
	enum table_reason reason;
	uint64_t row;
	uint32_t column, field;
	uint64_t count;
};

static const struct expected cases[] = {
    {"", 0, VERDICT_TABLE_FORMAT, REASON_EMPTY, 1, 1, FIELD_NONE, 1},
    {"\r\n" HEAD, 0, VERDICT_TABLE_FORMAT, REASON_BLANK, 1, 1, FIELD_NONE, 1},
    {"\rx\n", 0, VERDICT_TABLE_FORMAT, REASON_BARE_CR, 1, 1, FIELD_NONE, 1},
    {HEAD GOOD "\n" GOOD "\n", 0, VERDICT_TABLE_FORMAT, REASON_BLANK, 3, 1, FIELD_NONE, 2},
    {HEAD GOOD "A,1,5\nA,1,5\n" GOOD, 0, VERDICT_TABLE_FORMAT, REASON_FEW_FIELDS, 3, 0, FIELD_NONE, 2},
    {HEAD "A,1,5,x,\n", 0, VERDICT_TABLE_FORMAT, REASON_MANY_FIELDS, 2, 0, FIELD_NONE, 1},
    {HEAD GOOD "A,1,\0,x\n", sizeof(HEAD GOOD) - 1 + 8, VERDICT_TABLE_FORMAT, REASON_NUL, 3, 3, FIELD_NONE,
	1},
    {HEAD "A,\"1\" ,5,x\n" GOOD "A,1\"\",5,x\n", 0, VERDICT_TABLE_FORMAT, REASON_QUOTE_AFTER, 2, 2,
	FIELD_NONE, 2},
    {HEAD "A,1\",5,x\n", 0, VERDICT_TABLE_FORMAT, REASON_QUOTE_INSIDE, 2, 2, FIELD_NONE, 1},
    {HEAD "A,1,5,\"x\n", 0, VERDICT_TABLE_FORMAT, REASON_QUOTE_OPEN, 2, 4, FIELD_NONE, 1},
    {HEAD "A,1,5,\"", 0, VERDICT_TABLE_FORMAT, REASON_QUOTE_OPEN, 2, 4, FIELD_NONE, 1},
    {HEAD "A,1,5,\"\"\"", 0, VERDICT_TABLE_FORMAT, REASON_QUOTE_OPEN, 2, 4, FIELD_NONE, 1},
    {HEAD "A,1\r,5,x\n", 0, VERDICT_TABLE_FORMAT, REASON_BARE_CR, 2, 2, FIELD_NONE, 1},
    {HEAD "A,1,5,x\r", 0, VERDICT_TABLE_FORMAT, REASON_BARE_CR, 2, 4, FIELD_NONE, 1},
    {"hospital,patient,n\n", 0, VERDICT_TABLE_COLUMNS, REASON_COLUMN_MISSING, 1, 0, 3, 1},
    {"hospital,patient,n,l,\n", 0, VERDICT_TABLE_COLUMNS, REASON_COLUMN_UNKNOWN, 1, 5, FIELD_NONE, 1},
    {"hospital,n,patient,n,l,n\n", 0, VERDICT_TABLE_COLUMNS, REASON_COLUMN_TWICE, 1, 4, 2, 2},
    {"a,b,c,d\n", 0, VERDICT_TABLE_COLUMNS, REASON_COLUMN_UNKNOWN, 1, 1, FIELD_NONE, 8},
    {"hospital;patient;n;l\nA;1;5;x\n", 0, VERDICT_TABLE_COLUMNS, REASON_COLUMN_UNKNOWN, 1, 1, FIELD_NONE, 5},
    {HEAD GOOD "A,2,11,x\nA,3,-1,\n" GOOD, 0, VERDICT_TABLE_VALUE, REASON_VALUE_HIGH, 3, 3, 2, 2},
    {HEAD "A,2,1,\n", 0, VERDICT_TABLE_VALUE, REASON_VALUE_EMPTY, 2, 4, 3, 1},
    {HEAD "A,2,Infinity,x\n", 0, VERDICT_TABLE_VALUE, REASON_VALUE_NUMBER, 2, 3, 2, 1},
    {"l,n,patient,hospital\nx,-0.5,1,A\n", 0, VERDICT_TABLE_VALUE, REASON_VALUE_LOW, 2, 2, 2, 1},
    /* the worst kind in the last row beats the others before it */
    {"hospital,patient,m,l\nA,1,99,\nA,1\n", 0, VERDICT_TABLE_FORMAT, REASON_FEW_FIELDS, 3, 0, FIELD_NONE, 1},
};

static void test_faults(void **state)
{
	(void)state;
	static const enum table_kind kinds[] = {TABLE_KIND_FORMAT, TABLE_KIND_COLUMNS, TABLE_KIND_VALUE};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct expected *e = &cases[i];
		struct table t;
		take(&t, e->bytes, e->length ? e->length : strlen(e->bytes));
		enum table_kind kind = kinds[e->verdict == VERDICT_TABLE_FORMAT	   ? 0
					     : e->verdict == VERDICT_TABLE_COLUMNS ? 1
										   : 2];
		const struct table_fault *f = &t.report.fault[kind];
		if (table_verdict(&t.report) != e->verdict || f->reason != e->reason || f->row != e->row ||
		    f->column != e->column || f->field != e->field || f->count != e->count)
			fail_msg("case %zu: %s, %s, row %llu column %u field %u count %llu", i,
			    verdict_name(table_verdict(&t.report)), table_reason_text(f->reason),
			    (unsigned long long)f->row, f->column, f->field, (unsigned long long)f->count);
		assert_int_equal(t.report.clean, e->verdict == VERDICT_TABLE_VALUE);
		free(t.block);
	}
}

/* Every cut of a good table is a good table, a fault, or shorter; none is read past its end. */
static void test_every_cut(void **state)
{
	(void)state;
	static const char text[] = "\xef\xbb\xbf" HEAD "\"A\"\"\",1,0.5,\"x\r\n\"\r\nB,2,1e0,y\n";
	for (size_t n = 0; n <= sizeof text - 1; n++) {
		struct table t;
		take(&t, text, n);
		assert_true(t.report.rows <= 2);
		free(t.block);
	}
}

static void test_long(void **state)
{
	(void)state;
	size_t n = 3 << 20;
	char *text = malloc(n);
	struct table t;
	assert_non_null(text);
	/* a quoted field that never ends within the row's bound, doubled quotes across it */
	memcpy(text, HEAD, sizeof HEAD - 1);
	memset(text + sizeof HEAD - 1, '"', n - sizeof HEAD + 1);
	text[n - 5] = '\n';
	take(&t, text, n);
	assert_int_equal(t.report.fault[TABLE_KIND_FORMAT].reason, REASON_LONG_LINE);
	free(t.block);
	/* empty fields without end */
	memset(text + sizeof HEAD - 1, ',', n - sizeof HEAD + 1);
	take(&t, text, n);
	assert_int_equal(t.report.fault[TABLE_KIND_FORMAT].reason, REASON_LONG_LINE);
	free(t.block);
	/* more columns than any table may have */
	take(&t, text + sizeof HEAD - 1, 5000);
	assert_int_equal(table_verdict(&t.report), VERDICT_TABLE_COLUMNS);
	free(t.block);
	/* the longest field that is allowed, and one byte more */
	for (size_t more = 0; more < 2; more++) {
		size_t length = TABLE_FIELD + more;
		memset(text, 'x', n);
		memcpy(text, HEAD "A,1,5,", sizeof HEAD - 1 + 6);
		text[sizeof HEAD - 1 + 6 + length] = '\n';
		take(&t, text, sizeof HEAD - 1 + 6 + length + 1);
		assert_int_equal(t.report.fault[TABLE_KIND_FORMAT].count, more);
		free(t.block);
	}
	free(text);
}

static void test_matching(void **state)
{
	(void)state;
	static const uint64_t key[2] = {9, 10};
	static const char truth[] = HEAD "A,1,0,x\nA,11,0,x\nA1,1,0,x\nB,1,0,x\n";
	static const char table[] = HEAD "B,1,0,x\nA1,1,0,x\nC,1,0,x\nA,11,0,x\nC,1,0,x\nB,1,0,x\n";
	struct table a, b;
	struct match_report report;
	uint32_t row_of[4];
	take(&a, truth, sizeof truth - 1);
	take(&b, table, sizeof table - 1);
	assert_int_equal(match_ids(&a.c, &b.c, key, row_of, &report), 0);
	assert_int_equal(report.truth_duplicate.count, 0);
	/* C,1 is unknown and repeated: both are told */
	assert_int_equal(report.duplicate.count, 2);
	assert_int_equal(report.duplicate.row, 4);
	assert_int_equal(report.duplicate.other, 2);
	assert_int_equal(report.unknown.count, 2);
	assert_int_equal(report.unknown.row, 2);
	assert_int_equal(report.missing.count, 1);
	assert_int_equal(report.missing.row, 0);
	assert_int_equal(row_of[0], UNMATCHED);
	assert_int_equal(row_of[1], 3);
	assert_int_equal(row_of[2], 1);
	assert_int_equal(row_of[3], 0);
	assert_int_equal(match_ids(&b.c, &a.c, key, (uint32_t[6]){0}, &report), 0);
	assert_int_equal(report.truth_duplicate.count, 2);
	assert_int_equal(match_verdict(&report), VERDICT_TASK_INVALID);
	free(a.block);
	free(b.block);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_stored),
	    cmocka_unit_test(test_faults),
	    cmocka_unit_test(test_every_cut),
	    cmocka_unit_test(test_long),
	    cmocka_unit_test(test_matching),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
