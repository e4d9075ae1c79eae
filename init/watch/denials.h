/*
 * The calls that the policy refuses, answered by init: each gets its errno and a place in the ledger. A call by another
 * ABI gets no answer: it ends the run, and because init does it, the cause is proven. A few answers a turn: whoever floods
 * waits for the loop, the loop waits for nobody.
 */
#ifndef PROCTOR_WATCH_DENIALS_H
#define PROCTOR_WATCH_DENIALS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/cause.h"
#include "core/denials.h"

enum { DENIALS_PROOF = 128 };

struct denials {
	int handover; /* where the listener will come from; -1: it came, or will not */
	int listener; /* -1: there is none, or nobody is left to ask */
	bool counted; /* a listener came: what the ledger holds is a lower bound */
	struct ledger ledger;
	char proof[DENIALS_PROOF];
};

/* handover is init's end of the socket, or -1 where the filter was made to answer by itself. */
void denials_open(struct denials *d, int handover);

/* What is to be polled for reading; -1: nothing. */
int denials_fd(const struct denials *d);

/*
 * One turn, when denials_fd is ready. counting is false while what calls is still init's own child in the seal. True when
 * a call was seen that ends the run; *b points into d.
 */
bool denials_turn(struct denials *d, bool counting, uint64_t at_ms, struct breach *b);

#endif
