/* The table of metrics, and one metric from opening to figure, interval and groups. */
#include "judge/metrics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "judge/exact.h"

#define ANY HUGE_VAL
#define CLASSES (FROM_NUMBER | FROM_NUMBERS | FROM_LABEL)
#define CUT (NEED_POSITIVE | NEED_THRESHOLD)
#define MEAN_OF(opens) opens##_open, mean_evaluate
#define WITH(name) name##_open, name##_evaluate

const struct metric_kind_row metric_kinds[METRIC_KIND_END] = {
    [METRIC_ACCURACY] = {"accuracy", CLASSES, TRUTH_LABEL, CUT, false, 0, 1, WITH(confusion)},
    [METRIC_BALANCED_ACCURACY] = {"balanced-accuracy", CLASSES, TRUTH_LABEL, CUT, false, 0, 1,
	WITH(confusion)},
    [METRIC_PRECISION] = {"precision", CLASSES, TRUTH_LABEL, CUT | MAY_AVERAGE, false, 0, 1, WITH(confusion)},
    [METRIC_RECALL] = {"recall", CLASSES, TRUTH_LABEL, CUT | MAY_AVERAGE, false, 0, 1, WITH(confusion)},
    [METRIC_SPECIFICITY] = {"specificity", CLASSES, TRUTH_LABEL, CUT | ONE_LABEL_POSITIVE, false, 0, 1,
	WITH(confusion)},
    [METRIC_F1] = {"f1", CLASSES, TRUTH_LABEL, CUT | MAY_AVERAGE, false, 0, 1, WITH(confusion)},
    [METRIC_MCC] = {"mcc", CLASSES, TRUTH_LABEL, CUT, false, -1, 1, WITH(confusion)},
    [METRIC_KAPPA] = {"kappa", CLASSES, TRUTH_LABEL, CUT | MAY_WEIGHTS, false, -ANY, 1, WITH(confusion)},
    [METRIC_AUROC] = {"auroc", FROM_NUMBER | FROM_NUMBERS, TRUTH_LABEL, NEED_POSITIVE | MAY_OVR, false, 0, 1,
	WITH(auroc)},
    [METRIC_AVERAGE_PRECISION] = {"average-precision", FROM_NUMBER, TRUTH_LABEL, NEED_POSITIVE, false, 0, 1,
	WITH(average_precision)},
    [METRIC_LOG_LOSS] = {"log-loss", FROM_NUMBER | FROM_NUMBERS, TRUTH_LABEL,
	NEED_POSITIVE | NEED_PROBABILITY | NEED_SUM, true, 0, ANY, MEAN_OF(probability)},
    [METRIC_BRIER] = {"brier", FROM_NUMBER, TRUTH_LABEL, NEED_POSITIVE | NEED_PROBABILITY, true, 0, 1,
	MEAN_OF(probability)},
    [METRIC_ECE] = {"ece", FROM_NUMBER | FROM_NUMBERS, TRUTH_LABEL, NEED_POSITIVE | NEED_PROBABILITY | MAY_K,
	true, 0, 1, WITH(ece)},
    [METRIC_TOP_K] = {"top-k", FROM_NUMBERS, TRUTH_LABEL, NEED_K, false, 0, 1, MEAN_OF(top_k)},
    [METRIC_MAE] = {"mae", FROM_NUMBER, TRUTH_NUMBER, 0, true, 0, ANY, MEAN_OF(regression)},
    [METRIC_MSE] = {"mse", FROM_NUMBER, TRUTH_NUMBER, 0, true, 0, ANY, MEAN_OF(regression)},
    [METRIC_RMSE] = {"rmse", FROM_NUMBER, TRUTH_NUMBER, 0, true, 0, ANY, MEAN_OF(regression)},
    [METRIC_RMSLE] = {"rmsle", FROM_NUMBER, TRUTH_NUMBER, NEED_NOT_NEGATIVE, true, 0, ANY,
	MEAN_OF(regression)},
    [METRIC_MEDAE] = {"medae", FROM_NUMBER, TRUTH_NUMBER, 0, true, 0, ANY, WITH(median)},
    [METRIC_MAPE] = {"mape", FROM_NUMBER, TRUTH_NUMBER, 0, true, 0, ANY, MEAN_OF(regression)},
    [METRIC_R2] = {"r2", FROM_NUMBER, TRUTH_NUMBER, 0, false, -ANY, 1, WITH(r2)},
    [METRIC_PEARSON] = {"pearson", FROM_NUMBER, TRUTH_NUMBER, 0, false, -1, 1, WITH(pearson)},
    [METRIC_SPEARMAN] = {"spearman", FROM_NUMBER, TRUTH_NUMBER, 0, false, -1, 1, WITH(spearman)},
    [METRIC_KENDALL] = {"kendall", FROM_NUMBER, TRUTH_NUMBER, 0, false, -1, 1, WITH(kendall)},
    [METRIC_CONCORDANCE] = {"concordance", FROM_NUMBER, TRUTH_NUMBER, NEED_EVENT, false, 0, 1,
	WITH(concordance)},
    [METRIC_NDCG] = {"ndcg@k", FROM_NUMBER, TRUTH_NUMBER, NEED_QUERY | NEED_K | NEED_NOT_NEGATIVE, false, 0,
	1 + 1e-9, MEAN_OF(ranking)},
    [METRIC_MAP] = {"map@k", FROM_NUMBER | FROM_LABELS, TRUTH_LABEL, NEED_POSITIVE | NEED_QUERY | NEED_K,
	false, 0, 1, MEAN_OF(ranking)},
    [METRIC_MRR] = {"mrr", FROM_NUMBER | FROM_LABELS, TRUTH_LABEL, NEED_POSITIVE | NEED_QUERY | MAY_K, false,
	0, 1, MEAN_OF(ranking)},
    [METRIC_PASS_K] = {"pass@k", FROM_NUMBER, TRUTH_NONE, NEED_OF | NEED_K, false, 0, 1, MEAN_OF(passk)},
    [METRIC_MEAN] = {"mean", FROM_NUMBER, TRUTH_NONE, MAY_BETTER, false, -ANY, ANY, MEAN_OF(column)},
    [METRIC_MEDIAN] = {"median", FROM_NUMBER, TRUTH_NONE, MAY_BETTER, false, -ANY, ANY, WITH(median)},
};

const char *metric_kind_name(enum metric_kind kind)
{
	return (size_t)kind < METRIC_KIND_END ? metric_kinds[kind].name : NULL;
}

int metric_kind_find(const char *name)
{
	for (int i = 0; i < METRIC_KIND_END; i++)
		if (strcmp(metric_kinds[i].name, name) == 0)
			return i;
	return -1;
}

static const struct {
	char whose;
	const char *text;
} whys[WHY_END] = {
#define X(name, whose, text) {whose, text},
    METRIC_WHYS(X)
#undef X
};

const char *metric_why_text(uint32_t why)
{
	return why < WHY_END ? whys[why].text : "";
}

char metric_why_whose(uint32_t why)
{
	return why < WHY_END ? whys[why].whose : 'c';
}

struct work_block {
	struct work_block *next;
	uint64_t unused; /* what follows is aligned for anything */
};

void *work_take(struct metric_work *w, uint64_t count, size_t size)
{
	if (count > (SIZE_MAX / 2 - sizeof(struct work_block)) / size)
		return NULL;
	struct work_block *b = calloc(1, sizeof *b + count * size);
	if (!b)
		return NULL;
	b->next = w->blocks;
	w->blocks = b;
	return b + 1;
}

void work_free(struct metric_work *w)
{
	while (w->blocks) {
		struct work_block *b = w->blocks;
		w->blocks = b->next;
		free(b);
	}
}

/* One metric over some rows: figure and, when asked for, interval. 0 or -ENOMEM. */
static int over_rows(const struct task_metric *m, const struct pairs *pairs, const uint32_t *rows, uint64_t n,
    double ci, struct score_metric *out)
{
	struct metric_work w = {.metric = m, .again = ci > 0};
	const struct metric_kind_row *kind = &metric_kinds[m->as];
	struct metric_value v = {0, WHY_NO_ROWS};
	int r = n ? sample_fill(&w, pairs, rows, n) : (int)WHY_NO_ROWS;
	if (r == 0)
		r = kind->open(&w);
	if (r == 0)
		v = kind->evaluate(&w, NULL);
	else if (r > 0)
		v.why = (uint32_t)r;
	out->value = v.value;
	out->n = n;
	out->why = v.why;
	out->fault_row = w.sample.fault_row;
	if (v.why == METRIC_NO_MEMORY)
		r = -ENOMEM;
	if (r == 0 && v.why == WHY_DEFINED && ci > 0)
		r = bootstrap_interval(&w, ci, out);
	work_free(&w);
	return r < 0 ? r : 0;
}

/* The rows of every group, one group after the other in the order of the names' bytes. */
struct breakdown {
	struct labels labels;
	uint32_t *code, *row, *start, *sorted;
};

static int by_name(const struct labels *l, uint32_t a, uint32_t b)
{
	struct text x = l->text[a], y = l->text[b];
	size_t n = x.n < y.n ? x.n : y.n;
	int c = n ? memcmp(x.at, y.at, n) : 0;
	return c ? c : (x.n > y.n) - (x.n < y.n);
}

static int break_down(const struct pairs *p, const char *by, struct breakdown *b)
{
	struct grouping g = grouping_of(p, by);
	uint64_t n = p->rows;
	b->code = malloc((n + 1) * sizeof *b->code);
	b->row = malloc((n + 1) * sizeof *b->row);
	if (labels_start(&b->labels, p->key) < 0 || !b->code || !b->row)
		return -ENOMEM;
	for (uint64_t i = 0; i < n; i++) {
		b->code[i] = labels_code(&b->labels, grouping_text(p, g, i));
		if (b->code[i] == UINT32_MAX)
			return -ENOMEM;
		if (b->labels.count > SCORE_GROUPS)
			return WHY_GROUPS;
	}
	uint32_t count = b->labels.count;
	b->start = calloc((size_t)count + 2, sizeof *b->start);
	b->sorted = malloc(((size_t)count + 1) * sizeof *b->sorted);
	if (!b->start || !b->sorted)
		return -ENOMEM;
	for (uint64_t i = 0; i < n; i++)
		b->start[b->code[i] + 2]++;
	for (uint32_t k = 2; k < count + 2; k++)
		b->start[k] += b->start[k - 1];
	for (uint64_t i = 0; i < n; i++)
		b->row[b->start[b->code[i] + 1]++] = (uint32_t)i;
	for (uint32_t k = 0; k < count; k++) {
		uint32_t at = k;
		for (; at > 0 && by_name(&b->labels, b->sorted[at - 1], k) > 0; at--)
			b->sorted[at] = b->sorted[at - 1];
		b->sorted[at] = k;
	}
	return 0;
}

static int each_group(const struct task_metric *m, const struct pairs *p, const struct breakdown *b,
    struct score_metric *result, struct score_group *groups)
{
	for (uint32_t k = 0; k < b->labels.count; k++) {
		struct score_group *g = &groups[result->first + k];
		struct score_metric one = {0};
		uint32_t code = b->sorted[k];
		struct text name = b->labels.text[code];
		memset(g, 0, sizeof *g);
		memcpy(g->name, name.at, name.n < SCORE_GROUP_NAME ? name.n : SCORE_GROUP_NAME - 1);
		g->n = b->start[code + 1] - b->start[code];
		g->withheld = g->n < m->min_group;
		result->groups = k + 1;
		if (g->withheld)
			continue;
		int r = over_rows(m, p, b->row + b->start[code], g->n, 0, &one);
		if (r < 0)
			return r;
		g->value = one.value;
		g->why = one.why;
		if (metric_why_whose(one.why) == 'f') {
			result->why = one.why;
			result->fault_row = one.fault_row;
			return 0;
		}
	}
	return 0;
}

/* The worst of the groups, or their mean. What the table itself made undefined is as bad as can be. */
static void take_groups(
    const struct task_metric *m, const struct score_group *groups, struct score_metric *result)
{
	struct exact sum;
	double worst = 0;
	uint64_t n = 0, rows = 0;
	exact_start(&sum);
	if (metric_why_whose(result->why) == 'f')
		return;
	result->why = WHY_DEFINED;
	for (uint32_t k = result->first; k < result->first + result->groups; k++) {
		const struct score_group *g = &groups[k];
		if (g->withheld)
			continue;
		if (g->why && metric_why_whose(g->why) == 'c')
			result->why = WHY_GROUP;
		if (g->why)
			continue;
		if (n == 0 || (m->lower_is_better ? g->value > worst : g->value < worst)) {
			worst = g->value;
			result->worst = k;
		}
		exact_add(&sum, g->value);
		rows += g->n;
		n++;
	}
	if (n == 0 && result->why == WHY_DEFINED)
		result->why = WHY_NO_GROUP;
	bool mean = m->take == TAKE_MEAN;
	result->value = result->why ? 0 : mean ? exact_mean(&sum, n) : worst;
	result->n = result->why ? result->n : mean ? rows : groups[result->worst].n;
	if (result->why || mean)
		result->worst = SCORE_NO_GROUP;
}

int metric_compute(size_t metric, const struct pairs *pairs, struct score_metric *result,
    struct score_group *groups, uint32_t *used)
{
	const struct task_metric *m = &pairs->task->metric[metric];
	struct breakdown b = {0};
	*result = (struct score_metric){.first = *used, .worst = SCORE_NO_GROUP, .n = pairs->rows};
	int r = m->take == TAKE_ALL ? over_rows(m, pairs, NULL, pairs->rows, m->ci, result) : 0;
	if (r < 0 || !m->by || metric_why_whose(result->why) == 'f')
		return r;
	r = break_down(pairs, m->by, &b);
	if (r == 0 && b.labels.count > SCORE_GROUPS - *used)
		r = WHY_GROUPS;
	if (r > 0) {
		result->why = (uint32_t)r;
		result->value = 0;
		r = 0;
	} else if (r == 0) {
		r = each_group(m, pairs, &b, result, groups);
		*used += result->groups;
		if (r == 0 && m->take != TAKE_ALL)
			take_groups(m, groups, result);
	}
	labels_free(&b.labels);
	free(b.code);
	free(b.row);
	free(b.start);
	free(b.sorted);
	return r;
}
