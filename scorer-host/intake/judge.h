/* The judge process: the truth and a table's columns to metrics. The only process that ever opens the truth. */
#ifndef PROCTOR_INTAKE_JUDGE_H
#define PROCTOR_INTAKE_JUDGE_H

#include "intake/reader.h"
#include "judge/weigh.h"

struct judged {
	struct weighed weighed;
	char truth_sha256[65];
	int result; /* weigh's: 0, -EBADMSG, -ENOMEM */
	struct child_end
	    end; /* a clean end is needed for the rest to count; end.error: the truth could not be opened */
};

/* read: what reader_run left, clean; NULL: weigh_truth alone. with_metrics: false when the table has value faults. 0, or -errno: no process. */
int judge_run(const struct task *task, const struct read_table *read, bool with_metrics, struct judged *out);

/* Size of the truth for bounds; 0 when it cannot be looked at, which judge_run will say. */
uint64_t judge_truth_size(const struct task *task);

/* The path of something the task names, for messages and open(2): below the task folder unless absolute. Truncated to
 * size; returns out. */
char *task_path(const struct task *task, const char *path, char *out, size_t size);

#endif
