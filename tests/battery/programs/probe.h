/*
 * What the hostile programs share: one line on stdout for each attempt, which the driver reads back from the kept log,
 * and a good table for those that are to be scored in spite of what they do. They run inside the sealed container only.
 */
#ifndef BATTERY_PROBE_H
#define BATTERY_PROBE_H

#include <stddef.h>
#include <stdio.h>
#include <stdnoreturn.h>

/* One thing a program can do. */
struct action {
	const char *name;
	int (*run)(int argc, char **argv); /* argv[0] is the word behind the action's name */
};

/* Runs the action that argv[1] names and returns its status; 100 when there is none. */
int act(const struct action *actions, size_t count, int argc, char **argv);

/*
 * Reports an attempt that must be refused: "deny WHAT ok" or "deny WHAT ENAME". r is what the call returned, errno its
 * error. Returns 1 when it went through, so that a caller can go on from there.
 */
int deny(const char *what, long r);

/* The same for what must work: "allow WHAT ok" or "allow WHAT ENAME". */
int allow(const char *what, long r);

/* A line for the driver, printf-like, cut at 510 bytes. */
#define say(...) \
	do { \
		char say_line_[511]; \
		(void)snprintf(say_line_, sizeof say_line_, __VA_ARGS__); \
		say_line(say_line_); \
	} while (0)

/* Writes the text and a newline to stdout by one write. */
void say_line(const char *text);

/* Writes a perfect table to /output/predictions.csv; ends the program with 101 when that fails. */
void good_table(void);

/* A process that can be ended by somebody else only. */
noreturn void wait_forever(void);

/* argv[i] as a number; the default when it is not there. */
long number(int argc, char **argv, int i, long otherwise);

#endif
