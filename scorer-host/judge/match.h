/* Pairs the rows of a table with those of the truth by id: equal as sets, in any order, each exactly once. Pure. */
#ifndef PROCTOR_JUDGE_MATCH_H
#define PROCTOR_JUDGE_MATCH_H

#include <stdint.h>

#include "judge/columns.h"

enum { MATCH_SAMPLE = 32 };

/* Rows at fault: how many, and the first of them in its own file's order (data rows from 0). */
struct match_fault {
	uint64_t count;
	uint64_t row;
	uint64_t other; /* for duplicates: the earlier row with the same id */
	uint64_t sample_length;
	uint8_t sample
	    [MATCH_SAMPLE]; /* the beginning of that row's id; several columns of an id with NUL between */
};

struct match_report {
	struct match_fault truth_duplicate, duplicate, unknown, missing;
};

#define UNMATCHED UINT32_MAX

/*
 * Fills row_of[i], for every row i of the truth, with the table's row of the same id, or UNMATCHED. Both blocks passed
 * columns_check. Time is linear whatever the ids are, as long as their author does not know the key. 0 or -ENOMEM.
 */
int match_ids(const struct columns *truth, const struct columns *table, const uint64_t key[2],
    uint32_t *row_of, struct match_report *report);

#endif
