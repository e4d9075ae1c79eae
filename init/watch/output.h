/*
 * The budget of the result tree and of the scratch trees, where each is a filesystem of its own: its fill level is
 * exact, takes constant time to read, and sees deleted and delayed bytes too. Elsewhere nothing is claimed.
 */
#ifndef PROCTOR_WATCH_OUTPUT_H
#define PROCTOR_WATCH_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/cause.h"
#include "core/plan.h"
#include "core/usage.h"

/* One tree with a budget. */
struct budgeted {
	int fd;				     /* or -1: not a bounded filesystem of its own */
	bool result;			     /* the output, not a scratch tree */
	uint64_t bytes, files;		     /* limits; LIMIT_NONE for none */
	uint64_t bytes_before, files_before; /* what the filesystem itself takes */
	uint64_t bytes_used, files_used;     /* at the last look; files LIMIT_NONE where not counted */
	uint64_t pace, next;		     /* microseconds */
};

enum { OUTPUT_TREES = PLAN_SCRATCHES + 2 };

struct output {
	struct budgeted
	    tree[OUTPUT_TREES]; /* the result tree first, if there is one; then scratch, /dev/shm last */
	unsigned trees;
	bool scratch_bounded;
};

void output_open(struct output *o, const struct plan *plan);

/* True when the result tree is a bounded filesystem of its own. */
bool output_exact(const struct output *o);

uint64_t output_next(const struct output *o);

/* Looks at what is due, or at everything when forced. True when a budget is passed. */
bool output_look(struct output *o, uint64_t now, bool forced, struct breach *b);

void output_usage(const struct output *o, struct figure *bytes, struct figure *files);

#endif
