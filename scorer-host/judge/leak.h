/*
 * Whether a file that the candidate may read says what the truth says: the same bytes, or, paired by id, a column that
 * goes with a truth column row for row, under whatever names its values have. Pure; run confined like the judge.
 */
#ifndef PROCTOR_JUDGE_LEAK_H
#define PROCTOR_JUDGE_LEAK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "judge/task.h"

enum leak_kind { LEAK_NONE, LEAK_BYTES, LEAK_COLUMN };
enum { LEAK_NAME = 64 };

struct leak {
	uint32_t kind;	 /* enum leak_kind */
	uint32_t metric; /* the task's metric whose truth column it is */
	uint32_t event;	 /* 1: its event column */
	uint32_t unused;
	uint64_t agree, rows;	/* paired rows, and rows of the truth */
	char column[LEAK_NAME]; /* the file's column, cut; hostile bytes */
};

/*
 * Looks for the truth in one file. A column counts when at least half of the truth's ids are there, it takes one value
 * for each of the truth's and another for each other, and the rows are enough (8) for that to be no accident, or it has
 * the truth column's own name. What is no table by RFC 4180 can only be found by its bytes. 0 or -ENOMEM.
 */
int leak_find(const struct task *task, const uint8_t *truth, size_t truth_bytes, const uint8_t *file,
    size_t file_bytes, const uint64_t key[2], struct leak *out);

#endif
