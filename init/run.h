/*
 * One run of proctor-init, and its stages in the order in which main.c calls them. One structure instead of file-level
 * variables; what belongs to a room lives in that room's own structure.
 */
#ifndef PROCTOR_RUN_H
#define PROCTOR_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/cause.h"
#include "core/facts.h"
#include "core/life.h"
#include "core/plan.h"
#include "core/sink.h"
#include "report/report.h"
#include "seal/seal.h"
#include "watch/denials.h"
#include "watch/family.h"
#include "watch/logs.h"
#include "watch/watch.h"

enum { INIT_FAILED = 125 };

struct run {
	struct plan plan;
	struct facts facts;
	bool looked; /* facts are whole, not only the cgroup's part */
	char *const *environment;
	struct report report;
	struct sink sink;
	struct logs logs;
	bool pumping;
	struct watch watch;
	struct family family;
	struct denials denials;
	enum life_state life;
	struct cause cause;
	struct sealed sealed;
	struct seal_report said;
	bool spawned, seal_seen, executed;
	bool held;     /* everybody is stopped, to be counted */
	bool terminal; /* plain use at a terminal, which the candidate gets for the time of the run */
	int signals, seal_pipe;
	int passed_on; /* the last signal from outside that went to the main process */
	uint64_t grace_due, kill_due, drain_due, next_kill, next_sample; /* UINT64_MAX: not set */
};

/* ---- prepare.c: before the spawn init may still give up. Each returns the status to exit with, or -1 to go on. ---- */

/* The command line into the plan; --help and --version end here. */
int run_plan(struct run *run, char *const *words);

/* The facts, as far as anybody asked for them. */
void run_look(struct run *run);

/* Opens the way to report; with a host, sends HELLO and takes the ticket into the plan. */
int run_meet_host(struct run *run);

/* Opens all that the loop will read, and checks what is required of the world. */
int run_prepare(struct run *run);

/* Starts the sealed candidate. */
int run_spawn(struct run *run);

/* ---- supervise.c: from here on nothing ends init but the end of the run ---- */

/* Returns when the life of the run is over. */
void run_supervise(struct run *run);

/* ---- finish.c ---- */

/* Reports what happened, whatever happened. The status to exit with. */
int run_finish(struct run *run);

/* A line on stderr: "proctor-init: what: detail"; detail may be NULL. */
void run_say(const char *what, const char *detail);

#endif
