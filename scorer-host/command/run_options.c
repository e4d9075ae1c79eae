/* The command line of scorer-host run. */
#include "command/run.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool may_limit(enum option o)
{
	return (option_table[o].where & ON_TASK) && option_table[o].kind == VALUE_NUMBER;
}

void run_help(FILE *out)
{
	(void)fputs("usage: scorer-host run --task DIR --rootfs DIR [OPTION...] [-- CMD ARG...]\n\n"
		    "Runs one submission against a task in a sealed container, scores its table, and leaves "
		    "evidence.\n"
		    "Needs root. The folders given are never written to.\n\n"
		    "  --task DIR           the task: a folder with task.yaml (proctor-task(5))\n"
		    "  --rootfs DIR         the submission: a root filesystem as a folder\n"
		    "  --submission WHO/N   whose, and which one, e.g. team07/3: a decided one is not run "
		    "again\n"
		    "  --again              run it again nevertheless\n"
		    "  --limit NAME=VALUE   another limit than the task's; may be repeated\n"
		    "  --engine NAME        runc (the default)\n"
		    "  --init PATH          proctor-init, when it is not beside scorer-host\n"
		    "  --home DIR           where runs and the signing key are kept: $PROCTOR_HOME, else "
		    "/var/lib/proctor\n"
		    "  --run-dir DIR        put the run directory exactly there; it must not exist\n"
		    "  --json               one JSON object on stdout instead of text\n"
		    "  -- CMD ARG...        the command, when it is not the task's\n\n"
		    "limits:",
	    out);
	for (unsigned o = 0, column = 7; o < OPTION_END; o++) {
		size_t n = strlen(option_table[o].name);
		if (!may_limit((enum option)o))
			continue;
		column += (unsigned)n + 1;
		(void)fprintf(out, "%s %s", column > 100 ? "\n       " : "", option_table[o].name);
		column = column > 100 ? 8 + (unsigned)n : column;
	}
	(void)fputs(
	    "\n\nexit status: 0 scored, 1 the submission failed, 2 usage, 3 infrastructure (safe to retry),\n"
	    "4 task or evaluator at fault, 130 cancelled\n",
	    out);
}

/* What stands in the fault, with where to look. Always -1. */
static int see_help(struct fault *fault)
{
	return fault_hint(fault, "scorer-host run --help lists the options");
}

static int usage(struct fault *fault, const char *what, const char *word)
{
	(void)fault_set(fault, VERDICT_NONE, "%s%s%s", word, *word ? ": " : "", what);
	return see_help(fault);
}

static int no_limit(const char *text, struct fault *fault)
{
	char names[400] = "the limits are";

	for (unsigned o = 0; o < OPTION_END; o++) {
		size_t n = strlen(names);
		if (may_limit((enum option)o))
			(void)snprintf(names + n, sizeof names - n, " %s", option_table[o].name);
	}
	(void)fault_set(fault, VERDICT_NONE, "--limit %s: %s", text,
	    strchr(text, '=') ? "no such limit" : "expected NAME=VALUE");
	return fault_hint(fault, "%s", names);
}

static int limit(struct run_options *o, const char *text, struct fault *fault)
{
	static const char *const forms[] = {[UNIT_COUNT] = "expected a whole number",
	    [UNIT_SIZE] = "expected a size such as 64MiB or 1GiB",
	    [UNIT_TIME] = "expected a time such as 500ms, 60s or 2h",
	    [UNIT_MILLI] = "expected a number such as 1 or 0.5",
	    [UNIT_OCTAL] = "expected octal digits"};
	const char *equals = strchr(text, '=');
	enum option which = equals ? option_find(text, (size_t)(equals - text), ON_TASK) : OPTION_END;
	const struct option_row *row;
	char least[32], most[32];
	int r;

	if (which == OPTION_END || !may_limit(which))
		return no_limit(text, fault);
	row = &option_table[which];
	if (o->limit[which] != LIMIT_NONE) {
		(void)fault_set(fault, VERDICT_NONE, "--limit %s: %s is given twice", text, row->name);
		return see_help(fault);
	}
	r = option_number(which, equals + 1, &o->limit[which]);
	if (r == 0)
		return 0;
	if (r == -ERANGE)
		(void)fault_set(fault, VERDICT_NONE, "--limit %s: out of range, %s to %s", text,
		    unit_format(row->unit, row->min, least),
		    row->max == LIMIT_HOST ? "what the host has" : unit_format(row->unit, row->max, most));
	else
		(void)fault_set(fault, VERDICT_NONE, "--limit %s: %s", text, forms[row->unit]);
	return see_help(fault);
}

static bool submission_fits(const char *s)
{
	size_t n = 0;
	if (!isalnum((unsigned char)*s))
		return false;
	while (isalnum((unsigned char)s[n]) || (s[n] && strchr("._-", s[n])))
		n++;
	if (n > 64 || s[n] != '/')
		return false;
	s += n + 1;
	n = strspn(s, "0123456789");
	return n > 0 && n < 10 && s[n] == '\0';
}

static int value(struct run_options *o, const char *name, const char *text, struct fault *fault)
{
	static const char *const later[] = {"--image", "--files"};
	const struct {
		const char *name;
		const char **to;
	} words[] = {{"--task", &o->task}, {"--rootfs", &o->rootfs}, {"--submission", &o->submission},
	    {"--engine", &o->engine}, {"--run-dir", &o->run_dir}, {"--home", &o->home}, {"--init", &o->init}};

	for (size_t i = 0; i < sizeof later / sizeof *later; i++)
		if (strcmp(name, later[i]) == 0) {
			(void)fault_set(fault, VERDICT_NONE, "%s is not in this build", name);
			return fault_hint(fault, "unpack the image and give its folder to --rootfs");
		}
	if (strcmp(name, "--limit") == 0)
		return text ? limit(o, text, fault) : usage(fault, "a value is missing", name);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (strcmp(name, words[i].name) != 0)
			continue;
		if (!text || !*text)
			return usage(fault, "a value is missing", name);
		if (*words[i].to)
			return usage(fault, "given twice", name);
		*words[i].to = text;
		return 0;
	}
	return usage(fault, name[0] == '-' ? "no such option" : "unexpected argument", name);
}

static int required(const struct run_options *o, struct fault *fault)
{
	if (!o->task)
		return usage(fault, "--task DIR is missing", "");
	if (!o->rootfs)
		return usage(fault, "--rootfs DIR is missing", "");
	if (o->submission && !submission_fits(o->submission)) {
		(void)fault_set(fault, VERDICT_NONE,
		    "--submission %s: not of the form WHO/N, e.g. team07/3: letters, digits, . _ and -, then "
		    "a number",
		    o->submission);
		return see_help(fault);
	}
	return 0;
}

int run_options_read(int argc, char **argv, struct run_options *o, struct fault *fault)
{
	memset(o, 0, sizeof *o);
	for (unsigned i = 0; i < OPTION_END; i++)
		o->limit[i] = LIMIT_NONE;
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "--") == 0)
			break;
		else if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
			o->help = true;
		else if (strcmp(argv[i], "--json") == 0)
			o->json = true; /* before anything is refused, so that refusals are told in it */
	for (int i = 1, json = 0; i < argc && !o->help; i++) {
		if (strcmp(argv[i], "--") == 0) {
			if (i + 1 == argc)
				return usage(fault, "no command behind it", "--");
			o->command = argv + i + 1;
			break;
		}
		if (strcmp(argv[i], "--json") == 0) {
			if (json++)
				return usage(fault, "given twice", argv[i]);
			continue;
		}
		if (strcmp(argv[i], "--again") == 0) {
			if (o->again)
				return usage(fault, "given twice", argv[i]);
			o->again = true;
			continue;
		}
		if (value(o, argv[i], i + 1 < argc && strcmp(argv[i + 1], "--") != 0 ? argv[i + 1] : NULL,
			fault) < 0)
			return -1;
		i++;
	}
	return o->help ? 0 : required(o, fault);
}
