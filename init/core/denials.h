/*
 * The denial ledger: which calls the policy refused, with a first argument that says something, how often, and when first.
 * Bounded: a fixed number of rows, and one for whatever found none; what a candidate can make up (numbers without a name)
 * shares a row. The last rows are kept for sockets, so that no flood of other calls hides an attempt at the network. Pure.
 */
#ifndef PROCTOR_CORE_DENIALS_H
#define PROCTOR_CORE_DENIALS_H

#include <stddef.h>
#include <stdint.h>

#include "core/json.h"

/* DENIAL_ROWS with the row of all others, as the record may have them; of these so many are for sockets alone. */
enum { DENIAL_ROWS = 64, DENIAL_SOCKET_ROWS = 12 };

struct denial {
	int number;	 /* of the call; -1: the row of all others */
	const char *arg; /* constant; NULL where there is none to name */
	uint64_t count, first_ms;
};

struct ledger {
	struct denial row[DENIAL_ROWS];
	unsigned rows, others; /* used; of these for other calls than sockets */
	uint64_t total;
};

/* One refused call with its arguments as the filter saw them: only their low 32 bits are looked at. */
void ledger_add(struct ledger *l, int number, const uint64_t *args, uint64_t at_ms);

/* Writes the rows as an array under key. */
void ledger_write(struct json *j, const char *key, const struct ledger *l);

/* What the argument of a call is called that decides about it; NULL where it has no name of its own. */
const char *denial_argument(int number, const uint64_t *args);

#endif
