/* scorer-host verify RUN: holds a run directory against its evidence, with a key from outside the run. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/command.h"
#include "command/verify.h"

static const char usage[] =
    "usage: scorer-host verify RUN [--key FILE] [--home DIR] [--task DIR] [--json]\n\n"
    "Checks a run directory: signature over the statement, every file's digest, the transcript under its own "
    "key; with\n"
    "--task also that the stored table gives the stored score again.\n\n"
    "  --key FILE   the operator's public key in PEM; else DIR/operator.pub with --home, else "
    "RUN/../../operator.pub\n"
    "  --task DIR   the task, for recomputing the score\n"
    "  --json       one JSON object\n\n"
    "exit status: 0 everything holds, 1 it does not (the files are named), 2 usage, 3 not everything could "
    "be checked\n";

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
			(void)fprintf(stderr, "scorer-host verify: %s %s\n%s", word,
			    value ? "wants a value" : "is one argument too many or not known", usage);
			return 2;
		}
	}
	if (a->run)
		return -1;
	(void)fputs(usage, stderr);
	return 2;
}

/*
 * The key to check with. Never one that lies in the run itself: who changed the run could have put it there.
 * -1 when there is none, which v->cannot then says.
 */
static int find_key(const struct arguments *a, struct verified *v, struct signing_key *key)
{
	struct fault fault;
	int n;

	if (a->key)
		n = snprintf(v->key_path, sizeof v->key_path, "%s", a->key);
	else if (a->home)
		n = snprintf(v->key_path, sizeof v->key_path, "%s/" OPERATOR_PUBLIC, a->home);
	else
		n = snprintf(v->key_path, sizeof v->key_path, "%s/../../" OPERATOR_PUBLIC, a->run);
	if (n >= (int)sizeof v->key_path) {
		(void)fault_set(&fault, VERDICT_NONE, "the key's path is too long");
	} else if (!a->key && access(v->key_path, F_OK) < 0) {
		(void)fault_set(&fault, VERDICT_NONE,
		    "no key: there is no %s; name the operator's with --key", v->key_path);
	} else if (key_load_public(v->key_path, key, &fault) == 0) {
		(void)snprintf(v->keyid, sizeof v->keyid, "%s", key->id);
		return 0;
	}
	v->key_path[0] = '\0';
	(void)snprintf(v->cannot, sizeof v->cannot, "the signature was not checked: %.*s", 900, fault.what);
	return -1;
}

int verify_exit(const struct verified *v)
{
	if (v->check.findings > 0)
		return 1;
	return v->cannot[0] ? 3 : 0;
}

int command_verify(int argc, char **argv)
{
	struct arguments a = {0};
	struct verified *v;
	struct signing_key key;
	struct fault fault = {0};
	int status = arguments(argc, argv, &a), folder;
	bool keyed;

	if (status >= 0)
		return status;
	v = calloc(1, sizeof *v);
	if (!v) {
		(void)fputs("scorer-host verify: no memory\n", stderr);
		return 3;
	}
	v->run = a.run;
	v->recompute = a.task != NULL;
	keyed = find_key(&a, v, &key) == 0;
	folder = open(a.run, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0) {
		(void)fprintf(stderr, "scorer-host verify: %s: %s\n", a.run, strerror(errno));
		free(v);
		return 3;
	}
	if (check_run(folder, keyed ? &key : NULL, &v->check, &fault) < 0)
		(void)snprintf(v->cannot, sizeof v->cannot, "%.1000s", fault.what);
	else if (a.task)
		verify_recompute(v, folder, a.task);
	(void)close(folder);
	if (a.json)
		verify_print_json(v);
	else
		verify_print(v);
	status = verify_exit(v);
	if (fflush(stdout) != 0 && status == 0)
		status = 3;
	check_free(&v->check);
	free(v);
	return status;
}
