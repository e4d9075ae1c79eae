/* Looks for the truth among what the candidate may read. The comparison runs confined; the truth is not held here. */
#ifndef PROCTOR_INTAKE_EXPOSURE_H
#define PROCTOR_INTAKE_EXPOSURE_H

#include <stddef.h>
#include <time.h>

#include "judge/task.h"

enum { EXPOSURE_NAMES = 3, EXPOSURE_NAME = 256 };

struct exposure_seen {
	size_t files;	 /* regular files below the inputs */
	size_t compared; /* of them looked into: text, or of the truth's size */
	size_t opaque;	 /* neither, and not empty: compressed, binary. What is in there nobody looked at */
	char opaque_name[EXPOSURE_NAMES]
			[EXPOSURE_NAME]; /* the first of those: their paths, cut at the front */
	time_t appeared;		 /* TRUTH_EXPOSED: that file's time of modification; else 0 */
};

/*
 * Walks every input (links are not followed), compares each file with the truth by bytes and by columns (judge/leak.h).
 * 0, or -1: TRUTH_EXPOSED with file and column, or TASK_INVALID when an input or the truth is not there.
 */
int truth_exposed(const struct task *task, struct exposure_seen *seen, struct fault *fault);

#endif
