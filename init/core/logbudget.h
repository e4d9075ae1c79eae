/*
 * What is kept of one stream: its first bytes are passed on at once, its last ones wait in a ring for the end, and all
 * are counted. The kept bytes never exceed the budget, and what was passed on is never taken back. Pure.
 */
#ifndef PROCTOR_CORE_LOGBUDGET_H
#define PROCTOR_CORE_LOGBUDGET_H

#include "core/ring.h"

enum { LOG_TAIL = 32 << 10 };

struct logbudget {
	uint64_t budget; /* bytes to keep in all; LIMIT_NONE: everything is head */
	uint64_t head;	 /* of these, the first so many */
	uint64_t total;	 /* seen so far */
	uint64_t passed; /* of these, passed on as head */
	struct ring tail;
};

/* tail has room for LOG_TAIL bytes; at most half the budget of it is used. */
void logbudget_start(struct logbudget *b, uint64_t budget, uint8_t *tail);

/* How many of the next n bytes belong to the head. */
size_t logbudget_head(const struct logbudget *b, size_t n);

/* Counts n bytes; those behind the first `head` of them go to the tail. */
void logbudget_take(struct logbudget *b, const uint8_t *bytes, size_t n, size_t head);

/* Where in the stream the tail begins. */
uint64_t logbudget_tail_offset(const struct logbudget *b);

uint64_t logbudget_kept(const struct logbudget *b);

/* True when more came than is kept. */
int logbudget_over(const struct logbudget *b);

#endif
