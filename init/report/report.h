/*
 * Where init reports: to the host over a carrier, or plainly to whoever started it. One interface for the loop; what
 * happens behind it is channel.h's, plain.h's and the carriers' business.
 */
#ifndef PROCTOR_REPORT_REPORT_H
#define PROCTOR_REPORT_REPORT_H

#include <poll.h>

#include "core/plan.h"
#include "core/record.h"
#include "report/channel.h"
#include "report/plain.h"
#include "wire/sample.h"

struct report {
	bool host;  /* a channel to the host is open */
	bool keyed; /* and it has a key */
	struct channel channel;
	struct plain plain;
};

/* Connects, or opens the plain record. 0 or -errno. */
int report_open(struct report *r, const struct plan *plan);

/* Sends HELLO and waits for the ticket. As channel_ticket. */
int report_meet(struct report *r, const struct facts *facts, uint8_t **ticket, size_t *n);

/* From here on frames are keyed; the caller wipes its own key. */
void report_key(struct report *r, const uint8_t key[CHAIN_KEY]);

/* Where kept bytes of the streams go; r must outlive it. */
struct sink report_sink(struct report *r);

/* Adds what is to be waited for: at most 2 entries. `stalled` streams wait for room. How many were added. */
int report_wait(const struct report *r, const bool stalled[2], struct pollfd *at);

/* Writes what can be written; hung tells that poll saw the host gone. False once it is. */
bool report_turn(struct report *r, bool hung);

/* Sends a sample, if there is room for it. */
void report_sample(struct report *r, const struct sample *s);

/* The last words: RECORD and BYE, or the plain line; waits a bounded time for a slow reader. 0 or -errno. */
int report_record(struct report *r, const struct record *record);

#endif
