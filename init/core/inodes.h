/*
 * A set of inodes in fixed room, so that a file with several names is counted once. When it is full, every further name
 * counts: whoever makes that many links pays for them, and nothing is hidden. Pure.
 */
#ifndef PROCTOR_CORE_INODES_H
#define PROCTOR_CORE_INODES_H

#include <stdbool.h>
#include <stdint.h>

enum { INODES_ROOM = 16384, INODES_MOST = INODES_ROOM / 8 * 7 };

/* All zero is the empty set. */
struct inodes {
	uint64_t slot[INODES_ROOM];
	unsigned used;
};

/* Touches no memory when it is empty already. */
void inodes_clear(struct inodes *s);

/* True when it was not there yet, or when there is no room to know. */
bool inodes_add(struct inodes *s, uint64_t device, uint64_t inode);

#endif
