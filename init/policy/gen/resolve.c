/*
 * Table against library: every name must have a real number on every architecture it claims, every call the library
 * knows must have a line. A name that is newer than the library resolves to a pseudo number there, and its rule would
 * silently be dropped; so numbers are taken from the library's table and nowhere else.
 */
#include <seccomp.h>
#include <stdlib.h>
#include <string.h>

#include "policy/gen/gen.h"

enum { NUMBERS = 1024 }; /* far above any number of the two architectures */

size_t call_line_index(const char *name)
{
	for (size_t i = 0; i < call_line_count; i++)
		if (strcmp(call_lines[i].name, name) == 0)
			return i;
	die("arguments.h speaks of %s, the table does not", name);
}

static void check_line(const struct call_line *line)
{
	unsigned all = (1u << POLICY_TREES) - 1;

	if (line->reason[0] == '\0')
		die("%s has no reason", line->name);
	if ((line->profiles == all) != (line->otherwise == 0))
		die("%s: NEVER and ALL go together", line->name);
	if (line->where == WHERE_NEWER && line_answer(line, POLICY_ML) != UNKNOWN_ANSWER)
		die("%s: above the last number everything is ENOSYS", line->name);
	if (call_line_index(line->name) != (size_t)(line - call_lines))
		die("%s has two lines", line->name);
}

static int resolve(const struct target *t, const struct call_line *line)
{
	int number = seccomp_syscall_resolve_name_arch(t->token, line->name);
	bool exists = line->where == WHERE_ANY || (line->where == WHERE_X86 && t->x86);

	if (line->where == WHERE_NEWER)
		return -1;
	if (exists && (number < 0 || number >= NUMBERS))
		die("%s: %s has no number in the library's table (%d)", t->name, line->name, number);
	if (!exists && number >= 0)
		die("%s: %s is marked X86 but has number %d", t->name, line->name, number);
	return exists ? number : -1;
}

/* Every number the library has a name for is some line's, or lies above the last one and is marked so. */
static void check_complete(const struct target *t)
{
	for (int number = 0; number < NUMBERS; number++) {
		char *name = seccomp_syscall_resolve_num_arch(t->token, number);
		size_t i = 0;

		if (name == NULL)
			continue;
		while (i < call_line_count && strcmp(call_lines[i].name, name) != 0)
			i++;
		if (i == call_line_count)
			die("%s: no line for %s (%d)", t->name, name, number);
		if (call_lines[i].where == WHERE_NEWER ? number <= t->last : t->number[i] != number)
			die("%s: the line of %s is not about number %d", t->name, name, number);
		free(name);
	}
}

void target_resolve(struct target *t)
{
	t->number = calloc(call_line_count, sizeof *t->number);
	if (t->number == NULL)
		die("out of memory");
	for (size_t i = 0; i < call_line_count; i++) {
		check_line(&call_lines[i]);
		t->number[i] = resolve(t, &call_lines[i]);
		if (t->number[i] > t->last)
			t->last = (uint16_t)t->number[i];
	}
	check_complete(t);
}
