/*
 * The budgets of the result tree and of the scratch trees. Where a tree is a filesystem of its own that is hardly larger
 * than its budget, the fill level decides: it is exact, takes constant time to read, and sees deleted and delayed bytes
 * too. Elsewhere the tree is monitored (monitor.h).
 */
#ifndef PROCTOR_WATCH_OUTPUT_H
#define PROCTOR_WATCH_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/cause.h"
#include "core/plan.h"
#include "core/usage.h"
#include "watch/monitor.h"

/* One tree that is a filesystem of its own. */
struct budgeted {
	int fd;
	bool result;			     /* the output, not a scratch tree */
	bool full;			     /* a scratch tree was seen with no room left */
	uint64_t bytes, files;		     /* limits; LIMIT_NONE for none */
	uint64_t bytes_before, files_before; /* what the filesystem itself takes */
	uint64_t bytes_used, files_used;     /* at the last look; files LIMIT_NONE where not counted */
	uint64_t pace, next;		     /* microseconds */
};

enum { OUTPUT_TREES = PLAN_SCRATCHES + 2 };

struct output {
	struct budgeted tree[OUTPUT_TREES];
	unsigned trees;
	int result; /* of tree[], or -1: the result tree is monitored, or there is none */
	bool result_exact;
	bool scratch_exact, scratch_seen; /* every scratch tree is; every one is at least monitored */
	struct monitor monitor;
};

/* proc is a descriptor of /proc where init is PID 1 of what it shows, else -1; as are the candidate's ids. */
void output_open(struct output *o, const struct plan *plan, int proc, const struct fsids *as);

/* True when the result tree is a bounded filesystem of its own. */
bool output_exact(const struct output *o);

/* True when the result tree has a budget and is monitored. */
bool output_monitors_result(const struct output *o);

/* True when a tree with a budget of bytes is monitored: then nothing may be allocated ahead of what is written. */
bool output_monitored(const struct output *o);

/*
 * The size of a single file that the kernel is to hold where trees are monitored, should init itself be kept from
 * looking: well above every budget, so that the cause is init's decision, and above what shared memory and files without
 * a name may need, which the kernel counts, too. 0 for none.
 */
uint64_t output_file_size(const struct output *o, const struct plan *plan);

uint64_t output_next(const struct output *o);

/* Looks at what is due. True when a budget is passed. */
bool output_look(struct output *o, uint64_t now, struct breach *b);

/*
 * The main process ended; whoever is left is stopped. Looks at everything once more. blind: there is no memory left for
 * more than the filesystems' own figures.
 */
bool output_end(struct output *o, uint64_t now, bool blind, struct breach *b);

void output_usage(const struct output *o, struct figure *bytes, struct figure *files);

/* True when a scratch tree was seen with no room left. */
bool output_scratch_full(const struct output *o);

#endif
