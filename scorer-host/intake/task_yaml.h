/*
 * task.yaml as text: what libcyaml makes of the file, every scalar still a string. A key that was not written is NULL.
 * intake/task_file.c turns it into a struct task.
 */
#ifndef PROCTOR_INTAKE_TASK_YAML_H
#define PROCTOR_INTAKE_TASK_YAML_H

#include "judge/fault.h"
#include "wire/limits.h"

struct yaml_input {
	char *path, *at;
};

struct yaml_output {
	char *table;
	char **files;
	unsigned files_count;
};

struct yaml_limits {
	char *value[OPTION_END]; /* those ON_TASK */
};

struct yaml_scorer {
	char *image, *table;
	char **command;
	unsigned command_count;
	struct yaml_limits *limits;
};

struct yaml_column {
	char *name, *type, *min, *max, *sum, *within, *missing;
	char **of, **labels;
	unsigned of_count, labels_count;
};

struct yaml_metric {
	char *name, *as, *from, *truth, *positive, *threshold;
	char *event, *of, *k, *average, *weights, *better, *ci, *by, *min_group, *take;
};

struct yaml_expect {
	char *metric, *value, *within;
};

struct yaml_selfcheck {
	char *table, *submission, *files, *verdict;
	struct yaml_expect *expect;
	unsigned expect_count;
};

struct yaml_board {
	char *take, *attempts;
};

struct yaml_task {
	char *name, *version, *title, *method, *submission, *image, *truth, *syscalls, *round;
	char **command, **id, **require, **scratch, **env, **tell;
	unsigned command_count, id_count, require_count, scratch_count, env_count, tell_count;
	struct yaml_input *input;
	unsigned input_count;
	struct yaml_output *output;
	struct yaml_scorer *scorer;
	struct yaml_column *columns;
	unsigned columns_count;
	struct yaml_metric *metrics;
	unsigned metrics_count;
	struct yaml_selfcheck *selfcheck;
	unsigned selfcheck_count;
	struct yaml_limits *limits;
	struct yaml_board *board;
};

enum { TASK_YAML_MAX = 256 << 10 };

/* Parses the text (n bytes). *task is freed with task_yaml_free. 0, or -1 with TASK_INVALID. */
int task_yaml_parse(const char *text, size_t n, struct yaml_task **task, struct fault *fault);

void task_yaml_free(struct yaml_task *task);

#endif
