/* Where things stand in task.yaml, by libyaml's own events: for messages that lead to the place. */
#ifndef PROCTOR_INTAKE_TASK_LINES_H
#define PROCTOR_INTAKE_TASK_LINES_H

#include <stddef.h>

#include "judge/fault.h"

/* 0 when the text is YAML, else -1: TASK_INVALID with the line and what the parser expected there. */
int task_lines_check(const char *text, size_t n, struct fault *fault);

/*
 * The line (from 1) of a key or list item: "limits.memory", "metrics[2].as", items from 1. What is not written itself is
 * at what would hold it: metrics[2]. Of a key written twice, the second. 0 when there is nothing of it.
 */
unsigned task_lines_find(const char *text, size_t n, const char *path);

#endif
