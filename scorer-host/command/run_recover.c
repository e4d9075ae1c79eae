/*
 * Closes what killed scorers left in this home. Each live run holds its note in HOME/active locked; a note that can be
 * locked belongs to nobody any more. Its container and group are removed, and its run gets the verdict INFRA_SCORER_LOST.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/run.h"
#include "command/run_ledger.h"
#include "evidence/evidence.h"
#include "intake/task_file.h"
#include "sys/cgroup.h"
#include "sys/clock.h"
#include "sys/files.h"

enum { DROP_MS = 5000 };

struct lost {
	const char *run, *folder, *engine, *started, *submission, *sha256;
	json_t *note;
};

/* Takes the note over. */
static int read_note(json_t *note, struct lost *l)
{
	memset(l, 0, sizeof *l);
	l->note = note;
	if (json_unpack(l->note, "{s:s, s:s, s:s, s:s, s:s}", "run", &l->run, "folder", &l->folder, "engine",
		&l->engine, "started", &l->started, "sha256", &l->sha256) < 0 ||
	    strlen(l->run) != 14 || strncmp(l->run, "r-", 2) != 0 ||
	    strspn(l->run + 2, "0123456789abcdef") != 12 || l->folder[0] != '/')
		return -EINVAL;
	l->submission = json_string_value(json_object_get(l->note, "submission")); /* null without */
	return 0;
}

/* Its container, its processes, its group. */
static int sweep(const struct lost *l)
{
	char work[PATH_MAX], name[64];
	const struct engine *engine = engine_find(l->engine);
	struct launch launch = {.id = l->run, .work = work};
	struct cgroup group;
	struct fault fault;
	int r = 0;

	(void)snprintf(work, sizeof work, "%.4000s/.work", l->folder);
	(void)snprintf(name, sizeof name, "/proctor-%s", l->run);
	if (cgroup_find(&group, name) == 0 &&
	    (cgroup_kill(&group, DROP_MS) < 0 || cgroup_remove(&group) < 0)) {
		(void)fprintf(stderr, "scorer-host: %s: its processes have not ended yet\n", l->run);
		r = -EBUSY;
	} else if (engine && engine->remove(&launch, &fault) < 0) {
		(void)fprintf(stderr, "scorer-host: %s: %s\n", l->run, fault.what);
		r = -EBUSY;
	}
	return r;
}

static void describe(struct run *run, struct stage *s, const struct lost *l, const struct task *task)
{
	(void)snprintf(run->id, sizeof run->id, "%s", l->run);
	(void)snprintf(run->started, sizeof run->started, "%s", l->started);
	(void)snprintf(run->submission_sha256, sizeof run->submission_sha256, "%s", l->sha256);
	clock_utc(run->ended);
	(void)gethostname(run->host, sizeof run->host - 1);
	run->submission = l->submission;
	run->task = task;
	(void)fault_set(
	    &run->fault, VERDICT_INFRA_SCORER_LOST, "scorer-host was killed in the middle of the run");
	(void)fault_hint(&run->fault, "the same command starts it anew");
	s->stage = strcmp(l->engine, NO_ENGINE) == 0 ? NULL : "candidate";
	s->run = run->id;
	s->image = json_null();
	s->engine_name = l->engine;
	s->mounts = json_array();
	s->limits = json_object();
	s->require = json_array();
	s->command = task ? task->command : NULL;
	s->observed.engine_status = -1;
	s->observed.gone = true;
	s->observed.wall_ms = s->observed.memory_peak = s->observed.memory_limit_hits =
	    s->observed.oom_kills = s->observed.cpu_ms = s->observed.processes_peak =
		s->observed.processes_limit_hits = s->observed.output_bytes = s->observed.output_files =
		    LIMIT_NONE;
	(void)snprintf(s->crosscheck, sizeof s->crosscheck, "not weighed: the scorer was lost");
}

/* What is in the folder becomes evidence as it is, less our own working files. */
static int close_run(struct running *g, const struct lost *l, int folder)
{
	static const char *const remade[] = {
	    "audit.json", "audit.dsse.json", "score.json", "participant.json"};
	struct run *run = calloc(1, sizeof *run);
	struct task task;
	struct fault fault;
	bool loaded;
	int r;

	if (!run)
		return -ENOMEM;
	r = folder_remove(folder, ".work");
	for (size_t i = 0; i < sizeof remade / sizeof *remade; i++)
		(void)unlinkat(folder, remade[i], 0);
	(void)unlinkat(folder, "outputs", AT_REMOVEDIR);
	(void)unlinkat(folder, "logs", AT_REMOVEDIR);
	loaded = task_load(l->folder, &task, &fault) == 0;
	describe(run, &run->stage, l, loaded ? &task : NULL);
	run->folder_fd = folder;
	run->folder = strdup(l->folder);
	if (r == 0 && evidence_write(run, &g->key, &fault) < 0) {
		(void)fprintf(stderr, "scorer-host: %s: %s\n", l->folder, fault.what);
		r = -EIO;
	}
	if (loaded)
		task_free(&task);
	json_decref(run->stage.mounts);
	json_decref(run->stage.limits);
	json_decref(run->stage.require);
	free(run->folder);
	free(run);
	return r;
}

/* Takes the note over. */
static int recover(struct running *g, json_t *note)
{
	struct lost l;
	int folder, r = read_note(note, &l);

	if (r == 0)
		r = sweep(&l);
	if (r == 0) {
		folder = open(l.folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (folder >= 0) {
			/* Complete already, and killed only then: its evidence stands. */
			bool whole = faccessat(folder, "audit.dsse.json", F_OK, 0) == 0 &&
				     faccessat(folder, ".work", F_OK, 0) < 0;
			r = whole ? 0 : close_run(g, &l, folder);
			(void)close(folder);
			if (r == 0)
				(void)fprintf(stderr, "scorer-host: %s: %s\n", l.folder,
				    whole ? "what was left of it is gone"
					  : "closed after a killed scorer (INFRA_SCORER_LOST)");
		}
	}
	if (r == 0)
		r = run_close_lost(g, l.run, l.folder, strcmp(l.engine, NO_ENGINE) != 0);
	json_decref(l.note);
	return r;
}

struct orphans {
	const char *home;
	json_t *notes;
};

/* Its mark came before its row, so without one nobody is at it any more. */
static int orphan(void *context, const struct ledger_row *row)
{
	struct orphans *o = context;
	char path[PATH_MAX];

	(void)snprintf(path, sizeof path, "%.4000s/active/%s", o->home, row->run);
	if (access(path, F_OK) < 0 && errno == ENOENT)
		(void)json_array_append_new(
		    o->notes, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s?}", "run", row->run, "folder",
				  row->folder, "engine", row->engine, "started", row->started, "sha256",
				  row->sha256, "submission", row->submission));
	return 0;
}

/* What the ledger says was begun and HOME/active no longer knows. */
static void recover_orphans(struct running *g)
{
	static const struct ledger_filter open_ones = {.open = true};
	struct orphans o = {g->home, json_array()};
	struct fault fault = {0};
	struct ledger *l = NULL;

	if (ledger_open(g->home, LEDGER_READ, &l, &fault) < 0 ||
	    (l && ledger_each(l, &open_ones, orphan, &o, &fault) < 0))
		(void)fprintf(stderr, "scorer-host: %s\n", fault.what);
	ledger_done(l);
	for (size_t i = 0; i < json_array_size(o.notes); i++)
		(void)recover(g, json_incref(json_array_get(o.notes, i)));
	json_decref(o.notes);
}

void run_recover(struct running *g)
{
	char path[PATH_MAX];
	struct dirent *e;
	DIR *d;

	(void)snprintf(path, sizeof path, "%.4000s/active", g->home);
	d = opendir(path);
	while (d && (e = readdir(d)) != NULL) {
		struct stat st;
		int fd;
		if (e->d_name[0] == '.')
			continue;
		fd = openat(dirfd(d), e->d_name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
		if (fd < 0)
			continue;
		/* Unlinked while we waited at the door: it ended by itself, or somebody else has closed it. */
		if (flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &st) == 0 && st.st_nlink > 0) {
			if (recover(g, json_loadfd(fd, JSON_REJECT_DUPLICATES, NULL)) == 0)
				(void)unlinkat(dirfd(d), e->d_name, 0);
			else
				(void)fprintf(stderr,
				    "scorer-host: %s/%s: could not be closed; tried again at the next "
				    "start\n",
				    path, e->d_name);
		}
		(void)close(fd);
	}
	if (d)
		(void)closedir(d);
	recover_orphans(g);
}
