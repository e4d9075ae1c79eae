/* columns and metrics of a task: names that fit each other, types, ranges. */
#include "intake/task_build.h"

#include <stdio.h>
#include <string.h>

#include "judge/metrics.h"
#include "judge/number.h"
#include "judge/spec.h"

enum { NAME_MOST = 128, LABELS_MOST = 1024 };

static int number(
    struct builder *b, const char *text, double *value, const char *list, unsigned at, const char *key)
{
	if (number_parse((const uint8_t *)text, strlen(text), value) == 0)
		return 0;
	return bad(b, text, "expected a decimal number", "%s[%u].%s", list, at + 1, key);
}

static int ids(struct builder *b)
{
	const struct yaml_task *y = b->yaml;
	if (!y->id || y->id_count > TABLE_IDS)
		return bad(b, NULL, "expected a list of 1 to 8 columns, such as [id]", "id");
	for (unsigned i = 0; i < y->id_count; i++) {
		if (!plain_text(y->id[i], NAME_MOST))
			return bad(b, y->id[i], "expected a column's name", "id");
		for (unsigned k = 0; k < i; k++)
			if (strcmp(y->id[i], y->id[k]) == 0)
				return bad(b, y->id[i], "named twice", "id");
	}
	b->task->id_count = y->id_count;
	return task_words(b, y->id, y->id_count, &b->task->id);
}

static bool is_id(const struct task *t, const char *name)
{
	for (size_t i = 0; i < t->id_count; i++)
		if (strcmp(t->id[i], name) == 0)
			return true;
	return false;
}

static int labels(struct builder *b, const struct yaml_column *y, struct task_column *c, unsigned at)
{
	if (y->labels && c->type != COLUMN_LABEL)
		return bad(b, NULL, "only a column of type label has labels", "columns[%u].labels", at + 1);
	if (y->labels_count > LABELS_MOST)
		return bad(b, NULL, "more than 1024 labels", "columns[%u].labels", at + 1);
	for (unsigned i = 0; y->labels && i < y->labels_count; i++) {
		if (y->labels[i][0] == '\0')
			return bad(b, "", "a label cannot be empty", "columns[%u].labels", at + 1);
		for (unsigned k = 0; k < i; k++)
			if (strcmp(y->labels[i], y->labels[k]) == 0)
				return bad(b, y->labels[i], "named twice", "columns[%u].labels", at + 1);
	}
	c->label_count = y->labels_count;
	return task_words(b, y->labels, y->labels_count, &c->labels);
}

static int range(struct builder *b, const struct yaml_column *y, struct task_column *c, unsigned at)
{
	c->has_min = y->min != NULL;
	c->has_max = y->max != NULL;
	if (c->type == COLUMN_LABEL && (y->min || y->max))
		return bad(b, NULL, "a column of type label has no range", "columns[%u].%s", at + 1,
		    y->min ? "min" : "max");
	if (y->min && number(b, y->min, &c->min, "columns", at, "min") < 0)
		return -1;
	if (y->max && number(b, y->max, &c->max, "columns", at, "max") < 0)
		return -1;
	if (y->min && y->max && c->min > c->max)
		return bad(b, y->max, "less than min", "columns[%u].max", at + 1);
	return 0;
}

static int column_type(const char *name)
{
	static const char *const names[] = {
	    [COLUMN_NUMBER] = "number", [COLUMN_INTEGER] = "integer", [COLUMN_LABEL] = "label"};
	for (int i = 0; name && i < 3; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	return -1;
}

static int column(struct builder *b, const struct yaml_column *y, unsigned at)
{
	struct task *t = b->task;
	struct task_column *c = &t->column[at];
	int type = column_type(y->type);
	if (!y->name || !plain_text(y->name, NAME_MOST))
		return bad(b, y->name, "expected the column's name", "columns[%u].name", at + 1);
	if (is_id(t, y->name))
		return bad(b, y->name, "is a column of the id already", "columns[%u].name", at + 1);
	for (unsigned i = 0; i < at; i++)
		if (strcmp(t->column[i].name, y->name) == 0)
			return bad(b, y->name, "named twice", "columns[%u].name", at + 1);
	if (type < 0)
		return bad(b, y->type, "expected number, integer or label", "columns[%u].type", at + 1);
	if (y->of)
		cannot(b, "columns[%u].of", at + 1);
	if (y->sum)
		cannot(b, "columns[%u].sum", at + 1);
	if (y->within)
		cannot(b, "columns[%u].within", at + 1);
	if (y->missing)
		cannot(b, "columns[%u].missing", at + 1);
	c->name = y->name;
	c->type = (enum column_type)type;
	t->column_count = at + 1;
	return labels(b, y, c, at) < 0 ? -1 : range(b, y, c, at);
}

/* What the format has beyond this build. True: some of it is here, and changes what the other keys mean. */
static bool later(struct builder *b, const struct yaml_metric *y, unsigned at)
{
	const struct {
		const char *key, *value;
	} keys[] = {{"event", y->event}, {"of", y->of}, {"k", y->k}, {"average", y->average},
	    {"weights", y->weights}, {"better", y->better}, {"ci", y->ci}, {"by", y->by},
	    {"min-group", y->min_group}, {"take", y->take}};
	bool any = false;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (keys[i].value) {
			cannot(b, "metrics[%u].%s", at + 1, keys[i].key);
			any = true;
		}
	return any;
}

/* The keys that each kind needs and may have. */
static int metric_keys(struct builder *b, const struct yaml_metric *y, struct task_metric *m, unsigned at)
{
	bool label = b->task->column[m->column].type == COLUMN_LABEL;
	bool threshold = m->as == METRIC_ACCURACY && !label, positive = m->as == METRIC_AUROC || threshold;
	if (m->as == METRIC_AUROC && label)
		return bad(
		    b, y->from, "auroc needs a column of type number or integer", "metrics[%u].from", at + 1);
	if (positive && (!y->positive || !*y->positive))
		return bad(b, NULL, "missing; expected the label of the truth that counts as positive",
		    "metrics[%u].positive", at + 1);
	if (!positive && y->positive)
		return bad(b, y->positive, "labels are compared as they are; this key has no use here",
		    "metrics[%u].positive", at + 1);
	if (threshold && !y->threshold)
		return bad(b, NULL, "missing; expected the number from which on a row counts as positive",
		    "metrics[%u].threshold", at + 1);
	if (!threshold && y->threshold)
		return bad(b, y->threshold, "only accuracy over numbers has a threshold",
		    "metrics[%u].threshold", at + 1);
	m->positive = y->positive;
	m->has_threshold = threshold;
	return threshold ? number(b, y->threshold, &m->threshold, "metrics", at, "threshold") : 0;
}

static int metric(struct builder *b, const struct yaml_metric *y, unsigned at)
{
	struct task *t = b->task;
	struct task_metric *m = &t->metric[at];
	if (!y->name || !plain_text(y->name, NAME_MOST))
		return bad(b, y->name, "expected the metric's name", "metrics[%u].name", at + 1);
	for (unsigned i = 0; i < at; i++)
		if (strcmp(t->metric[i].name, y->name) == 0)
			return bad(b, y->name, "named twice", "metrics[%u].name", at + 1);
	if (!y->as || !plain_text(y->as, NAME_MOST))
		return bad(b, y->as, "expected a kind of metric, such as auroc", "metrics[%u].as", at + 1);
	int kind = metric_kind_find(y->as);
	m->name = y->name;
	m->truth = y->truth;
	t->metric_count = at + 1;
	bool beyond = later(b, y, at);
	while (m->column < t->column_count && (!y->from || strcmp(t->column[m->column].name, y->from) != 0))
		m->column++;
	if (m->column == t->column_count)
		return bad(b, y->from, "expected the name of one of the columns", "metrics[%u].from", at + 1);
	if (kind < 0) {
		cannot(b, "metrics[%u].as: %s", at + 1, y->as);
		return 0;
	}
	if (beyond)
		return 0;
	m->as = (enum metric_kind)kind;
	if (!y->truth || !plain_text(y->truth, NAME_MOST))
		return bad(b, y->truth, "expected a column of the truth table", "metrics[%u].truth", at + 1);
	if (is_id(t, y->truth))
		return bad(b, y->truth, "is a column of the id", "metrics[%u].truth", at + 1);
	return metric_keys(b, y, m, at);
}

int build_columns(struct builder *b)
{
	const struct yaml_task *y = b->yaml;
	struct task *t = b->task;
	if (ids(b) < 0)
		return -1;
	if (!y->columns || y->columns_count + y->id_count > TABLE_FIELDS)
		return bad(b, NULL, "expected a list of columns, with the id's at most 64", "columns");
	if (!y->metrics || y->metrics_count > SCORE_METRICS)
		return bad(b, NULL, "expected a list of 1 to 32 metrics", "metrics");
	t->column = task_keep(b, y->columns_count, sizeof *t->column);
	t->metric = task_keep(b, y->metrics_count, sizeof *t->metric);
	if (!t->column || !t->metric)
		return no_memory(b);
	for (unsigned i = 0; i < y->columns_count; i++)
		if (column(b, &y->columns[i], i) < 0)
			return -1;
	for (unsigned i = 0; i < y->metrics_count; i++)
		if (metric(b, &y->metrics[i], i) < 0)
			return -1;
	return 0;
}
