/* Reading a directory without a heap (getdents64(2)). */
#ifndef PROCTOR_SYS_DIR_H
#define PROCTOR_SYS_DIR_H

#include <stddef.h>
#include <stdint.h>

enum { DIR_BUFFER = 4096 };

struct dir {
	int fd;
	int error; /* what ended it early, or 0 */
	size_t at, have;
	int64_t position; /* behind the entry that came last, for dir_resume */
	_Alignas(8) uint8_t buffer[DIR_BUFFER];
};

/* Opens the directory at path relative to fd (or AT_FDCWD). A symbolic link as its last part is not followed. 0 or -errno. */
int dir_open(struct dir *d, int fd, const char *path);

/* Reads the directory that fd is open on; dir_close will close it. */
void dir_start(struct dir *d, int fd);

/* The next entry's name, valid until the next call, and its DT_ type; "." and ".." are left out. NULL at the end. */
const char *dir_next(struct dir *d, unsigned char *type);

/* Goes on behind the entry at that position. 0 or -errno. */
int dir_resume(struct dir *d, int64_t position);

/* Closes. 0, or -errno when reading ended early. */
int dir_close(struct dir *d);

#endif
