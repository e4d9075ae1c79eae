/* The live line on stderr. */
#include "command/run_live.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SPARSE_MS = 60000 };

/* Whole units: the line is to be read at a glance. */
static const char *size(uint64_t bytes, char out[32])
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
	size_t u = 0;
	if (bytes == LIMIT_NONE)
		return "?";
	while (u + 1 < sizeof units / sizeof *units && bytes >= 1024) {
		bytes /= 1024;
		u++;
	}
	(void)snprintf(out, 32, "%" PRIu64 "%s", bytes, units[u]);
	return out;
}

char *live_text(const struct live *l, const struct sample *s, char out[256])
{
	const uint64_t *limit = l->task->limit;
	char mem[32], mem_limit[32], written[32], out_limit[32], wall[32], denied[32] = "?";

	if (s->denied != LIMIT_NONE)
		(void)snprintf(denied, sizeof denied, "%" PRIu64, s->denied);
	(void)snprintf(out, 256, "%s  candidate  %" PRIu64 "s/%s  mem %s/%s  out %s/%s  denied %s", l->who,
	    s->elapsed_ms / 1000, unit_format(UNIT_TIME, limit[OPTION_WALL_TIME], wall),
	    size(s->memory_bytes, mem), unit_format(UNIT_SIZE, limit[OPTION_MEMORY], mem_limit),
	    size(s->output_bytes, written), unit_format(UNIT_SIZE, limit[OPTION_OUTPUT_BYTES], out_limit),
	    denied);
	return out;
}

void live_start(struct live *l, const char *who, const struct task *task)
{
	memset(l, 0, sizeof *l);
	l->who = who;
	l->task = task;
	l->terminal = isatty(STDERR_FILENO) == 1;
	l->next_ms = SPARSE_MS;
}

void live_show(struct live *l, const struct sample *s)
{
	char text[256];
	if (l->terminal) {
		(void)fprintf(stderr, "\r%s\033[K", live_text(l, s, text));
		(void)fflush(stderr);
		l->drawn = true;
	} else if (s->elapsed_ms != LIMIT_NONE && s->elapsed_ms >= l->next_ms) {
		(void)fprintf(stderr, "%s\n", live_text(l, s, text));
		l->next_ms = s->elapsed_ms + SPARSE_MS;
	}
}

void live_end(struct live *l)
{
	if (l->drawn)
		(void)fputs("\r\033[K", stderr);
	l->drawn = false;
}
