/* Looks for the truth among what the candidate may read. The comparison runs confined; the truth is not held here. */
#ifndef PROCTOR_INTAKE_EXPOSURE_H
#define PROCTOR_INTAKE_EXPOSURE_H

#include <stddef.h>
#include <time.h>

#include "judge/task.h"

struct exposure_seen {
	size_t files;	 /* regular files below the inputs */
	size_t compared; /* of them looked into: text, or of the truth's size */
	time_t appeared; /* TRUTH_EXPOSED: that file's time of modification; else 0 */
};

/*
 * Walks every input (links are not followed), compares each file with the truth by bytes and by columns (judge/leak.h).
 * 0, or -1: TRUTH_EXPOSED with file and column, or TASK_INVALID when an input or the truth is not there.
 */
int truth_exposed(const struct task *task, struct exposure_seen *seen, struct fault *fault);

#endif
