/*
 * One walk over the processes of init's own pid namespace: how many there are, what CPU time they used, what is
 * resident. Only where init is PID 1 of a namespace that /proc shows; elsewhere bystanders would be counted.
 */
#ifndef PROCTOR_WATCH_TREE_H
#define PROCTOR_WATCH_TREE_H

#include <stdbool.h>
#include <stdint.h>

struct tree {
	uint64_t tasks;	 /* processes and threads but init's own */
	uint64_t cpu_us; /* of the living and of what they reaped */
	bool whole;	 /* false: something could not be read, or the walk was cut */
};

/* proc is a descriptor of /proc, which is rewound. Stops counting above `most` tasks. */
void tree_look(int proc, uint64_t most, struct tree *t);

#endif
