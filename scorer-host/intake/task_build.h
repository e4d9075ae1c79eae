/* Shared by the files that turn task.yaml's text into a struct task: memory, messages, and the parts. */
#ifndef PROCTOR_INTAKE_TASK_BUILD_H
#define PROCTOR_INTAKE_TASK_BUILD_H

#include <stdbool.h>
#include <stddef.h>

#include "intake/task_yaml.h"
#include "judge/task.h"

/* Everything a task owns. */
struct task_memory {
	struct yaml_task *yaml;
	void **block;
	size_t blocks;
};

struct builder {
	struct task *task;
	const struct yaml_task *yaml;
	const char *text; /* the file's */
	size_t length;
	struct fault *fault;
	struct task_memory *memory;
	char cannot[768]; /* keys that this build cannot honour yet, separated by commas */
};

/* Zeroed memory that lives as long as the task; NULL when there is none. */
void *task_keep(struct builder *b, size_t count, size_t size);

/* A kept copy with a NULL behind it; *out is NULL when count is 0. 0 or -1 with a fault. */
int task_words(struct builder *b, char *const *words, size_t count, char ***out);

/* Refuses: key path (printf format), what was written (NULL: nothing), what is expected. Always -1. */
int bad(struct builder *b, const char *value, const char *expected, const char *key, ...)
    __attribute__((format(printf, 4, 5)));

int no_memory(struct builder *b);

/* Notes a key that the format knows and this build does not; the file is refused once all of them are known. */
void cannot(struct builder *b, const char *key, ...) __attribute__((format(printf, 2, 3)));

/* A decimal number at list[at + 1].key. 0, or -1 with a fault. */
int task_number(
    struct builder *b, const char *text, double *value, const char *list, unsigned at, const char *key);

/* 1 … most bytes and no control character. */
bool plain_text(const char *text, size_t most);

/* The parts; each 0 or -1 with a fault. */
int build_columns(struct builder *b); /* ids and columns, then the metrics */
int build_metrics(struct builder *b);
int build_selfcheck(struct builder *b); /* after the metrics */
int build_limits(struct builder *b);	/* limits, require, syscalls */
int build_places(struct builder *b);	/* input, truth, output, scratch, env */

#endif
