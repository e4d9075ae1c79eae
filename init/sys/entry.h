/* What a name in a directory stands for (statx(2)), without opening it. */
#ifndef PROCTOR_SYS_ENTRY_H
#define PROCTOR_SYS_ENTRY_H

#include <stdbool.h>
#include <stdint.h>

struct entry {
	uint64_t device, inode, links;
	uint64_t size;	    /* as its reader sees it */
	uint64_t allocated; /* bytes of blocks, delayed ones included */
	uint32_t mode;	    /* type and permissions, inode(7) */
	uint32_t uid;
	bool mount; /* the top of another mount, where the kernel tells */
	bool mount_known;
};

/* A symbolic link is looked at itself, or its target when `follow`. 0 or -errno. */
int entry_look(int dir, const char *name, bool follow, struct entry *e);

/* The folder that fd is open on. 0 or -errno. */
int entry_of(int fd, struct entry *e);

/* What it takes away from a budget: a file what it holds or what it claims to hold, whichever is more. */
uint64_t entry_bytes(const struct entry *e);

bool entry_is_folder(const struct entry *e);
bool entry_is_file(const struct entry *e);
bool entry_is_socket(const struct entry *e);

#endif
