/* Parsers of the kernel's figures. Pure; hostile text is refused, never trusted. */
#include "core/figures.h"

#include <errno.h>
#include <string.h>

#include "wire/limits.h"

/* Digits at *at up to end; LIMIT_NONE if none or too many. Moves *at behind them. */
static uint64_t digits(const char **at, const char *end)
{
	const char *p = *at;
	uint64_t v = 0;

	for (; p < end && *p >= '0' && *p <= '9'; p++) {
		uint64_t d = (uint64_t)(*p - '0');
		if (v > ((uint64_t)INT64_MAX - d) / 10)
			return LIMIT_NONE;
		v = v * 10 + d;
	}
	if (p == *at)
		return LIMIT_NONE;
	*at = p;
	return v;
}

uint64_t figure_alone(const char *text, size_t n)
{
	const char *at = text, *end = text + n;
	uint64_t v = digits(&at, end);

	if (at < end && *at == '\n')
		at++;
	return at == end ? v : LIMIT_NONE;
}

uint64_t figure_keyed(const char *text, size_t n, const char *key)
{
	size_t length = strlen(key);
	const char *at = text, *end = text + n;

	while (at < end) {
		const char *line = memchr(at, '\n', (size_t)(end - at));
		const char *stop = line ? line : end;
		if ((size_t)(stop - at) > length && memcmp(at, key, length) == 0 && at[length] == ' ')
			return figure_alone(at + length + 1, (size_t)(stop - at) - length - 1);
		at = line ? line + 1 : end;
	}
	return LIMIT_NONE;
}

/* The fields of proc_pid_stat(5) that are wanted, counted from field 3, the first behind the name. */
enum { PARENT = 4, UTIME = 14, STIME = 15, CUTIME = 16, CSTIME = 17, THREADS = 20, RESIDENT = 24 };

int figure_process(const char *text, size_t n, struct process_stat *s)
{
	const char *at = NULL, *end = text + n;
	uint64_t field[RESIDENT + 1] = {0};

	for (size_t i = n; i > 0 && !at; i--)
		if (text[i - 1] == ')')
			at = text + i;
	if (!at || end - at < 4 || at[0] != ' ' || at[2] != ' ')
		return -EINVAL;
	s->state = at[1];
	at += 3;
	for (int i = PARENT; i <= RESIDENT; i++) {
		if (at < end && *at == '-') /* tpgid, priority: signed, and not wanted */
			at++;
		field[i] = digits(&at, end);
		/* Addresses and limits may be above 2^63; none of those is wanted, and none comes before. */
		if (field[i] == LIMIT_NONE)
			return -EINVAL;
		if (i < RESIDENT && (at == end || *at++ != ' '))
			return -EINVAL;
	}
	s->parent = field[PARENT];
	s->ticks = field[UTIME] + field[STIME];
	s->reaped_ticks = field[CUTIME] + field[CSTIME];
	s->threads = field[THREADS];
	s->resident = field[RESIDENT];
	return 0;
}
