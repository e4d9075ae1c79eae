/* Breakdowns by group, what is taken from them, intervals, missing values, composite ids and sums: tables as text in. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "intake/task_file.h"
#include "judge/weigh.h"

#define HEAD \
	"name: t\nversion: \"1\"\nsubmission: image\ninput: [{path: i, at: /input}]\ntruth: t.csv\noutput: " \
	"{table: o.csv}\n" \
	"selfcheck: [{table: a.csv, verdict: TABLE_FORMAT}]\n"

struct weighing {
	struct task task;
	struct table_report report;
	struct weighed w;
};

/* Parses the task, reads the table, weighs it. Returns weigh's result. */
static int weigh_text(struct weighing *x, const char *yaml, const char *table, const char *truth)
{
	static const uint64_t key[2] = {5, 6};
	static struct table_spec spec, truth_spec;
	struct columns_shape shape, truth_shape;
	struct columns c;
	struct fault f;
	if (task_parse("folder", yaml, strlen(yaml), &x->task, &f) < 0)
		fail_msg("%s", f.what);
	spec_of_table(&x->task, &spec);
	spec_of_truth(&x->task, &truth_spec);
	assert_int_equal(columns_shape(&spec, strlen(table), &shape), 0);
	assert_int_equal(columns_shape(&truth_spec, strlen(truth), &truth_shape), 0);
	void *block = calloc(1, shape.size), *truth_block = calloc(1, truth_shape.size);
	assert_true(block && truth_block);
	columns_bind(&c, block, &shape);
	columns_start(&c);
	table_read((const uint8_t *)table, strlen(table), &spec, &c, &x->report);
	assert_true(x->report.clean);
	bool good = x->report.fault[TABLE_KIND_VALUE].count == 0;
	int r = weigh(
	    &x->task, (const uint8_t *)truth, strlen(truth), &truth_shape, truth_block, &c, key, good, &x->w);
	if (r == 0)
		assert_true(weighed_check(&x->w, &x->task, x->report.rows));
	free(block);
	free(truth_block);
	return r;
}

static const char by_site[] =
    HEAD "id: [id]\ncolumns: [{name: p, type: number}]\nmetrics:\n"
	 "  - {name: all, as: mae, truth: y, from: p, by: site, min-group: 2}\n"
	 "  - {name: worst, as: mae, truth: y, from: p, by: site, min-group: 2, take: worst}\n"
	 "  - {name: mean, as: mae, truth: y, from: p, by: site, min-group: 2, take: mean}\n"
	 "  - {name: fit, as: r2, truth: y, from: p, by: site}\n";

static void test_groups(void **state)
{
	(void)state;
	static struct weighing x;
	assert_int_equal(weigh_text(&x, by_site, "id,p\n1,1\n2,2\n3,5\n4,4\n5,9\n6,0\n",
			     "id,y,site\n1,1,b\n2,3,b\n3,4,a\n4,2,a\n5,5,c\n6,0,a\n"),
	    0);
	const struct weighed *w = &x.w;
	const struct score_group *g = &w->group[w->metric[0].first];
	assert_true(w->metric[0].value == 8.0 / 6);
	assert_int_equal(w->metric[0].groups, 3);
	assert_string_equal(g[0].name, "a");
	assert_string_equal(g[1].name, "b");
	assert_string_equal(g[2].name, "c");
	assert_true(g[0].value == 1 && g[0].n == 3 && !g[0].withheld);
	assert_true(g[1].value == 0.5 && g[1].n == 2);
	assert_true(g[2].withheld && g[2].n == 1 && g[2].value == 0);
	/* an error is worse when it is greater */
	assert_true(w->metric[1].value == 1 && w->metric[1].n == 3);
	assert_string_equal(w->group[w->metric[1].worst].name, "a");
	assert_true(w->metric[2].value == 0.75 && w->metric[2].n == 5);
	assert_int_equal(w->metric[2].worst, SCORE_NO_GROUP);
	/* without min-group one row is a group, and r2 of it is undefined: for the truth alone, so nobody's fault */
	g = &w->group[w->metric[3].first];
	assert_int_equal(g[2].why, WHY_ONE_ROW);
	assert_int_equal(w->groups, 12);
	task_free(&x.task);
}

/* A group that the table makes undefined cannot be hidden behind the others. */
static void test_undefined_groups(void **state)
{
	(void)state;
	static struct weighing x;
	static const char yaml[] =
	    HEAD "id: [id]\ncolumns: [{name: p, type: number}]\nmetrics:\n"
		 "  - {name: r, as: pearson, truth: y, from: p, by: site, take: worst}\n"
		 "  - {name: a, as: auroc, truth: y, positive: \"1\", from: p, by: site, take: worst}\n"
		 "  - {name: b, as: auroc, truth: y, positive: \"7\", from: p, by: site, take: worst}\n"
		 "  - {name: c, as: mae, truth: y, from: p, by: site, min-group: 99, take: mean}\n";
	assert_int_equal(weigh_text(&x, yaml, "id,p\n1,1\n2,2\n3,5\n4,5\n5,0\n",
			     "id,y,site\n1,1,a\n2,3,a\n3,1,b\n4,2,b\n5,1,c\n"),
	    0);
	assert_int_equal(x.w.metric[0].why, WHY_GROUP);
	assert_int_equal(x.w.metric[1].why, WHY_DEFINED);
	assert_true(x.w.metric[1].value == 0);
	assert_int_equal(x.w.metric[2].why, WHY_NO_GROUP);
	assert_int_equal(x.w.metric[3].why, WHY_NO_GROUP);
	task_free(&x.task);
}

static void test_composite(void **state)
{
	(void)state;
	static struct weighing x;
	static const char yaml[] = HEAD
	    "id: [hospital, patient]\ncolumns: [{name: p, type: number}]\nmetrics:\n"
	    "  - {name: m, as: mean, from: p, by: hospital}\n  - {name: n, as: mean, from: p, by: patient}\n"
	    "  - {name: r, as: mrr, truth: y, positive: \"1\", from: p, of: hospital}\n";
	assert_int_equal(weigh_text(&x, yaml, "patient,p,hospital\n1,1,A\n1,2,\"B,\"\"x\"\n22,3,A\n",
			     "hospital,patient,y\nA,22,0\n\"B,\"\"x\",1,1\nA,1,1\n"),
	    0);
	const struct score_group *g = &x.w.group[x.w.metric[0].first];
	assert_int_equal(x.w.metric[0].groups, 2);
	assert_string_equal(g[0].name, "A");
	assert_string_equal(g[1].name, "B,\"x");
	assert_true(g[0].value == 2 && g[1].value == 2);
	g = &x.w.group[x.w.metric[1].first];
	assert_string_equal(g[0].name, "1");
	assert_string_equal(g[1].name, "22");
	assert_true(x.w.metric[2].value == 0.75);
	task_free(&x.task);
}

static void test_missing(void **state)
{
	(void)state;
	static struct weighing x;
	static const char yaml[] =
	    HEAD "id: [case]\ncolumns:\n  - {name: dice, type: number, min: 0, max: 1, missing: 0}\n"
		 "  - {name: hd, type: integer, min: 0, max: 500, missing: 500}\n  - {name: l, type: label, "
		 "missing: none-at-all}\n"
		 "metrics:\n  - {name: d, as: mean, from: dice}\n  - {name: h, as: median, from: hd, better: "
		 "lower}\n"
		 "  - {name: a, as: accuracy, truth: y, from: l}\n";
	static const char truth[] = "case,y\nx,none-at-all\ny,b\nz,b\n";
	/* z is absent, y has empty values */
	assert_int_equal(weigh_text(&x, yaml, "case,dice,hd,l\ny,,,\nx,0.75,4,\n", truth), 0);
	assert_int_equal(x.w.filled, 1);
	assert_int_equal(x.w.match.missing.count, 0);
	assert_true(x.w.metric[0].value == 0.25 && x.w.metric[1].value == 500);
	assert_true(x.w.metric[2].value == 1.0 / 3);
	task_free(&x.task);
	/* where one column does not say what it is worth, nothing may be absent */
	static const char strict[] =
	    HEAD "id: [case]\ncolumns: [{name: dice, type: number, missing: 0}, {name: n, type: integer}]\n"
		 "metrics: [{name: d, as: mean, from: dice}]\n";
	assert_int_equal(weigh_text(&x, strict, "case,dice,n\ny,,1\nx,0.75,4\n", truth), 0);
	assert_int_equal(x.w.match.missing.count, 1);
	assert_int_equal(x.w.metric[0].n, 0);
	task_free(&x.task);
	assert_int_equal(weigh_text(&x, strict, "case,dice,n\ny,,\nx,0.75,4\n", truth), 0);
	assert_int_equal(x.report.fault[TABLE_KIND_VALUE].reason, REASON_VALUE_EMPTY);
	assert_int_equal(x.report.fault[TABLE_KIND_VALUE].column, 3);
	task_free(&x.task);
}

static const char family[] =
    HEAD "id: [id]\ncolumns: [{name: p, of: [cat, dog, emu], type: number, min: 0, max: 1, sum: 1, within: "
	 "0.01}]\nmetrics:\n"
	 "  - {name: a, as: accuracy, truth: y, from: p}\n  - {name: l, as: log-loss, truth: y, from: p}\n"
	 "  - {name: k, as: top-k, k: 2, truth: y, from: p}\n  - {name: q, as: kappa, weights: quadratic, "
	 "truth: y, from: p}\n";

static void test_family(void **state)
{
	(void)state;
	static struct weighing x;
	/* equal numbers: the first of the family, whatever the order in the file */
	assert_int_equal(
	    weigh_text(&x, family, "dog,id,emu,cat\n0.4,1,0.2,0.4\n0.1,2,0.9,0\n", "id,y\n2,emu\n1,dog\n"),
	    0);
	assert_true(x.w.metric[0].value == 0.5);
	assert_true(fabs(x.w.metric[1].value + (log(0.4) + log(0.9)) / 2) < 1e-12);
	assert_true(x.w.metric[2].value == 1);
	task_free(&x.task);
	assert_int_equal(weigh_text(&x, family, "id,cat,dog,emu\n1,0.4,0.4,0.2\n2,0.5,0.5,0.5\n3,0.1,0.1,0\n",
			     "id,y\n1,cat\n2,dog\n3,emu\n"),
	    0);
	const struct table_fault *f = &x.report.fault[TABLE_KIND_VALUE];
	assert_int_equal(f->reason, REASON_VALUE_SUM);
	assert_int_equal(f->count, 2);
	assert_int_equal(f->row, 3);
	assert_int_equal(f->field, 1);
	task_free(&x.task);
	/* the truth's labels are the family's columns */
	assert_int_equal(
	    weigh_text(&x, family, "id,cat,dog,emu\n1,0.4,0.4,0.2\n2,0.5,0.5,0\n", "id,y\n1,cat\n2,yak\n"),
	    0);
	assert_int_equal(x.w.metric[0].why, WHY_TRUTH_LABEL);
	assert_int_equal(x.w.metric[0].fault_row, 1);
	task_free(&x.task);
}

static void test_truth_faults(void **state)
{
	(void)state;
	static struct weighing x;
	static const char yaml[] = HEAD "id: [id]\ncolumns: [{name: p, type: number, min: 0}]\nmetrics:\n  - "
					"{name: m, as: mae, truth: y, from: p}\n"
					"  - {name: r, as: rmsle, truth: z, from: p}\n  - {name: c, as: "
					"concordance, truth: y, event: e, from: p}\n";
	assert_int_equal(weigh_text(&x, yaml, "id,p\n1,1\n2,2\n", "id,y,z,e\n1,1,1,1\n2,nan,-1,yes\n"), 0);
	static const enum metric_why why[] = {WHY_TRUTH_NUMBER, WHY_TRUTH_NEGATIVE, WHY_TRUTH_NUMBER};
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(x.w.metric[i].why, why[i]);
		assert_int_equal(metric_why_whose(x.w.metric[i].why), 'f');
		assert_int_equal(x.w.metric[i].fault_row, 1);
	}
	task_free(&x.task);
	assert_int_equal(weigh_text(&x, yaml, "id,p\n1,1\n2,2\n", "id,y,z,e\n1,1,1,1\n2,2,1,yes\n"), 0);
	assert_int_equal(x.w.metric[2].why, WHY_TRUTH_EVENT);
	task_free(&x.task);
}

/* Every metric that can have an interval: it lies around the figure, and the table's order changes no bit of it. */
static void test_intervals(void **state)
{
	(void)state;
	static struct weighing x, again;
	static const char yaml[] =
	    HEAD "id: [id]\ncolumns: [{name: p, type: number, min: 0, max: 1}, {name: l, type: label, "
		 "labels: [a, b, c]}]\nmetrics:\n"
		 "  - {name: 0, as: auroc, truth: y, positive: \"1\", from: p, ci: 95}\n"
		 "  - {name: 1, as: average-precision, truth: y, positive: \"1\", from: p, ci: 95}\n"
		 "  - {name: 2, as: brier, truth: y, positive: \"1\", from: p, ci: 95}\n"
		 "  - {name: 3, as: kappa, weights: linear, truth: z, from: l, ci: 95}\n"
		 "  - {name: 4, as: pearson, truth: y, from: p, ci: 95}\n"
		 "  - {name: 5, as: spearman, truth: y, from: p, ci: 95}\n"
		 "  - {name: 6, as: kendall, truth: y, from: p, ci: 95}\n"
		 "  - {name: 7, as: median, from: p, ci: 95}\n"
		 "  - {name: 8, as: r2, truth: y, from: p, ci: 95}\n"
		 "  - {name: 9, as: concordance, truth: t, event: y, from: p, ci: 95}\n"
		 "  - {name: 10, as: ece, truth: y, positive: \"1\", from: p, ci: 95}\n"
		 "  - {name: 11, as: mrr, truth: y, positive: \"1\", from: p, of: q, ci: 95}\n"
		 "  - {name: 12, as: f1, average: macro, truth: z, from: l, ci: 95}\n"
		 "  - {name: 13, as: mean, from: p, ci: 50}\n";
	char table[8192] = "id,p,l\n", back[8192] = "l,p,id\n", truth[8192] = "id,y,z,t,q\n", line[128];
	enum { N = 60 };
	for (int i = 0; i < N; i++) {
		int y = i % 3 == 0;
		(void)snprintf(line, sizeof line, "%d,%.3f,%c\n", i, 0.3 * y + (i * 37 % 61) / 100.0,
		    "abc"[i * 7 % 5 % 3]);
		strcat(table, line);
		int k = N - 1 - i;
		(void)snprintf(line, sizeof line, "%c,%.3f,%d\n", "abc"[k * 7 % 5 % 3],
		    0.3 * (k % 3 == 0) + (k * 37 % 61) / 100.0, k);
		strcat(back, line);
		(void)snprintf(line, sizeof line, "%d,%d,%c,%d,q%d\n", i, y, "abc"[i % 3],
		    100 - 50 * y + i * 13 % 17, i / 4);
		strcat(truth, line);
	}
	assert_int_equal(weigh_text(&x, yaml, table, truth), 0);
	assert_int_equal(weigh_text(&again, yaml, back, truth), 0);
	assert_memory_equal(&x.w.metric, &again.w.metric, sizeof x.w.metric);
	for (size_t i = 0; i < x.task.metric_count; i++) {
		const struct score_metric *m = &x.w.metric[i];
		if (m->why || m->resamples != 2000 || !(m->low <= m->value) || !(m->value <= m->high) ||
		    !(m->low < m->high))
			fail_msg("metric %zu: %s %g (%g %g)", i, metric_why_text(m->why), m->value, m->low,
			    m->high);
	}
	/* half of all draws lie in a narrower place than 95 of 100, and the mean's is near what its deviation says */
	const struct score_metric *m = &x.w.metric[13];
	assert_true(m->high - m->low > 0.02 && m->high - m->low < 0.05);
	task_free(&x.task);
	task_free(&again.task);
}

static void test_resamples(void **state)
{
	(void)state;
	assert_int_equal(bootstrap_resamples(1), 2000);
	assert_int_equal(bootstrap_resamples(1000000), 2000);
	assert_int_equal(bootstrap_resamples(2000000), 1000);
	assert_int_equal(bootstrap_resamples(UINT32_MAX), 200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_groups),
	    cmocka_unit_test(test_undefined_groups),
	    cmocka_unit_test(test_composite),
	    cmocka_unit_test(test_missing),
	    cmocka_unit_test(test_family),
	    cmocka_unit_test(test_truth_faults),
	    cmocka_unit_test(test_intervals),
	    cmocka_unit_test(test_resamples),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
