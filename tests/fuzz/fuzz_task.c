/* task.yaml from any bytes: either a whole task, or a message; never anything in between, and nothing is leaked. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "intake/task_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct task t;
	struct fault f;
	char *text = malloc(size ? size : 1);
	require(text != NULL);
	memcpy(text, data, size);
	if (task_parse("folder", text, size, &t, &f) == 0) {
		require(t.name && t.version && t.truth && t.output_table && t.syscalls && t.sha256[63]);
		require(t.input_count && t.id_count && t.column_count && t.metric_count && t.selfcheck_count);
		for (size_t i = 0; i < t.metric_count; i++)
			require(t.metric[i].column < t.column_count && t.metric[i].truth);
		require(!strchr(t.output_table, '/'));
		task_free(&t);
	} else {
		require(f.verdict == VERDICT_TASK_INVALID && f.what[0] && !t.memory);
	}
	free(text);
	return 0;
}
