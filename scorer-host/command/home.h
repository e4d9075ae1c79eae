/* The home of a command that only asks: where it is, its public key, and its ledger. */
#ifndef PROCTOR_COMMAND_HOME_H
#define PROCTOR_COMMAND_HOME_H

#include <stdbool.h>
#include <stdio.h>

#include "evidence/key.h"
#include "evidence/ledger.h"

/* given, else $PROCTOR_HOME, else /var/lib/proctor. */
const char *home_path(const char *given);

/* Loads the home's public key. 0; 1 when there is none; -1 with a fault. */
int home_public_key(const char *home, struct signing_key *key, struct fault *fault);

/* True while the process that runs it is alive: it holds HOME/active/RUN locked. */
bool home_alive(const char *home, const char *run);

/* Prints the fault on stderr as `scorer-host COMMAND: ...` with its hint. Returns the exit status it leads to. */
int home_complain(const char *command, const struct fault *fault);

/* Prints text for people: a control character becomes '?'. NULL prints as "-". */
void home_print(FILE *out, const char *text);

#endif
