/* The SAMPLE payload's codec. Pure. */
#include "wire/sample.h"

#include "wire/frame.h"

void sample_pack(uint8_t out[SAMPLE_BYTES], const struct sample *s)
{
	const uint64_t fields[] = {s->elapsed_ms, s->cpu_ms, s->memory_bytes, s->output_bytes, s->processes,
	    s->denied, s->stdout_bytes, s->stderr_bytes};
	_Static_assert(sizeof fields == SAMPLE_BYTES, "every field of a sample is on the wire");
	for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++)
		put_u64(out + (size_t)8 * i, fields[i]);
}

void sample_unpack(const uint8_t in[SAMPLE_BYTES], struct sample *s)
{
	uint64_t *const fields[] = {&s->elapsed_ms, &s->cpu_ms, &s->memory_bytes, &s->output_bytes,
	    &s->processes, &s->denied, &s->stdout_bytes, &s->stderr_bytes};
	for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++)
		*fields[i] = get_u64(in + (size_t)8 * i);
}
