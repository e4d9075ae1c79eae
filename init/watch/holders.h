/*
 * Files that have no name any more and live on in the descriptors and mappings of the candidate's processes: found
 * through /proc/PID/fd, one descriptor at a time, so that the search can be put down and taken up again. What cannot be
 * looked into is said, never taken for nothing.
 */
#ifndef PROCTOR_WATCH_HOLDERS_H
#define PROCTOR_WATCH_HOLDERS_H

#include <stdbool.h>
#include <stdint.h>

#include "sys/dir.h"
#include "watch/scan.h"

enum { HOLDERS_PATH = 256 };

/* How to know whether a nameless file belongs to a tree. */
struct holders_tree {
	struct scan *found; /* what is found is added here */
	uint64_t device;
	bool whole;   /* the tree is all there is of that filesystem, as far as this mount shows it */
	bool layered; /* an overlay: the device of its files says nothing */
	char path[HOLDERS_PATH]; /* as the kernel names it; "" when it is too long */
};

struct holders {
	int proc; /* -1: there is nothing to look into */
	const struct fsids *as;
	const struct holders_tree *tree;
	bool thorough; /* every thread, mappings, and what is in flight between sockets */
	bool over;
	bool hidden;
	bool listing, in_process, in_thread; /* which of these is open */
	bool empty;			     /* the process's first list was: its leader may be gone */
	struct dir processes, threads, files;
	char pid[24];
};

/* proc is a descriptor of /proc where it shows only the candidate's processes and init, else -1: all is hidden then. */
void holders_start(
    struct holders *h, int proc, const struct fsids *as, const struct holders_tree *tree, bool thorough);

/* Looks at so many descriptors. True when the search is over. */
bool holders_turn(struct holders *h, unsigned files);

void holders_stop(struct holders *h);

#endif
