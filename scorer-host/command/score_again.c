/*
 * A stored run scored again. What is scored is the table that the old run's evidence holds, and only if that evidence
 * holds; the new run carries the old statement along, so that whoever has it can check where the table comes from.
 * Must never change a byte of the old run.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/home.h"
#include "command/run_ledger.h"
#include "command/score.h"
#include "command/show.h"
#include "evidence/check.h"
#include "evidence/statement.h"
#include "sys/digest.h"
#include "sys/files.h"

enum { LOCK_MAX = 64 << 20, PIECE = 1 << 16 };

struct old {
	struct shown shown;
	struct signing_key key;
	struct check check;
	struct stored stored;
	int folder, table;
	char expect[DIGEST_HEX]; /* of the table, as stated */
};

static int failed(struct running *g, const char *name, int error)
{
	return fault_set(&g->run.fault,
	    error == ENOSPC || error == EDQUOT ? VERDICT_INFRA_DISK : VERDICT_SCORER_FAULT, "%s/%s: %s",
	    g->folder, name, strerror(error));
}

/* Copies from its start into a new file; that file's digest. 0 or -errno. */
static int copy(int from, int folder, const char *name, char hex[DIGEST_HEX])
{
	int to = openat(folder, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600), r;
	char *piece = malloc(PIECE);
	off_t at = 0;
	ssize_t n = 1;

	r = to < 0 ? -errno : piece ? 0 : -ENOMEM;
	while (r == 0 && n > 0) {
		n = pread(from, piece, PIECE, at);
		r = n < 0 ? -errno : write_all(to, piece, (size_t)n);
		at += n;
	}
	if (r == 0)
		r = digest_fd(to, hex, NULL);
	if (to >= 0)
		(void)close(to);
	free(piece);
	return r;
}

static int take_along(struct running *g, int old)
{
	static const char *const names[] = {AUDIT_FILE, ENVELOPE_FILE};
	int into = mkdirat(g->run.folder_fd, "rescored", 0700) < 0
		       ? -1
		       : openat(g->run.folder_fd, "rescored", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int r = into < 0 ? -errno : 0;
	char hex[DIGEST_HEX];

	for (size_t i = 0; r == 0 && i < sizeof names / sizeof *names; i++) {
		int from = open_beneath(old, names[i], O_RDONLY | O_NONBLOCK, 0);
		r = from < 0 ? from : copy(from, into, names[i], hex);
		if (from >= 0)
			(void)close(from);
	}
	if (into >= 0)
		(void)close(into);
	return r < 0 ? failed(g, "rescored", -r) : 0;
}

static int take_table(struct running *g, int table, const char *expect)
{
	int into = openat(g->run.folder_fd, "outputs", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	char hex[DIGEST_HEX];
	int r = into < 0 ? -errno : copy(table, into, g->task.output_table, hex);

	if (r == 0) {
		g->output.table = openat(into, g->task.output_table, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
		r = g->output.table < 0 ? -errno : 0;
	}
	if (into >= 0)
		(void)close(into);
	if (r < 0)
		return failed(g, g->task.output_table, -r);
	if (expect && strcmp(hex, expect) != 0)
		return fault_set(&g->run.fault, VERDICT_ASSET_MISMATCH,
		    "%s of %s changed while it was copied", g->task.output_table, g->run.rescores);
	return 0;
}

void score_record(struct running *g, int table, const char *expect, int old)
{
	/* There is no container: what a stage would say is left out of the statement. */
	g->run.stage.stage = NULL;
	g->run.stage.engine_name = g->engine->name;
	if (run_begin(g) == 0 && (old < 0 || take_along(g, old) == 0) && take_table(g, table, expect) == 0 &&
	    run_score(g) == 0 && run_interrupted(g)) {
		g->run.have_score = false;
		(void)fault_set(&g->run.fault, VERDICT_CANCELLED, "interrupted by the operator");
	}
	if (g->begun)
		run_conclude(g);
	else if (run_close(g) == 0)
		run_end(g);
}

/* The old run's directory and documents, believed only under a key. */
static int find(struct scoring *s, struct running *g, const char *word, struct old *o)
{
	const char *home = home_path(s->home);
	struct fault *f = &g->run.fault;
	struct ledger *l = NULL;
	int r = ledger_open(home, LEDGER_READ, &l, f);

	if (r == 0)
		r = show_find(word, home, l, &o->shown, f);
	ledger_done(l);
	if (r == 0 && o->shown.known && !o->shown.closed)
		r = fault_set(f, VERDICT_NONE, "%s has not ended yet", o->shown.run);
	if (r == 0)
		r = s->key ? key_load_public(s->key, &o->key, f) : home_public_key(home, &o->key, f);
	if (r == 1) {
		r = fault_set(
		    f, VERDICT_NONE, "there is no %s/" OPERATOR_PUBLIC " to believe %s by", home, word);
		(void)fault_hint(f, "name the key of that run's home with --key FILE");
	}
	if (r < 0)
		return -1;
	o->folder = open(o->shown.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (o->folder < 0)
		return fault_set(f, VERDICT_NONE, "%s: %s", o->shown.folder, strerror(errno));
	if (check_run(o->folder, &o->key, &o->check, f) < 0)
		return -1;
	if (o->check.findings > 0) {
		(void)fault_set(f, VERDICT_ASSET_MISMATCH, "the evidence of %s does not hold: %s %s", word,
		    o->check.finding[0].file, o->check.finding[0].what);
		return fault_hint(f, "scorer-host verify %s names all of it; --key FILE names another key",
		    o->shown.folder);
	}
	return stored_read(o->shown.folder, &o->key, &o->stored, f);
}

static const char *stated(const json_t *statement, const char *name)
{
	const json_t *subject;
	size_t i;

	json_array_foreach(json_object_get(statement, "subject"), i, subject)
	{
		const char *is = json_string_value(json_object_get(subject, "name"));
		if (is && strcmp(is, name) == 0)
			return json_string_value(
			    json_object_get(json_object_get(subject, "digest"), "sha256"));
	}
	return NULL;
}

static bool was_scored(const json_t *statement)
{
	const json_t *stage;
	size_t i;

	json_array_foreach(json_object_get(json_object_get(statement, "predicate"), "stages"), i, stage)
	{
		const char *name = json_string_value(json_object_get(stage, "stage"));
		if (name && strcmp(name, "scorer") == 0)
			return true;
	}
	return false;
}

/* True when the old run's task.lock is, byte for byte, that of the task as it is now. */
static bool same_lock(const struct running *g, const struct old *o)
{
	char *lock = malloc(LOCK_MAX);
	ssize_t n = lock ? file_read(o->folder, "task.lock", lock, LOCK_MAX) : -1;
	bool same =
	    n >= 0 && (size_t)n == g->assets.lock_size && memcmp(lock, g->assets.lock, (size_t)n) == 0;
	free(lock);
	return same;
}

/* The old verdict stays: it is told again, and nothing is written. */
static int stands(struct running *g, const struct old *o, const char *why)
{
	struct ledger_found *e = &g->earlier;

	e->claim = LEDGER_DECIDED;
	e->verdict = o->stored.verdict;
	(void)snprintf(e->run, sizeof e->run, "%s", g->run.rescores);
	(void)snprintf(e->folder, sizeof e->folder, "%s", o->shown.folder);
	g->stands = why;
	return -1;
}

/* Whether there is anything to do, and by a task that may do it. */
static int fits(struct running *g, const struct old *o)
{
	const char *id = stored_text(&o->stored, "run", "id"),
		   *name = stored_text(&o->stored, "task", "name"),
		   *version = stored_text(&o->stored, "task", "version"),
		   *submission = stored_text(&o->stored, "run", "submission");
	struct fault *f = &g->run.fault;

	g->run.submission = submission;
	(void)snprintf(g->run.rescores, sizeof g->run.rescores, "%s", id ? id : "");
	if (!id || !name || !version)
		return fault_set(
		    f, VERDICT_NONE, "%s ended before its task was known: nothing to score", o->shown.folder);
	if (strcmp(name, g->task.name) != 0)
		return fault_set(
		    f, VERDICT_NONE, "%s is a run of the task %s, not of %s", id, name, g->task.name);
	if (!was_scored(o->stored.statement))
		return stands(g, o, "it ended before its table was read, so its verdict stands");
	if (strcmp(version, g->task.version) != 0)
		return 0;
	if (same_lock(g, o))
		return stands(g, o, "scored by this very task already");
	(void)fault_set(f, VERDICT_TASK_INVALID,
	    "the task is not the one that %s was scored by, but its version is still %s", id, version);
	return fault_hint(f, "raise version in task.yaml, then scorer-host check %s --lock", g->options.task);
}

/* A limit on the table that the old run was given by --limit holds for the same table again. */
static void limit_as_then(struct running *g, const struct old *o)
{
	const char *text = json_string_value(
	    json_object_get(json_object_get(stored_stage(&o->stored), "limits"), "output-bytes"));
	uint64_t bytes;

	if (text && option_number(OPTION_OUTPUT_BYTES, text, &bytes) == 0 &&
	    bytes > g->task.limit[OPTION_OUTPUT_BYTES])
		g->task.limit[OPTION_OUTPUT_BYTES] = bytes;
}

static int open_old(struct running *g, struct old *o)
{
	char name[PATH_MAX];
	const char *digest = stated(o->stored.statement, SUBMISSION_SUBJECT);

	if (digest)
		(void)snprintf(g->run.submission_sha256, sizeof g->run.submission_sha256, "%s", digest);
	(void)snprintf(name, sizeof name, "outputs/%.4000s", g->task.output_table);
	digest = stated(o->stored.statement, name);
	o->table = digest ? open_beneath(o->folder, name, O_RDONLY | O_NONBLOCK, 0) : -ENOENT;
	if (o->table < 0)
		return fault_set(
		    &g->run.fault, VERDICT_NONE, "%s/%s: %s", o->shown.folder, name, strerror(-o->table));
	(void)snprintf(o->expect, sizeof o->expect, "%s", digest);
	limit_as_then(g, o);
	(void)snprintf(g->was, sizeof g->was, "%s, %s by version %s", g->run.rescores,
	    verdict_name(o->stored.verdict), stored_text(&o->stored, "task", "version"));
	return 0;
}

int score_again(struct scoring *s, const char *word)
{
	struct running *g = score_new(s, word);
	struct old *o = calloc(1, sizeof *o);
	int status = 3;

	if (!g || !o) {
		(void)fputs("scorer-host score: out of memory\n", stderr);
		free(g);
		free(o);
		return status;
	}
	o->folder = o->table = -1;
	if (run_start(g) == 0 && find(s, g, word, o) == 0 && score_assets(s, g) == 0 && fits(g, o) == 0 &&
	    open_old(g, o) == 0 && run_home(g) == 0 && run_place(g) == 0) {
		g->stands = "scored again already";
		score_record(g, o->table, o->expect, o->folder);
	}
	status = score_end(g);
	if (o->table >= 0)
		(void)close(o->table);
	if (o->folder >= 0)
		(void)close(o->folder);
	check_free(&o->check);
	stored_free(&o->stored);
	free(o);
	return status;
}
