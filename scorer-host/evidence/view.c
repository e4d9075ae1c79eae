/* Parts that several documents share. */
#include "evidence/view.h"

#include <stdio.h>
#include <stdlib.h>

#include "evidence/canonical.h"
#include "judge/metric.h"

json_t *view_done(json_t *root, int failed)
{
	if (failed) {
		json_decref(root);
		return NULL;
	}
	return root;
}

json_t *view_task(const struct task *task)
{
	json_t *root;
	int failed = 0;

	if (!task)
		return json_null();
	root = json_object();
	canonical_put(root, "name", canonical_text(task->name), &failed);
	canonical_put(root, "version", canonical_text(task->version), &failed);
	canonical_put(root, "sha256", canonical_text(task->sha256), &failed);
	return view_done(root, failed);
}

json_t *view_notes(unsigned notes)
{
	static const char *const names[] = {
	    "network-denied", "bom", "survivors", "log-truncated", "refused-files", "scratch-full"};
	_Static_assert(NOTE_SCRATCH_FULL == 1 << 5, "one name a bit");
	json_t *list = json_array();
	int failed = 0;

	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		if ((notes & 1U << i) && json_array_append_new(list, json_string(names[i])) < 0)
			failed = 1;
	return view_done(list, failed);
}

json_t *view_limit(const struct fault *fault)
{
	json_t *root;
	int failed = 0;

	if (!fault->limit_name[0])
		return json_null();
	root = json_object();
	canonical_put(root, "name", canonical_text(fault->limit_name), &failed);
	canonical_put(root, "value", canonical_text(fault->limit_value), &failed);
	return view_done(root, failed);
}

json_t *view_record(const struct stage *stage, const char *key, json_t *instead)
{
	json_t *value = json_object_get(stage->record, key);

	if (!value)
		return instead;
	json_decref(instead);
	return json_deep_copy(value);
}

const char *view_metric_kind(enum metric_kind kind)
{
	const char *name = metric_kind_name(kind);

	return name ? name : "unknown";
}

/* Through decimal text, which rounds the double's exact value; scaling by a power of ten would round twice. */
double view_round(double value, int decimals)
{
	char text[400];
	double rounded;

	if (decimals < 0)
		return value;
	(void)snprintf(text, sizeof text, "%.*f", decimals > 17 ? 17 : decimals, value);
	rounded = strtod(text, NULL);
	return rounded == 0 ? 0 : rounded;
}
