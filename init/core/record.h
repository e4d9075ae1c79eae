/*
 * The record: what init reports when the run is over, as one JSON object with a fixed order of keys and no floats.
 * PROTOCOL.md describes it to readers. Pure.
 */
#ifndef PROCTOR_CORE_RECORD_H
#define PROCTOR_CORE_RECORD_H

#include <stddef.h>

#include "core/cause.h"
#include "core/denials.h"
#include "core/facts.h"
#include "core/layers.h"
#include "core/usage.h"

struct record {
	const char *run;	   /* NULL or "" in plain use */
	const char *version;	   /* of init */
	const struct facts *facts; /* NULL: nobody looked */
	const struct layers *layers;
	const struct ending *ending;
	const struct cause *cause;
	const struct usage *usage;
	const struct log_usage *logs; /* two, or NULL when the streams were not init's */
	const struct ledger *denied;  /* NULL: denials were not counted */
	uint64_t survivors;	      /* ended by init after the main process had ended */
	bool authenticated;	      /* false: a member says so, at the end */
};

/* Writes it and a NUL into buffer. The length, or -1 when it does not fit. */
long record_write(const struct record *r, char *buffer, size_t capacity);

#endif
