/*
 * A task as data: what task.yaml says after every scalar went through our own parsers (proctor-task(5)). Filled by
 * intake/task_file.c, which owns the memory; read by everybody, changed by nobody.
 */
#ifndef PROCTOR_JUDGE_TASK_H
#define PROCTOR_JUDGE_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "judge/fault.h"
#include "wire/limits.h"
#include "wire/require.h"

enum submission_kind { SUBMISSION_IMAGE, SUBMISSION_FILES };
enum column_type { COLUMN_NUMBER, COLUMN_INTEGER, COLUMN_LABEL };

/* The metrics; judge/metrics.c has their names and what each needs. */
enum metric_kind {
	METRIC_ACCURACY,
	METRIC_BALANCED_ACCURACY,
	METRIC_PRECISION,
	METRIC_RECALL,
	METRIC_SPECIFICITY,
	METRIC_F1,
	METRIC_MCC,
	METRIC_KAPPA,
	METRIC_AUROC,
	METRIC_AVERAGE_PRECISION,
	METRIC_LOG_LOSS,
	METRIC_BRIER,
	METRIC_ECE,
	METRIC_TOP_K,
	METRIC_MAE,
	METRIC_MSE,
	METRIC_RMSE,
	METRIC_RMSLE,
	METRIC_MEDAE,
	METRIC_MAPE,
	METRIC_R2,
	METRIC_PEARSON,
	METRIC_SPEARMAN,
	METRIC_KENDALL,
	METRIC_CONCORDANCE,
	METRIC_NDCG,
	METRIC_MAP,
	METRIC_MRR,
	METRIC_PASS_K,
	METRIC_MEAN,
	METRIC_MEDIAN,
	METRIC_KIND_END
};

/* How classes, or pairs of classes (OVO), become one figure. */
enum metric_average {
	AVERAGE_NONE,
	AVERAGE_BINARY,
	AVERAGE_MICRO,
	AVERAGE_MACRO,
	AVERAGE_WEIGHTED,
	AVERAGE_OVO_MACRO,
	AVERAGE_OVO_WEIGHTED
};
enum metric_weights { WEIGHTS_NONE, WEIGHTS_LINEAR, WEIGHTS_QUADRATIC };
enum metric_take { TAKE_ALL, TAKE_WORST, TAKE_MEAN };

struct task_input {
	char *path; /* relative to the task folder, or absolute */
	char *at;   /* absolute path in the container */
};

struct task_column {
	char *name;
	char **labels; /* COLUMN_LABEL: the allowed ones; none: any */
	size_t label_count;
	char **of; /* a family: the columns in the file that it stands for; none: one, called name */
	size_t of_count;
	double min, max;
	double sum, within;  /* a family's sum in every row */
	double missing;	     /* what an empty or absent value counts as */
	char *missing_label; /* the same for labels */
	enum column_type type;
	bool has_min, has_max, has_sum, has_missing;
};

struct task_metric {
	char *name;
	size_t column;	  /* index into columns: `from` */
	char *truth;	  /* the truth file's column; NULL where the metric needs none */
	char *positive;	  /* its label that counts as positive; NULL where the metric needs none */
	double threshold; /* p ≥ threshold is positive */
	enum metric_kind as;
	bool has_threshold;
	bool lower_is_better;
	char *event;	    /* concordance: the truth's column that is 1 where the time is the event's */
	char *query;	    /* ranking: the column of the id or the truth whose equal values are one query */
	size_t of;	    /* pass@k: the column that counts the samples */
	uint64_t k;	    /* 0: none */
	double ci;	    /* percent; 0: no interval */
	char *by;	    /* the column of the id or the truth whose values are groups, or NULL */
	uint64_t min_group; /* rows; smaller groups are withheld */
	enum metric_average average;
	enum metric_weights weights;
	enum metric_take take;
};

struct task_expectation {
	char *metric; /* name */
	char *value;  /* as written: compared to the decimals written */
	char *within; /* NULL: to the decimals written */
};

struct task_selfcheck {
	char *table;	      /* path relative to the task folder */
	enum verdict verdict; /* the refusal expected, or VERDICT_NONE */
	struct task_expectation *expect;
	size_t expect_count;
};

/* Bits of `tell`, and of what a participant may see. */
enum { TELL_VERDICT = 1, TELL_METRICS = 2, TELL_COUNT = 4, TELL_LIMIT = 8, TELL_NOTES = 16, TELL_ALL = 31 };

struct task {
	char *folder;		      /* the task folder as given */
	char *name, *version, *title; /* title may be NULL */
	enum submission_kind submission;
	char **command; /* NULL-terminated, or NULL */
	struct task_input *input;
	size_t input_count;
	char **id; /* the key columns' names */
	size_t id_count;
	char *truth;	    /* path of the truth table, relative to the folder or absolute */
	char *output_table; /* file name below /output */
	struct task_column *column;
	size_t column_count;
	struct task_metric *metric;
	size_t metric_count;
	struct task_selfcheck *selfcheck;
	size_t selfcheck_count;
	uint64_t
	    limit[OPTION_END]; /* every ON_TASK option, defaults filled in; LIMIT_NONE where there is none */
	uint32_t require;      /* bit 1 << enum requirement */
	char *syscalls;	       /* profile name, "ml" by default */
	char **scratch;	       /* default /tmp and /dev/shm */
	size_t scratch_count;
	char **env; /* K=V */
	size_t env_count;
	int round;	 /* decimals in what a participant sees; -1: not rounded */
	unsigned tell;	 /* TELL_ bits */
	char sha256[65]; /* of task.yaml's bytes, hex */
	void *memory;	 /* the owner's */
};

#endif
