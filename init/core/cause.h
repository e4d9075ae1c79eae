/*
 * Why the run ended, decided once. The first decision stays, so that what happens while everything is being killed
 * never masks it; only an OOM or a refused fork at the run's own limit replaces an exit or a signal, because the kernel
 * does not tell why it sends SIGKILL, nor a program why it ends. A candidate that kills itself or exits 124 never looks like a limit. Pure.
 */
#ifndef PROCTOR_CORE_CAUSE_H
#define PROCTOR_CORE_CAUSE_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/verdict.h"

enum { CAUSE_PROOF = 256 };

/* A limit that a watcher saw passed. verdict VERDICT_NONE: none was. */
struct breach {
	enum verdict verdict;
	uint64_t limit, observed;
	const char *unit;  /* "ms", "bytes", "count"; constant */
	const char *proof; /* what was read, in a few words; constant */
	bool graceful;	   /* a limit of time: SIGTERM first */
};

struct cause {
	bool decided;	      /* the rest is meant; a finished run with exit 0 is decided with VERDICT_NONE */
	enum verdict verdict; /* VERDICT_NONE for exit 0: init does not judge */
	uint64_t limit, observed; /* LIMIT_NONE where there is none */
	const char *unit;	  /* NULL where there is none */
	uint64_t at_ms;		  /* since the spawn */
	bool by_init;		  /* init ended the run by its own decision */
	char proof[CAUSE_PROOF];
};

/* How the main process ended. */
struct ending {
	enum { ENDING_NONE, ENDING_CODE, ENDING_SIGNAL } kind; /* NONE: it never ran, or was never reaped */
	int value;
};

void cause_start(struct cause *c);

/* init ends the run over a limit. True if this was the first decision. */
bool cause_breach(struct cause *c, const struct breach *b, uint64_t at_ms);

/* The run ends for another reason than a limit, e.g. CANCELLED, REQUIRE_UNMET, EXEC_DENIED. True if it was the first. */
bool cause_decide(struct cause *c, enum verdict v, bool by_init, const char *proof, uint64_t at_ms);

/* The main process ended by itself, as far as nothing was decided before. */
void cause_ended(struct cause *c, const struct ending *e, uint64_t at_ms);

/*
 * What the cgroup's counters say after the end: how often its OOM killer killed, and how often its own limit was hit,
 * since the start. Both above zero: MEMORY, unless init had decided before.
 */
void cause_oom(struct cause *c, uint64_t kills, uint64_t hits, uint64_t limit, uint64_t peak, uint64_t at_ms);

/*
 * What the cgroup's counters say after the end: how often it refused a fork at its own limit, which stands above the
 * run's. Above zero: PROCESSES, as cause_oom does for memory, because a process that was refused may have ended of it.
 */
void cause_forks(struct cause *c, uint64_t refused, uint64_t limit, uint64_t peak, uint64_t at_ms);

/* Adds a step to the proof, such as "SIGKILL" at 62001 ms, if init had decided. */
void cause_note(struct cause *c, const char *step, uint64_t at_ms);

/* The exit status of init: the table of proctor-init(8). */
int cause_status(const struct cause *c, const struct ending *e);

#endif
