/* From a task to the fields of its tables. Pure. */
#include "judge/spec.h"

#include <string.h>

static void add_ids(const struct task *task, struct table_spec *spec)
{
	memset(spec, 0, sizeof *spec);
	for (size_t i = 0; i < task->id_count; i++)
		spec->field[spec->count++] = (struct table_field){.name = task->id[i], .type = COLUMN_LABEL};
	spec->ids = spec->count;
}

void spec_of_table(const struct task *task, struct table_spec *spec)
{
	add_ids(task, spec);
	for (size_t i = 0; i < task->column_count; i++) {
		const struct task_column *c = &task->column[i];
		spec->field[spec->count++] = (struct table_field){.name = c->name,
		    .type = c->type,
		    .has_min = c->has_min,
		    .has_max = c->has_max,
		    .min = c->min,
		    .max = c->max,
		    .labels = c->labels,
		    .label_count = c->label_count};
	}
}

void spec_of_truth(const struct task *task, struct table_spec *spec)
{
	add_ids(task, spec);
	spec->others = true;
	for (size_t i = 0; i < task->metric_count; i++) {
		size_t at = spec->ids;
		while (at < spec->count && strcmp(spec->field[at].name, task->metric[i].truth) != 0)
			at++;
		if (at == spec->count)
			spec->field[spec->count++] =
			    (struct table_field){.name = task->metric[i].truth, .type = COLUMN_LABEL};
	}
}

size_t truth_cell(const struct table_spec *truth, const struct task_metric *metric)
{
	size_t at = truth->ids;
	while (at < truth->count && strcmp(truth->field[at].name, metric->truth) != 0)
		at++;
	return 1 + at - truth->ids;
}
