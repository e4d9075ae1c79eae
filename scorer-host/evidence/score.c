/* score.json: what the table, the truth and the task give, and nothing of the run: no time, no id, no usage. */

#include "evidence/canonical.h"
#include "evidence/evidence.h"
#include "evidence/view.h"
#include "judge/metric.h"

enum {
	CONVENTIONS = 1
}; /* of DESIGN's metrics; another number means that old and new scores do not compare */

static json_t *digest(const char *hex)
{
	return hex[0] ? json_sprintf("sha256:%s", hex) : json_null();
}

static json_t *named(const struct score_group *g)
{
	json_t *root = json_object();
	int failed = 0;

	canonical_put(root, "group", canonical_text(g->name), &failed);
	if (g->why)
		canonical_put(root, "undefined", json_string(metric_why_text(g->why)), &failed);
	else if (!g->withheld)
		canonical_put(root, "value", json_real(g->value), &failed);
	canonical_put(root, "n", canonical_count(g->n), &failed);
	return view_done(root, failed);
}

static json_t *groups(const struct score *score, const struct score_metric *s, bool withheld)
{
	json_t *list = json_array();
	int failed = 0;

	for (uint32_t k = s->first; k < s->first + s->groups; k++)
		if (score->group[k].withheld == withheld &&
		    json_array_append_new(list, named(&score->group[k])) < 0)
			failed = 1;
	return view_done(list, failed);
}

static void interval(json_t *root, const struct score_metric *s, int *failed)
{
	canonical_put(root, "ci", json_pack("[f, f]", s->low, s->high), failed);
	canonical_put(root, "bootstrap",
	    json_pack("{s:i, s:i}", "resamples", (int)s->resamples, "seed", SCORE_SEED), failed);
}

/* What the task asks for, then the figure, then how it came about. */
static json_t *metric(const struct task_metric *m, const struct score_metric *s, const struct score *score)
{
	json_t *root = json_object();
	int failed = 0;

	canonical_put(root, "name", canonical_text(m->name), &failed);
	canonical_put(root, "as", json_string(view_metric_kind(m->as)), &failed);
	if (m->take != TAKE_ALL)
		canonical_put(root, "take", json_string(m->take == TAKE_WORST ? "worst" : "mean"), &failed);
	canonical_put(root, "better", json_string(m->lower_is_better ? "lower" : "higher"), &failed);
	if (!s->why)
		canonical_put(root, "value", json_real(s->value), &failed);
	else
		canonical_put(root, "undefined", json_string(metric_why_text(s->why)), &failed);
	canonical_put(root, "n", canonical_count(s->n), &failed);
	if (s->resamples)
		interval(root, s, &failed);
	if (m->by)
		canonical_put(root, "by", canonical_text(m->by), &failed);
	if (m->take == TAKE_WORST && s->worst < SCORE_GROUPS)
		canonical_put(root, "group", canonical_text(score->group[s->worst].name), &failed);
	if (m->by && m->take == TAKE_ALL) {
		canonical_put(root, "groups", groups(score, s, false), &failed);
		canonical_put(root, "withheld", groups(score, s, true), &failed);
	}
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
	if (score->filled)
		canonical_put(table, "filled", canonical_count(score->filled), &failed);
	canonical_put(table, "notes", view_notes(score->bom ? NOTE_BOM : 0), &failed);
	for (size_t i = 0; i < task->metric_count && i < SCORE_METRICS; i++)
		if (json_array_append_new(metrics, metric(&task->metric[i], &score->metric[i], score)) < 0)
			failed = 1;

	canonical_put(root, "schema", json_string("urn:proctor:score:1"), &failed);
	canonical_put(root, "task", view_task(task), &failed);
	canonical_put(root, "scorer", scorer, &failed);
	canonical_put(root, "truth", digest(score->truth_sha256), &failed);
	canonical_put(root, "table", table, &failed);
	canonical_put(root, "metrics", metrics, &failed);
	return view_done(root, failed);
}
