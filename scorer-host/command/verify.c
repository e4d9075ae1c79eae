/* scorer-host verify RUN: holds a run directory against its evidence, with a key from outside the run. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/command.h"
#include "command/verify.h"
#include "evidence/statement.h"

static const char usage[] =
    "usage: scorer-host verify RUN [--key FILE] [--home DIR] [--task DIR] [--json]\n\n"
    "Checks a run directory: signature over the statement, every file's digest, the transcript under its own "
    "key; with\n"
    "--task also that the stored table gives the stored score, or the stored verdict, again.\n\n"
    "  --key FILE   the operator's public key in PEM; else DIR/operator.pub with --home, else "
    "RUN/../../operator.pub,\n"
    "               which must be this operator's own: operator.key beside it, or the same key in the home\n"
    "               (PROCTOR_HOME, else /var/lib/proctor)\n"
    "  --task DIR   the task, for recomputing the score\n"
    "  --json       one JSON object\n\n"
    "exit status: 0 everything holds, 1 it does not (the files are named), 2 usage or no run directory,\n"
    "3 not everything could be checked (no key, a key that came with the run, another task)\n";

struct arguments {
	const char *run, *key, *home, *task;
	bool json;
};

/* -1: go on; else the exit status. */
static int arguments(int argc, char **argv, struct arguments *a)
{
	for (int i = 1; i < argc; i++) {
		const char *word = argv[i];
		const char **value = strcmp(word, "--key") == 0	   ? &a->key
				     : strcmp(word, "--home") == 0 ? &a->home
				     : strcmp(word, "--task") == 0 ? &a->task
								   : NULL;
		if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
			(void)fputs(usage, stdout);
			return 0;
		}
		if (strcmp(word, "--json") == 0) {
			a->json = true;
		} else if (value && i + 1 < argc) {
			*value = argv[++i];
		} else if (!value && word[0] != '-' && !a->run) {
			a->run = word;
		} else {
			(void)fprintf(stderr,
			    "scorer-host verify: %s %s; scorer-host verify --help says more\n", word,
			    value	     ? "wants a value"
			    : word[0] == '-' ? "is no option"
					     : "is one argument too many");
			return 2;
		}
	}
	if (a->run)
		return -1;
	(void)fputs("scorer-host verify: RUN is missing; scorer-host verify --help says more\n", stderr);
	return 2;
}

int verify_exit(const struct verified *v)
{
	if (v->refused)
		return v->refused;
	if (v->check.findings > 0)
		return 1;
	return v->cannot[0] || v->came_along ? 3 : 0;
}

static int refuse(struct verified *v, int status, const char *what, const char *path, const char *why)
{
	v->refused = status;
	(void)snprintf(v->cannot, sizeof v->cannot, "%s%s%.800s: %.100s", what, *what ? " " : "", path, why);
	return -1;
}

/*
 * Paths that do not lead to what they should are the caller's mistake, not a finding. A directory without a statement
 * and without an envelope is no run; of a run that lost one of the two, the loss is a finding.
 */
static int open_run(const struct arguments *a, struct verified *v)
{
	int folder = open(a->run, O_RDONLY | O_DIRECTORY | O_CLOEXEC), error = errno;

	if (folder < 0)
		return refuse(v, error == ENOENT || error == ENOTDIR ? 2 : 3, "", a->run, strerror(error));
	if (faccessat(folder, AUDIT_FILE, F_OK, AT_SYMLINK_NOFOLLOW) == 0 ||
	    faccessat(folder, ENVELOPE_FILE, F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
		if (a->task && access(a->task, F_OK) < 0)
			(void)refuse(v, 2, "--task", a->task, strerror(errno));
		else if (a->key && access(a->key, F_OK) < 0)
			(void)refuse(v, 2, "--key", a->key, strerror(errno));
		else
			return folder;
	} else if (errno == ENOENT) {
		(void)refuse(v, 2, "", a->run, "not a run directory: no " AUDIT_FILE);
	} else {
		(void)refuse(v, 3, "", a->run, strerror(errno));
	}
	(void)close(folder);
	return -1;
}

static void check(const struct arguments *a, struct verified *v)
{
	struct signing_key key;
	struct fault fault = {0};
	int folder = open_run(a, v);
	bool keyed;

	if (folder < 0)
		return;
	keyed = verify_key(v, a->key, a->home, &key) == 0;
	if (check_run(folder, keyed ? &key : NULL, &v->check, &fault) < 0)
		(void)snprintf(v->cannot, sizeof v->cannot, "%.1000s", fault.what);
	else if (a->task)
		verify_recompute(v, folder, a->task);
	(void)close(folder);
}

int command_verify(int argc, char **argv)
{
	struct arguments a = {0};
	struct verified *v;
	int status = arguments(argc, argv, &a);

	if (status >= 0)
		return status;
	v = calloc(1, sizeof *v);
	if (!v) {
		(void)fputs("scorer-host verify: no memory\n", stderr);
		return 3;
	}
	v->run = a.run;
	v->recompute = a.task != NULL;
	check(&a, v);
	if (a.json)
		verify_print_json(v);
	else if (v->refused)
		(void)fprintf(stderr, "scorer-host verify: %s\n", v->cannot);
	else
		verify_print(v);
	status = verify_exit(v);
	if (fflush(stdout) != 0 && status == 0)
		status = 3;
	check_free(&v->check);
	free(v);
	return status;
}
