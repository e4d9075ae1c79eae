/* What `runs` was asked, and how the answer is told. */
#ifndef PROCTOR_COMMAND_RUNS_H
#define PROCTOR_COMMAND_RUNS_H

#include "command/home.h"

struct runs_options {
	const char *home, *key;
	struct ledger_filter filter;
	bool count, json, verify;
	char **import; /* NULL-terminated; NULL without --import */
};

/* Lists, or with count counts, what the filter lets through. The exit status. l is NULL for a home without runs. */
int runs_list(const struct runs_options *o, struct ledger *l);

/* Enters each directory; says what came of it. 0 all are in, 1 not all, or another exit status. */
int runs_import(const struct runs_options *o);

/* The ledger held against itself and the run directories. 0 it holds, 1 it does not, 3 it could not be read. */
int runs_verify(const struct runs_options *o, struct ledger *l);

#endif
