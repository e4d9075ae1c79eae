/* One run told to one audience. */
#ifndef PROCTOR_COMMAND_SHOW_H
#define PROCTOR_COMMAND_SHOW_H

#include "command/home.h"
#include "evidence/stored.h"

#define NOT_EVALUATED "not evaluated yet, not your fault, attempt not counted"

enum audience { AS_OPERATOR, AS_PARTICIPANT, AS_PUBLIC };

/* What the ledger adds; empty for a run directory that is not in it. */
struct shown {
	char run[24], folder[PATH_MAX], submission[96], task[160], started[32];
	bool known, closed, again, imported;
	unsigned attempt;
	bool key; /* the signature was checked with the home's key */
};

/* The run of that directory, else the one whose id begins so. l may be NULL. 0, or -1 with a usage fault. */
int show_find(const char *run, const char *home, struct ledger *l, struct shown *w, struct fault *fault);

/* A finished run, from its evidence. */
void show_operator(const struct shown *w, const struct stored *s);

/* From participant.json alone: nothing else of the run is looked at, so nothing else can get out. */
void show_participant(const struct stored *s);

#endif
