/*
 * init's record (init/wire/PROTOCOL.md section 8), read strictly: known keys only, each once, each of its type and in
 * its range. What does not fit is no record. Believing it is crosscheck.h's business, not this file's. Pure.
 */
#ifndef PROCTOR_JUDGE_RECORD_H
#define PROCTOR_JUDGE_RECORD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "judge/fault.h"
#include "wire/require.h"
#include "wire/ticket.h"

enum { RECORD_DENIALS = 64 };

enum record_usage {
	USAGE_WALL_MS,
	USAGE_CPU_MS,
	USAGE_MEMORY_PEAK,
	USAGE_PROCESSES_PEAK,
	USAGE_OUTPUT_BYTES,
	USAGE_OUTPUT_FILES,
	USAGE_END
};

enum how { HOW_UNAVAILABLE, HOW_LOWER_BOUND, HOW_MONITORED, HOW_EXACT };

struct record_figure {
	uint64_t value; /* LIMIT_NONE when unavailable */
	enum how how;
};

/* Texts point into the JSON value that was read; NULL where the record says null. */
struct record {
	const char *run, *init;
	const json_t *facts;
	enum layer_state layer[LAYER_END];
	bool exited, signalled; /* neither: nothing was executed */
	unsigned status;	/* exit code or signal number */
	enum verdict verdict;	/* of the cause; VERDICT_NONE: ended by itself with code 0 */
	const char *unit, *proof;
	uint64_t limit, observed, at_ms; /* LIMIT_NONE for null */
	bool by_init;
	struct record_figure usage[USAGE_END];
	struct {
		uint64_t bytes, kept, dropped;
	} log[2];
	bool denials_counted;
	uint64_t network_denials; /* refused socket calls */
	uint64_t survivors;
	enum how output_how;
	bool scratch_full;
};

/*
 * Parses a payload of init's (RECORD, or HELLO's facts): one JSON object, no key twice, nothing behind it. A new
 * reference, or NULL with RECORD_INVALID and where it went wrong.
 */
json_t *payload_parse(const void *bytes, size_t n, struct fault *fault);

/* Reads a parsed record. 0, or -1 with RECORD_INVALID naming the key at fault. *r borrows from root. */
int record_read(const json_t *root, struct record *r, struct fault *fault);

/* The NOTE_ bits of run.h that the record gives rise to: network-denied, survivors, log-truncated, scratch-full. */
unsigned record_notes(const struct record *r);

/* "exact", "monitored", "lower-bound", "unavailable" */
const char *how_name(enum how how);

#endif
