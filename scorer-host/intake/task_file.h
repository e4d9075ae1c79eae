/* Loads task.yaml (libcyaml; proctor-task(5)) into a struct task. Text only: nothing that it names is opened here. */
#ifndef PROCTOR_INTAKE_TASK_FILE_H
#define PROCTOR_INTAKE_TASK_FILE_H

#include "judge/task.h"

/* folder: the task folder. 0, or -1 with TASK_INVALID: key, line where known, what is wrong, what is expected.
 * A folder that is not there is a usage error (VERDICT_NONE). */
int task_load(const char *folder, struct task *task, struct fault *fault);

/* The same from bytes in memory (text[length] need not be there). */
int task_parse(const char *folder, const char *text, size_t length, struct task *task, struct fault *fault);

/* Frees what task_load allocated. */
void task_free(struct task *task);

/*
 * Runs every self-check of the task, after the truth alone was looked at. 0, or -1 with SELFCHECK_FAILED: everything that
 * does not hold, with its exact value. *items counts the items that passed.
 */
int task_selfcheck(const struct task *task, size_t *items, struct fault *fault);

#endif
