/*
 * Plain use, without a host: the record as one JSON line where the operator wants it, and the kept bytes of the
 * candidate's streams on init's own stdout and stderr.
 */
#ifndef PROCTOR_REPORT_PLAIN_H
#define PROCTOR_REPORT_PLAIN_H

#include "core/plan.h"
#include "core/sink.h"
#include "sys/outlet.h"

struct plain {
	bool records;
	struct outlet record;
	struct outlet out[2];
	size_t waiting[2]; /* bytes that were taken and could not be written yet */
	uint8_t held[2][OUTLET_MOST];
};

/* Opens the record before the spawn, so that the candidate can neither be in its place nor in its way. 0 or -errno. */
int plain_open(struct plain *p, const struct carrier *record);

/* The pump's way to stdout and stderr; p must outlive it. */
struct sink plain_sink(struct plain *p);

/* Where to wait for room (POLLOUT) for stream 0 or 1. */
int plain_fd(const struct plain *p, int stream);

/* Writes held bytes. True when none are left. */
bool plain_flush(struct plain *p);

/* Writes a line, waiting at most so many milliseconds for a slow reader. 0 or -errno. */
int plain_record(struct plain *p, const char *line, size_t n, int ms);

#endif
