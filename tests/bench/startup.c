/*
 * Measures how long commands take from spawn to reap, interleaved: every round runs each command once, starting with
 * another one each time, so that a busy moment of the machine hits all alike. Prints medians. Must never judge them.
 *
 * usage: startup ROUNDS REFERENCE NAME COMMAND [ARG...] [:: NAME COMMAND [ARG...]]...
 * The first command is the bare one that the others run; REFERENCE names the one that ratios are taken to.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { COMMANDS = 16, WARM_UP = 10 };

struct command {
	const char *name;
	char **argv;
	double *took; /* microseconds, one a round */
	double median;
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static double run(const struct command *command)
{
	double start = now();
	pid_t pid;
	int status;
	int error = posix_spawn(&pid, command->argv[0], NULL, NULL, command->argv, environ);

	if (error) {
		fprintf(stderr, "startup: cannot start %s: %s\n", command->argv[0], strerror(error));
		exit(1);
	}
	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR) {
			perror("startup: waitpid");
			exit(1);
		}
	}
	if (status != 0) {
		fprintf(stderr, "startup: %s ended with wait status 0x%x\n", command->name, (unsigned)status);
		exit(1);
	}
	return now() - start;
}

static int compare(const void *left, const void *right)
{
	double a = *(const double *)left;
	double b = *(const double *)right;

	return (a > b) - (a < b);
}

/* Splits the arguments at "::". Returns the number of commands. */
static int parse(int argc, char **argv, struct command *commands)
{
	int count = 0;

	for (int i = 0; i < argc; i++) {
		if (i + 1 >= argc || count == COMMANDS) {
			fprintf(stderr, "startup: a name without a command, or more than %d\n", COMMANDS);
			exit(2);
		}
		commands[count].name = argv[i++];
		commands[count++].argv = argv + i;
		while (i < argc && strcmp(argv[i], "::") != 0)
			i++;
		if (i < argc)
			argv[i] = NULL;
	}
	return count;
}

int main(int argc, char **argv)
{
	struct command commands[COMMANDS] = {0};
	long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
	int count = argc > 5 ? parse(argc - 3, argv + 3, commands) : 0;
	double reference = 0;
	double *samples;

	if (rounds < 1 || count < 2) {
		fprintf(stderr, "usage: startup ROUNDS REFERENCE NAME COMMAND [:: NAME COMMAND]...\n");
		return 2;
	}
	samples = calloc((size_t)count * (size_t)rounds, sizeof *samples);
	if (!samples) {
		perror("startup");
		return 1;
	}
	for (int i = 0; i < count; i++)
		commands[i].took = samples + (size_t)i * (size_t)rounds;
	for (long round = -WARM_UP; round < rounds; round++) {
		for (int i = 0; i < count; i++) {
			struct command *command = &commands[(round + WARM_UP + i) % count];
			double took = run(command);

			if (round >= 0)
				command->took[round] = took;
		}
	}
	for (int i = 0; i < count; i++) {
		qsort(commands[i].took, (size_t)rounds, sizeof(double), compare);
		commands[i].median = commands[i].took[rounds / 2];
		if (strcmp(commands[i].name, argv[2]) == 0)
			reference = commands[i].median;
	}
	printf("  %-28s %10s %10s %16s %16s\n", "", "median us", "over bare", "ratio, total",
	    "ratio, over bare");
	for (int i = 0; i < count; i++) {
		double over = commands[i].median - commands[0].median;

		printf("  %-28s %10.0f %+10.0f", commands[i].name, commands[i].median, over);
		if (reference > 0 && i > 0)
			printf(" %16.2f %16.2f", commands[i].median / reference,
			    over / (reference - commands[0].median));
		printf("\n");
	}
	free(samples);
	return 0;
}
