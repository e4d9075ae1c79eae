/* The walk over the inputs, and one confined comparison a file. Never follows a link, never writes. */
#include "intake/exposure.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "intake/judge.h"
#include "judge/leak.h"
#include "sys/memfd.h"

enum { HEAD = 4096, MEMORY_A_BYTE = 160, BASE_MEMORY = 64 << 20 };

struct comparison {
	const struct task *task;
	const char *truth_path;
	int file;
	uint64_t file_bytes, truth_bytes;
	const uint8_t *file_map, *truth_map;
	uint64_t key[2];
	struct leak *leak; /* shared */
};

static int prepare(void *argument)
{
	struct comparison *c = argument;
	int fd = open(c->truth_path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	c->truth_map = map_file(fd, c->truth_bytes);
	close(fd);
	c->file_map = map_file(c->file, c->file_bytes);
	if (!c->truth_map || !c->file_map)
		return -errno;
	return getrandom(c->key, sizeof c->key, 0) == sizeof c->key ? 0 : -EIO;
}

static int work(void *argument)
{
	struct comparison *c = argument;
	return leak_find(c->task, c->truth_map, c->truth_bytes, c->file_map, c->file_bytes, c->key, c->leak) <
	       0;
}

/* Text, as far as its beginning shows. */
static bool looks_like_text(int fd)
{
	char head[HEAD];
	ssize_t n = pread(fd, head, sizeof head, 0);
	return n > 0 && !memchr(head, '\0', (size_t)n);
}

/* The name of the truth column that was found; what the process says counts only as far as the task has it. */
static const char *truth_column(const struct task *task, const struct leak *l)
{
	const struct task_metric *m = l->metric < task->metric_count ? &task->metric[l->metric] : NULL;
	const char *name = !m ? NULL : l->event ? m->event : m->truth;
	return name ? name : "";
}

static int found(const struct task *task, const char *path, const struct leak *l, struct fault *fault)
{
	char name[LEAK_NAME];
	(void)snprintf(name, sizeof name, "%.*s", LEAK_NAME - 1, l->column);
	for (char *p = name; *p; p++)
		if (*p < 0x20 || *p == 0x7f)
			*p = '?';
	if (l->kind == LEAK_BYTES)
		(void)fault_set(
		    fault, VERDICT_TRUTH_EXPOSED, "%s has the same bytes as %s", path, task->truth);
	else
		(void)fault_set(fault, VERDICT_TRUTH_EXPOSED,
		    "%s: column %s goes with the truth's column %s row for row; %" PRIu64 " of %" PRIu64
		    " ids of %s are there",
		    path, name, truth_column(task, l), l->agree, l->rows, task->truth);
	if (l->kind != LEAK_BYTES)
		(void)fault_more(
		    fault, "", "a digest comparison alone would have passed: its bytes are not the truth's");
	return fault_hint(fault, "take it out of the input; whoever ran before may have read it");
}

static int compare(struct comparison *c, const char *path, struct fault *fault)
{
	struct child_end end;
	uint64_t all = c->file_bytes + c->truth_bytes;
	const struct child_work child = {.prepare = prepare,
	    .work = work,
	    .argument = c,
	    .confinement = {.memory = BASE_MEMORY + all * MEMORY_A_BYTE,
		.cpu_seconds = 64 * work_seconds(all)},
	    .deadline_ms = 64000 * work_seconds(all)};
	memset(c->leak, 0, sizeof *c->leak);
	int r = child_run(&child, &end);
	if (r < 0 || !child_finished(&end))
		return fault_set(fault, VERDICT_SCORER_FAULT, "%s could not be compared with the truth: %s",
		    path,
		    r < 0	? strerror(-r)
		    : end.error ? strerror(end.error)
				: "the process failed");
	return c->leak->kind == LEAK_NONE ? 0 : found(c->task, path, c->leak, fault);
}

static int unreadable(struct fault *fault, const char *which, const char *path, int error)
{
	(void)fault_set(fault, VERDICT_TASK_INVALID, "%s %s: %s", which, path, strerror(error));
	return error == EACCES
		   ? fault_hint(fault, "let somebody call this who may read all of the task: root may")
		   : -1;
}

static int look_at(struct comparison *c, FTSENT *e, struct exposure_seen *seen, struct fault *fault)
{
	int r = 0;
	if (e->fts_info == FTS_DNR || e->fts_info == FTS_ERR || e->fts_info == FTS_NS)
		return unreadable(fault, "input", e->fts_path, e->fts_errno);
	if (e->fts_info != FTS_F || !S_ISREG(e->fts_statp->st_mode))
		return 0;
	c->file = open(e->fts_accpath, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	if (c->file < 0)
		return unreadable(fault, "input", e->fts_path, errno);
	seen->files++;
	c->file_bytes = (uint64_t)e->fts_statp->st_size;
	if (c->file_bytes && (c->file_bytes == c->truth_bytes || looks_like_text(c->file))) {
		seen->compared++;
		r = compare(c, e->fts_path, fault);
		if (r < 0 && fault->verdict == VERDICT_TRUTH_EXPOSED)
			seen->appeared = e->fts_statp->st_mtime;
	} else if (c->file_bytes) {
		size_t n = strlen(e->fts_path), cut = n < EXPOSURE_NAME ? 0 : n - EXPOSURE_NAME + 1;
		if (seen->opaque < EXPOSURE_NAMES)
			strcpy(seen->opaque_name[seen->opaque], e->fts_path + cut);
		seen->opaque++;
	}
	close(c->file);
	return r;
}

static int walk(struct comparison *c, char *path, struct exposure_seen *seen, struct fault *fault)
{
	char *roots[] = {path, NULL};
	int r = 0;
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_COMFOLLOW, NULL);
	if (!tree)
		return fault_set(fault, VERDICT_SCORER_FAULT, "%s: %s", path, strerror(errno));
	for (FTSENT *e; r == 0 && (e = fts_read(tree));)
		r = look_at(c, e, seen, fault);
	fts_close(tree);
	return r;
}

/* The input's own path, and that the truth does not lie in it. */
static int place(const struct task *task, const struct task_input *in, const char *truth, char path[PATH_MAX],
    struct fault *fault)
{
	char joined[PATH_MAX];
	if (!realpath(task_path(task, in->path, joined, sizeof joined), path))
		return unreadable(fault, "input", joined, errno);
	size_t n = strlen(path);
	if (strncmp(path, truth, n) != 0 || (truth[n] != '/' && truth[n] != '\0' && n > 1))
		return 0;
	(void)fault_set(
	    fault, VERDICT_TRUTH_EXPOSED, "the truth %s lies in the input %s", task->truth, in->path);
	return fault_hint(fault, "move the truth to a folder that is no input");
}

int truth_exposed(const struct task *task, struct exposure_seen *seen, struct fault *fault)
{
	char joined[PATH_MAX], truth[PATH_MAX], path[PATH_MAX];
	struct comparison c = {.task = task, .truth_path = truth};
	struct stat st;
	int r = 0;
	memset(seen, 0, sizeof *seen);
	if (!realpath(task_path(task, task->truth, joined, sizeof joined), truth) || stat(truth, &st) < 0)
		return unreadable(fault, "truth", joined, errno);
	/* Tried here, so that the fault is not laid upon the file that it is compared with. */
	if (faccessat(AT_FDCWD, truth, R_OK, AT_EACCESS) < 0)
		return unreadable(fault, "truth", joined, errno);
	if (!S_ISREG(st.st_mode))
		return fault_set(fault, VERDICT_TASK_INVALID, "truth %s: not a regular file", joined);
	c.truth_bytes = (uint64_t)st.st_size;
	c.leak = memory_shared(sizeof *c.leak);
	if (!c.leak)
		return fault_set(fault, VERDICT_SCORER_FAULT, "no memory");
	for (size_t i = 0; r == 0 && i < task->input_count; i++) {
		r = place(task, &task->input[i], truth, path, fault);
		if (r == 0)
			r = walk(&c, path, seen, fault);
	}
	(void)munmap(c.leak, sizeof *c.leak);
	return r;
}
