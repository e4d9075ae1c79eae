/* What `--json` prints of a run that this process made (proctor-json(5)): the operator's, with all that is known. */
#include <stdio.h>

#include "evidence/canonical.h"
#include "evidence/evidence.h"
#include "evidence/view.h"

static json_t *metrics(const struct run *run)
{
	json_t *list = json_array();
	int failed = 0;

	if (run->fault.verdict != VERDICT_SCORED || !run->have_score || !run->task)
		return list;
	for (size_t i = 0; i < run->task->metric_count && i < SCORE_METRICS; i++) {
		const struct score_metric *m = &run->score.metric[i];
		json_t *one = json_object();
		canonical_put(one, "name", canonical_text(run->task->metric[i].name), &failed);
		canonical_put(one, "value", !m->why ? json_real(m->value) : json_null(), &failed);
		if (!m->why && m->resamples)
			canonical_put(one, "ci", json_pack("[f, f]", m->low, m->high), &failed);
		if (json_array_append_new(list, one) < 0)
			failed = 1;
	}
	return view_done(list, failed);
}

json_t *run_json(const struct run *run)
{
	enum verdict v = run->fault.verdict;
	/* A usage error has no verdict, no class, and status 2. */
	int exit = v == VERDICT_NONE ? 2 : verdict_exit(v);
	char said[FAULT_TEXT], text[FAULT_TEXT + sizeof run->fault.hint + 4];
	json_t *root = json_object();
	int failed = 0;

	canonical_put(root, "schema", json_string("urn:proctor:run:1"), &failed);
	canonical_put(root, "run", canonical_text(run->id[0] ? run->id : NULL), &failed);
	canonical_put(root, "submission", canonical_text(run->submission), &failed);
	canonical_put(root, "exit", json_integer(exit), &failed);
	canonical_put(root, "verdict", canonical_text(verdict_name(v)), &failed);
	canonical_put(root, "class",
	    v == VERDICT_NONE ? json_null() : json_string(verdict_class_name(verdict_class(v))), &failed);
	canonical_put(root, "cause", view_record(&run->stage, "cause", json_null()), &failed);
	canonical_put(root, "task", view_task(run->task), &failed);
	canonical_put(root, "metrics", metrics(run), &failed);
	canonical_put(root, "layers", view_record(&run->stage, "layers", json_array()), &failed);
	canonical_put(root, "usage", view_record(&run->stage, "usage", json_object()), &failed);
	canonical_put(root, "notes", view_notes(run->notes), &failed);
	canonical_put(root, "participant", participant_json(run), &failed);
	canonical_put(root, "evidence", canonical_text(run->folder), &failed);
	canonical_put(root, "retry", json_boolean(fault_retry(&run->fault)), &failed);
	(void)snprintf(text, sizeof text, "%s%s%s", fault_text(&run->fault, said),
	    run->fault.hint[0] ? "; " : "", run->fault.hint);
	canonical_put(root, "operator", canonical_text(text), &failed);
	if (run->rescores[0])
		canonical_put(root, "rescores", canonical_text(run->rescores), &failed);
	return view_done(root, failed);
}
