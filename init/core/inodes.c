/* A set of inodes: open addressing over a power of two. Pure. */
#include "core/inodes.h"

#include <string.h>

void inodes_clear(struct inodes *s)
{
	if (s->used)
		memset(s, 0, sizeof *s);
}

bool inodes_add(struct inodes *s, uint64_t device, uint64_t inode)
{
	/* One filesystem as a rule, so that the inode alone decides; never the mark of a free slot. */
	uint64_t key = inode ^ (device << 44 | device >> 20), mixed;
	unsigned at;

	if (key == 0)
		key = UINT64_MAX;
	mixed = key * UINT64_C(0x9e3779b97f4a7c15);
	at = (unsigned)(mixed >> 50);
	for (; s->slot[at]; at = (at + 1) % INODES_ROOM)
		if (s->slot[at] == key)
			return false;
	if (s->used < INODES_MOST) {
		s->slot[at] = key;
		s->used++;
	}
	return true;
}
