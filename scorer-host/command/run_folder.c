/*
 * The run directory's life: made with all that is known before the stage, cleared of our own working files before the
 * evidence is taken. While it is worked on, HOME/active/ID is held locked and says what to clean up should we die.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/run.h"
#include "command/run_ledger.h"
#include "evidence/evidence.h"
#include "sys/files.h"

enum { TASK_MAX = 1 << 20 };
static const char work_name[] = ".work";

static int failed(struct running *g, const char *name, int error)
{
	return fault_set(&g->run.fault,
	    error == ENOSPC || error == EDQUOT ? VERDICT_INFRA_DISK : VERDICT_SCORER_FAULT, "%s%s%s: %s",
	    g->folder, *name ? "/" : "", name, strerror(error));
}

/* Locked before it gets its name: nobody ever finds it there unlocked while we live. */
static int mark_alive(struct running *g)
{
	char path[PATH_MAX], hidden[PATH_MAX];
	json_t *note = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s*}", "run", g->run.id, "folder", g->folder,
	    "engine", g->engine->name, "started", g->run.started, "sha256", g->run.submission_sha256,
	    "submission", g->run.submission);
	char *text = json_dumps(note, JSON_SORT_KEYS);
	int r = text ? 0 : -ENOMEM;

	(void)snprintf(path, sizeof path, "%.4000s/active/%s", g->home, g->run.id);
	(void)snprintf(hidden, sizeof hidden, "%.4000s/active/.%s", g->home, g->run.id);
	if (r == 0) {
		g->active = open(hidden, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		r = g->active < 0 ? -errno : 0;
	}
	if (r == 0)
		r = flock(g->active, LOCK_EX | LOCK_NB) < 0 ? -errno
							    : write_all(g->active, text, strlen(text));
	if (r == 0)
		r = rename(hidden, path) < 0 ? -errno : 0;
	if (r < 0)
		(void)unlink(hidden);
	free(text);
	json_decref(note);
	return r;
}

static int copy_task(struct running *g)
{
	char path[PATH_MAX], *text = malloc(TASK_MAX);
	ssize_t n = -ENOMEM;
	int r;

	if (text && snprintf(path, sizeof path, "%s/task.yaml", g->task.folder) < (int)sizeof path)
		n = file_read(AT_FDCWD, path, text, TASK_MAX);
	r = n < 0 ? (int)n : file_write(g->run.folder_fd, "task.yaml", text, (size_t)n, 0600);
	free(text);
	return r;
}

int run_begin(struct running *g)
{
	int r = mark_alive(g);

	/* The mark comes first: were we killed in between, the next start would find the folder through it. */
	if (r < 0)
		return failed(g, "", -r);
	if (run_claim(g) < 0)
		return -1;
	if (mkdir(g->folder, 0700) < 0)
		return failed(g, "", errno);
	g->run.folder_fd = open(g->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (g->run.folder_fd < 0)
		return failed(g, "", errno);
	g->run.folder = g->folder;
	g->begun = true;
	if (evidence_reserve(g->run.folder_fd, &g->run.fault) < 0)
		return -1;
	if ((r = copy_task(g)) < 0)
		return failed(g, "task.yaml", -r);
	r = file_write(g->run.folder_fd, "task.lock", g->assets.lock, g->assets.lock_size, 0600);
	if (r < 0)
		return failed(g, "task.lock", -r);
	if (mkdirat(g->run.folder_fd, "logs", 0700) < 0 || mkdirat(g->run.folder_fd, "outputs", 0700) < 0 ||
	    mkdirat(g->run.folder_fd, work_name, 0700) < 0)
		return failed(g, work_name, errno);
	(void)snprintf(g->work, sizeof g->work, "%.4080s/%s", g->folder, work_name);
	g->work_fd = openat(g->run.folder_fd, work_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return g->work_fd < 0 ? failed(g, work_name, errno) : 0;
}

int run_settle(struct running *g)
{
	int r;

	if (g->work_fd >= 0)
		(void)close(g->work_fd);
	g->work_fd = -1;
	r = folder_remove(g->run.folder_fd, work_name);
	(void)unlinkat(g->run.folder_fd, EVIDENCE_RESERVE, 0);
	(void)unlinkat(g->run.folder_fd, "outputs", AT_REMOVEDIR);
	(void)unlinkat(g->run.folder_fd, "logs", AT_REMOVEDIR);
	return r < 0 ? failed(g, "", -r) : 0;
}

void run_end(struct running *g)
{
	char path[PATH_MAX];

	(void)snprintf(path, sizeof path, "%.4000s/active/%s", g->home, g->run.id);
	if (g->active >= 0) {
		if (!g->left)
			(void)unlink(path);
		(void)close(g->active);
		g->active = -1;
	}
}
