/* The ledger's database and the few ways in which it is talked to. For evidence/ledger*.c and their tests only. */
#ifndef PROCTOR_EVIDENCE_LEDGER_SQL_H
#define PROCTOR_EVIDENCE_LEDGER_SQL_H

#include <jansson.h>
#include <limits.h>
#include <sqlite3.h>

#include "evidence/ledger.h"

struct ledger {
	sqlite3 *db;
	char path[PATH_MAX];
};

/* The statements that make the schema, in the order in which they are run; each is stored verbatim by SQLite. */
struct ledger_schema {
	const char *name, *sql;
};
extern const struct ledger_schema ledger_schema[];
extern const unsigned ledger_schema_count;

/* Puts what the database last said into a fault. Always -1. */
int sql_fault(const struct ledger *l, const char *what, struct fault *fault);

/* Runs statements without parameters or rows. 0 or -1. */
int sql_run(struct ledger *l, const char *sql, struct fault *fault);

/*
 * Prepares one statement and binds its parameters by letters: t a const char * (NULL binds NULL), i an int64_t. Bound
 * text must live until the statement is finalized. NULL with a fault.
 */
sqlite3_stmt *sql_prepare(struct ledger *l, struct fault *fault, const char *sql, const char *letters, ...);

/* 1 a row, 0 done, -1. */
int sql_step(struct ledger *l, sqlite3_stmt *statement, struct fault *fault);

/* Column as text, NULL for NULL. */
const char *sql_text(sqlite3_stmt *statement, int column);

/* BEGIN IMMEDIATE; COMMIT when result is not negative, else ROLLBACK. sql_end returns result, or -1. */
int sql_begin(struct ledger *l, struct fault *fault);
int sql_end(struct ledger *l, int result, struct fault *fault);

/* The hash of an event: SHA-256, in hex, over the previous one's hash, a newline, and its content. -1 on no memory. */
int ledger_hash(const char *prev, const char *content, char hash[65]);

/* The first event's predecessor. */
#define LEDGER_GENESIS "0000000000000000000000000000000000000000000000000000000000000000"

/* An event's content in its one encoding, for free(3); NULL on no memory. */
char *ledger_encode(const json_t *content);

/* Appends an event inside the transaction that is open: sets seq and at in content, and encodes it. Takes it over. */
int ledger_append(struct ledger *l, json_t *content, struct fault *fault);

#endif
