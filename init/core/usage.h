/*
 * What the run used, and how well each figure is known. Plain data, filled by watch/, written by record.c.
 */
#ifndef PROCTOR_CORE_USAGE_H
#define PROCTOR_CORE_USAGE_H

#include <stdbool.h>
#include <stdint.h>

enum how {
	HOW_UNAVAILABLE, /* nobody can tell */
	HOW_LOWER_BOUND, /* at least this much */
	HOW_MONITORED,	 /* looked at again and again; peaks between two looks are missed */
	HOW_EXACT	 /* the kernel's own count of exactly this run */
};

struct figure {
	uint64_t value; /* LIMIT_NONE when unavailable */
	enum how how;
};

struct usage {
	struct figure wall_ms, cpu_ms, memory_peak, processes_peak, output_bytes, output_files;
	bool scratch_full; /* a scratch tree was seen with no room left */
};

struct log_usage {
	uint64_t bytes, kept, dropped;
};

#endif
