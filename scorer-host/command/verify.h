/* What `verify` found, and how it is told. */
#ifndef PROCTOR_COMMAND_VERIFY_H
#define PROCTOR_COMMAND_VERIFY_H

#include <stdbool.h>

#include "evidence/check.h"

struct verified {
	struct check check;
	const char *run;     /* the path as given */
	char key_path[4096]; /* "" when there was no key */
	char keyid[65];
	bool
	    came_along; /* the key lies beside the run and nobody vouches for it: what it signs proves little */
	char cannot[1024];   /* what could not be checked and why; "" when all that was asked for was */
	int refused;	     /* nothing was checked, for what `cannot` says: the exit status; else 0 */
	bool recompute;	     /* asked for */
	const char *nothing; /* why there is nothing to recompute; NULL when there is */
};

/* 0 the evidence holds, 1 it does not, 3 not everything could be checked. A run without anything to recompute holds. */
int verify_exit(const struct verified *v);

/*
 * The public key to check with: that file, else the one in that home, else the one two folders above the run, else the
 * one in PROCTOR_HOME. Sets key_path, keyid and came_along. 0; -1 when there is none, which v->cannot then says.
 */
int verify_key(struct verified *v, const char *file, const char *home, struct signing_key *key);

/* On stdout: a screen, or one JSON object (urn:proctor:verify:1). */
void verify_print(const struct verified *v);
void verify_print_json(const struct verified *v);

/*
 * The level that needs the task, which must be the run's: task.yaml, truth and inputs with the digests of the run's own
 * task.lock, else v->cannot. Scores outputs/TABLE again and holds the result against score.json, byte for byte (the
 * version of Proctor that wrote it aside), or against the stated verdict when the table was refused.
 */
void verify_recompute(struct verified *v, int folder, const char *task_folder);

#endif
