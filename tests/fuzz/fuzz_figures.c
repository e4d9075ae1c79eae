/* Fuzzes what reads the kernel's text: single numbers, keyed numbers, and a process's stat line with a hostile name. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/figures.h"
#include "wire/limits.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const keys[] = {"oom_kill", "oom", "usage_usec"};
	/* An exact copy: a sanitizer sees the first byte too far. */
	char *text = malloc(size ? size : 1);
	struct process_stat s;

	if (!text)
		return 0;
	if (size)
		memcpy(text, data, size);
	uint64_t v = figure_alone(text, size);
	if (v != LIMIT_NONE && v > INT64_MAX)
		abort();
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		v = figure_keyed(text, size, keys[i]);
		if (v != LIMIT_NONE && v > INT64_MAX)
			abort();
	}
	if (figure_process(text, size, &s) == 0 && s.threads == LIMIT_NONE)
		abort();
	free(text);
	return 0;
}
