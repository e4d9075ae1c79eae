/* limits, require, syscalls of a task, and the rule that holds them together: scratch must fit into memory. */
#include "intake/task_build.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "wire/profile.h"

enum { PAGE = 4096 };
#define MEMORY_KEPT_FREE MIB(32)

static int limit(struct builder *b, enum option o, const char *text)
{
	const struct option_row *row = &option_table[o];
	static const char *const forms[] = {[UNIT_COUNT] = "expected a whole number",
	    [UNIT_SIZE] = "expected a size such as 64MiB or 1GiB",
	    [UNIT_TIME] = "expected a time such as 500ms, 60s or 2h",
	    [UNIT_MILLI] = "expected a number such as 1 or 0.5",
	    [UNIT_OCTAL] = "expected octal digits"};
	char least[32], most[32], range[128];
	int r = option_number(o, text, &b->task->limit[o]);
	if (r == 0)
		return 0;
	if (r == -EINVAL)
		return bad(b, text, forms[row->unit], "limits.%s", row->name);
	if (row->max == LIMIT_HOST)
		(void)snprintf(
		    range, sizeof range, "must be at least %s", unit_format(row->unit, row->min, least));
	else
		(void)snprintf(range, sizeof range, "must lie between %s and %s",
		    unit_format(row->unit, row->min, least), unit_format(row->unit, row->max, most));
	return bad(b, text, range, "limits.%s", row->name);
}

/* Tmpfs counts as memory: together they must leave the candidate and init some. */
static int fit_scratch(struct builder *b)
{
	struct task *t = b->task;
	uint64_t *each = &t->limit[OPTION_SCRATCH_BYTES], memory = t->limit[OPTION_MEMORY];
	char one[32], all[32], text[192];
	if (*each == LIMIT_NONE)
		*each = memory / 16 / PAGE * PAGE;
	uint64_t room = memory - MEMORY_KEPT_FREE;
	if (t->scratch_count == 0 || *each <= room / t->scratch_count)
		return 0;
	(void)snprintf(text, sizeof text, "%zu scratch trees of %s do not fit into memory %s less 32MiB",
	    t->scratch_count, unit_format(UNIT_SIZE, *each, one), unit_format(UNIT_SIZE, memory, all));
	return bad(b, NULL, text, "limits.scratch-bytes");
}

static int requirements(struct builder *b)
{
	for (unsigned i = 0; i < b->yaml->require_count; i++) {
		const char *name = b->yaml->require[i];
		enum requirement r = requirement_find(name, strlen(name));
		if (r == REQUIRE_END)
			return bad(b, name, "not a fact that can be required; proctor-task(5) lists them",
			    "require");
		if (b->task->require & 1u << r)
			return bad(b, name, "written twice", "require");
		b->task->require |= 1u << r;
	}
	return 0;
}

static int syscalls(struct builder *b)
{
	static char ml[] = "ml";
	const char *name = b->yaml->syscalls;

	b->task->syscalls = b->yaml->syscalls ? b->yaml->syscalls : ml;
	if (name && policy_profile_from_name(name) < 0)
		return bad(b, name, "expected " POLICY_PROFILE_WORDS, "syscalls");
	return 0;
}

int build_limits(struct builder *b)
{
	const struct yaml_limits *y = b->yaml->limits;
	for (unsigned o = 0; o < OPTION_END; o++) {
		b->task->limit[o] = LIMIT_NONE;
		if (!(option_table[o].where & ON_TASK))
			continue;
		b->task->limit[o] = option_table[o].preset;
		if (y && y->value[o] && limit(b, (enum option)o, y->value[o]) < 0)
			return -1;
	}
	if (b->task->limit[OPTION_GPUS] > 0)
		cannot(b, "limits.gpus");
	if (fit_scratch(b) < 0 || requirements(b) < 0)
		return -1;
	return syscalls(b);
}
