/* Mappings. Pure. */
#include "core/mapping.h"

#include <errno.h>
#include <string.h>

#include "core/figures.h"
#include "wire/limits.h"

/* Hexadecimal digits up to `end`, which is passed over. False when there are none, too many, or another end. */
static bool hex(char **at, char end, uint64_t *value)
{
	char *p = *at;
	uint64_t v = 0;

	for (; (*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'f'); p++) {
		if (v >> 60)
			return false;
		v = v << 4 | (uint64_t)(*p <= '9' ? *p - '0' : *p - 'a' + 10);
	}
	if (p == *at || *p != end)
		return false;
	*at = p + 1;
	*value = v;
	return true;
}

int mapping_parse(char *line, struct mapping *m)
{
	static const char mark[] = " (deleted)";
	uint64_t first, last, offset, major, minor;
	char *at = line;
	size_t n;

	if (!hex(&at, '-', &first) || !hex(&at, ' ', &last) || last < first)
		return -EBADMSG;
	if (strlen(at) < 5 || at[4] != ' ')
		return -EBADMSG;
	at += 5;
	if (!hex(&at, ' ', &offset) || !hex(&at, ':', &major) || !hex(&at, ' ', &minor))
		return -EBADMSG;
	n = strspn(at, "0123456789");
	m->inode = figure_alone(at, n);
	if (m->inode == LIMIT_NONE || __builtin_add_overflow(offset, last - first, &m->reach))
		return -EBADMSG;
	at += n;
	at += strspn(at, " ");
	n = strlen(at);
	m->device = major << 32 | minor;
	m->path = at;
	m->nameless = m->inode && n > sizeof mark - 1 && strcmp(at + n - (sizeof mark - 1), mark) == 0;
	return 0;
}

uint64_t mapping_in_flight(const char *text, size_t n)
{
	static const char key[] = "scm_fds: ";
	const char *at = text, *end = text + n;

	while (at < end) {
		const char *line = memchr(at, '\n', (size_t)(end - at)), *stop = line ? line : end;
		if ((size_t)(stop - at) > sizeof key - 1 && memcmp(at, key, sizeof key - 1) == 0) {
			uint64_t v =
			    figure_alone(at + sizeof key - 1, (size_t)(stop - at) - (sizeof key - 1));
			return v == LIMIT_NONE ? 1 : v;
		}
		at = line ? line + 1 : end;
	}
	return 0;
}
