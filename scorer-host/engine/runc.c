/*
 * runc (1.1, Debian) as an engine: a bundle in the work folder, a state folder of the run's own, and create, start,
 * kill and delete as separate bounded calls. What runc says goes to a log file of the run's; its last error is quoted.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/bundle.h"
#include "engine/launch.h"
#include "sys/files.h"
#include "sys/program.h"

enum { CALL_MS = 30000, WORDS = 16 };

struct call {
	char program[PATH_MAX], state[PATH_MAX], log[PATH_MAX];
	const char *word[WORDS];
	size_t words;
};

static int begin(struct call *c, const struct launch *l, struct fault *fault)
{
	memset(c, 0, sizeof *c);
	if (program_find("runc", c->program, sizeof c->program) < 0) {
		(void)fault_set(
		    fault, VERDICT_ENGINE_FAILED, "runc: no such program in the system's folders or PATH");
		fault->lasting = true;
		return fault_hint(fault, "install it (Debian: apt-get install runc)");
	}
	if (snprintf(c->state, sizeof c->state, "%s/state", l->work) >= (int)sizeof c->state ||
	    snprintf(c->log, sizeof c->log, "%s/runc.log", l->work) >= (int)sizeof c->log)
		return fault_set(fault, VERDICT_ENGINE_FAILED, "%s: the path is too long", l->work);
	const char *const words[] = {c->program, "--root", c->state, "--log", c->log, "--log-format", "json"};
	memcpy(c->word, words, sizeof words);
	c->words = sizeof words / sizeof *words;
	return 0;
}

/* The last error that runc logged, or "". */
static void last_error(const char *log, char *out, size_t room)
{
	char *text = malloc(1 << 16), *line;
	ssize_t n = text ? file_read(AT_FDCWD, log, text, 1 << 16) : -ENOMEM;

	out[0] = '\0';
	for (line = n > 0 ? text : NULL; line && *line; line += strcspn(line, "\n"), line += *line == '\n') {
		json_t *o = json_loadb(line, strcspn(line, "\n"), JSON_REJECT_DUPLICATES, NULL);
		const char *level = json_string_value(json_object_get(o, "level"));
		const char *message = json_string_value(json_object_get(o, "msg"));
		if (level && message && (strcmp(level, "error") == 0 || strcmp(level, "fatal") == 0))
			(void)snprintf(out, room, "%s", message);
		json_decref(o);
	}
	free(text);
}

static int finish(struct call *c, const char *doing, const struct launch *l, struct fault *fault)
{
	char said[600];
	int status;

	c->word[c->words] = NULL;
	(void)unlink(c->log);
	status = program_run(c->word, CALL_MS, NULL, 0);
	if (status == 0)
		return 0;
	last_error(c->log, said, sizeof said);
	if (status < 0)
		return fault_set(fault, VERDICT_ENGINE_FAILED, "runc %s %s: %s", doing, l->id,
		    status == -ETIMEDOUT ? "did not finish within 30s and was killed" : strerror(-status));
	return fault_set(fault, VERDICT_ENGINE_FAILED, "runc %s %s: exit status %d%s%s", doing, l->id, status,
	    said[0] ? ": " : "", said);
}

static int runc_probe(char version[32], struct fault *fault)
{
	char text[1024];
	char path[PATH_MAX];
	const char *const argv[] = {path, "--version", NULL};
	int r = program_find("runc", path, sizeof path);

	if (r < 0) {
		(void)fault_set(
		    fault, VERDICT_ENGINE_FAILED, "runc: no such program in the system's folders or PATH");
		fault->lasting = true;
		return fault_hint(fault, "install it (Debian: apt-get install runc)");
	}
	r = program_run(argv, CALL_MS, text, sizeof text);
	if (r != 0)
		return fault_set(fault, VERDICT_ENGINE_FAILED, "%s --version: %s", path,
		    r < 0 ? strerror(-r) : "did not succeed");
	if (sscanf(text, "runc version %31[^ \n]", version) != 1)
		return fault_set(fault, VERDICT_ENGINE_FAILED, "%s --version: not what runc prints", path);
	return 0;
}

static int write_bundle(const struct launch *l, struct fault *fault)
{
	char path[PATH_MAX];
	json_t *config = bundle_config(l);
	char *text = config ? json_dumps(config, JSON_INDENT(1)) : NULL;
	int r = -ENOMEM;

	if (text && snprintf(path, sizeof path, "%s/config.json", l->work) < (int)sizeof path)
		r = file_write(AT_FDCWD, path, text, strlen(text), 0600);
	free(text);
	json_decref(config);
	if (r < 0)
		return fault_set(fault, r == -ENOSPC ? VERDICT_INFRA_DISK : VERDICT_ENGINE_FAILED,
		    "%s/config.json: %s", l->work, strerror(-r));
	return 0;
}

static char **copied(const char *const *word, size_t n)
{
	char **copy = calloc(n + 1, sizeof *copy);
	for (size_t i = 0; copy && i < n; i++)
		if ((copy[i] = strdup(word[i])) == NULL)
			break;
	return copy;
}

static int runc_create(const struct launch *l, pid_t *pid, char ***argv_out, struct fault *fault)
{
	struct call c;
	char pid_file[PATH_MAX], text[32];
	long number;

	if (begin(&c, l, fault) < 0 || write_bundle(l, fault) < 0)
		return -1;
	if (snprintf(pid_file, sizeof pid_file, "%s/pid", l->work) >= (int)sizeof pid_file)
		return fault_set(fault, VERDICT_ENGINE_FAILED, "%s: the path is too long", l->work);
	const char *const words[] = {"create", "--bundle", l->work, "--pid-file", pid_file, l->id};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		c.word[c.words++] = words[i];
	*argv_out = copied(c.word, c.words);
	if (finish(&c, "create", l, fault) < 0)
		return -1;
	if (file_read(AT_FDCWD, pid_file, text, sizeof text) <= 0 || (number = strtol(text, NULL, 10)) <= 1 ||
	    number > INT_MAX)
		return fault_set(
		    fault, VERDICT_ENGINE_FAILED, "runc create %s: no pid in %s", l->id, pid_file);
	*pid = (pid_t)number;
	return 0;
}

static int runc_start(const struct launch *l, struct fault *fault)
{
	struct call c;
	if (begin(&c, l, fault) < 0)
		return -1;
	c.word[c.words++] = "start";
	c.word[c.words++] = l->id;
	return finish(&c, "start", l, fault);
}

/* True when runc knows no such container. */
static bool absent(const struct launch *l)
{
	char path[PATH_MAX];
	return snprintf(path, sizeof path, "%s/state/%s", l->work, l->id) < (int)sizeof path &&
	       access(path, F_OK) < 0 && errno == ENOENT;
}

static int runc_kill(const struct launch *l, int signal, struct fault *fault)
{
	struct call c;
	char number[16];

	if (absent(l))
		return 0;
	if (begin(&c, l, fault) < 0)
		return -1;
	(void)snprintf(number, sizeof number, "%d", signal);
	const char *const words[] = {"kill", l->id, number};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		c.word[c.words++] = words[i];
	if (finish(&c, "kill", l, fault) < 0 && !strstr(fault->what, "process already finished") &&
	    !strstr(fault->what, "container not running"))
		return -1;
	return 0;
}

static int runc_remove(const struct launch *l, struct fault *fault)
{
	struct call c;

	if (absent(l))
		return 0;
	if (begin(&c, l, fault) < 0)
		return -1;
	const char *const words[] = {"delete", "--force", l->id};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		c.word[c.words++] = words[i];
	if (finish(&c, "delete", l, fault) < 0)
		return -1;
	return absent(l)
		   ? 0
		   : fault_set(fault, VERDICT_ENGINE_FAILED, "runc delete %s: it is still there", l->id);
}

const struct engine engine_runc = {"runc", runc_probe, runc_create, runc_start, runc_kill, runc_remove};
