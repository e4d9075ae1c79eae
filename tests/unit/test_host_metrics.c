/* Metrics against values worked out by hand and against the definition, pair by pair; row order must change no bit. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "judge/siphash.h"
#include "judge/sort.h"
#include "judge/weigh.h"

static char id[] = "id", p[] = "p", l[] = "l", y[] = "y", one[] = "1", auroc[] = "AUROC",
	    accuracy[] = "accuracy", agreement[] = "agreement";
static char *ids[] = {id};
static struct task_column columns[] = {{.name = p, .type = COLUMN_NUMBER}, {.name = l, .type = COLUMN_LABEL}};
static struct task_metric metrics[] = {
    {.name = auroc, .as = METRIC_AUROC, .truth = y, .positive = one},
    {.name = accuracy,
	.as = METRIC_ACCURACY,
	.truth = y,
	.positive = one,
	.has_threshold = true,
	.threshold = 0.5},
    {.name = agreement, .as = METRIC_ACCURACY, .column = 1, .truth = y},
};
static const struct task task = {
    .id = ids, .id_count = 1, .column = columns, .column_count = 2, .metric = metrics, .metric_count = 3};

enum { ROWS = 400 };

struct rows {
	size_t n;
	double score[ROWS];
	int truth[ROWS], said[ROWS];
	size_t order[ROWS];
};

/* Writes the rows in their order, reads the table, and weighs it. */
static void weigh_rows(const struct rows *r, struct weighed *out)
{
	static const uint64_t key[2] = {1, 2};
	char *table, *truth;
	size_t table_size, truth_size;
	FILE *a = open_memstream(&table, &table_size), *b = open_memstream(&truth, &truth_size);
	(void)fputs("p,l,id\n", a);
	(void)fputs("id,y\n", b);
	for (size_t i = 0; i < r->n; i++) {
		size_t k = r->order[i];
		(void)fprintf(a, "%.17g,%d,case-%zu\n", r->score[k], r->said[k], k);
		(void)fprintf(b, "case-%zu,%d\n", i, r->truth[i]);
	}
	assert_int_equal(fclose(a) | fclose(b), 0);

	struct table_spec spec, truth_spec;
	struct columns_shape shape, truth_shape;
	struct table_report report;
	struct columns c;
	spec_of_table(&task, &spec);
	spec_of_truth(&task, &truth_spec);
	assert_int_equal(columns_shape(&spec, table_size, &shape), 0);
	assert_int_equal(columns_shape(&truth_spec, truth_size, &truth_shape), 0);
	void *block = calloc(1, shape.size), *truth_block = calloc(1, truth_shape.size);
	assert_true(block && truth_block);
	columns_bind(&c, block, &shape);
	columns_start(&c);
	table_read((const uint8_t *)table, table_size, &spec, &c, &report);
	assert_true(report.clean);
	assert_int_equal(
	    weigh(&task, (const uint8_t *)truth, truth_size, &truth_shape, truth_block, &c, key, true, out),
	    0);
	assert_true(weighed_check(out, &task, r->n));
	free(block);
	free(truth_block);
	free(table);
	free(truth);
}

/* The definition, pair by pair. */
static double slow_auroc(const struct rows *r)
{
	uint64_t half = 0, pairs = 0;
	for (size_t i = 0; i < r->n; i++)
		for (size_t k = 0; k < r->n; k++)
			if (r->truth[i] == 1 && r->truth[k] != 1) {
				pairs += 2;
				half += r->score[i] > r->score[k] ? 2 : r->score[i] == r->score[k] ? 1 : 0;
			}
	return (double)half / (double)pairs;
}

static uint64_t seed = 7;
static uint32_t draw(uint32_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((seed >> 33) % below);
}

static void shuffle(struct rows *r)
{
	for (size_t i = 0; i < r->n; i++)
		r->order[i] = i;
	for (size_t i = r->n; i > 1; i--) {
		size_t k = draw((uint32_t)i), keep = r->order[i - 1];
		r->order[i - 1] = r->order[k];
		r->order[k] = keep;
	}
}

static void fill(struct rows *r, size_t n, const double *score, const int *truth)
{
	memset(r, 0, sizeof *r);
	r->n = n;
	for (size_t i = 0; i < n; i++) {
		r->score[i] = score[i];
		r->truth[i] = truth[i];
		r->said[i] = truth[i];
		r->order[i] = i;
	}
}

static void test_by_hand(void **state)
{
	(void)state;
	static const struct {
		size_t n;
		double score[6];
		int truth[6];
		double auroc, accuracy;
	} cases[] = {
	    {4, {0.1, 0.4, 0.35, 0.8}, {0, 0, 1, 1}, 0.75, 0.75},
	    {4, {0.9, 0.8, 0.2, 0.1}, {1, 1, 0, 0}, 1, 1},
	    {4, {0.1, 0.2, 0.8, 0.9}, {1, 1, 0, 0}, 0, 0},
	    {4, {0.5, 0.5, 0.5, 0.5}, {1, 0, 1, 0}, 0.5, 0.5},
	    {2, {0, 1}, {0, 1}, 1, 1},
	    {6, {-1, -2, -1, 3, 3, 7}, {0, 0, 1, 1, 0, 1}, 7.0 / 9.0, 4.0 / 6.0},
	    {3, {-0.0, 0.0, 1}, {1, 0, 1}, 0.75, 2.0 / 3.0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct rows r;
		struct weighed w;
		fill(&r, cases[i].n, cases[i].score, cases[i].truth);
		weigh_rows(&r, &w);
		assert_int_equal(w.metric[0].why, WHY_DEFINED);
		if (w.metric[0].value != cases[i].auroc || w.metric[1].value != cases[i].accuracy)
			fail_msg("case %zu: %.17g %.17g", i, w.metric[0].value, w.metric[1].value);
		assert_true(w.metric[2].value == 1);
		assert_int_equal(w.metric[0].n, cases[i].n);
	}
}

static void test_reference_and_order(void **state)
{
	(void)state;
	for (int round = 0; round < 60; round++) {
		struct rows r;
		struct weighed w, again;
		memset(&r, 0, sizeof r);
		r.n = 2 + draw(ROWS - 2);
		uint32_t values = 1 + draw(round % 2 ? 5 : 1000000);
		uint64_t right = 0, same = 0;
		for (size_t i = 0; i < r.n; i++) {
			r.score[i] = (double)draw(values) / (double)values;
			r.truth[i] = i < 2 ? (int)i : (int)draw(3);
			r.said[i] = (int)draw(3);
			right += (r.truth[i] == 1) == (r.score[i] >= 0.5);
			same += r.truth[i] == r.said[i];
		}
		shuffle(&r);
		weigh_rows(&r, &w);
		assert_true(w.metric[0].value == slow_auroc(&r));
		assert_true(w.metric[1].value == (double)right / (double)r.n);
		assert_true(w.metric[2].value == (double)same / (double)r.n);
		shuffle(&r);
		weigh_rows(&r, &again);
		assert_memory_equal(w.metric, again.metric, sizeof w.metric);
	}
}

static void test_undefined(void **state)
{
	(void)state;
	const double score[] = {0.1, 0.9};
	const int ones[] = {1, 1}, others[] = {0, 2};
	struct rows r;
	struct weighed w;
	fill(&r, 2, score, ones);
	weigh_rows(&r, &w);
	assert_int_equal(w.metric[0].why, WHY_NO_NEGATIVE);
	assert_int_equal(w.metric[1].why, WHY_DEFINED);
	fill(&r, 2, score, others);
	weigh_rows(&r, &w);
	assert_int_equal(w.metric[0].why, WHY_NO_POSITIVE);
	fill(&r, 0, score, ones);
	weigh_rows(&r, &w);
	for (int i = 0; i < 3; i++)
		assert_int_equal(w.metric[i].why, WHY_NO_ROWS);
}

/* A result that no honest judge can give is refused. */
static void test_results_are_checked(void **state)
{
	(void)state;
	const double score[] = {0.1, 0.9};
	const int truth[] = {0, 1};
	struct rows r;
	struct weighed w, x;
	fill(&r, 2, score, truth);
	weigh_rows(&r, &w);
	assert_true(weighed_check(&w, &task, 2));
	x = w, x.metric[0].value = NAN;
	assert_false(weighed_check(&x, &task, 2));
	x = w, x.metric[1].value = 1.5;
	assert_false(weighed_check(&x, &task, 2));
	x = w, x.metric[2].why = WHY_END;
	assert_false(weighed_check(&x, &task, 2));
	x = w, x.metric[0].n = 3;
	assert_false(weighed_check(&x, &task, 2));
	x = w, x.match.unknown.count = 3;
	assert_false(weighed_check(&x, &task, 2));
}

static void test_columns_are_checked(void **state)
{
	(void)state;
	static const char text[] = "id,p,l\na,0.5,x\nb,0.25,y\n";
	struct table_spec spec;
	struct columns_shape shape;
	struct table_report report;
	struct columns c;
	spec_of_table(&task, &spec);
	assert_int_equal(columns_shape(&spec, sizeof text - 1, &shape), 0);
	void *block = calloc(1, shape.size);
	assert_non_null(block);
	columns_bind(&c, block, &shape);
	columns_start(&c);
	table_read((const uint8_t *)text, sizeof text - 1, &spec, &c, &report);
	assert_int_equal(columns_check(&c, &spec, true), 0);
	struct {
		uint64_t *at, value;
	} forged[] = {
	    {&c.header->magic, 0},
	    {&c.header->rows, shape.capacity + 1},
	    {&c.header->text, shape.arena + 1},
	    {&c.header->stored, 2},
	    {&c.cell[0][0], UINT64_C(1) << 63},
	    {&c.cell[0][1], 0xfffff00},
	    {&c.cell[1][0], UINT64_C(0x7ff0000000000000)},
	    {&c.cell[1][1], UINT64_C(0x7ff8000000000000)},
	    {&c.cell[2][1], UINT64_MAX << 8},
	};
	for (size_t i = 0; i < sizeof forged / sizeof *forged; i++) {
		uint64_t keep = *forged[i].at;
		*forged[i].at = forged[i].value;
		if (columns_check(&c, &spec, true) != -EBADMSG)
			fail_msg("forgery %zu was taken", i);
		*forged[i].at = keep;
	}
	assert_int_equal(columns_check(&c, &spec, true), 0);
	free(block);
}

static void test_siphash(void **state)
{
	(void)state;
	/* SipHash-1-3 of nothing and of 15 bytes under the key 00 01 … 0f, worked out independently. */
	const uint64_t key[2] = {UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908)};
	uint8_t bytes[15];
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (uint8_t)i;
	assert_int_equal(siphash(key, bytes, 0), UINT64_C(0xabac0158050fc4dc));
	assert_int_equal(siphash(key, bytes, sizeof bytes), UINT64_C(0xd320d86d2a519956));
}

static int by_value(const void *a, const void *b)
{
	uint64_t x, z;
	memcpy(&x, a, sizeof x);
	memcpy(&z, b, sizeof z);
	return x < z ? -1 : x > z;
}

static void test_sort(void **state)
{
	(void)state;
	enum { N = 5000 };
	static uint64_t keys[N], spare[N], reference[N];
	for (size_t i = 0; i < N; i++) {
		double d = ((double)draw(1000) - 500) * pow(10, (double)draw(20) - 10) + 0.0;
		keys[i] = reference[i] = sort_key(d);
		double e = (double)i - 2500;
		assert_true(sort_key(e) < sort_key(e + 1));
	}
	sort_keys(keys, spare, N);
	qsort(reference, N, sizeof *reference, by_value);
	assert_memory_equal(keys, reference, sizeof keys);
	sort_keys(keys, spare, 0);
	/* the upper halves alike in long runs and short ones, the lower ones not */
	for (size_t n = 1; n <= N; n = n * 3 + 1) {
		for (size_t i = 0; i < n; i++)
			keys[i] = reference[i] =
			    (uint64_t)(draw(100) < 60 ? 7 : draw(40)) << 33 | (uint64_t)draw(1u << 30) << 2;
		sort_keys(keys, spare, n);
		qsort(reference, n, sizeof *reference, by_value);
		assert_memory_equal(keys, reference, n * sizeof *keys);
	}
}

/* Every kind has its paragraph in proctor-metrics(7), and every paragraph its kind. */
static void test_page(void **state)
{
	(void)state;
	char line[512], name[64];
	bool told[METRIC_KIND_END] = {false};
	FILE *page = fopen("scorer-host/man/proctor-metrics.7", "r");
	assert_non_null(page);
	while (fgets(line, sizeof line, page))
		if (sscanf(line, ".It Cm %63s", name) == 1) {
			int kind = metric_kind_find(name);
			if (kind < 0 || told[kind])
				fail_msg("%s", name);
			told[kind] = true;
		}
	assert_int_equal(fclose(page), 0);
	for (int i = 0; i < METRIC_KIND_END; i++)
		if (!told[i])
			fail_msg("%s is not told", metric_kinds[i].name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_by_hand),
	    cmocka_unit_test(test_reference_and_order),
	    cmocka_unit_test(test_undefined),
	    cmocka_unit_test(test_results_are_checked),
	    cmocka_unit_test(test_columns_are_checked),
	    cmocka_unit_test(test_siphash),
	    cmocka_unit_test(test_sort),
	    cmocka_unit_test(test_page),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
