/*
 * metrics of a task: the keys that each kind needs, may have and may not have, by the table of kinds. What a metric
 * could only find out over the rows, and what can be told before, is told here.
 */
#include "intake/task_build.h"

#include <stdio.h>
#include <string.h>

#include "judge/metrics.h"
#include "wire/units.h"

enum { NAME_MOST = 128, K_MOST = 1000000, SAMPLES_MOST = 100000, BINS_MOST = 10000 };

/* One metric while its keys are looked at. */
struct looking {
	struct builder *b;
	const struct yaml_metric *y;
	struct task_metric *m;
	const struct metric_kind_row *kind;
	const struct task_column *column;
	unsigned from, at;
};

static int refuse(const struct looking *l, const char *key, const char *value, const char *expected)
{
	(void)bad(l->b, value, expected, "metrics[%u].%s", l->at + 1, key);
	return -1;
}

static bool needs(const struct looking *l, unsigned what)
{
	return (l->kind->needs & what) != 0;
}

/* The index of `name` among count words, or -1. */
static int word(const char *name, const char *const *words, int count)
{
	for (int i = 0; i < count; i++)
		if (strcmp(words[i], name) == 0)
			return i;
	return -1;
}

static int no_kind(const struct looking *l)
{
	char text[768] = "expected one of";
	for (int k = 0; k < METRIC_KIND_END; k++) {
		size_t n = strlen(text);
		(void)snprintf(
		    text + n, sizeof text - n, "%s %s", k ? "," : "", metric_kind_name((enum metric_kind)k));
	}
	(void)refuse(l, "as", l->y->as, text);
	return fault_hint(l->b->fault, "proctor-metrics(7) says what each of them is");
}

static int name_and_kind(struct looking *l)
{
	const struct yaml_metric *y = l->y;
	struct task *t = l->b->task;
	if (!y->name || !plain_text(y->name, NAME_MOST))
		return refuse(l, "name", y->name, "expected the metric's name");
	for (unsigned i = 0; i < l->at; i++)
		if (strcmp(t->metric[i].name, y->name) == 0)
			return refuse(l, "name", y->name, "named twice");
	int kind = y->as ? metric_kind_find(y->as) : -1;
	if (kind < 0)
		return no_kind(l);
	l->m->name = y->name;
	l->m->as = (enum metric_kind)kind;
	l->kind = &metric_kinds[kind];
	return 0;
}

static int from(struct looking *l)
{
	static const struct {
		unsigned bits;
		const char *text;
	} wanted[] = {{FROM_NUMBER, "this kind needs a column of type number or integer"},
	    {FROM_NUMBERS, "this kind needs a family of numbers"},
	    {FROM_NUMBER | FROM_NUMBERS, "this kind needs numbers: a column or a family of them"},
	    {FROM_NUMBER | FROM_LABELS, "this kind needs a number, or a family of labels as a ranking"}};
	const struct task *t = l->b->task;
	const char *text = "this kind needs a number, a family of numbers or a label";
	size_t i = 0;
	while (i < t->column_count && (!l->y->from || strcmp(t->column[i].name, l->y->from) != 0))
		i++;
	if (i == t->column_count)
		return refuse(l, "from", l->y->from, "expected the name of one of the columns");
	l->m->column = i;
	l->column = &t->column[i];
	l->from = from_of(t, i);
	for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
		if (wanted[k].bits == l->kind->from)
			text = wanted[k].text;
	return l->from & l->kind->from ? 0 : refuse(l, "from", l->y->from, text);
}

/* A column of the truth; ids: also one of the id. */
static int truth_column(struct looking *l, const char *key, const char *name, bool ids)
{
	if (!name || !plain_text(name, NAME_MOST))
		return refuse(l, key, name,
		    ids ? "expected a column of the id or the truth"
			: "expected a column of the truth table");
	if (!ids && id_part(l->b->task, name) >= 0)
		return refuse(l, key, name, "is a column of the id");
	return 0;
}

static int truths(struct looking *l)
{
	const struct yaml_metric *y = l->y;
	if (l->kind->truth == TRUTH_NONE && y->truth)
		return refuse(l, "truth", y->truth, "this kind looks at the table alone");
	if (l->kind->truth != TRUTH_NONE && truth_column(l, "truth", y->truth, false) < 0)
		return -1;
	if (!needs(l, NEED_EVENT) && y->event)
		return refuse(l, "event", y->event, "only concordance has it");
	if (needs(l, NEED_EVENT) && truth_column(l, "event", y->event, false) < 0)
		return -1;
	l->m->truth = y->truth;
	l->m->event = y->event;
	return 0;
}

static int average(struct looking *l)
{
	static const char *const words[] = {[AVERAGE_BINARY] = "binary",
	    [AVERAGE_MICRO] = "micro",
	    [AVERAGE_MACRO] = "macro",
	    [AVERAGE_WEIGHTED] = "weighted",
	    [AVERAGE_OVO_MACRO] = "ovo-macro",
	    [AVERAGE_OVO_WEIGHTED] = "ovo-weighted",
	    [AVERAGE_NONE] = ""};
	const char *name = l->y->average;
	bool classes = needs(l, MAY_AVERAGE), pairs = needs(l, MAY_OVR) && l->from == FROM_NUMBERS;
	int found = name ? word(name, words, AVERAGE_OVO_WEIGHTED + 1) : 0;
	l->m->average = found < 0 ? AVERAGE_NONE : (enum metric_average)found;
	if (!classes && !pairs)
		return name ? refuse(l, "average", name, "there is nothing to average here") : 0;
	if (pairs && !name)
		l->m->average = AVERAGE_MACRO;
	if (pairs)
		return l->m->average >= AVERAGE_MACRO
			   ? 0
			   : refuse(
				 l, "average", name, "expected macro, weighted, ovo-macro or ovo-weighted");
	if (!name && !l->y->positive)
		return refuse(
		    l, "average", NULL, "missing; expected micro, macro or weighted, or the positive label");
	if (!name)
		l->m->average = AVERAGE_BINARY;
	return l->m->average >= AVERAGE_BINARY && l->m->average <= AVERAGE_WEIGHTED
		   ? 0
		   : refuse(l, "average", name, "expected binary, micro, macro or weighted");
}

static int positive(struct looking *l)
{
	const struct yaml_metric *y = l->y;
	bool number = l->from == FROM_NUMBER && needs(l, NEED_POSITIVE),
	     threshold = l->from == FROM_NUMBER && needs(l, NEED_THRESHOLD);
	bool label =
	    l->from != FROM_NUMBER && (needs(l, ONE_LABEL_POSITIVE) || l->m->average == AVERAGE_BINARY);
	if ((number || label) && (!y->positive || !*y->positive))
		return refuse(
		    l, "positive", NULL, "missing; expected the label of the truth that counts as positive");
	if (!number && !label && y->positive)
		return refuse(l, "positive", y->positive, "this key has no use here");
	if (threshold && !y->threshold)
		return refuse(l, "threshold", NULL,
		    "missing; expected the number from which on a row counts as positive");
	if (!threshold && y->threshold)
		return refuse(l, "threshold", y->threshold, "this key has no use here");
	l->m->positive = y->positive;
	l->m->has_threshold = threshold;
	return threshold ? task_number(l->b, y->threshold, &l->m->threshold, "metrics", l->at, "threshold")
			 : 0;
}

static int weights(struct looking *l)
{
	static const char *const words[] = {
	    [WEIGHTS_NONE] = "none", [WEIGHTS_LINEAR] = "linear", [WEIGHTS_QUADRATIC] = "quadratic"};
	if (!l->y->weights)
		return 0;
	int found = needs(l, MAY_WEIGHTS) ? word(l->y->weights, words, 3) : -1;
	if (found < 0)
		return refuse(l, "weights", l->y->weights,
		    needs(l, MAY_WEIGHTS) ? "expected none, linear or quadratic" : "only kappa has weights");
	if (found != WEIGHTS_NONE && l->from == FROM_LABEL && !l->column->label_count)
		return refuse(l, "weights", l->y->weights, "needs an order: the column must list its labels");
	l->m->weights = (enum metric_weights)found;
	return 0;
}

static int counts(struct looking *l)
{
	const char *k = l->y->k;
	uint64_t most = l->m->as == METRIC_TOP_K ? l->column->of_count
			: l->m->as == METRIC_ECE ? BINS_MOST
						 : K_MOST;
	if (!k && needs(l, NEED_K))
		return refuse(l, "k", NULL, "missing; expected a whole number from 1 on");
	if (k && !needs(l, NEED_K | MAY_K))
		return refuse(l, "k", k, "this key has no use here");
	if (k && (unit_parse(UNIT_COUNT, k, &l->m->k) < 0 || l->m->k < 1 || l->m->k > most))
		return refuse(l, "k", k, "expected a whole number from 1 on, and not more than there can be");
	return 0;
}

/* pass@k: how many samples a row has. */
static int samples(struct looking *l)
{
	const struct task *t = l->b->task;
	size_t i = 0;
	while (i < t->column_count && (!l->y->of || strcmp(t->column[i].name, l->y->of) != 0))
		i++;
	if (i == t->column_count)
		return refuse(l, "of", l->y->of, "expected the column that counts the samples");
	const struct task_column *of = &t->column[i];
	if (of->type != COLUMN_INTEGER || of->of_count || !of->has_max || of->max > SAMPLES_MOST)
		return refuse(
		    l, "of", l->y->of, "needs a column of type integer with a max of 100000 or less");
	if (l->column->type != COLUMN_INTEGER || !l->column->has_min || l->column->min < 0)
		return refuse(
		    l, "from", l->y->from, "needs a column of type integer with a min of 0 or more");
	l->m->of = i;
	return 0;
}

static int queries(struct looking *l)
{
	const char *of = l->y->of;
	if (needs(l, NEED_OF))
		return samples(l);
	if (!needs(l, NEED_QUERY) || l->from == FROM_LABELS)
		return of ? refuse(l, "of", of, "this key has no use here") : 0;
	l->m->query = l->y->of;
	return truth_column(l, "of", of, true);
}

static int better(struct looking *l)
{
	const char *name = l->y->better;
	l->m->lower_is_better = l->kind->lower;
	if (!name)
		return 0;
	if (strcmp(name, "lower") != 0 && strcmp(name, "higher") != 0)
		return refuse(l, "better", name, "expected lower or higher");
	bool lower = strcmp(name, "lower") == 0;
	if (lower != l->kind->lower && !needs(l, MAY_BETTER))
		return refuse(l, "better", name, "this kind says itself which way is better");
	l->m->lower_is_better = lower;
	return 0;
}

static int groups(struct looking *l)
{
	static const char *const words[] = {[TAKE_ALL] = "", [TAKE_WORST] = "worst", [TAKE_MEAN] = "mean"};
	const struct yaml_metric *y = l->y;
	struct task_metric *m = l->m;
	m->min_group = 1;
	if (!y->by && (y->min_group || y->take))
		return refuse(l, y->take ? "take" : "min-group", y->take ? y->take : y->min_group,
		    "is about groups; there is no by");
	if (y->by && truth_column(l, "by", y->by, true) < 0)
		return -1;
	if (y->by && y->truth && strcmp(y->by, y->truth) == 0)
		return refuse(l, "by", y->by, "is the truth itself");
	m->by = y->by;
	if (y->min_group && (unit_parse(UNIT_COUNT, y->min_group, &m->min_group) < 0 || m->min_group < 1))
		return refuse(l, "min-group", y->min_group, "expected a number of rows from 1 on");
	int take = y->take ? word(y->take, words, 3) : TAKE_ALL;
	if (take < 0 || (y->take && take == TAKE_ALL))
		return refuse(l, "take", y->take, "expected worst or mean");
	m->take = (enum metric_take)take;
	return 0;
}

static int interval(struct looking *l)
{
	const char *ci = l->y->ci;
	if (!ci)
		return 0;
	if (task_number(l->b, ci, &l->m->ci, "metrics", l->at, "ci") < 0)
		return -1;
	if (l->m->ci < 50 || l->m->ci > 99.9)
		return refuse(l, "ci", ci, "expected a percentage such as 95, between 50 and 99.9");
	if (l->m->take != TAKE_ALL)
		return refuse(l, "ci", ci, "an interval is of all rows, not of what is taken from groups");
	return 0;
}

/* What the values of the column must be for this kind to make sense of any of them. */
static int values(struct looking *l)
{
	const struct task_column *c = l->column;
	if (needs(l, NEED_PROBABILITY) && !(c->has_min && c->has_max && c->min >= 0 && c->max <= 1))
		return refuse(
		    l, "from", l->y->from, "needs probabilities: the column must have min: 0 and max: 1");
	if (needs(l, NEED_SUM) && l->from == FROM_NUMBERS && !(c->has_sum && c->sum >= 1 && c->sum <= 1))
		return refuse(l, "from", l->y->from, "needs a family with sum: 1");
	if (l->m->as == METRIC_RMSLE && !(c->has_min && c->min >= 0))
		return refuse(l, "from", l->y->from, "needs a column with a min of 0 or more");
	return 0;
}

static int metric(struct builder *b, const struct yaml_metric *y, unsigned at)
{
	struct looking l = {.b = b, .y = y, .m = &b->task->metric[at], .at = at};
	if (name_and_kind(&l) < 0 || from(&l) < 0 || truths(&l) < 0 || average(&l) < 0 || positive(&l) < 0 ||
	    weights(&l) < 0 || counts(&l) < 0 || queries(&l) < 0 || better(&l) < 0 || groups(&l) < 0 ||
	    interval(&l) < 0 || values(&l) < 0)
		return -1;
	b->task->metric_count = at + 1;
	return 0;
}

int build_metrics(struct builder *b)
{
	const struct yaml_task *y = b->yaml;
	if (!y->metrics || y->metrics_count > SCORE_METRICS)
		return bad(b, NULL, "expected a list of 1 to 32 metrics", "metrics");
	b->task->metric = task_keep(b, y->metrics_count, sizeof *b->task->metric);
	if (!b->task->metric)
		return no_memory(b);
	for (unsigned i = 0; i < y->metrics_count; i++)
		if (metric(b, &y->metrics[i], i) < 0)
			return -1;
	return 0;
}
