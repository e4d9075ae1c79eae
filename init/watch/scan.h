/*
 * A walk over one tree that can be put down and taken up again: what its inodes hold, each once, and whether something
 * could not be looked into. It opens one folder below another by name and keeps few of them open, so neither depth nor
 * length of a path is bounded by a buffer; it never crosses into another mount and follows no link.
 */
#ifndef PROCTOR_WATCH_SCAN_H
#define PROCTOR_WATCH_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/inodes.h"
#include "sys/dir.h"
#include "sys/fsids.h"

enum { SCAN_OPEN = 16, SCAN_DEEPEST = 4096 };

struct scan_level {
	uint64_t inode;
	int64_t position; /* to go on from, once its folder had to be closed */
	uint16_t mode;	  /* what it was, when it had to be changed */
	bool changed;
};

struct scan {
	const struct fsids *as;
	uint32_t owner; /* the candidate's uid */
	uint64_t device;
	uint64_t bytes, files; /* so far; the top itself is not counted */
	bool hidden; /* there may be more: a folder that would not open, was too deep, or moved away */
	bool
	    still; /* nobody moves meanwhile: a closed folder of the candidate's may be opened for a moment */
	bool over;
	unsigned depth;		    /* of the folder that is being read */
	unsigned held[SCAN_OPEN];   /* which depth a place is open for, plus one; 0 for none */
	struct dir open[SCAN_OPEN]; /* of depth d at d % SCAN_OPEN */
	struct scan_level level[SCAN_DEEPEST];
	struct inodes linked; /* those with more names than one, and those that only descriptors hold */
};

/* Opens a folder for walks, with the candidate's rights or else with init's. The descriptor or -errno. */
int scan_open(int dir, const struct fsids *as);

/* top is what scan_open gave, and stays open. A walk that was left unfinished is given up. */
void scan_start(struct scan *s, int top, const struct fsids *as, bool still);

/* Looks at so many entries. True when the walk is over. */
bool scan_turn(struct scan *s, unsigned entries);

/* Closes what is open, gives back modes that were changed. */
void scan_stop(struct scan *s);

/* Adds an inode that has no name in the tree any more. True when it was not counted before. */
bool scan_add(struct scan *s, uint64_t device, uint64_t inode, uint64_t bytes);

#endif
