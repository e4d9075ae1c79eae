/*
 * The pump of the candidate's stdout and stderr: reads without waiting and in bounded portions, passes the head on,
 * keeps the tail, counts everything. The candidate waits only while bytes that are to be kept have nowhere to go.
 */
#ifndef PROCTOR_WATCH_LOGS_H
#define PROCTOR_WATCH_LOGS_H

#include <stdbool.h>

#include "core/cause.h"
#include "core/logbudget.h"
#include "core/sink.h"
#include "core/usage.h"

struct log_stream {
	int fd; /* read end, -1 once it ended */
	struct logbudget budget;
	bool waiting; /* for room in the sink */
	uint64_t tail_sent;
	uint8_t tail[LOG_TAIL];
};

struct logs {
	struct log_stream stream[2];
	bool kill; /* --log-over kill */
	uint8_t portion[32 << 10];
};

/* output and error are the read ends, non-blocking; budget is LIMIT_NONE for "keep all". */
void logs_open(struct logs *l, int output, int error, uint64_t budget, bool kill);

/* One turn: at most a fixed number of bytes of each stream that is ready. True when a budget was passed that ends the run. */
bool logs_turn(struct logs *l, const struct sink *sink, const bool ready[2], struct breach *breach);

/*
 * After the candidate's end: as logs_turn, and once a pipe is empty, its tail is passed on. `forced` reads on without
 * waiting for room; what finds none counts as dropped. True when nothing is left to do.
 */
bool logs_drain(struct logs *l, const struct sink *sink, bool forced);

void logs_usage(const struct logs *l, struct log_usage usage[2]);

#endif
