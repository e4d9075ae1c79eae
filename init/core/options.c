/* The parser of options. Pure: it reads words and writes a plan, or a message that says what is wrong. */
#include "core/options.h"

#include <errno.h>
#include <string.h>

#include "core/text.h"
#include "core/words.h"
#include "wire/profile.h"

struct parser {
	struct plan *plan;
	struct text message;
};

static int refuse(struct parser *p, enum option o, const char *value, const char *expected)
{
	text_add(&p->message, "--");
	text_add(&p->message, option_table[o].name);
	if (value) {
		text_add(&p->message, " ");
		text_quoted(&p->message, value, 60);
	}
	text_add(&p->message, ": ");
	text_add(&p->message, expected);
	return -EINVAL;
}

void plan_start(struct plan *plan)
{
	memset(plan, 0, sizeof *plan);
	for (unsigned o = 0; o < OPTION_END; o++)
		plan->number[o] = LIMIT_NONE;
	plan->network = NETWORK_UNSET;
	plan->profile = words_default_profile();
}

/* "expects a size from 64KiB to 1TiB, such as 64MiB" */
static int bad_number(struct parser *p, enum option o, const char *value, int error)
{
	static const char *const kinds[] = {
	    [UNIT_COUNT] = "a whole number",
	    [UNIT_SIZE] = "a size in B, KiB, MiB, GiB, TiB or EiB",
	    [UNIT_TIME] = "a time in ms, s, m, h or d",
	    [UNIT_MILLI] = "a number with up to three decimals",
	    [UNIT_OCTAL] = "an octal mode",
	};
	const struct option_row *row = &option_table[o];
	char expected[160], bound[32];
	struct text t;

	text_start(&t, expected, sizeof expected);
	text_add(&t, error == -ERANGE ? "out of range; expects " : "expects ");
	text_add(&t, kinds[row->unit]);
	if (row->min > 0 || row->max < LIMIT_HOST) {
		text_add(&t, row->max < LIMIT_HOST ? " from " : " of at least ");
		text_add(&t, unit_format(row->unit, row->min, bound));
	}
	if (row->max < LIMIT_HOST) {
		text_add(&t, " to ");
		text_add(&t, unit_format(row->unit, row->max, bound));
	}
	return refuse(p, o, value, expected);
}

static int take_number(struct parser *p, enum option o, const char *value)
{
	int r = option_number(o, value, &p->plan->number[o]);
	return r < 0 ? bad_number(p, o, value, r) : 0;
}

static int absolute(const char *path)
{
	return path[0] == '/' && strlen(path) < 4096;
}

static int take_carrier(struct parser *p, enum option o, const char *value, struct carrier *c)
{
	switch (words_carrier(value, o == OPTION_RECORD, c)) {
	case 0:
		return 0;
	case -ENOTSUP:
		return refuse(p, o, value, "this build knows no such carrier; expects unix:/PATH");
	default:
		return refuse(p, o, value,
		    o == OPTION_RECORD ? "expects fd:N, file:PATH or stderr" : "expects unix:/PATH");
	}
}

static int take_profile(struct parser *p, const char *value)
{
	return words_profile(value, &p->plan->profile) == 0
		   ? 0
		   : refuse(p, OPTION_SYSCALLS, value, "expects " POLICY_PROFILE_WORDS);
}

static int take_names(struct parser *p, enum option o, const char *value, int *numbers, unsigned *count)
{
	const char *wrong;

	switch (words_calls(value, numbers, count, &wrong)) {
	case 0:
		break;
	case -E2BIG:
		return refuse(p, o, NULL, "too many names; at most 64 fit");
	default:
		return refuse(p, o, wrong, "starts with a name that is no system call of this table");
	}
	for (unsigned i = 0; o == OPTION_DENY && i < *count; i++)
		if (words_call_needed(numbers[i]))
			return refuse(p, o, value, "names a call that starting the command itself needs");
	return 0;
}

static int take_require(struct parser *p, const char *value)
{
	const char *wrong;

	switch (words_require(value, &p->plan->require, &wrong)) {
	case 0:
		return 0;
	case -ENOTSUP:
		return refuse(p, OPTION_REQUIRE, wrong, "starts with a fact that only the host can decide");
	default:
		return refuse(p, OPTION_REQUIRE, wrong,
		    "starts with no known fact; expects separate-uid, no-caps, no-new-privs, landlock, "
		    "seccomp, "
		    "pid-namespace, no-network, read-only-root, exact-output, exact-memory or exact-cpu");
	}
}

static int take_path(struct parser *p, enum option o, const char *value)
{
	if (!absolute(value))
		return refuse(p, o, value, "expects an absolute path");
	if (o == OPTION_SCRATCH) {
		if (p->plan->scratches == PLAN_SCRATCHES)
			return refuse(p, o, value, "too many; at most 8 fit");
		p->plan->scratch[p->plan->scratches++] = value;
	}
	return 0;
}

static int take_env(struct parser *p, const char *value)
{
	if (value[0] == '=' || !strchr(value, '='))
		return refuse(p, OPTION_ENV, value, "expects NAME=VALUE");
	if (p->plan->envs == PLAN_ENVS)
		return refuse(p, OPTION_ENV, value, "too many; at most 256 fit");
	p->plan->env[p->plan->envs++] = value;
	return 0;
}

static int take_text(struct parser *p, enum option o, const char *value)
{
	struct plan *plan = p->plan;

	switch ((unsigned)o) {
	case OPTION_OUTPUT:
	case OPTION_SCRATCH:
	case OPTION_WORKDIR:
		return take_path(p, o, value);
	case OPTION_LOG_OVER:
		plan->kill_on_log = strcmp(value, "kill") == 0;
		return plan->kill_on_log || strcmp(value, "drop") == 0
			   ? 0
			   : refuse(p, o, value, "expects drop or kill");
	case OPTION_NETWORK:
		plan->network = strcmp(value, "loopback") == 0 ? NETWORK_LOOPBACK : NETWORK_NONE;
		return plan->network == NETWORK_LOOPBACK || strcmp(value, "none") == 0
			   ? 0
			   : refuse(p, o, value, "expects none or loopback");
	case OPTION_SYSCALLS:
		return take_profile(p, value);
	case OPTION_ALLOW:
		return take_names(p, o, value, plan->allow, &plan->allows);
	case OPTION_DENY:
		return take_names(p, o, value, plan->deny, &plan->denies);
	case OPTION_ENV:
		return take_env(p, value);
	case OPTION_KEEP_ENV:
		return *value && !strchr(value, '=') ? 0 : refuse(p, o, value, "expects NAME,...");
	case OPTION_REQUIRE:
		return take_require(p, value);
	case OPTION_TICKET:
		return take_carrier(p, o, value, &plan->ticket);
	case OPTION_REPORT:
		return take_carrier(p, o, value, &plan->report);
	case OPTION_RECORD:
		return take_carrier(p, o, value, &plan->record);
	case OPTION_RUN:
		return words_run(value, plan->run) == 0
			   ? 0
			   : refuse(p, o, value, "expects 1 to 64 of A-Z a-z 0-9 . _ -");
	case OPTION_KEY:
		plan->keyed = key_parse(value, plan->key) == 0;
		/* The value stays out of the message. */
		return plan->keyed ? 0 : refuse(p, o, NULL, "expects 64 lower-case hex digits");
	default:
		return refuse(p, o, value, "is not honoured by this build");
	}
}

static bool given(const struct plan *plan, enum option o)
{
	return option_table[o].kind == VALUE_NUMBER ? plan->number[o] != LIMIT_NONE : plan->text[o] != NULL;
}

static int take(struct parser *p, enum option o, const char *value)
{
	const struct option_row *row = &option_table[o];

	if (!value || strcmp(value, "--") == 0)
		return refuse(p, o, NULL, "needs a value");
	if (!(row->where & ON_MANY) && given(p->plan, o))
		return refuse(p, o, NULL, "given twice");
	if (row->kind == VALUE_NUMBER)
		return take_number(p, o, value);
	if (strlen(value) >= 4096 && o != OPTION_ENV)
		return refuse(p, o, value, "is too long");
	p->plan->text[o] = value;
	return take_text(p, o, value);
}

static int unknown(struct parser *p, unsigned where, const char *word)
{
	text_quoted(&p->message, word, 60);
	if (strncmp(word, "--", 2) != 0)
		text_add(&p->message, ": not an option; the command goes behind --");
	else
		text_add(&p->message,
		    where == ON_TICKET ? ": no option of a ticket" : ": no such option; --help lists them");
	return -EINVAL;
}

int options_parse(struct plan *plan, unsigned where, char *const *words, char message[OPTIONS_MESSAGE])
{
	struct parser p = {.plan = plan};

	text_start(&p.message, message, OPTIONS_MESSAGE);
	for (; *words; words++) {
		const char *name = *words + 2, *value = strchr(*words, '=');
		size_t length;
		enum option o;
		int r;

		if (strcmp(*words, "--") == 0) {
			if (!plan->command && words[1])
				plan->command = words + 1;
			return OPTIONS_RUN;
		}
		if (where == ON_ARGV && strcmp(*words, "--help") == 0)
			return OPTIONS_HELP;
		if (where == ON_ARGV && strcmp(*words, "--version") == 0)
			return OPTIONS_VERSION;
		if (strncmp(*words, "--", 2) != 0)
			return unknown(&p, where, *words);
		length = value ? (size_t)(value - name) : strlen(name);
		o = option_find(name, length, where);
		if (o == OPTION_END)
			return unknown(&p, where, *words);
		r = take(&p, o, value ? value + 1 : words[1]);
		if (r < 0)
			return r;
		if (!value)
			words++;
	}
	return OPTIONS_RUN;
}

int options_complete(const struct plan *plan, bool ticketed, char message[OPTIONS_MESSAGE])
{
	struct parser p = {.plan = NULL};
	bool host = plan->ticket.kind != CARRIER_NONE;

	text_start(&p.message, message, OPTIONS_MESSAGE);
	if (host != (plan->report.kind != CARRIER_NONE))
		return refuse(&p, host ? OPTION_TICKET : OPTION_REPORT, NULL,
		    "goes with both --ticket and --report, on the same carrier");
	if (host && strcmp(plan->ticket.path, plan->report.path) != 0)
		return refuse(&p, OPTION_REPORT, plan->report.path, "expects the same carrier as --ticket");
	if (host && plan->record.kind != CARRIER_NONE)
		return refuse(&p, OPTION_RECORD, NULL, "is for use without --report");
	if (given(plan, OPTION_GID) && !given(plan, OPTION_UID))
		return refuse(&p, OPTION_GID, NULL, "goes with --uid");
	if (!given(plan, OPTION_OUTPUT) &&
	    (given(plan, OPTION_OUTPUT_BYTES) || given(plan, OPTION_OUTPUT_FILES)))
		return refuse(&p,
		    given(plan, OPTION_OUTPUT_BYTES) ? OPTION_OUTPUT_BYTES : OPTION_OUTPUT_FILES, NULL,
		    "goes with --output");
	if (host && !ticketed)
		return 0;
	if (host && (!plan->keyed || plan->run[0] == '\0'))
		return refuse(&p, plan->keyed ? OPTION_RUN : OPTION_KEY, NULL, "is missing in the ticket");
	if (!plan->command) {
		text_add(&p.message, "no command; usage: proctor-init [options] -- command [args...]");
		return -EINVAL;
	}
	return 0;
}

size_t options_help(char text[OPTIONS_HELP_TEXT])
{
	struct text t;

	text_start(&t, text, OPTIONS_HELP_TEXT);
	text_add(&t, "usage: proctor-init [options] -- command [args...]\n"
		     "Runs a command sealed and watched, and says why it ended.\n\n");
	for (unsigned o = 0; o < OPTION_END; o++) {
		const struct option_row *row = &option_table[o];
		size_t line = t.length;

		if (!(row->where & ON_ARGV))
			continue;
		text_add(&t, "  --");
		text_add(&t, row->name);
		text_add(&t, " ");
		text_add(&t, row->value);
		text_column(&t, line, 28);
		text_add(&t, row->help);
		text_add(&t, "\n");
	}
	text_add(&t,
	    "\nSizes in B, KiB, MiB, GiB, TiB; times in ms, s, m, h, d. Nothing is limited unasked.\n"
	    "Exit: the command's own; 128+n signal n; 124 limit; 125 init; 126, 127 not executed.\n");
	return t.length;
}
