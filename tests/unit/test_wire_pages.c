/*
 * The manual pages against the tables that the programs are built from: every verdict under its class in
 * proctor-verdicts(7), every option in proctor-init(8), every limit with its range in proctor-task(5); and nothing there
 * that is not in a table. Runs from the top of the tree.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire/limits.h"
#include "wire/require.h"
#include "wire/verdict.h"

enum { PAGE = 1 << 17 };

static char page[PAGE];

static void read_page(const char *path)
{
	FILE *file = fopen(path, "r");
	size_t n;

	if (!file)
		fail_msg("%s cannot be read: run this from the top of the tree", path);
	n = fread(page, 1, sizeof page - 1, file);
	assert_true(n > 0 && n < sizeof page - 1);
	page[n] = '\0';
	assert_int_equal(fclose(file), 0);
}

/* The line after `at` that is exactly, or begins with, that text; NULL without. */
static const char *line(const char *at, const char *text, int whole)
{
	size_t n = strlen(text);

	for (; at && *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
		if (strncmp(at, text, n) == 0 && (!whole || at[n] == '\n'))
			return at;
	return NULL;
}

static void verdicts(void **state)
{
	static const char *const sections[] = {[CLASS_SCORED] = ".Sh SCORED",
	    [CLASS_SUBMISSION] = ".Sh THE SUBMISSION'S OWN",
	    [CLASS_INFRASTRUCTURE] = ".Sh INFRASTRUCTURE",
	    [CLASS_EVALUATOR] = ".Sh THE TASK OR THE EVALUATOR"};
	char wanted[64];
	unsigned items = 0;

	(void)state;
	read_page("scorer-host/man/proctor-verdicts.7");
	for (unsigned v = VERDICT_NONE + 1; v < VERDICT_END; v++) {
		const char *section = line(page, sections[verdict_class((enum verdict)v)], 1), *item, *end;
		assert_non_null(section);
		(void)snprintf(wanted, sizeof wanted, ".It Li %s", verdict_name((enum verdict)v));
		item = line(section, wanted, 1);
		end = strstr(section, "\n.El");
		if (!item || !end || item > end) {
			fail_msg("%s is not under %s", wanted, sections[verdict_class((enum verdict)v)]);
			return;
		}
		assert_null(line(item + 1, wanted, 1));
		/* What it means, and what to do. */
		end = strstr(item + 1, "\n.It");
		item = strstr(item, "\n.Em What to do :\n");
		if (!item || (end && item > end))
			fail_msg("%s does not say what to do", wanted);
	}
	for (const char *at = page; (at = strstr(at, "\n.It Li ")); at++) {
		char name[64] = "";
		(void)sscanf(at, "\n.It Li %63s", name);
		if (name[0] >= 'A' && name[0] <= 'Z') {
			items++;
			if (verdict_from_name(name) == VERDICT_NONE)
				fail_msg("%s is no verdict", name);
		}
	}
	assert_int_equal(items, VERDICT_END - 1);
	/* The short list of scorer-host(1) holds them all too. */
	read_page("scorer-host/man/scorer-host.1");
	for (unsigned v = VERDICT_NONE + 1; v < VERDICT_END; v++)
		if (!strstr(page, verdict_name((enum verdict)v)))
			fail_msg("%s is not in scorer-host(1)", verdict_name((enum verdict)v));
}

static void options(void **state)
{
	char wanted[64];

	(void)state;
	read_page("init/man/proctor-init.8");
	for (unsigned o = 0; o < OPTION_END; o++) {
		if (!(option_table[o].where & ON_ARGV))
			continue;
		(void)snprintf(wanted, sizeof wanted, ".It Fl -%s ", option_table[o].name);
		if (!line(page, wanted, 0))
			fail_msg("%s is not in proctor-init(8)", option_table[o].name);
	}
	for (const char *at = page; (at = strstr(at, "\n.It Fl -")); at++) {
		char name[64] = "";
		(void)sscanf(at, "\n.It Fl -%63[a-z-]", name);
		if (option_find(name, strlen(name), ON_ARGV) == OPTION_END)
			fail_msg("--%s of proctor-init(8) is no option", name);
	}
}

/* ".It Ic wall-time Ta 10m Ta 100ms Ta 7d": default, least and most as the table has them. */
static void limits(void **state)
{
	unsigned rows = 0;

	(void)state;
	read_page("scorer-host/man/proctor-task.5");
	for (unsigned o = 0; o < OPTION_END; o++) {
		const struct option_row *row = &option_table[o];
		char wanted[128], preset[32], least[32], most[32];
		const char *item;

		if (!(row->where & ON_TASK) || row->kind != VALUE_NUMBER)
			continue;
		rows++;
		(void)snprintf(wanted, sizeof wanted, ".It Ic %s Ta ", row->name);
		item = line(page, wanted, 0);
		if (!item) {
			fail_msg("%s is not in proctor-task(5)", row->name);
			return;
		}
		/* A sixteenth of memory has no number in the table. */
		(void)snprintf(wanted, sizeof wanted, ".It Ic %s Ta %s Ta %s Ta ", row->name,
		    o == OPTION_SCRATCH_BYTES	? "memory/16"
		    : row->preset == LIMIT_NONE ? "none"
						: unit_format(row->unit, row->preset, preset),
		    unit_format(row->unit, row->min, least));
		if (strncmp(item, wanted, strlen(wanted)) != 0)
			fail_msg("proctor-task(5) does not say: %s", wanted);
		item += strlen(wanted);
		if (row->max != LIMIT_HOST) {
			unit_format(row->unit, row->max, most);
			if (strncmp(item, most, strlen(most)) != 0 || item[strlen(most)] != '\n')
				fail_msg(
				    "proctor-task(5) does not say that %s is %s at most", row->name, most);
		}
	}
	for (const char *at = page; (at = strstr(at, "\n.It Ic ")); at++) {
		char name[64] = "", ta[3] = "";
		if (sscanf(at, "\n.It Ic %63s %2s", name, ta) == 2 && strcmp(ta, "Ta") == 0)
			rows--;
	}
	assert_int_equal(rows, 0);
	for (unsigned r = 0; r < REQUIRE_END; r++)
		if (!strstr(page, requirement_name((enum requirement)r)))
			fail_msg("%s is not in proctor-task(5)", requirement_name((enum requirement)r));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(verdicts),
	    cmocka_unit_test(options),
	    cmocka_unit_test(limits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
