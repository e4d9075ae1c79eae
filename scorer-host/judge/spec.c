/* From a task to the fields of its tables. Pure. */
#include "judge/spec.h"

#include <math.h>
#include <string.h>

static void add_ids(const struct task *task, struct table_spec *spec)
{
	memset(spec, 0, sizeof *spec);
	for (size_t i = 0; i < task->id_count; i++)
		spec->field[spec->count++] = (struct table_field){.name = task->id[i], .type = COLUMN_LABEL};
	spec->ids = spec->count;
}

static size_t width(const struct task_column *c)
{
	return c->of_count ? c->of_count : 1;
}

void spec_of_table(const struct task *task, struct table_spec *spec)
{
	add_ids(task, spec);
	for (size_t i = 0; i < task->column_count; i++) {
		const struct task_column *c = &task->column[i];
		if (c->has_sum)
			spec->sum[spec->sums++] =
			    (struct table_sum){spec->count, width(c), c->sum, c->within};
		for (size_t k = 0; k < width(c); k++)
			spec->field[spec->count++] =
			    (struct table_field){.name = c->of_count ? c->of[k] : c->name,
				.type = c->type,
				.has_min = c->has_min,
				.has_max = c->has_max,
				.has_missing = c->has_missing,
				.min = c->min,
				.max = c->max,
				.missing = c->missing,
				.missing_label = c->missing_label,
				.labels = c->labels,
				.label_count = c->label_count};
	}
}

static void add_truth(struct table_spec *spec, const struct task *task, const char *name)
{
	if (name && id_part(task, name) < 0 && !truth_cell(spec, name))
		spec->field[spec->count++] = (struct table_field){.name = name, .type = COLUMN_LABEL};
}

void spec_of_truth(const struct task *task, struct table_spec *spec)
{
	add_ids(task, spec);
	spec->others = true;
	for (size_t i = 0; i < task->metric_count; i++) {
		const struct task_metric *m = &task->metric[i];
		add_truth(spec, task, m->truth);
		add_truth(spec, task, m->event);
		add_truth(spec, task, m->query);
		add_truth(spec, task, m->by);
	}
}

size_t truth_cell(const struct table_spec *truth, const char *name)
{
	for (size_t at = truth->ids; at < truth->count; at++)
		if (strcmp(truth->field[at].name, name) == 0)
			return 1 + at - truth->ids;
	return 0;
}

int id_part(const struct task *task, const char *name)
{
	for (size_t i = 0; i < task->id_count; i++)
		if (strcmp(task->id[i], name) == 0)
			return (int)i;
	return -1;
}

size_t column_cell(const struct task *task, size_t column)
{
	size_t cell = 1;
	for (size_t i = 0; i < column; i++)
		cell += width(&task->column[i]);
	return cell;
}

bool rows_may_miss(const struct task *task)
{
	for (size_t i = 0; i < task->column_count; i++)
		if (!task->column[i].has_missing)
			return false;
	return task->column_count > 0;
}

bool field_has_label(const struct table_field *field, const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < field->label_count; i++)
		if (strlen(field->labels[i]) == n && memcmp(field->labels[i], bytes, n) == 0)
			return true;
	return field->label_count == 0;
}

bool sum_holds(const struct table_sum *sum, double total)
{
	return fabs(total - sum->sum) <= sum->within + 1e-12;
}
