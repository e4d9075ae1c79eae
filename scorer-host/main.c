/* scorer-host COMMAND: finds the subcommand and hands over. Decides nothing else. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "command/command.h"

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help;
} commands[] = {
    {"run", command_run, "one submission, sealed, scored, with evidence"},
    {"score", command_score, "a table, or the stored tables of runs by a corrected task; no candidate"},
    {"check", command_check, "a task: schema, digests, truth exposure, self-check, this host"},
    {"runs", command_runs, "what was run: list, count, import, and whether the ledger holds"},
    {"show", command_show, "one run again, as operator, participant or public"},
    {"verify", command_verify, "the evidence of a run: signature, digests, recomputation"},
    {"keygen", command_keygen, "the operator's signing key"},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void help(FILE *out)
{
	(void)fputs("usage: scorer-host COMMAND [ARGUMENT...]\n\n", out);
	for (int i = 0; i < COMMANDS; i++)
		(void)fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].help);
	(void)fputs("\n  scorer-host COMMAND --help says more; so does scorer-host(1).\n"
		    "exit status of run and score: 0 scored, 1 the submission failed, 2 usage, 3 "
		    "infrastructure (safe to\n"
		    "retry, unless it says otherwise), 4 task or evaluator at fault, 130 cancelled; the "
		    "others have their own\n",
	    out);
}

int main(int argc, char **argv)
{
	(void)umask(077);
	if (argc < 2) {
		help(stderr);
		return 2;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		help(stdout);
		return 0;
	}
	if (strcmp(argv[1], "--version") == 0) {
		(void)puts("scorer-host " PROCTOR_VERSION);
		return 0;
	}
	for (int i = 0; i < COMMANDS; i++)
		if (strcmp(argv[1], commands[i].name) == 0)
			return commands[i].run(argc - 1, argv + 1);
	(void)fprintf(stderr, "scorer-host: no command %s; scorer-host --help lists them\n", argv[1]);
	return 2;
}
