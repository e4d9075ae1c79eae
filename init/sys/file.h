/* Small files of the kernel's (proc(5), cgroups(7)): whole, at once, into the caller's buffer. */
#ifndef PROCTOR_SYS_FILE_H
#define PROCTOR_SYS_FILE_H

#include <stddef.h>

/*
 * The directory `/proc`, opened only when a proc filesystem is mounted there: an image may bring a folder of that name.
 * The descriptor is close-on-exec and good for file_read and openat alone. -ENODEV when it is something else.
 */
int file_proc(void);

/* Opens for reading relative to dir (or AT_FDCWD), close-on-exec, non-blocking, no terminal. The descriptor or -errno. */
int file_open(int dir, const char *path);

/*
 * Reads from the start until the end or until the buffer is full, and NUL-terminates. The bytes read, at most size - 1;
 * a file that may be longer returns exactly size - 1. -errno otherwise.
 */
long file_read(int dir, const char *path, char *buffer, size_t size);

/* Writes text in one write(2) to an existing file. 0, -EIO when it was cut, or -errno. */
int file_write(int dir, const char *path, const char *text);

#endif
