/*
 * Where the kept bytes of the candidate's streams go: frames to the host, or init's own stdout and stderr. The pump
 * knows this shape only, so that another carrier is another sink.
 */
#ifndef PROCTOR_CORE_SINK_H
#define PROCTOR_CORE_SINK_H

#include <stddef.h>
#include <stdint.h>

struct sink {
	void *at;
	/* How many bytes of stream 1 or 2 can be taken right now; 0: wait. */
	size_t (*room)(void *at, int stream);
	/* Takes all n ≤ room bytes, which stand at that offset of the stream. */
	void (*take)(void *at, int stream, uint64_t offset, const uint8_t *bytes, size_t n);
};

#endif
