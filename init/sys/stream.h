/* The stream socket to the host (unix(7)). */
#ifndef PROCTOR_SYS_STREAM_H
#define PROCTOR_SYS_STREAM_H

#include <stddef.h>

/* Connects to the listener at path: close-on-exec, non-blocking. The descriptor or -errno (-EAGAIN: it is busy). */
int stream_connect(const char *path);

/* Sends without waiting and without SIGPIPE. Bytes sent, 0 when it would wait, -errno. */
long stream_send(int fd, const void *bytes, size_t n);

/* Receives without waiting; nothing but bytes. Bytes, 0 at the end of the stream, -EAGAIN when it would wait, -errno. */
long stream_receive(int fd, void *bytes, size_t n);

#endif
