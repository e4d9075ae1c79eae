/*
 * Budgets of trees that share a filesystem with others. The filesystem's fill level is the trigger, not the judge: it
 * costs nothing to ask and sees everything, but others write there, too. When it has grown by what was left, the
 * candidate is stopped, the trees are counted inode by inode, and only that count decides; unless something is hidden
 * from it, then the growth of the filesystem counts against whoever hides.
 *
 * A file counts with what it holds or with its length, whichever is more. A count without a stop is taken only where it
 * is higher than what was known: files that are moved about meanwhile may be missed by it.
 */
#ifndef PROCTOR_WATCH_MONITOR_H
#define PROCTOR_WATCH_MONITOR_H

#include <stdbool.h>
#include <stdint.h>

#include "core/cause.h"
#include "core/plan.h"
#include "core/usage.h"
#include "sys/room.h"
#include "watch/holders.h"

enum { MONITOR_TREES = PLAN_SCRATCHES + 2 };

struct monitored {
	int fs, top;		       /* to ask the filesystem; to walk, or -1 when it cannot be opened */
	bool result;		       /* the output, not a scratch tree */
	uint64_t bytes, files;	       /* limits; LIMIT_NONE for none */
	uint64_t had_bytes, had_files; /* before the spawn */
	uint64_t counted_bytes, counted_files;
	struct room then, asked;     /* the filesystem when that was counted; when the count at hand began */
	uint64_t grown, grown_files; /* of the filesystem since, at the last look */
	uint64_t before_bytes, before_files; /* what an unfinished count began with */
	bool hidden;
	struct holders_tree tree;
};

enum monitor_state { MONITOR_RESTS, MONITOR_SURVEYS, MONITOR_DECIDES };

struct monitor {
	struct monitored tree[MONITOR_TREES];
	unsigned trees;
	int proc;
	struct fsids as;
	enum monitor_state state;
	bool hold, stopped;	  /* the candidate is to be stopped; is stopped, as the caller says */
	unsigned at;		  /* the tree that is being counted */
	bool holding, thorough;	  /* its descriptors are being looked through; once more, and closer */
	uint64_t rate;		  /* bytes a microsecond, the fastest seen */
	uint64_t looked, changed; /* the last look; the last one that saw a change */
	uint64_t began, spent;
	uint64_t next, next_survey, next_decision;
	uint64_t next_turn; /* of a survey: it must not crowd out whoever waits for a core, itself included */
	bool armed; /* the candidate runs: before, it is init's own child, and nobody may look into it */
	bool ended, capped; /* no more counts; the last one was cut short */
	struct scan scan;
	struct holders holders;
};

/* Before the first monitor_add; *m is all zero, most of it for ever. proc is a descriptor of /proc where init is PID 1 of what it shows, else -1. */
void monitor_open(struct monitor *m, int proc, const struct fsids *as);

/* Before the spawn: takes a tree that room_open opened. False when there is no place for it; fs is then the caller's. */
bool monitor_add(struct monitor *m, int fs, bool result, uint64_t bytes, uint64_t files);

/* Microseconds of clock_now; UINT64_MAX when nothing has a limit. */
uint64_t monitor_next(const struct monitor *m);

/* What is due, for about a millisecond. True when a budget is passed. Where m->hold differs from m->stopped, the caller
 * stops the candidate or lets it go on, and says so: nothing is decided before. */
bool monitor_turn(struct monitor *m, uint64_t now, struct breach *b);

/* The main process ended, everybody else is stopped: counts all, whatever it takes within a bound, unless `blind`. */
bool monitor_end(struct monitor *m, uint64_t now, bool blind, struct breach *b);

/* Of the result tree; unavailable when it is not monitored. */
void monitor_usage(const struct monitor *m, struct figure *bytes, struct figure *files);

#endif
