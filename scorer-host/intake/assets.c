/* A task's assets against its task.lock. */
#include "intake/assets.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "sys/files.h"

enum { LOCK_MAX = 64 << 20 };

static int resolve(const struct task *t, const char *path, char out[PATH_MAX])
{
	char joined[PATH_MAX];
	int absolute = *path == '/';
	int n =
	    snprintf(joined, sizeof joined, "%s%s%s", absolute ? "" : t->folder, absolute ? "" : "/", path);
	if (n >= (int)sizeof joined)
		return -ENAMETOOLONG;
	return realpath(joined, out) ? 0 : -errno;
}

static int bad(struct fault *fault, const char *what, const char *path, const char *where, int error)
{
	(void)fault_set(fault, VERDICT_TASK_INVALID, "%s %s%s%s: %s", what, path, *where ? "/" : "", where,
	    error == EINVAL ? "not a file or folder, or a name that a digest list cannot carry"
			    : strerror(error));
	return error == EACCES
		   ? fault_hint(fault, "let somebody call this who may read all of the task: root may")
		   : -1;
}

static int take_input(const struct task *t, size_t i, FILE *lines, struct asset *a, struct fault *fault)
{
	const char *path = t->input[i].path;
	char where[256] = "";
	int r = resolve(t, path, a->path);

	if (r == 0)
		r = listing_take(
		    a->path, path, lines, false, LISTING_CONTENT, UINT64_MAX, &a->listing, where);
	return r < 0 ? bad(fault, "input", path, where, -r) : 0;
}

static int readable(const struct task *t, const struct assets *all, struct fault *fault)
{
	for (size_t i = 0; i < t->input_count; i++) {
		const struct asset *a = &all->input[i];
		if (a->listing.readable)
			continue;
		(void)fault_set(fault, VERDICT_TASK_INVALID,
		    "input %s%s%s: the candidate, a user of its own, could not read it", t->input[i].path,
		    a->listing.unreadable[0] ? "/" : "", a->listing.unreadable);
		return fault_hint(fault, "chmod -R o+rX %s", a->path);
	}
	return 0;
}

static int take_truth(const struct task *t, FILE *lines, struct assets *a, struct fault *fault)
{
	char path[PATH_MAX], where[256] = "";
	struct listing l = {.sha256 = ""};
	int r = resolve(t, t->truth, path);

	if (r == 0)
		r = listing_take(path, t->truth, lines, false, LISTING_CONTENT, UINT64_MAX, &l, where);
	memcpy(a->truth_sha256, l.sha256, sizeof a->truth_sha256);
	return r < 0 ? bad(fault, "truth", t->truth, where, -r) : 0;
}

int assets_digest(const struct task *task, struct assets *a, struct fault *fault)
{
	FILE *lines;
	int r = 0;

	memset(a, 0, sizeof *a);
	lines = open_memstream(&a->lock, &a->lock_size);
	a->input = calloc(task->input_count + 1, sizeof *a->input);
	if (!lines || !a->input) {
		if (lines)
			(void)fclose(lines);
		return fault_set(fault, VERDICT_SCORER_FAULT, "out of memory");
	}
	(void)fprintf(lines, "%s  task.yaml\n", task->sha256);
	for (size_t i = 0; r == 0 && i < task->input_count; i++)
		r = take_input(task, i, lines, &a->input[i], fault);
	if (r == 0)
		r = take_truth(task, lines, a, fault);
	if (fclose(lines) != 0 && r == 0)
		r = fault_set(fault, VERDICT_SCORER_FAULT, "out of memory");
	return r;
}

int assets_take(const struct task *task, struct assets *a, struct fault *fault)
{
	return assets_digest(task, a, fault) < 0 ? -1 : readable(task, a, fault);
}

static int line_compare(const void *a, const void *b)
{
	/* By name: the digest's 64 digits and two blanks stand in front of it. */
	const char *x = *(char *const *)a, *y = *(char *const *)b;
	return strcmp(strlen(x) > 66 ? x + 66 : x, strlen(y) > 66 ? y + 66 : y);
}

/* Cuts a text into lines, sorted by name. */
static char **sorted(char *text, size_t *count)
{
	size_t n = 0;
	char **line;

	for (char *p = text; *p; p++)
		n += *p == '\n';
	line = calloc(n + 1, sizeof *line);
	*count = 0;
	for (char *p = text; line && *p && *count < n; p++) {
		line[(*count)++] = p;
		p += strcspn(p, "\n");
		*p = '\0';
	}
	if (line)
		qsort(line, *count, sizeof *line, line_compare);
	return line;
}

static int compare(char **was, size_t was_count, char **is, size_t is_count, struct fault *fault)
{
	for (size_t i = 0, k = 0; i < was_count || k < is_count;) {
		int order = i == was_count ? 1 : k == is_count ? -1 : line_compare(&was[i], &is[k]);
		const char *name = order <= 0 ? was[i] : is[k];
		if (order == 0 && strcmp(was[i], is[k]) == 0) {
			i++;
			k++;
			continue;
		}
		(void)fault_set(fault, VERDICT_ASSET_MISMATCH, "%s: %s", strlen(name) > 66 ? name + 66 : name,
		    order == 0	? "its digest is not the one in task.lock"
		    : order < 0 ? "in task.lock, but not among the task's assets"
				: "not in task.lock");
		return fault_hint(
		    fault, "if the change is meant, raise the task's version and write task.lock anew");
	}
	return 0;
}

int assets_agree(const struct assets *a, const char *lock, size_t size, struct fault *fault)
{
	char *was = strndup(lock, size), *is = strndup(a->lock, a->lock_size), **was_line = NULL,
	     **is_line = NULL;
	size_t was_count = 0, is_count = 0;
	int r;

	if (was && is) {
		was_line = sorted(was, &was_count);
		is_line = sorted(is, &is_count);
	}
	r = was_line && is_line ? compare(was_line, was_count, is_line, is_count, fault)
				: fault_set(fault, VERDICT_SCORER_FAULT, "out of memory");
	free(was_line);
	free(is_line);
	free(was);
	free(is);
	return r;
}

int assets_locked(const struct task *task, const struct assets *a, struct fault *fault)
{
	char path[PATH_MAX], *was = malloc(LOCK_MAX);
	ssize_t n = -ENOMEM;
	int r = 0;

	if (was && snprintf(path, sizeof path, "%s/task.lock", task->folder) < (int)sizeof path)
		n = file_read(AT_FDCWD, path, was, LOCK_MAX);
	if (n >= 0)
		r = assets_agree(a, was, (size_t)n, fault) < 0 ? -1 : 1;
	else if (n != -ENOENT)
		r = fault_set(
		    fault, VERDICT_ASSET_MISMATCH, "%s/task.lock: %s", task->folder, strerror((int)-n));
	free(was);
	return r;
}

int assets_unchanged(const struct task *task, const struct assets *a, size_t input)
{
	struct listing now;
	char where[256];

	return listing_take(a->input[input].path, task->input[input].path, NULL, false, LISTING_LOOK,
		   UINT64_MAX, &now, where) == 0 &&
	       strcmp(now.signature, a->input[input].listing.signature) == 0;
}

void assets_free(struct assets *a)
{
	free(a->input);
	free(a->lock);
	memset(a, 0, sizeof *a);
}
