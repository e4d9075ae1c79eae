/*
 * The payload of a SAMPLE: what init sees of the running tree, for the host's live line. Eight big-endian u64.
 * Figures are for display; the record holds the ones that count.
 */
#ifndef PROCTOR_WIRE_SAMPLE_H
#define PROCTOR_WIRE_SAMPLE_H

#include <stdint.h>

enum { SAMPLE_BYTES = 64 };

/* LIMIT_NONE (all ones) where init cannot see a figure. */
struct sample {
	uint64_t elapsed_ms;
	uint64_t cpu_ms;
	uint64_t memory_bytes;
	uint64_t output_bytes;
	uint64_t processes;
	uint64_t denied;
	uint64_t stdout_bytes;
	uint64_t stderr_bytes;
};

void sample_pack(uint8_t out[SAMPLE_BYTES], const struct sample *s);
void sample_unpack(const uint8_t in[SAMPLE_BYTES], struct sample *s);

#endif
