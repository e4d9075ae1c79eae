/*
 * Why something could not go on, for people: the verdict it leads to, what failed on which object and why, and what to
 * do about it. Functions that can fail for a reason worth telling take a struct fault * and return -1 after filling it.
 */
#ifndef PROCTOR_JUDGE_FAULT_H
#define PROCTOR_JUDGE_FAULT_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/verdict.h"

struct fault {
	enum verdict verdict; /* VERDICT_NONE: a usage error, exit status 2 */
	char what[1024];      /* operator text: object, what failed, why */
	char hint[512];	      /* what to do; "" when there is nothing to say */
	char more[768];	      /* further lines for the operator, each "LABEL\tTEXT\n"; by fault_more */
	uint64_t count;	      /* how many rows, files, … ; 0 when it is not countable */
	char limit_name[32];  /* the limit that was hit; "" for none */
	char limit_value[32]; /* as written, e.g. "1GiB" */
	bool lasting;	      /* an infrastructure's fault that the same line, typed again, meets again */
};

/* Fills verdict and what (printf format, cut to fit), clears the rest. Always returns -1. */
int fault_set(struct fault *f, enum verdict v, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Sets the hint of a fault that was just set. Always returns -1. */
int fault_hint(struct fault *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds a line to a fault that was just set, under a label ("" for none). Control characters become '?'. Always -1. */
int fault_more(struct fault *f, const char *label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* All of it but the hint, in one line: what, and the further lines behind semicolons. Returns out. */
enum { FAULT_TEXT = 2048 };
char *fault_text(const struct fault *f, char out[FAULT_TEXT]);

/* True for SCORED and for what a table can lead to by itself: the same table, truth and task lead there again. */
bool verdict_of_table(enum verdict v);

/* True when typing the same line again may help: an infrastructure's fault that does not last. */
bool fault_retry(const struct fault *f);

/* The exit status of scorer-host for a verdict: 0, 1, 3, 4, and 130 for CANCELLED. */
int verdict_exit(enum verdict v);

#endif
