/* score.json: what the table, the truth and the task give, and nothing of the run: no time, no id, no usage. */

#include "evidence/canonical.h"
#include "evidence/evidence.h"
#include "evidence/view.h"

enum {
	CONVENTIONS = 1
}; /* of DESIGN's metrics; another number means that old and new scores do not compare */

static json_t *digest(const char *hex)
{
	return hex[0] ? json_sprintf("sha256:%s", hex) : json_null();
}

static json_t *metric(const struct task_metric *m, const struct score_metric *s)
{
	json_t *root = json_object();
	int failed = 0;

	canonical_put(root, "name", canonical_text(m->name), &failed);
	canonical_put(root, "as", json_string(view_metric_kind(m->as)), &failed);
	canonical_put(root, "better", json_string(m->lower_is_better ? "lower" : "higher"), &failed);
	if (s->defined)
		canonical_put(root, "value", json_real(s->value), &failed);
	else
		canonical_put(root, "undefined", canonical_text(s->why), &failed);
	canonical_put(root, "n", canonical_count(s->n), &failed);
	return view_done(root, failed);
}

json_t *score_json(const struct task *task, const struct score *score)
{
	json_t *root = json_object(), *scorer = json_object(), *table = json_object(),
	       *metrics = json_array();
	int failed = 0;

	canonical_put(scorer, "proctor", json_string(PROCTOR_VERSION), &failed);
	canonical_put(scorer, "conventions", json_integer(CONVENTIONS), &failed);
	canonical_put(scorer, "image", json_null(), &failed);
	canonical_put(table, "sha256", digest(score->table_sha256), &failed);
	canonical_put(table, "rows", canonical_count(score->rows), &failed);
	canonical_put(table, "notes", view_notes(score->bom ? NOTE_BOM : 0), &failed);
	for (size_t i = 0; i < task->metric_count && i < SCORE_METRICS; i++)
		if (json_array_append_new(metrics, metric(&task->metric[i], &score->metric[i])) < 0)
			failed = 1;

	canonical_put(root, "schema", json_string("urn:proctor:score:1"), &failed);
	canonical_put(root, "task", view_task(task), &failed);
	canonical_put(root, "scorer", scorer, &failed);
	canonical_put(root, "truth", digest(score->truth_sha256), &failed);
	canonical_put(root, "table", table, &failed);
	canonical_put(root, "metrics", metrics, &failed);
	return view_done(root, failed);
}
