/* scorer-host score, cut in two: score.c reads the command line and scores a table, score_again.c stored runs. */
#ifndef PROCTOR_COMMAND_SCORE_H
#define PROCTOR_COMMAND_SCORE_H

#include "command/run.h"

struct scoring {
	const char *task_folder, *home, *run_dir, *key;
	bool json, help;
	char **word; /* a table, a result tree, or runs */
	size_t words;
	struct task task;
	bool loaded;
	struct assets assets; /* taken once for all */
	size_t selfcheck_items;
	char selfcheck_passed[32];
};

/* A run without a candidate, which borrows task and assets. NULL on no memory. score_end gives it back. */
struct running *score_new(struct scoring *s, const char *word);

/* Tells the result and ends g. The exit status. */
int score_end(struct running *g);

/* Digests of the task's files for the evidence, held against its task.lock; once. 0, or -1 with g's fault. */
int score_assets(struct scoring *s, struct running *g);

/*
 * Home and place being known, g becomes a run of its own: directory, private copy of the table, score, evidence, ledger.
 * table: open for reading. expect: its SHA-256, or NULL. old: the folder of the run that is scored again, whose statement
 * is taken along; or -1.
 */
void score_record(struct running *g, int table, const char *expect, int old);

/* Scores the stored table of one run again. The exit status. */
int score_again(struct scoring *s, const char *word);

#endif
