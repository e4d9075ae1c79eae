/* The last level of `verify`: the score again from the stored table, in the same confined reader and judge as ever. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/verify.h"
#include "evidence/canonical.h"
#include "evidence/evidence.h"
#include "evidence/statement.h"
#include "intake/assets.h"
#include "intake/scoring.h"
#include "intake/task_file.h"
#include "sys/files.h"

enum { SCORE_MAX = 1 << 20, LOCK_MAX = 64 << 20 };

static void cannot(struct verified *v, const char *what)
{
	if (!v->cannot[0])
		(void)snprintf(v->cannot, sizeof v->cannot, "nothing was recomputed: %.900s", what);
}

/* The stored score; NULL when it is not there or not in its one encoding. */
static json_t *stored(int folder, char *bytes, size_t *n)
{
	ssize_t r = file_read(folder, SCORE_FILE, bytes, SCORE_MAX);
	*n = r < 0 ? 0 : (size_t)r;
	return r < 0 ? NULL : canonical_decode(bytes, *n);
}

static void compare_score(struct verified *v, int folder, const struct task *task, const struct score *score)
{
	char *bytes = malloc(SCORE_MAX), *again = NULL;
	size_t n = 0, length = 0;
	json_t *old = bytes ? stored(folder, bytes, &n) : NULL, *new = score_json(task, score);
	json_t *version = json_object_get(json_object_get(old, "scorer"), "proctor");

	/* Another version of Proctor may recompute; whether scores compare is said by `conventions`. */
	if (version)
		(void)json_object_set(json_object_get(new, "scorer"), "proctor", version);
	if (new)
		again = canonical_encode(new, &length);
	if (!old)
		check_find(&v->check, CHECK_RECOMPUTED, SCORE_FILE, "cannot be read back");
	else if (!again || length != n || memcmp(again, bytes, n) != 0)
		check_find(&v->check, CHECK_RECOMPUTED, SCORE_FILE, "is not what the stored table gives");
	else
		v->check.state[CHECK_RECOMPUTED] = CHECK_OK;
	json_decref(old);
	json_decref(new);
	free(bytes);
	free(again);
}

static void score_again(struct verified *v, int folder, const struct task *task, const char *verdict)
{
	char path[4200], table[sizeof v->check.finding[0].file];
	struct score *score = calloc(1, sizeof *score);
	int fd;

	(void)snprintf(path, sizeof path, "outputs/%.4000s", task->output_table);
	(void)snprintf(table, sizeof table, "outputs/%.200s", task->output_table);
	fd = open_beneath(folder, path, O_RDONLY | O_NONBLOCK, 0);
	if (fd < 0 || !score) {
		check_find(&v->check, CHECK_RECOMPUTED, table, "cannot be read: %s",
		    strerror(fd < 0 ? -fd : ENOMEM));
	} else if (score_table(task, fd, score) < 0) {
		cannot(v, score->fault.what);
	} else if (!verdict || strcmp(verdict, verdict_name(score->verdict)) != 0) {
		check_find(&v->check, CHECK_RECOMPUTED, table, "gives %s now, %.40s is stated",
		    verdict_name(score->verdict), verdict ? verdict : "nothing");
	} else if (score->verdict == VERDICT_SCORED) {
		compare_score(v, folder, task, score);
	} else {
		v->check.state[CHECK_RECOMPUTED] = CHECK_OK;
	}
	if (fd >= 0)
		(void)close(fd);
	free(score);
}

/* The limit on the table that this run had: --limit may have changed the task's. */
static void limit_as_run(const json_t *stage, struct task *task)
{
	const char *name = option_table[OPTION_OUTPUT_BYTES].name;
	const char *text = json_string_value(json_object_get(json_object_get(stage, "limits"), name));
	uint64_t bytes;

	if (text && option_number(OPTION_OUTPUT_BYTES, text, &bytes) == 0)
		task->limit[OPTION_OUTPUT_BYTES] = bytes;
}

/* True when task.yaml, truth and inputs have the digests that the run's own task.lock holds. */
static bool same_task(struct verified *v, int folder, const struct task *task, const char *sha256)
{
	static const char another[] = "the task given is another than the run's";
	char what[sizeof v->cannot], *lock = malloc(LOCK_MAX);
	struct assets assets = {0};
	struct fault fault = {0};
	ssize_t n = lock ? file_read(folder, "task.lock", lock, LOCK_MAX) : -ENOMEM;
	bool same = false;

	if (!sha256 || strcmp(sha256, task->sha256) != 0) {
		(void)snprintf(what, sizeof what, "%s: its task.yaml has another digest", another);
	} else if (n == -ENOENT && v->nothing) {
		same = true; /* it ended before there was one */
	} else if (n < 0) {
		(void)snprintf(what, sizeof what, "the run's task.lock: %s", strerror((int)-n));
	} else if (assets_digest(task, &assets, &fault) < 0) {
		(void)snprintf(what, sizeof what, "%.900s", fault.what);
	} else if (assets_agree(&assets, lock, (size_t)n, &fault) < 0) {
		(void)snprintf(what, sizeof what, "%s: %.800s", another, fault.what);
	} else {
		same = true;
	}
	if (!same)
		cannot(v, what);
	assets_free(&assets);
	free(lock);
	return same;
}

static bool was_read(const json_t *stages)
{
	const json_t *stage;
	size_t i;

	json_array_foreach(stages, i, stage)
	{
		const char *name = json_string_value(json_object_get(stage, "stage"));
		if (name && strcmp(name, "scorer") == 0)
			return true;
	}
	return false;
}

void verify_recompute(struct verified *v, int folder, const char *task_folder)
{
	const json_t *predicate = json_object_get(v->check.statement, "predicate");
	const json_t *stages = json_object_get(predicate, "stages"),
		     *given = json_object_get(predicate, "task");
	const char *verdict =
	    json_string_value(json_object_get(json_object_get(predicate, "verdict"), "code"));
	struct task task = {0};
	struct fault fault = {0};

	if (!predicate)
		return; /* found already */
	if (!was_read(stages))
		v->nothing = "nothing to recompute: this run ended before its table was read";
	else if (!verdict || !verdict_of_table(verdict_from_name(verdict)))
		v->nothing = "nothing to recompute: this verdict is none of the table's";
	if (!json_is_object(given))
		return;
	if (task_load(task_folder, &task, &fault) < 0) {
		cannot(v, fault.what);
		return;
	}
	if (same_task(v, folder, &task, json_string_value(json_object_get(given, "sha256"))) && !v->nothing) {
		limit_as_run(json_array_get(stages, 0), &task);
		score_again(v, folder, &task, verdict);
	}
	task_free(&task);
}
