/* The container's part of the statement: what it was started with, what init said, what the host saw. */
#include "evidence/stage.h"

#include <string.h>

#include "evidence/canonical.h"
#include "evidence/view.h"

static json_t *words(char *const *list)
{
	json_t *array;
	int failed = 0;

	if (!list)
		return json_null();
	array = json_array();
	for (; *list; list++)
		if (json_array_append_new(array, canonical_text(*list)) < 0)
			failed = 1;
	return view_done(array, failed);
}

static json_t *copy(const json_t *value)
{
	return value ? json_deep_copy(value) : json_null();
}

static json_t *engine(const struct stage *stage)
{
	json_t *root = json_object();
	int failed = 0;

	canonical_put(root, "name", canonical_text(stage->engine_name), &failed);
	canonical_put(root, "version", canonical_text(stage->engine_version), &failed);
	canonical_put(root, "argv", words(stage->engine_argv), &failed);
	canonical_put(root, "cpuset", canonical_text(stage->cpuset), &failed);
	return view_done(root, failed);
}

static json_t *init(const struct stage *stage)
{
	json_t *root = json_object();
	int failed = 0;

	canonical_put(root, "version",
	    stage->init_version ? canonical_text(stage->init_version)
				: view_record(stage, "init", json_null()),
	    &failed);
	canonical_put(
	    root, "sha256", stage->init_sha256[0] ? json_string(stage->init_sha256) : json_null(), &failed);
	return view_done(root, failed);
}

static json_t *observed(const struct observed *o)
{
	json_t *root = json_object();
	int failed = 0;

	canonical_put(root, "wall_ms", canonical_count(o->wall_ms), &failed);
	canonical_put(root, "engine_status",
	    o->engine_status < 0 ? json_null() : json_integer(o->engine_status), &failed);
	canonical_put(root, "memory_peak", canonical_count(o->memory_peak), &failed);
	canonical_put(root, "memory_limit_hits", canonical_count(o->memory_limit_hits), &failed);
	canonical_put(root, "oom_kills", canonical_count(o->oom_kills), &failed);
	canonical_put(root, "cpu_ms", canonical_count(o->cpu_ms), &failed);
	canonical_put(root, "processes_peak", canonical_count(o->processes_peak), &failed);
	canonical_put(root, "processes_limit_hits", canonical_count(o->processes_limit_hits), &failed);
	canonical_put(root, "output_bytes", canonical_count(o->output_bytes), &failed);
	canonical_put(root, "output_files", canonical_count(o->output_files), &failed);
	canonical_put(root, "peer_verified", json_boolean(o->peer_verified), &failed);
	canonical_put(root, "session_whole", json_boolean(o->session_whole), &failed);
	canonical_put(root, "deadline_hit", json_boolean(o->deadline_hit), &failed);
	canonical_put(root, "cancelled", json_boolean(o->cancelled), &failed);
	canonical_put(root, "init_intact", json_boolean(o->init_intact), &failed);
	canonical_put(root, "gone", json_boolean(o->gone), &failed);
	return view_done(root, failed);
}

/* The digest of the one file whose name begins so: logs/stdout, whatever its suffix. */
static json_t *log_digest(const struct subjects *s, const char *prefix)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->list[i].kind == SUBJECT_FILE && strncmp(s->list[i].name, prefix, strlen(prefix)) == 0)
			return json_string(s->list[i].sha256);
	return json_null();
}

static json_t *logs(const struct stage *stage, const struct subjects *s)
{
	static const char *const names[2][2] = {{"stdout", "logs/stdout"}, {"stderr", "logs/stderr"}};
	json_t *list = json_array();
	int failed = 0;

	for (int i = 0; i < 2; i++) {
		json_t *one = json_object();
		canonical_put(one, "stream", json_string(names[i][0]), &failed);
		canonical_put(one, "bytes", canonical_count(stage->log[i].bytes), &failed);
		canonical_put(one, "kept", canonical_count(stage->log[i].kept), &failed);
		canonical_put(one, "sha256", log_digest(s, names[i][1]), &failed);
		if (json_array_append_new(list, one) < 0)
			failed = 1;
	}
	return view_done(list, failed);
}

static json_t *refused(const struct stage *stage)
{
	json_t *list = json_array();
	int failed = 0;

	for (size_t i = 0; i < stage->refused_count; i++) {
		json_t *one = json_object();
		canonical_put(one, "path", canonical_name(stage->refused[i].path), &failed);
		canonical_put(one, "kind", canonical_text(stage->refused[i].kind), &failed);
		if (json_array_append_new(list, one) < 0)
			failed = 1;
	}
	return view_done(list, failed);
}

json_t *stage_json(const struct stage *stage, const struct subjects *s)
{
	json_t *root = json_object();
	int failed = 0;

	canonical_put(root, "stage", canonical_text(stage->stage ? stage->stage : "candidate"), &failed);
	canonical_put(root, "image", copy(stage->image), &failed);
	canonical_put(root, "command", words(stage->command), &failed);
	canonical_put(root, "engine", engine(stage), &failed);
	canonical_put(root, "init", init(stage), &failed);
	canonical_put(root, "mounts", copy(stage->mounts), &failed);
	canonical_put(root, "limits", copy(stage->limits), &failed);
	canonical_put(root, "require", copy(stage->require), &failed);
	canonical_put(root, "facts", copy(stage->facts), &failed);
	canonical_put(root, "layers", view_record(stage, "layers", json_array()), &failed);
	canonical_put(root, "record", copy(stage->record), &failed);
	canonical_put(root, "observed", observed(&stage->observed), &failed);
	canonical_put(root, "crosscheck", canonical_text(stage->crosscheck), &failed);
	canonical_put(root, "denied", view_record(stage, "denied", json_null()), &failed);
	canonical_put(root, "survivors", view_record(stage, "survivors", json_null()), &failed);
	canonical_put(root, "logs", logs(stage, s), &failed);
	canonical_put(root, "refused", refused(stage), &failed);
	return view_done(root, failed);
}

json_t *stage_scorer_json(void)
{
	json_t *root = json_object();
	int failed = 0;

	canonical_put(root, "stage", json_string("scorer"), &failed);
	canonical_put(root, "image", json_null(), &failed);
	canonical_put(root, "note", json_string("built in"), &failed);
	return view_done(root, failed);
}
