/* Words into a plan: what is taken, what is refused, and that every refusal names what it is about. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/options.h"
#include "policy/numbers.h"
#include "wire/profile.h"

enum { WORDS = 300 };

/* argv wants writable strings; the parser never writes. */
struct words {
	union {
		const char *in[WORDS];
		char *out[WORDS];
	} list;
};

static int parse(struct plan *plan, unsigned where, char *message, const char *const *words)
{
	struct words w;
	int i = 0;

	for (; words[i]; i++)
		w.list.in[i] = words[i];
	w.list.in[i] = NULL;
	/* The plan keeps a pointer to the command's words: only tests that look at them have to keep w. */
	return options_parse(plan, where, w.list.out, message);
}
#define WORDS_OF(...) ((const char *const[]){__VA_ARGS__, NULL})

static void takes(struct plan *plan, unsigned where, const char *const *words)
{
	char message[OPTIONS_MESSAGE];
	plan_start(plan);
	assert_int_equal(parse(plan, where, message, words), OPTIONS_RUN);
	assert_string_equal(message, "");
}

/* The words are refused, with a message that holds both texts. */
static void refuses(unsigned where, const char *const *words, const char *names, const char *expects)
{
	char message[OPTIONS_MESSAGE];
	struct plan plan;
	plan_start(&plan);
	assert_int_equal(parse(&plan, where, message, words), -EINVAL);
	if (!strstr(message, names) || !strstr(message, expects))
		fail_msg("\"%s\" does not name \"%s\" and \"%s\"", message, names, expects);
}

static void numbers_in_both_forms(void **state)
{
	struct plan p;
	(void)state;
	takes(&p, ON_ARGV,
	    WORDS_OF("--wall-time", "1500ms", "--memory=64MiB", "--uid", "4294967294", "--umask=077"));
	assert_int_equal(p.number[OPTION_WALL_TIME], 1500);
	assert_int_equal(p.number[OPTION_MEMORY], 64 << 20);
	assert_int_equal(p.number[OPTION_UID], 4294967294);
	assert_int_equal(p.number[OPTION_UMASK], 077);
	assert_int_equal(p.number[OPTION_GID], LIMIT_NONE);
}

static void every_number_has_its_range(void **state)
{
	(void)state;
	for (unsigned o = 0; o < OPTION_END; o++) {
		const struct option_row *row = &option_table[o];
		char name[40] = "--", low[32], high[32];
		if (row->kind != VALUE_NUMBER || !(row->where & ON_ARGV))
			continue;
		strcat(name, row->name);
		struct plan p;
		takes(&p, ON_ARGV, WORDS_OF(name, unit_format(row->unit, row->min, low)));
		takes(&p, ON_ARGV, WORDS_OF(name, unit_format(row->unit, row->max, high)));
		assert_int_equal(p.number[o], row->max);
		if (row->min > 0)
			refuses(ON_ARGV, WORDS_OF(name, unit_format(row->unit, row->min - 1, low)), name,
			    "expects");
		if (row->max < LIMIT_HOST)
			refuses(ON_ARGV, WORDS_OF(name, unit_format(row->unit, row->max + 1, high)), name,
			    "expects");
		refuses(ON_ARGV, WORDS_OF(name, "1x"), name, "'1x'");
		refuses(ON_ARGV, WORDS_OF(name, ""), name, "expects");
		refuses(ON_ARGV, WORDS_OF(name, "-1"), name, "'-1'");
		refuses(ON_ARGV, WORDS_OF(name), name, "needs a value");
		refuses(ON_ARGV, WORDS_OF(name, "--", "true"), name, "needs a value");
	}
}

static void uids_that_mean_root_are_refused(void **state)
{
	(void)state;
	refuses(ON_ARGV, WORDS_OF("--uid", "0"), "--uid '0'", "from 1 to 4294967294");
	refuses(ON_ARGV, WORDS_OF("--uid", "4294967295"), "4294967295", "from 1 to 4294967294");
	refuses(ON_ARGV, WORDS_OF("--uid", "4294967296"), "4294967296", "from 1 to 4294967294");
	refuses(ON_ARGV, WORDS_OF("--gid", "18446744073709551617"), "--gid", "expects");
}

static void twice_is_refused_also_across_command_line_and_ticket(void **state)
{
	char message[OPTIONS_MESSAGE];
	struct plan p;
	(void)state;
	refuses(ON_ARGV, WORDS_OF("--grace", "1s", "--grace", "1s"), "--grace", "twice");
	takes(&p, ON_ARGV, WORDS_OF("--grace", "1s"));
	assert_int_equal(parse(&p, ON_TICKET, message, WORDS_OF("--grace", "2s")), -EINVAL);
	assert_non_null(strstr(message, "--grace: given twice"));
	assert_int_equal(p.number[OPTION_GRACE], 1000);
	takes(&p, ON_ARGV, WORDS_OF("--env", "A=1", "--env", "B=", "--scratch", "/a", "--scratch", "/b"));
	assert_int_equal(p.envs, 2);
	assert_string_equal(p.env[1], "B=");
	assert_int_equal(p.scratches, 2);
	assert_string_equal(p.scratch[0], "/a");
}

static void unknown_words(void **state)
{
	(void)state;
	refuses(ON_ARGV, WORDS_OF("--no-such", "1"), "'--no-such'", "no such option");
	refuses(ON_ARGV, WORDS_OF("--", "x") + 1, "'x'", "behind --");
	refuses(ON_ARGV, WORDS_OF("-g"), "'-g'", "behind --");
	refuses(ON_ARGV, WORDS_OF("--run", "r-1"), "'--run'", "no such option");
	refuses(ON_ARGV, WORDS_OF("--cpus", "1"), "'--cpus'", "no such option");
	refuses(ON_TICKET, WORDS_OF("--ticket", "unix:/s"), "'--ticket'", "no option of a ticket");
	refuses(ON_TICKET, WORDS_OF("--record", "stderr"), "'--record'", "no option of a ticket");
	refuses(ON_TICKET, WORDS_OF("--help"), "'--help'", "no option of a ticket");
	refuses(ON_ARGV, WORDS_OF("--\x1b[2J"), "\\x1b", "no such option");
	refuses(ON_ARGV, WORDS_OF(""), "''", "not an option");
}

static void closed_words(void **state)
{
	struct plan p;
	(void)state;
	takes(&p, ON_ARGV,
	    WORDS_OF("--log-over", "kill", "--network", "loopback", "--syscalls", "none", "--allow",
		"ptrace,bpf", "--deny", "uname"));
	assert_true(p.kill_on_log);
	assert_int_equal(p.network, NETWORK_LOOPBACK);
	assert_int_equal(p.profile, POLICY_NONE);
	assert_int_equal(p.allows, 2);
	assert_int_equal(p.allow[0], policy_number("ptrace", 6));
	assert_int_equal(p.denies, 1);
	refuses(ON_ARGV, WORDS_OF("--log-over", "keep"), "'keep'", "drop or kill");
	refuses(ON_ARGV, WORDS_OF("--network", "host"), "'host'", "none or loopback");
	refuses(ON_ARGV, WORDS_OF("--syscalls", "docker"), "'docker'", "strict, ml");
	refuses(ON_ARGV, WORDS_OF("--allow", "ptrace,nosuchcall"), "'nosuchcall'", "no system call");
	refuses(ON_ARGV, WORDS_OF("--deny", "ptrace,"), "''", "no system call");
	refuses(ON_ARGV, WORDS_OF("--deny", "execve"), "execve", "starting the command");
}

static void what_this_build_lacks_is_refused_by_name(void **state)
{
	(void)state;
	refuses(ON_ARGV, WORDS_OF("--ticket", "fd:3"), "'fd:3'", "no such carrier");
	refuses(ON_ARGV, WORDS_OF("--report", "stdio"), "'stdio'", "no such carrier");
	refuses(ON_ARGV, WORDS_OF("--ticket", "file:/t"), "'file:/t'", "no such carrier");
	refuses(ON_ARGV, WORDS_OF("--ticket", "unix:relative"), "unix:relative", "unix:/PATH");
}

static void every_profile_has_its_name(void **state)
{
	static const char *const names[] = {"strict", "ml", "ml-multi", "gpu", "none"};
	struct plan p;

	(void)state;
	assert_int_equal(sizeof names / sizeof *names, POLICY_NONE + 1);
	for (int i = 0; i <= POLICY_NONE; i++) {
		takes(&p, ON_TICKET, WORDS_OF("--syscalls", names[i]));
		assert_int_equal(p.profile, i);
	}
}

static void requirements(void **state)
{
	struct plan p;
	(void)state;
	takes(&p, ON_ARGV, WORDS_OF("--require", "no-caps,seccomp"));
	assert_int_equal(p.require, 1u << REQUIRE_NO_CAPS | 1u << REQUIRE_SECCOMP);
	refuses(ON_ARGV, WORDS_OF("--require", "seccomp,gpu"), "'gpu'", "only the host");
	refuses(ON_ARGV, WORDS_OF("--require", "seccomp,"), "''", "no known fact");
}

static void texts_are_checked(void **state)
{
	struct plan p;
	(void)state;
	takes(&p, ON_ARGV, WORDS_OF("--output", "/o", "--workdir=/w", "--keep-env", "A,B", "--env", "K==x"));
	assert_string_equal(p.text[OPTION_OUTPUT], "/o");
	assert_string_equal(p.env[0], "K==x");
	refuses(ON_ARGV, WORDS_OF("--output", "o"), "'o'", "absolute");
	refuses(ON_ARGV, WORDS_OF("--scratch", ""), "--scratch", "absolute");
	refuses(ON_ARGV, WORDS_OF("--env", "K"), "'K'", "NAME=VALUE");
	refuses(ON_ARGV, WORDS_OF("--env", "=v"), "'=v'", "NAME=VALUE");
	refuses(ON_ARGV, WORDS_OF("--keep-env", "A=1"), "'A=1'", "NAME,...");
}

static void lists_have_an_end(void **state)
{
	const char *words[2 * (PLAN_ENVS + 1) + 1] = {0};
	char message[OPTIONS_MESSAGE], big[8192], *list[2 * (PLAN_ENVS + 1) + 1];
	struct plan p;
	(void)state;
	for (int i = 0; i <= PLAN_ENVS; i++) {
		words[2 * i] = "--env";
		words[2 * i + 1] = "A=b";
	}
	memcpy(list, words, sizeof list);
	plan_start(&p);
	assert_int_equal(options_parse(&p, ON_ARGV, list, message), -EINVAL);
	assert_non_null(strstr(message, "256"));
	memset(big, 'x', sizeof big - 1);
	big[0] = '/';
	big[sizeof big - 1] = '\0';
	refuses(ON_ARGV, WORDS_OF("--output", big), "...'", "too long");
	refuses(ON_ARGV,
	    WORDS_OF("--scratch", "/1", "--scratch", "/2", "--scratch", "/3", "--scratch", "/4", "--scratch",
		"/5", "--scratch", "/6", "--scratch", "/7", "--scratch", "/8", "--scratch", "/9"),
	    "'/9'", "at most 8");
}

static void commands(void **state)
{
	char a[] = "--", b[] = "cmd", c[] = "--uid", d[] = "other", e[] = "--help",
	     *first[] = {a, b, c, NULL}, *second[] = {a, d, NULL}, *bare[] = {a, NULL},
	     *help[] = {e, a, b, NULL};
	char message[OPTIONS_MESSAGE];
	struct plan p;
	(void)state;
	plan_start(&p);
	assert_int_equal(options_parse(&p, ON_ARGV, first, message), OPTIONS_RUN);
	assert_ptr_equal(p.command, first + 1);
	assert_string_equal(p.command[1], "--uid");
	assert_int_equal(p.number[OPTION_UID], LIMIT_NONE);
	assert_int_equal(options_complete(&p, false, message), 0);
	/* The command line's command stays. */
	assert_int_equal(options_parse(&p, ON_TICKET, second, message), OPTIONS_RUN);
	assert_ptr_equal(p.command, first + 1);
	plan_start(&p);
	assert_int_equal(options_parse(&p, ON_ARGV, bare, message), OPTIONS_RUN);
	assert_int_equal(options_complete(&p, false, message), -EINVAL);
	assert_non_null(strstr(message, "no command"));
	assert_int_equal(options_parse(&p, ON_ARGV, help, message), OPTIONS_HELP);
}

static void the_whole_is_checked(void **state)
{
	static const char key[] = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
	char message[OPTIONS_MESSAGE];
	struct plan p;
	(void)state;
	takes(&p, ON_ARGV, WORDS_OF("--ticket", "unix:/s", "--report", "unix:/s"));
	assert_int_equal(options_complete(&p, false, message), 0);
	assert_int_equal(options_complete(&p, true, message), -EINVAL);
	assert_non_null(strstr(message, "--key"));
	assert_int_equal(parse(&p, ON_TICKET, message, WORDS_OF("--key", key)), OPTIONS_RUN);
	assert_true(p.keyed);
	assert_int_equal(p.key[1], 0x11);
	assert_int_equal(options_complete(&p, true, message), -EINVAL);
	assert_non_null(strstr(message, "--run"));
	assert_int_equal(parse(&p, ON_TICKET, message, WORDS_OF("--run", "r-7f3a9c1e52d0")), OPTIONS_RUN);
	assert_string_equal(p.run, "r-7f3a9c1e52d0");

	takes(&p, ON_ARGV, WORDS_OF("--ticket", "unix:/s"));
	assert_int_equal(options_complete(&p, false, message), -EINVAL);
	takes(&p, ON_ARGV, WORDS_OF("--ticket", "unix:/s", "--report", "unix:/t"));
	assert_int_equal(options_complete(&p, false, message), -EINVAL);
	takes(&p, ON_ARGV, WORDS_OF("--ticket", "unix:/s", "--report", "unix:/s", "--record", "stderr"));
	assert_int_equal(options_complete(&p, false, message), -EINVAL);
	takes(&p, ON_ARGV, WORDS_OF("--gid", "5"));
	assert_int_equal(options_complete(&p, false, message), -EINVAL);
	takes(&p, ON_ARGV, WORDS_OF("--output-files", "5"));
	assert_int_equal(options_complete(&p, false, message), -EINVAL);
	assert_non_null(strstr(message, "--output-files: goes with --output"));
}

static void a_key_never_gets_into_a_message(void **state)
{
	static const char bad[] = "ABCDEF0123456789abcdef0123456789abcdef0123456789abcdef0123456789";
	char message[OPTIONS_MESSAGE];
	struct plan p;
	(void)state;
	plan_start(&p);
	assert_int_equal(parse(&p, ON_TICKET, message, WORDS_OF("--key", bad)), -EINVAL);
	assert_false(p.keyed);
	assert_null(strstr(message, "ABCDEF"));
	refuses(ON_TICKET, WORDS_OF("--run", "a/b"), "'a/b'", "expects 1 to 64");
	refuses(ON_TICKET, WORDS_OF("--run", ""), "''", "expects 1 to 64");
}

static void records(void **state)
{
	struct plan p;
	(void)state;
	takes(&p, ON_ARGV, WORDS_OF("--record", "fd:3"));
	assert_int_equal(p.record.kind, CARRIER_FD);
	assert_int_equal(p.record.fd, 3);
	takes(&p, ON_ARGV, WORDS_OF("--record=file:run.json"));
	assert_string_equal(p.record.path, "run.json");
	takes(&p, ON_ARGV, WORDS_OF("--record", "stderr"));
	assert_int_equal(p.record.kind, CARRIER_STDERR);
	refuses(ON_ARGV, WORDS_OF("--record", "fd:x"), "'fd:x'", "fd:N");
	refuses(ON_ARGV, WORDS_OF("--record", "fd:-1"), "'fd:-1'", "fd:N");
	refuses(ON_ARGV, WORDS_OF("--record", "file:"), "'file:'", "fd:N");
	refuses(ON_ARGV, WORDS_OF("--record", "stdout"), "'stdout'", "fd:N");
}

static void help_names_every_option_and_fits_a_screen(void **state)
{
	char text[OPTIONS_HELP_TEXT];
	size_t n = options_help(text);
	int lines = 0;
	(void)state;
	assert_int_equal(n, strlen(text));
	assert_true(n < OPTIONS_HELP_TEXT - 1);
	for (const char *at = text; *at; at = strchr(at, '\n') + 1) {
		assert_in_range(strcspn(at, "\n"), 0, 90);
		lines++;
	}
	assert_in_range(lines, 30, 40);
	for (unsigned o = 0; o < OPTION_END; o++) {
		char name[40] = "  --";
		strcat(strcat(name, option_table[o].name), " ");
		assert_int_equal(strstr(text, name) != NULL, (option_table[o].where & ON_ARGV) != 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(numbers_in_both_forms),
	    cmocka_unit_test(every_number_has_its_range),
	    cmocka_unit_test(uids_that_mean_root_are_refused),
	    cmocka_unit_test(twice_is_refused_also_across_command_line_and_ticket),
	    cmocka_unit_test(unknown_words),
	    cmocka_unit_test(closed_words),
	    cmocka_unit_test(what_this_build_lacks_is_refused_by_name),
	    cmocka_unit_test(every_profile_has_its_name),
	    cmocka_unit_test(requirements),
	    cmocka_unit_test(texts_are_checked),
	    cmocka_unit_test(lists_have_an_end),
	    cmocka_unit_test(commands),
	    cmocka_unit_test(the_whole_is_checked),
	    cmocka_unit_test(a_key_never_gets_into_a_message),
	    cmocka_unit_test(records),
	    cmocka_unit_test(help_names_every_option_and_fits_a_screen),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
