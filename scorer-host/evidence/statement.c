/* The statement about a run; everything that is per container stands inside its stage. */
#include "evidence/statement.h"

#include "evidence/canonical.h"
#include "evidence/stage.h"
#include "evidence/view.h"

static json_t *subject(json_t *name, const char *sha256)
{
	json_t *root = json_object(), *digest = json_object();
	int failed = 0;

	canonical_put(digest, "sha256", json_string(sha256), &failed);
	canonical_put(root, "name", name, &failed);
	canonical_put(root, "digest", digest, &failed);
	return view_done(root, failed);
}

static json_t *subjects(const struct run *run, const struct subjects *s)
{
	json_t *list = json_array();
	int failed = 0;

	if (run->submission_sha256[0] &&
	    json_array_append_new(list, subject(json_string(SUBMISSION_SUBJECT), run->submission_sha256)) < 0)
		failed = 1;
	for (size_t i = 0; i < s->count; i++)
		if (s->list[i].kind == SUBJECT_FILE &&
		    json_array_append_new(list, subject(canonical_name(s->list[i].name), s->list[i].sha256)) <
			0)
			failed = 1;
	return view_done(list, failed);
}

static json_t *the_run(const struct run *run)
{
	json_t *root = json_object();
	int failed = 0;

	canonical_put(root, "id", canonical_text(run->id), &failed);
	canonical_put(root, "submission", canonical_text(run->submission), &failed);
	canonical_put(root, "started", canonical_text(run->started), &failed);
	canonical_put(root, "ended", canonical_text(run->ended), &failed);
	canonical_put(root, "host", canonical_text(run->host), &failed);
	canonical_put(root, "repeats", canonical_text(run->repeats[0] ? run->repeats : NULL), &failed);
	canonical_put(root, "rescores", canonical_text(run->rescores[0] ? run->rescores : NULL), &failed);
	return view_done(root, failed);
}

static json_t *verdict(const struct run *run)
{
	json_t *root = json_object();
	char text[FAULT_TEXT];
	int failed = 0;

	canonical_put(root, "code", canonical_text(verdict_name(run->fault.verdict)), &failed);
	canonical_put(
	    root, "class", json_string(verdict_class_name(verdict_class(run->fault.verdict))), &failed);
	canonical_put(root, "operator", canonical_text(fault_text(&run->fault, text)), &failed);
	canonical_put(
	    root, "count", run->fault.count ? canonical_count(run->fault.count) : json_null(), &failed);
	canonical_put(root, "limit", view_limit(&run->fault), &failed);
	return view_done(root, failed);
}

static json_t *task(const struct task *t)
{
	json_t *root = view_task(t);
	int failed = 0;

	if (json_is_object(root))
		canonical_put(root, "lock_checked", json_null(), &failed);
	return view_done(root, failed);
}

static json_t *selfcheck(const struct run *run)
{
	json_t *root;
	int failed = 0;

	if (!run->selfcheck_passed[0])
		return json_null();
	root = json_object();
	canonical_put(root, "sha256", json_null(), &failed);
	canonical_put(root, "passed", canonical_text(run->selfcheck_passed), &failed);
	canonical_put(root, "items", canonical_count(run->selfcheck_items), &failed);
	canonical_put(root, "cached", json_false(), &failed);
	return view_done(root, failed);
}

static json_t *transcript(const struct run *run, const struct subjects *s)
{
	const struct subject *file = subjects_find(s, TRANSCRIPT_FILE);
	json_t *root;
	int failed = 0;

	if (!file)
		return json_null();
	root = json_object();
	canonical_put(root, "sha256", json_string(file->sha256), &failed);
	canonical_put(root, "frames", canonical_count(run->stage.frames), &failed);
	return view_done(root, failed);
}

static json_t *predicate(const struct run *run, const struct subjects *s)
{
	json_t *root = json_object(), *stages = json_array();
	int failed = 0;

	if ((run->stage.stage && json_array_append_new(stages, stage_json(&run->stage, s)) < 0) ||
	    (run->score.verdict != VERDICT_NONE && json_array_append_new(stages, stage_scorer_json()) < 0))
		failed = 1;
	canonical_put(root, "run", the_run(run), &failed);
	canonical_put(root, "verdict", verdict(run), &failed);
	canonical_put(root, "task", task(run->task), &failed);
	canonical_put(root, "method", json_null(), &failed);
	canonical_put(root, "stages", stages, &failed);
	canonical_put(root, "selfcheck", selfcheck(run), &failed);
	canonical_put(root, "transcript", transcript(run, s), &failed);
	return view_done(root, failed);
}

json_t *statement_json(const struct run *run, const struct subjects *s)
{
	json_t *root = json_object();
	int failed = 0;

	canonical_put(root, "_type", json_string(STATEMENT_TYPE), &failed);
	canonical_put(root, "subject", subjects(run, s), &failed);
	canonical_put(root, "predicateType", json_string(STATEMENT_PREDICATE), &failed);
	canonical_put(root, "predicate", predicate(run, s), &failed);
	return view_done(root, failed);
}
