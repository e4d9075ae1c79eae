/* Loads task.yaml (libcyaml; proctor-task(5)) into a struct task. Text only: nothing that it names is opened here. */
#ifndef PROCTOR_INTAKE_TASK_FILE_H
#define PROCTOR_INTAKE_TASK_FILE_H

#include "judge/task.h"

/* folder: the task folder. 0, or -1 with TASK_INVALID: key, line where known, what is wrong, what is expected. */
int task_load(const char *folder, struct task *task, struct fault *fault);

/* Frees what task_load allocated. */
void task_free(struct task *task);

/*
 * Runs every self-check of the task. 0, or -1 with SELFCHECK_FAILED: which item, expected, got. *items counts those
 * that passed.
 */
int task_selfcheck(const struct task *task, size_t *items, struct fault *fault);

#endif
