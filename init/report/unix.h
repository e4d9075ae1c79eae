/*
 * The carrier unix:PATH: both ways on one stream socket. The host listens, unlinks and closes its listener at the first
 * accept, and knows this process by its pid.
 */
#ifndef PROCTOR_REPORT_UNIX_H
#define PROCTOR_REPORT_UNIX_H

#include "report/channel.h"

/* Connects, trying again while the listener is busy, for at most so many milliseconds. 0 or -errno. */
int unix_connect(struct channel *c, const char *path, int ms);

#endif
