/* id and columns of a task: names that fit each other, types, ranges, families, what a missing value counts as. */
#include "intake/task_build.h"

#include <math.h>
#include <string.h>

#include "judge/number.h"
#include "judge/spec.h"

enum { NAME_MOST = 128, LABELS_MOST = 1024 };
#define WITHIN 1e-6

int task_number(
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
	if (y->min && task_number(b, y->min, &c->min, "columns", at, "min") < 0)
		return -1;
	if (y->max && task_number(b, y->max, &c->max, "columns", at, "max") < 0)
		return -1;
	if (y->min && y->max && c->min > c->max)
		return bad(b, y->max, "less than min", "columns[%u].max", at + 1);
	if (y->min && y->max && c->type == COLUMN_INTEGER && ceil(c->min) > floor(c->max))
		return bad(
		    b, y->max, "there is no whole number between min and max", "columns[%u].max", at + 1);
	return 0;
}

/* Whether a column of the file, or an entry of `columns`, has that name already. */
static bool taken(const struct task *t, const char *name)
{
	for (size_t i = 0; i < t->column_count; i++) {
		const struct task_column *c = &t->column[i];
		if (strcmp(c->name, name) == 0)
			return true;
		for (size_t k = 0; k < c->of_count; k++)
			if (strcmp(c->of[k], name) == 0)
				return true;
	}
	return id_part(t, name) >= 0;
}

static int family(struct builder *b, const struct yaml_column *y, struct task_column *c, unsigned at)
{
	if (!y->of)
		return 0;
	if (y->of_count < 2)
		return bad(b, NULL, "a family has at least two columns", "columns[%u].of", at + 1);
	for (unsigned i = 0; i < y->of_count; i++) {
		if (!plain_text(y->of[i], NAME_MOST))
			return bad(b, y->of[i], "expected a column's name", "columns[%u].of", at + 1);
		bool twice = strcmp(y->of[i], y->name) == 0 || taken(b->task, y->of[i]);
		for (unsigned k = 0; k < i; k++)
			twice = twice || strcmp(y->of[i], y->of[k]) == 0;
		if (twice)
			return bad(b, y->of[i], "named twice", "columns[%u].of", at + 1);
	}
	c->of_count = y->of_count;
	return task_words(b, y->of, y->of_count, &c->of);
}

static int sum(struct builder *b, const struct yaml_column *y, struct task_column *c, unsigned at)
{
	if (y->within && !y->sum)
		return bad(b, y->within, "says how exactly a sum holds; there is no sum",
		    "columns[%u].within", at + 1);
	if (!y->sum)
		return 0;
	if (!y->of || c->type == COLUMN_LABEL)
		return bad(b, y->sum, "only a family of numbers has a sum", "columns[%u].sum", at + 1);
	c->has_sum = true;
	c->within = WITHIN;
	if (task_number(b, y->sum, &c->sum, "columns", at, "sum") < 0 ||
	    (y->within && task_number(b, y->within, &c->within, "columns", at, "within") < 0))
		return -1;
	if (c->within < 0)
		return bad(b, y->within, "expected a number, not negative", "columns[%u].within", at + 1);
	return 0;
}

static int missing(struct builder *b, const struct yaml_column *y, struct task_column *c, unsigned at)
{
	const struct table_field field = {.labels = c->labels, .label_count = c->label_count};
	if (!y->missing)
		return 0;
	c->has_missing = true;
	if (c->has_sum)
		return bad(b, y->missing, "a family with a sum cannot have missing values",
		    "columns[%u].missing", at + 1);
	if (c->type == COLUMN_LABEL) {
		c->missing_label = y->missing;
		if (plain_text(y->missing, NAME_MOST) &&
		    field_has_label(&field, (const uint8_t *)y->missing, strlen(y->missing)))
			return 0;
		return bad(b, y->missing, "expected one of the labels", "columns[%u].missing", at + 1);
	}
	if (task_number(b, y->missing, &c->missing, "columns", at, "missing") < 0)
		return -1;
	if ((c->has_min && c->missing < c->min) || (c->has_max && c->missing > c->max) ||
	    (c->type == COLUMN_INTEGER && c->missing != trunc(c->missing)))
		return bad(
		    b, y->missing, "is no value that the column may have", "columns[%u].missing", at + 1);
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
	if (id_part(t, y->name) >= 0)
		return bad(b, y->name, "is a column of the id already", "columns[%u].name", at + 1);
	if (taken(t, y->name))
		return bad(b, y->name, "named twice", "columns[%u].name", at + 1);
	if (type < 0)
		return bad(b, y->type, "expected number, integer or label", "columns[%u].type", at + 1);
	c->name = y->name;
	c->type = (enum column_type)type;
	if (labels(b, y, c, at) < 0 || range(b, y, c, at) < 0 || family(b, y, c, at) < 0 ||
	    sum(b, y, c, at) < 0 || missing(b, y, c, at) < 0)
		return -1;
	t->column_count = at + 1;
	return 0;
}

static size_t fields(const struct yaml_task *y)
{
	size_t n = y->id_count, sums = 0;
	for (unsigned i = 0; i < y->columns_count; i++) {
		n += y->columns[i].of ? y->columns[i].of_count : 1;
		sums += y->columns[i].sum != NULL;
	}
	return sums > TABLE_SUMS ? SIZE_MAX : n;
}

int build_columns(struct builder *b)
{
	const struct yaml_task *y = b->yaml;
	struct task *t = b->task;
	if (ids(b) < 0)
		return -1;
	if (!y->columns || fields(y) > TABLE_FIELDS)
		return bad(b, NULL, "expected a list of columns, with the id's at most 1024", "columns");
	t->column = task_keep(b, y->columns_count, sizeof *t->column);
	if (!t->column)
		return no_memory(b);
	for (unsigned i = 0; i < y->columns_count; i++)
		if (column(b, &y->columns[i], i) < 0)
			return -1;
	return build_metrics(b);
}
