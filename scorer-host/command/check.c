/*
 * scorer-host check TASK: what an organiser runs before any submission. The schema, the files that the task names, the
 * truth among the inputs, the self-check, and whether this host can run it. Runs no candidate, and writes nothing but
 * the task.lock that --lock asks for.
 */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "command/check_lock.h"
#include "command/command.h"
#include "command/exposed.h"
#include "command/home.h"
#include "command/host_fit.h"
#include "command/tell.h"
#include "engine/launch.h"
#include "evidence/canonical.h"
#include "intake/exposure.h"
#include "intake/task_file.h"

struct host {
	bool root;
	char engine[64]; /* name and version, or that there is none */
	char kernel[66];
	long landlock; /* ABI, 0 when there is none */
	bool fits;     /* a run by root would get as far as its submission */
	struct fault fault;
};

struct checked {
	const char *folder;
	bool json, lock_it;
	struct task task;
	bool loaded;
	struct exposure_seen seen;
	size_t selfcheck;
	struct lock lock;
	struct fault fault;
	bool failed;
	struct host host;
};

/* In the order of `run`. */
static void look_at_host(const struct task *task, struct host *h)
{
	const struct engine *engine = engine_find("runc");
	char version[32] = "", init[PATH_MAX];
	struct fault unusable = {.verdict = VERDICT_NONE};
	bool usable = engine && engine->probe(version, &unusable) == 0;
	struct utsname name;

	h->root = geteuid() == 0;
	h->landlock = host_landlock();
	(void)snprintf(h->engine, sizeof h->engine, "runc %s", usable ? version : "cannot be used");
	(void)snprintf(h->kernel, sizeof h->kernel, "%s", uname(&name) == 0 ? name.release : "unknown");
	h->fits = host_limits_fit(task, NULL, &h->fault) == 0 && host_requirements_fit(task, &h->fault) == 0;
	if (h->fits && !usable) {
		h->fault = unusable;
		h->fits = false;
	}
	h->fits = h->fits && host_init_find(NULL, init, &h->fault) == 0;
}

/* 0, or -1 with the first fault. */
static int check(struct checked *c)
{
	if (task_load(c->folder, &c->task, &c->fault) < 0)
		return -1;
	c->loaded = true;
	look_at_host(&c->task, &c->host);
	if (lock_look(&c->task, &c->lock, &c->fault) < 0)
		return -1;
	if (truth_exposed(&c->task, &c->seen, &c->fault) < 0) {
		exposed_runs(NULL, &c->task, &c->seen, &c->fault);
		return -1;
	}
	if (task_selfcheck(&c->task, &c->selfcheck, &c->fault) < 0) {
		if (c->fault.verdict == VERDICT_SELFCHECK_FAILED)
			lock_explain(&c->lock, &c->fault);
		return -1;
	}
	if (c->lock_it)
		return lock_write(&c->task, &c->lock, &c->fault);
	if (c->lock.state != LOCK_STALE)
		return 0;
	c->fault = c->lock.stale;
	return -1;
}

static int status(const struct checked *c)
{
	if (!c->failed)
		return c->host.fits ? 0 : verdict_exit(c->host.fault.verdict);
	return c->fault.verdict == VERDICT_NONE ? 2 : verdict_exit(c->fault.verdict);
}

static void print_host(const struct host *h)
{
	(void)printf("  host        %s, kernel %s, Landlock ABI %ld%s\n", h->engine, h->kernel, h->landlock,
	    h->root ? "" : "; run needs root, which you are not");
	if (!h->fits)
		(void)printf("              a run would be refused here: %s\n              %s\n",
		    h->fault.what, h->fault.hint);
}

static void print_opaque(const struct exposure_seen *seen)
{
	size_t named = seen->opaque < EXPOSURE_NAMES ? seen->opaque : EXPOSURE_NAMES;

	for (size_t i = 0; i < named; i++) {
		(void)printf("  warning     no text, so nobody looked for the truth in it: ");
		home_print(stdout, seen->opaque_name[i]);
		(void)putchar('\n');
	}
	if (seen->opaque > named)
		(void)printf("  warning     and in %zu more files\n", seen->opaque - named);
}

static void print_text(const struct checked *c)
{
	const struct task *t = &c->task;
	if (c->failed && c->fault.verdict == VERDICT_NONE) {
		(void)fprintf(stderr, "scorer-host check: %s\n", c->fault.what);
		if (*c->fault.hint)
			(void)fprintf(stderr, "  %s\n", c->fault.hint);
		return;
	}
	if (c->failed) {
		(void)printf("%s   %s   nothing was run\n", verdict_name(c->fault.verdict), c->folder);
		tell_fault(stdout, &c->fault);
		tell_hint(stdout, &c->fault);
		return;
	}
	if (c->host.fits)
		(void)printf("OK   %s   %s %s\n", c->folder, t->name, t->version);
	else
		(void)printf("%s   %s   %s %s is sound, but cannot be run here\n",
		    verdict_name(c->host.fault.verdict), c->folder, t->name, t->version);
	(void)printf("  schema      %zu input%s, %zu column%s, %zu metric%s; sha256 %.12s…\n", t->input_count,
	    t->input_count == 1 ? "" : "s", t->column_count, t->column_count == 1 ? "" : "s", t->metric_count,
	    t->metric_count == 1 ? "" : "s", t->sha256);
	(void)printf("  truth       %s is not in the input (%zu file%s, %zu compared)\n", t->truth,
	    c->seen.files, c->seen.files == 1 ? "" : "s", c->seen.compared);
	print_opaque(&c->seen);
	(void)printf("  self-check  %zu of %zu hold\n", c->selfcheck, t->selfcheck_count);
	if (c->lock.state == LOCK_NONE)
		(void)printf("  task.lock   none; scorer-host check %s --lock writes it\n", c->folder);
	else
		(void)printf("  task.lock   %s, %zu files\n", lock_state_name(c->lock.state), c->lock.files);
	print_host(&c->host);
}

static json_t *text_or_null(const char *text)
{
	return text && *text ? json_string(text) : json_null();
}

static int print_json(const struct checked *c)
{
	const struct task *t = &c->task;
	const struct host *h = &c->host;
	/* A task at fault comes first; a sound one may still be none for this host. */
	const struct fault *f = c->failed ? &c->fault : h->fits ? NULL : &h->fault;
	const char *state = lock_state_name(c->lock.state);
	char text[FAULT_TEXT];
	json_t *o = json_pack("{s:s, s:i, s:o, s:o, s:o, s:o}", "schema", "urn:proctor:check:1", "exit",
	    status(c), "verdict", text_or_null(f ? verdict_name(f->verdict) : NULL), "cause",
	    text_or_null(f ? fault_text(f, text) : NULL), "hint", text_or_null(f ? f->hint : NULL), "folder",
	    text_or_null(c->folder));
	json_t *task = c->loaded ? json_pack("{s:s, s:s, s:s}", "name", t->name, "version", t->version,
				       "sha256", t->sha256)
				 : json_null();
	json_t *truth = json_pack("{s:I, s:I, s:I, s:o}", "files", (json_int_t)c->seen.files, "compared",
	    (json_int_t)c->seen.compared, "opaque", (json_int_t)c->seen.opaque, "first_opaque",
	    c->seen.opaque ? canonical_text(c->seen.opaque_name[0]) : json_null());
	json_t *self =
	    json_pack("{s:I, s:I}", "passed", (json_int_t)c->selfcheck, "of", (json_int_t)t->selfcheck_count);
	json_t *host =
	    c->loaded ? json_pack("{s:b, s:b, s:s, s:s, s:I}", "fits", h->fits, "root", h->root, "engine",
			    h->engine, "kernel", h->kernel, "landlock", (json_int_t)h->landlock)
		      : json_null();
	json_t *lock =
	    state ? json_pack("{s:s, s:I}", "state", state, "files", (json_int_t)c->lock.files) : json_null();
	int r = json_object_set_new(o, "task", task) | json_object_set_new(o, "lock", lock) |
		json_object_set_new(o, "truth", truth) | json_object_set_new(o, "selfcheck", self) |
		json_object_set_new(o, "host", host);
	if (r != 0 || canonical_print(o, stdout) < 0) {
		(void)fputs("scorer-host check: no memory, or standard output is closed\n", stderr);
		r = -1;
	}
	json_decref(o);
	return r;
}

static void help(FILE *out)
{
	(void)fputs(
	    "usage: scorer-host check TASK [--lock] [--json]\n\n"
	    "Checks a task before anybody is judged by it: task.yaml (proctor-task(5)), the files "
	    "that it names,\n"
	    "their digests in task.lock, whether the truth can be read from the inputs, its self-check, and "
	    "this host.\n\n"
	    "  --lock   when all holds, write TASK/task.lock, which `run` holds the files against\n"
	    "  --json   one JSON object (proctor-json(5))\n\n"
	    "exit status: 0 all is well, 2 usage, 3 the task is sound but this host cannot run it, 4 the "
	    "task is at fault\n",
	    out);
}

/* 0; 1 when help is all that is wanted; -1 with a usage fault. */
static int arguments(int argc, char **argv, struct checked *c)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
			return 1;
		c->json = c->json || strcmp(argv[i], "--json") == 0; /* refusals are told in it, too */
	}
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--json") == 0) {
			continue;
		} else if (strcmp(argv[i], "--lock") == 0) {
			c->lock_it = true;
		} else if (argv[i][0] != '-' && *argv[i] && !c->folder) {
			c->folder = argv[i];
		} else {
			(void)fault_set(&c->fault, VERDICT_NONE, "%s: %s", argv[i],
			    argv[i][0] == '-' ? "no such option" : "one argument too many");
			return fault_hint(&c->fault, "scorer-host check --help says more");
		}
	}
	if (c->folder)
		return 0;
	(void)fault_set(&c->fault, VERDICT_NONE, "TASK is missing: the folder that holds task.yaml");
	return fault_hint(&c->fault, "scorer-host check --help says more");
}

int command_check(int argc, char **argv)
{
	struct checked c = {.folder = NULL};
	int r = arguments(argc, argv, &c);

	if (r > 0) {
		help(stdout);
		return 0;
	}
	c.failed = r < 0 || check(&c) < 0;
	r = c.json ? print_json(&c) : 0;
	if (!c.json)
		print_text(&c);
	int exit_status = r < 0 ? 3 : status(&c);
	lock_free(&c.lock);
	if (c.loaded)
		task_free(&c.task);
	return exit_status;
}
