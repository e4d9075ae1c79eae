/* Blocks of memory that are handed from one process to another: memfd_create(2), sealed. */
#ifndef PROCTOR_SYS_MEMFD_H
#define PROCTOR_SYS_MEMFD_H

#include <stddef.h>

/* A zeroed memory file of that size that can neither grow nor shrink. The descriptor (close-on-exec) or -errno. */
int memfd_block(const char *name, size_t size);

/* Makes it unwritable for good; nobody may hold a writable mapping. 0 or -errno. */
int memfd_seal(int fd);

/* Zeroed memory that stays shared over fork; NULL when there is none. Freed with munmap. */
void *memory_shared(size_t size);

#endif
