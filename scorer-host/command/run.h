/*
 * One run from the command line to its evidence, cut into steps that share this state. command/run.c is the sequence;
 * every step fills struct run and, when it fails, the fault that is the run's verdict.
 */
#ifndef PROCTOR_COMMAND_RUN_H
#define PROCTOR_COMMAND_RUN_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

#include "engine/launch.h"
#include "evidence/key.h"
#include "evidence/ledger.h"
#include "intake/assets.h"
#include "intake/output.h"
#include "judge/run.h"
#include "wire/chain.h"

/* The engine of a run without a candidate: a table that was scored. */
#define NO_ENGINE "none"

struct run_options {
	const char *task, *rootfs, *submission, *engine, *run_dir, *home, *init;
	uint64_t limit[OPTION_END]; /* --limit; LIMIT_NONE where not given */
	bool json, help, again;
	char **command; /* behind --, NULL-terminated; NULL without */
};

struct running {
	struct run_options options;
	struct task task;
	struct run run;
	bool loaded;	    /* the task is */
	bool begun;	    /* the run directory is there: evidence is owed */
	bool decided;	    /* the stage came to an end that run.fault tells, or to a table */
	bool entered;	    /* the ledger knows this run */
	bool left;	    /* something of the container's is still there: the next start sweeps it */
	bool held;	    /* nothing of this submission runs again without --again */
	const char *table;  /* no candidate: what `score` was given; NULL for a run */
	const char *stands; /* `score`: why the earlier verdict stays as it is */
	char was[160];	    /* `score`: the run that is scored again, and its verdict */
	struct ledger_found earlier; /* where the submission stood in the ledger */
	const struct engine *engine;
	char engine_version[32];
	struct signing_key key;
	char home[PATH_MAX], folder[PATH_MAX], work[PATH_MAX], rootfs[PATH_MAX], init[PATH_MAX];
	int work_fd, active; /* active: the lock that says this run is alive */
	int signals;	     /* signalfd of what cancels */
	struct assets assets;
	struct listing submitted; /* the root filesystem before the run */
	uint64_t began_ms;
	struct output output;
	uint8_t session_key[CHAIN_KEY];
	unsigned uid;
};

/* Reads the command line. 0, or -1 with VERDICT_NONE: a usage error. */
int run_options_read(int argc, char **argv, struct run_options *o, struct fault *fault);
void run_help(FILE *out);

/* Root, engine, home, key, init, limits, mounts, assets and space: everything that can be refused before a run exists. */
int run_preflight(struct running *g);

/* The id, what the evidence says of this moment and place, and signals blocked. 0 or -1 with run.fault. */
int run_start(struct running *g);

/* The task's self-check, for the evidence. */
int run_selfcheck(struct running *g);

/* The home, its folders and its key; made where missing. 0 or -1. */
int run_home(struct running *g);

/* Decides g->folder, where the run directory will be: --run-dir, else by the run's id in the home. */
int run_place(struct running *g);

/* Makes the run directory with all that is known before the stage, and marks the run alive. */
int run_begin(struct running *g);

/* The sealed container from its making to its removal, and the intake of its output. 0: run.fault is not set and
 * g->output.table is open, or the verdict is crosscheck's or the output's, in run.fault with -1. */
int run_stage(struct running *g);

/* Scores g->output.table: run.score, and run.fault with the verdict. 0 when that is SCORED, else -1. */
int run_score(struct running *g);

/* A run directory exists, whole or in part: it gets its verdict, its evidence, and its end in the ledger. */
void run_conclude(struct running *g);

/* Tells the result on stdout, as text or as JSON; a usage error on stderr. The exit status. */
int run_tell(struct running *g);

/* Gives back all that g holds, and g. */
void run_finish(struct running *g);

/* Takes away the work folder and the reserve: the directory is as the evidence will find it. */
int run_settle(struct running *g);

/* Marks the run as done. After the evidence. */
void run_end(struct running *g);

/* Closes what killed scorers left in this home: containers, groups, and INFRA_SCORER_LOST as their verdict. */
void run_recover(struct running *g);

/* The block on stdout. */
void run_screen(const struct running *g, FILE *out);

/* True when the operator asked for an end. */
bool run_interrupted(const struct running *g);

#endif
