/* A file read line by line through a fixed buffer, so that no file of the kernel's is too long for init. */
#ifndef PROCTOR_SYS_LINES_H
#define PROCTOR_SYS_LINES_H

#include <stdbool.h>
#include <stddef.h>

/* Room for the longest line taken: a mountinfo line with two escaped paths and an overlay's options. */
enum { LINES_BUFFER = 16384 };

struct lines {
	int fd;
	bool ended;
	bool skipping;	 /* inside a line that was too long */
	unsigned cut;	 /* lines that were too long and left out */
	size_t left;	 /* bytes that may still be read */
	size_t at, have; /* the unread part of buffer */
	char buffer[LINES_BUFFER];
};

/* Opens path relative to dir. At most `most` bytes are read altogether. 0 or -errno. */
int lines_open(struct lines *l, int dir, const char *path, size_t most);

/*
 * The next line, without its newline, NUL-terminated, in the buffer until the next call; NULL at the end. A line that
 * is longer than the buffer is left out and counted in l->cut.
 */
char *lines_next(struct lines *l);

/* Closes. True when everything was seen: no line cut, no byte left unread, no read error. */
bool lines_close(struct lines *l);

#endif
