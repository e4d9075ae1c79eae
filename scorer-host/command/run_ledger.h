/*
 * A run's dealings with its home's ledger. The ledger is open only while it is talked to: never while a candidate runs,
 * and in no process that reads what it wrote.
 */
#ifndef PROCTOR_COMMAND_RUN_LEDGER_H
#define PROCTOR_COMMAND_RUN_LEDGER_H

#include "command/run.h"

/*
 * Before anything is prepared: whether this submission is decided or held already. 0 when the run may go on; -1 when it
 * may not, with g->earlier saying where it stands, or run.fault why the name is refused.
 */
int run_known(struct running *g);

/*
 * Enters the run, behind its mark in HOME/active and before its directory. Waits for a run of the same submission that
 * is under way. 0; or -1 as run_known, or with the fault of the ledger.
 */
int run_claim(struct running *g);

/* Closes it in the ledger with run.fault's verdict. Nothing to do for a run that was not entered. 0, or -1 after saying
 * on stderr that the next start will do it: the mark must then stay. */
int run_close(struct running *g);

/*
 * Closes one that a killed scorer left: with the verdict that its evidence holds, else INFRA_SCORER_LOST. sealed: false
 * when there was no candidate. 0 or -1.
 */
int run_close_lost(struct running *g, const char *run, const char *folder, bool sealed);

/* Tells what g->earlier found, on stdout. The exit status. */
int run_tell_earlier(struct running *g);

#endif
