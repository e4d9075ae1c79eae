/*
 * Runs judge/weigh.c in a confined process. The truth is opened and hashed in that process, before it is confined and
 * looks at the columns; this program itself never holds it.
 */
#include "intake/judge.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/digest.h"
#include "sys/memfd.h"

enum { BASE_MEMORY = 64 << 20, BYTES_A_ROW = 160, BYTES_A_NUMBER = 64, DRAWS_A_SECOND = 1000000 };

struct judge_share {
	struct weighed weighed;
	char truth_sha256[65];
	int result;
};

struct judge_work {
	const struct task *task;
	const struct read_table *read;
	bool with_metrics;
	struct judge_share *share;
	uint64_t key[2];
	const uint8_t *truth;
	uint64_t truth_bytes;
	struct columns_shape truth_shape;
	void *truth_block;
	struct columns columns;
};

char *task_path(const struct task *task, const char *path, char *out, size_t size)
{
	if (path[0] == '/')
		(void)snprintf(out, size, "%s", path);
	else
		(void)snprintf(out, size, "%s/%s", task->folder, path);
	return out;
}

static int open_truth(struct judge_work *w)
{
	char path[4096];
	struct stat st;
	struct table_spec spec;
	int fd =
	    open(task_path(w->task, w->task->truth, path, sizeof path), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	int r = fstat(fd, &st) < 0 ? -errno : S_ISREG(st.st_mode) ? 0 : -EINVAL;
	if (r == 0) {
		w->truth_bytes = (uint64_t)st.st_size;
		w->truth = map_file(fd, w->truth_bytes);
		r = w->truth ? 0 : -errno;
	}
	close(fd);
	if (r < 0)
		return r;
	digest_bytes(w->truth, w->truth_bytes, w->share->truth_sha256);
	spec_of_truth(w->task, &spec);
	return columns_shape(&spec, w->truth_bytes, &w->truth_shape);
}

static int prepare(void *argument)
{
	struct judge_work *w = argument;
	const struct columns_shape *shape = w->read ? &w->read->shape : NULL;
	int r = open_truth(w);
	if (r < 0)
		return r;
	if (shape) {
		void *block = mmap(NULL, shape->size, PROT_READ, MAP_SHARED, w->read->columns, 0);
		if (block == MAP_FAILED)
			return -errno;
		columns_bind(&w->columns, block, shape);
	}
	w->truth_block = mmap(NULL, w->truth_shape.size, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (w->truth_block == MAP_FAILED)
		return -errno;
	/* Fewer faults over what is gone through from one end to the other; without it, it is only slower. */
	(void)madvise(w->truth_block, w->truth_shape.size, MADV_HUGEPAGE);
	if (getrandom(w->key, sizeof w->key, 0) != sizeof w->key)
		return -EIO;
	return 0;
}

static int work(void *argument)
{
	struct judge_work *w = argument;
	if (!w->read) {
		weigh_truth(
		    w->task, w->truth, w->truth_bytes, &w->truth_shape, w->truth_block, &w->share->weighed);
		return 0;
	}
	w->share->result = weigh(w->task, w->truth, w->truth_bytes, &w->truth_shape, w->truth_block,
	    &w->columns, w->key, w->with_metrics, &w->share->weighed);
	return 0;
}

uint64_t judge_truth_size(const struct task *task)
{
	char path[4096];
	struct stat st;
	if (stat(task_path(task, task->truth, path, sizeof path), &st) < 0 || st.st_size < 0)
		return 0;
	return (uint64_t)st.st_size;
}

/* Intervals draw every row again and again. */
static uint64_t interval_seconds(const struct task *task, uint64_t rows)
{
	uint64_t seconds = 0;
	for (size_t i = 0; i < task->metric_count; i++)
		if (task->metric[i].ci > 0)
			seconds += rows * bootstrap_resamples(rows) / DRAWS_A_SECOND + 1;
	return seconds;
}

int judge_run(const struct task *task, const struct read_table *read, bool with_metrics, struct judged *out)
{
	memset(out, 0, sizeof *out);
	struct judge_share *share = memory_shared(sizeof *share);
	if (!share)
		return -ENOMEM;
	struct judge_work w = {.task = task, .read = read, .with_metrics = with_metrics, .share = share};
	static const struct read_table none;
	const struct columns_shape *shape = read ? &read->shape : &none.shape;
	uint64_t size = judge_truth_size(task), all = size + shape->size;
	/* A row has two bytes at least; hash, pairs and sort keys of both tables are below BYTES_A_ROW each. */
	uint64_t rows = size / 2 + shape->capacity + 2;
	uint64_t a_row = BYTES_A_ROW + BYTES_A_NUMBER * shape->stored;
	uint64_t seconds = work_seconds(all) + (read ? interval_seconds(task, read->report.rows) : 0);
	const struct child_work child = {.prepare = prepare,
	    .work = work,
	    .argument = &w,
	    .confinement = {.memory = BASE_MEMORY + rows * a_row, .cpu_seconds = seconds},
	    .deadline_ms = 4000 * seconds};
	int r = child_run(&child, &out->end);
	if (r == 0) {
		out->weighed = share->weighed;
		memcpy(out->truth_sha256, share->truth_sha256, sizeof out->truth_sha256);
		out->truth_sha256[64] = '\0';
		out->result = share->result;
		if (child_finished(&out->end) &&
		    !weighed_check(&out->weighed, task, read ? read->report.rows : 0))
			out->end.status = 1;
	}
	(void)munmap(share, sizeof *share);
	return r;
}
