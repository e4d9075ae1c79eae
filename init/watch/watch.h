/*
 * All watchers as one: opened before the spawn, looked at when due, read once more after the end. Deadlines come first,
 * and one turn does a bounded amount of work.
 */
#ifndef PROCTOR_WATCH_WATCH_H
#define PROCTOR_WATCH_WATCH_H

#include "core/layers.h"
#include "core/plan.h"
#include "core/usage.h"
#include "watch/clock.h"
#include "watch/cpu.h"
#include "watch/memory.h"
#include "watch/output.h"
#include "watch/processes.h"
#include "wire/sample.h"

struct watch {
	struct wall wall;
	struct memory memory;
	struct cpu cpu;
	struct output output;
	struct processes processes;
	bool cpu_quota; /* the engine gave the run a share of the machine's cores */
};

/*
 * Before the spawn; *w is all zero. facts may be NULL; proc is a descriptor of a /proc in which getpid() is init, or -1;
 * space is the same where init is PID 1 of what it shows, else -1; candidate are its ids, negative where they are
 * init's own.
 */
void watch_open(struct watch *w, const struct plan *plan, const struct facts *facts, int proc, int space,
    const struct fsids *candidate);

/* What can be seen of this run. */
void watch_sight(const struct watch *w, struct sight *sight);

/* When to look next, in clock_now's microseconds; UINT64_MAX for never. */
uint64_t watch_next(const struct watch *w);

/* Looks at what is due. True when a limit was passed: the first one found is in *b. */
bool watch_look(struct watch *w, uint64_t now, struct breach *b);

/* The command was executed: only now the processes are the candidate's. */
void watch_executed(struct watch *w);

/*
 * True while the candidate has to be stopped, so that what it holds can be counted; the caller stops it or lets it go
 * on, and says so with watch_stopped.
 */
bool watch_wants_stop(const struct watch *w);
void watch_stopped(struct watch *w, bool stopped);

/* True when the end is counted tree by tree: whoever is left then has to be stopped before. */
bool watch_counts_at_end(const struct watch *w);

/*
 * The main process ended: looks once more at the wall clock and at what is counted in total, before its exit is believed.
 * Whoever keeps init from the processor past the limit has passed it. As watch_look.
 */
bool watch_main_ended(struct watch *w, uint64_t now, struct breach *b);

/* When nobody is left. Opens and allocates nothing. */
void watch_after(struct watch *w, struct cause *c, uint64_t now, struct usage *usage);

/* Figures for the host's live line. */
void watch_sample(struct watch *w, uint64_t now, struct sample *s);

#endif
