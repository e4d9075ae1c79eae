/* Descriptors of this process. */
#ifndef PROCTOR_SYS_FD_H
#define PROCTOR_SYS_FD_H

/*
 * Closes every descriptor from `first` up: close_range(2), else by /proc/self/fd, else one by one up to the hard limit.
 * 0, or -EBADE when the descriptor `first` or one that could be listed is still open.
 */
int fd_close_from(int first);

/* Moves fd to `to` (which is replaced, unless it is the same), close-on-exec or not. 0 or -errno. */
int fd_move(int fd, int to, int close_on_exec);

/* The null device, for reading: the real one, not what an image may have put in its place. The descriptor or -errno. */
int fd_open_null(void);

/* The reading end of a pipe that nobody writes to: reads see the end at once. The descriptor or -errno. */
int fd_open_empty(void);

#endif
