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

static uint64_t seed = 3;
static uint32_t draw(uint32_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((seed >> 33) % below);
}

/* The same rows plain and with every field in quotes, which are read one byte after the other. */
static void test_plain_rows(void **state)
{
	(void)state;
	static const char *const numbers[] = {"0", "-1", "11", "2.5", "7e-3", "0.12345678901234567", "x", "",
	    "1e999", "99999999999999999999", "0.0000000000000000000000000000001234567890123456789", "+3",
	    " 1", "5."};
	static const char *const labels[] = {
	    "x", "eightby8", "ninebytes", "a b", "(+)", "!#$%&'*", "", "-", "\xff\xfe"};
	static const struct table_spec one = {
	    .field = {{.name = "id", .type = COLUMN_LABEL},
		{.name = "n", .type = COLUMN_NUMBER, .has_min = true, .has_max = true, .min = 0, .max = 10},
		{.name = "l", .type = COLUMN_LABEL}},
	    .ids = 1,
	    .count = 3,
	    .others = true};
	for (int round = 0; round < 300; round++) {
		char plain[8192] = "n,id,skipped,l", quoted[8192] = "n,id,skipped,l";
		const char *end = round % 2 ? "\r\n" : "\n";
		strcat(plain, end);
		strcat(quoted, end);
		uint32_t odd = round % 3 ? 0 : 4;
		for (int row = 0; row < 40; row++) {
			char line[256], other[256];
			const char *n = numbers[draw(6 + (draw(9) == 0 ? 8 : odd / 4))],
				   *l = labels[draw(6 + (draw(9) == 0 ? 3 : 0))];
			(void)snprintf(line, sizeof line, "%s,row%d,%u,%s%s", n, row, draw(100), l,
			    row == 39 && round % 5 ? "" : end);
			(void)snprintf(other, sizeof other, "\"%s\",\"row%d\",1,\"%s\"%s", n, row, l, end);
			strcat(plain, line);
			strcat(quoted, other);
		}
		struct table_report a, b;
		struct columns x, y;
		struct columns_shape sx, sy;
		assert_int_equal(columns_shape(&one, strlen(plain), &sx), 0);
		assert_int_equal(columns_shape(&one, strlen(quoted), &sy), 0);
		void *bx = calloc(1, sx.size), *by = calloc(1, sy.size);
		assert_true(bx && by);
		columns_bind(&x, bx, &sx);
		columns_start(&x);
		columns_bind(&y, by, &sy);
		columns_start(&y);
		table_read((const uint8_t *)plain, strlen(plain), &one, &x, &a);
		table_read((const uint8_t *)quoted, strlen(quoted), &one, &y, &b);
		assert_memory_equal(&a, &b, sizeof a);
		assert_int_equal(x.header->rows, 40);
		assert_memory_equal(x.header, y.header, sizeof *x.header);
		for (size_t i = 0; i < 3; i++)
			assert_memory_equal(x.cell[i], y.cell[i], 40 * sizeof(uint64_t));
		free(bx);
		free(by);
	}
}

/* Ids of every kind, shuffled: counted, with gaps, random, in no order in the truth. Each finds its own. */
static void test_matching_orders(void **state)
{
	(void)state;
	static const uint64_t key[2] = {1, 2};
	enum { N = 1000 };
	for (uint32_t form = 0; form < 10; form++) {
		static char truth[N * 64], table[N * 64];
		uint32_t order[N], row_of[N];
		char(*id)[40] = malloc(N * sizeof *id);
		assert_non_null(id);
		for (uint32_t i = 0; i < N; i++) {
			uint32_t k = i * (form % 3 + 1) + form, a = k * 2654435761u;
			if (form % 5 == 4)
				(void)snprintf(id[i], sizeof *id, "%08x%08x%08x", a, a * 3, a * 7);
			else
				(void)snprintf(id[i], sizeof *id,
				    form % 5 == 0   ? "%u"
				    : form % 5 == 1 ? "case-%04u"
				    : form % 5 == 2 ? "%u-x"
						    : "A%u00",
				    k);
			order[i] = i;
		}
		for (uint32_t i = N; i > 1; i--) {
			uint32_t k = draw(i), keep = order[i - 1];
			order[i - 1] = order[k];
			order[k] = keep;
		}
		strcpy(truth, HEAD);
		strcpy(table, HEAD);
		char *t = truth + strlen(truth), *b = table + strlen(table);
		for (uint32_t i = 0; i < N; i++) {
			/* from form 5 on the truth is in no order either */
			uint32_t k = form < 5 ? i : N - 1 - i * 7 % N;
			t += sprintf(t, "H,%s,%u,x\n", id[k], 0u);
			b += sprintf(b, "H,%s,%u,x\n", id[form % 2 ? i : order[i]], 0u);
		}
		struct table x, y;
		struct match_report report;
		take(&x, truth, strlen(truth));
		take(&y, table, strlen(table));
		assert_int_equal(match_ids(&x.c, &y.c, key, row_of, &report), 0);
		assert_int_equal(match_verdict(&report), VERDICT_NONE);
		for (uint32_t i = 0; i < N; i++)
			assert_true(cell_same_text(&x.c, &x.c.cell[0][i], &y.c, &y.c.cell[0][row_of[i]]));
		free(x.block);
		free(y.block);
		free(id);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_stored),
	    cmocka_unit_test(test_faults),
	    cmocka_unit_test(test_every_cut),
	    cmocka_unit_test(test_long),
	    cmocka_unit_test(test_plain_rows),
	    cmocka_unit_test(test_matching),
	    cmocka_unit_test(test_matching_orders),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
