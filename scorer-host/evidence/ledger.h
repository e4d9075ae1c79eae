/*
 * The ledger of a home: HOME/ledger.sqlite (SQLite, WAL), one append-only table of events, each holding the hash of the
 * one before it. A run is born by `started` (or `imported`) and ends by `closed`; what is asked of it is a view over
 * these events, so that there is no second copy that could disagree. The run directory is the evidence, this is the
 * index over it: nothing that is scored may rest on the ledger alone. Processes may use one ledger at the same time;
 * every wait is bounded. Faults: INFRA_DISK, ENGINE_FAILED (busy, unreadable), SCORER_FAULT (not a ledger, broken).
 */
#ifndef PROCTOR_EVIDENCE_LEDGER_H
#define PROCTOR_EVIDENCE_LEDGER_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "evidence/key.h"
#include "judge/task.h"

#define LEDGER_FILE "ledger.sqlite"

struct ledger;

enum ledger_access { LEDGER_READ, LEDGER_WRITE };

/*
 * Opens the home's ledger; LEDGER_WRITE makes it. With LEDGER_READ a home without one is no fault: 0 and *ledger NULL.
 * ledger_done closes it, NULL too.
 */
int ledger_open(const char *home, enum ledger_access access, struct ledger **ledger, struct fault *fault);
void ledger_done(struct ledger *ledger);

/* What is known of a run before anything of it exists. Strings must be UTF-8. */
struct ledger_start {
	const char *run, *folder, *engine, *started, *host;
	const char *submission; /* WHO/N, or NULL: such a run is never idempotent */
	const char *rescores;	/* the run whose stored table it scores again, or NULL */
	const char *sha256;	/* of what was submitted */
	char *const *command;
	const struct task *task;
	bool again; /* the operator said so: decided and held ones run too */
};

enum ledger_claim {
	LEDGER_FREE,	/* this run may go ahead */
	LEDGER_DECIDED, /* found.run holds the result */
	LEDGER_RUNNING, /* found.run has not been closed */
	LEDGER_HELD,	/* two attempts ended without a cause that could be attributed: --again, or nothing */
	LEDGER_REFUSED /* other bytes, another command, or another task under the same name; the fault says which */
};

struct ledger_found {
	enum ledger_claim claim;
	char run[24];	       /* the run that stands in the way, or the latest earlier one; "" for none */
	char folder[PATH_MAX]; /* its directory */
	enum verdict verdict;  /* its verdict; VERDICT_NONE while it runs */
	unsigned attempts;     /* earlier runs of this submission in which the candidate may have run */
	unsigned
	    unattributed; /* of these, how many ended in our fault or in one that we cannot tell from it */
};

/*
 * Where that submission stands: same task name, task version and WHO/N. Changes nothing. 0, or -1 with the fault of a
 * ledger that cannot be read. LEDGER_REFUSED leaves its own fault: a usage error, or TASK_INVALID for another task.
 */
int ledger_look(
    struct ledger *ledger, const struct ledger_start *start, struct ledger_found *found, struct fault *fault);

/* Looks and, when it is free, writes `started`; both in one transaction, so that of many only one gets it. */
int ledger_begin(
    struct ledger *ledger, const struct ledger_start *start, struct ledger_found *found, struct fault *fault);

struct ledger_end {
	const char *run;
	enum verdict verdict;
	int ran; /* the candidate may have run: 1, 0, or -1 when nobody can tell */
	const char *ended;
	const char *evidence; /* SHA-256 of audit.dsse.json; "" when there is no evidence */
	const char *by;	      /* "run", or "recovery" for a killed scorer's */
};

/* Writes `closed`. 0; 1 when the run is closed already or was never begun, which changes nothing; -1 with a fault. */
int ledger_end(struct ledger *ledger, const struct ledger_end *end, struct fault *fault);

/* A failure that the candidate may have brought about (DESIGN 8): ours by its verdict, after the candidate started. */
bool ledger_unattributed(enum verdict verdict, int ran);

struct ledger_filter {
	const char *run;	/* the beginning of a run's id */
	const char *task;	/* name */
	const char *submission; /* WHO/N, or WHO alone */
	const char *verdict;	/* name */
	const char *since;	/* RFC 3339, or the beginning of one: runs started then or later */
	bool open;		/* only those not closed */
};

/* A run as the ledger knows it. Strings live as long as the call; NULL where there is nothing. */
struct ledger_row {
	uint64_t seq;
	const char *run, *folder, *engine, *host, *submission, *sha256;
	const char *task, *version, *task_sha256, *started, *ended, *verdict, *evidence, *rescores;
	int ran;
	bool again, imported;
	unsigned attempt; /* of its submission; 0 without one */
};

/* Calls each in the order of starting. Stops at the first that is not 0. 0, that value, or -1 with a fault. */
int ledger_each(struct ledger *ledger, const struct ledger_filter *filter,
    int (*each)(void *context, const struct ledger_row *row), void *context, struct fault *fault);

/*
 * Enters a finished run directory of this or another home, if its evidence verifies under that key. The directory stays
 * where it is. 1 entered, 0 known already, -1 with a fault.
 */
int ledger_import(
    struct ledger *ledger, const char *folder, const struct signing_key *key, struct fault *fault);

/* What a verification found; called for each finding. */
typedef void ledger_finding(void *context, const char *what);

/* The schema, the database's own structure, every hash, and the order of events. 0 whatever was found, or -1. */
int ledger_verify(struct ledger *ledger, ledger_finding *find, void *context, uint64_t *events,
    uint64_t *runs, struct fault *fault);

/* The ledger against run directories: each closed run's evidence is the one entered, and no run of the home is unknown. */
int ledger_verify_folders(
    struct ledger *ledger, const char *home, ledger_finding *find, void *context, struct fault *fault);

#endif
