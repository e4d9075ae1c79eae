/*
 * Writes task.lock. It gets its name only when it is whole and on disk, and the digests in it are those that truth
 * exposure and self-check were looked at with: what changes in between differs from the lock at the next run.
 */
#include "command/check_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/files.h"

enum { LOCK_MAX = 64 << 20 };

const char *lock_state_name(enum lock_state state)
{
	static const char *const names[] = {NULL, "none", "agrees", "stale", "written"};
	return (unsigned)state < sizeof names / sizeof *names ? names[state] : NULL;
}

/* Whether the lock that is there names this very task.yaml. */
static bool locks_task(const struct task *task)
{
	char path[PATH_MAX], wanted[64 + sizeof "\n  task.yaml\n"], *lock = malloc(LOCK_MAX);
	ssize_t n = -1;
	bool same = false;

	(void)snprintf(wanted, sizeof wanted, "%.64s  task.yaml\n", task->sha256);
	if (lock && snprintf(path, sizeof path, "%s/task.lock", task->folder) < (int)sizeof path)
		n = file_read(AT_FDCWD, path, lock, LOCK_MAX);
	for (char *at = lock; n > 0 && !same && (at = strstr(at, wanted)); at++)
		same = at == lock || at[-1] == '\n';
	free(lock);
	return same;
}

/* The folder must not lie in an input: the lock would have to hold its own digest. */
static int outside(const struct task *task, const struct assets *a, struct fault *fault)
{
	char folder[PATH_MAX];

	if (!realpath(task->folder, folder))
		return fault_set(fault, VERDICT_TASK_INVALID, "%s: %s", task->folder, strerror(errno));
	for (size_t i = 0; i < task->input_count; i++) {
		size_t n = strlen(a->input[i].path);
		if (strncmp(folder, a->input[i].path, n) == 0 && (folder[n] == '/' || folder[n] == '\0'))
			return fault_set(fault, VERDICT_TASK_INVALID,
			    "input %s holds the task's own folder, so it cannot be locked",
			    task->input[i].path);
	}
	return 0;
}

int lock_look(const struct task *task, struct lock *l, struct fault *fault)
{
	int r;

	memset(l, 0, sizeof *l);
	if (assets_take(task, &l->assets, fault) < 0)
		return -1;
	for (size_t i = 0; i < l->assets.lock_size; i++)
		l->files += l->assets.lock[i] == '\n';
	r = assets_locked(task, &l->assets, &l->stale);
	l->state = r > 0 ? LOCK_AGREES : r == 0 ? LOCK_NONE : LOCK_STALE;
	if (r < 0 && l->stale.verdict != VERDICT_ASSET_MISMATCH) {
		*fault = l->stale;
		return -1;
	}
	l->same_task = r < 0 && locks_task(task);
	return 0;
}

static int cannot(struct fault *fault, const char *folder, int error)
{
	bool full = error == ENOSPC || error == EDQUOT;
	(void)fault_set(fault, full ? VERDICT_INFRA_DISK : VERDICT_NONE, "%s/task.lock cannot be written: %s",
	    folder, strerror(error));
	return full ? fault_hint(fault, "free space, then type the same command again") : -1;
}

static int replace(const struct task *task, const struct assets *a, struct fault *fault)
{
	int folder = open(task->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), fd = -1, r;
	char name[64];

	(void)snprintf(name, sizeof name, ".task.lock.%ld", (long)getpid());
	r = folder < 0 ? -errno : 0;
	if (r == 0) {
		(void)unlinkat(folder, name, 0); /* of a process of that number, which is gone */
		fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		r = fd < 0 ? -errno : write_all(fd, a->lock, a->lock_size);
	}
	if (r == 0 && (fchmod(fd, 0644) < 0 || fsync(fd) < 0 ||
			  renameat(folder, name, folder, "task.lock") < 0 || fsync(folder) < 0))
		r = -errno;
	if (fd >= 0) {
		if (r < 0)
			(void)unlinkat(folder, name, 0);
		(void)close(fd);
	}
	if (folder >= 0)
		(void)close(folder);
	return r < 0 ? cannot(fault, task->folder, -r) : 0;
}

int lock_write(const struct task *task, struct lock *l, struct fault *fault)
{
	if (l->state == LOCK_AGREES)
		return 0;
	if (l->state == LOCK_STALE && l->same_task) {
		*fault = l->stale;
		return fault_hint(fault,
		    "if the change is meant, raise version in task.yaml, then check --lock again; if nothing "
		    "was scored yet, remove task.lock");
	}
	if (outside(task, &l->assets, fault) < 0 || replace(task, &l->assets, fault) < 0)
		return -1;
	l->state = LOCK_WRITTEN;
	return 0;
}

void lock_explain(const struct lock *l, struct fault *fault)
{
	if (l->state == LOCK_STALE)
		(void)fault_more(fault, "lock", "%s", l->stale.what);
	else if (l->state == LOCK_AGREES)
		(void)fault_more(fault, "lock", "every file is the one of task.lock");
}

void lock_free(struct lock *l)
{
	assets_free(&l->assets);
}
