/*
 * Writing to a descriptor that somebody else shares, without ever waiting and without changing it for them: setting
 * O_NONBLOCK on it would reach the caller's shell too.
 */
#ifndef PROCTOR_SYS_OUTLET_H
#define PROCTOR_SYS_OUTLET_H

#include <stdbool.h>
#include <stddef.h>

enum { OUTLET_MOST = 4096 }; /* PIPE_BUF: what a pipe that is ready takes at once */

struct outlet {
	int fd;
	bool own;    /* fd is a non-blocking one of ours, opened on the same pipe or terminal */
	bool socket; /* sent to without waiting */
	bool broken; /* the reader is gone: everything is thrown away */
};

/* Gets ready to write to fd, which stays open and unchanged. */
void outlet_open(struct outlet *o, int fd);

/* How much can be written now, at most OUTLET_MOST; 0: wait for POLLOUT on o->fd. */
size_t outlet_room(const struct outlet *o);

/* Writes n ≤ outlet_room bytes. The bytes written; what a broken outlet throws away counts as written. */
size_t outlet_write(struct outlet *o, const void *bytes, size_t n);

#endif
