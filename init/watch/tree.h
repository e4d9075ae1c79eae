/*
 * One walk over the run's processes: how many there are, what CPU time they used, what is resident. Where init is
 * PID 1 they are all that /proc shows but init; elsewhere they are init's descendants, so that no bystander is counted.
 */
#ifndef PROCTOR_WATCH_TREE_H
#define PROCTOR_WATCH_TREE_H

#include <stdbool.h>
#include <stdint.h>

struct tree {
	uint64_t tasks;	   /* processes and threads but init's own */
	uint64_t cpu_us;   /* of the living and of what they reaped */
	uint64_t resident; /* bytes, summed: a page that two share counts twice */
	bool whole;	   /* false: something could not be read, or the walk was cut */
};

/* proc is a descriptor of a /proc in which getpid() is init; it is rewound. Stops counting above `most` tasks. */
void tree_look(int proc, uint64_t most, struct tree *t);

#endif
