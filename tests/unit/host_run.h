/* A run directory made up for tests, and small helpers around files and programs. For test programs only. */
#ifndef PROCTOR_TEST_HOST_RUN_H
#define PROCTOR_TEST_HOST_RUN_H

#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "evidence/evidence.h"
#include "intake/assets.h"
#include "intake/scoring.h"
#include "intake/task_file.h"
#include "judge/crosscheck.h"
#include "judge/record.h"
#include "sys/files.h"
#include "wire_session.h"

/* Runs a program of the PATH with its output thrown away; its exit status, or -1. The last argument is NULL. */
static inline int program(const char *name, ...)
{
	char *argv[24];
	posix_spawn_file_actions_t actions;
	va_list args;
	pid_t pid;
	int status, n = 1, r;

	memcpy(argv, &name, sizeof name); /* execve(2) writes to none of them */
	va_start(args, name);
	while (n < 23 && (argv[n] = va_arg(args, char *)) != NULL)
		n++;
	va_end(args);
	if (posix_spawn_file_actions_init(&actions) != 0 ||
	    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0) != 0 ||
	    posix_spawn_file_actions_adddup2(&actions, 1, 2) != 0)
		return -1;
	r = posix_spawnp(&pid, name, &actions, NULL, argv, environ);
	(void)posix_spawn_file_actions_destroy(&actions);
	if (r != 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

static inline void write_bytes(const char *path, const void *bytes, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || write_all(fd, bytes, n) < 0 || close(fd) < 0)
		abort();
}

/* Removes a folder that mkdtemp made, and all below it. */
static inline int remove_tree(const char *path)
{
	return folder_remove(AT_FDCWD, path);
}

#define MADE_TASK \
	"name: made-up\nversion: \"1\"\nsubmission: image\ninput:\n  - {path: input, at: /input}\nid: " \
	"[id]\n" \
	"truth: truth.csv\noutput:\n  table: predictions.csv\ncolumns:\n  - {name: p, type: number, min: " \
	"0, max: 1}\n" \
	"metrics:\n  - {name: AUROC, as: auroc, truth: y, positive: \"1\", from: p}\n" \
	"selfcheck:\n  - table: canonical.csv\n    expect: [{metric: AUROC, value: \"1\"}]\n" \
	"limits: {wall-time: 60s, memory: 1GiB}\nround: 4\n"
#define MADE_TABLE "id,p\na,0.1\nb,0.7\nc,0.4\nd,0.9\n"
#define MADE_INPUT "id\na\nb\nc\nd\n"
#define MADE_TRUTH "id,y\na,0\nb,0\nc,1\nd,1\n"

/* HOME with operator.key and operator.pub, HOME/task, HOME/runs/RUN; and the run that led there. */
struct made {
	char home[64], folder[128];
	struct task task;
	struct run run;
	struct signing_key key;
	char *command[2], name[16];
	struct refused refused[1];
	char refused_path[16];
};

/* A path below the home; good until the eighth call after this one. */
static inline const char *made_path(const struct made *m, const char *below, const char *name)
{
	static char path[8][256];
	static unsigned next;
	char *p = path[next++ % 8];
	(void)snprintf(p, sizeof path[0], "%s/%s%s", m->home, below, name);
	return p;
}

static inline void made_file(const struct made *m, const char *below, const char *name, const char *text)
{
	write_bytes(made_path(m, below, name), text, strlen(text));
}

/* Everything up to evidence_write. The table is scored for real. */
static inline int made_start(struct made *m)
{
	static uint8_t session[SESSION_ROOM];
	struct fault fault = {0};
	struct assets assets = {0};
	struct run *run = &m->run;
	int fd;

	memset(m, 0, sizeof *m);
	strcpy(m->home, "/tmp/proctor-home-XXXXXX");
	if (!mkdtemp(m->home) || key_generate(made_path(m, "", "operator.key"), NULL, &m->key, &fault) < 0 ||
	    folder_make_all(made_path(m, "task/input", "")) < 0 ||
	    folder_make_all(made_path(m, "runs/" SESSION_RUN "/logs", "")) < 0 ||
	    folder_make_all(made_path(m, "runs/" SESSION_RUN "/outputs", "")) < 0)
		return -1;
	(void)snprintf(m->folder, sizeof m->folder, "%s/runs/" SESSION_RUN, m->home);
	made_file(m, "task/", "task.yaml", MADE_TASK);
	made_file(m, "task/", "truth.csv", MADE_TRUTH);
	made_file(m, "task/input/", "test.csv", MADE_INPUT);
	made_file(m, "runs/" SESSION_RUN "/", "task.yaml", MADE_TASK);
	made_file(m, "runs/" SESSION_RUN "/logs/", "stdout", "hello\n");
	made_file(m, "runs/" SESSION_RUN "/logs/", "stderr", "\xff!");
	made_file(m, "runs/" SESSION_RUN "/outputs/", "predictions.csv", MADE_TABLE);
	write_bytes(made_path(m, "runs/" SESSION_RUN "/", "transcript.bin"), session,
	    build_session(session, sizeof session, SESSION_RECORD));
	if (task_load(made_path(m, "task", ""), &m->task, &fault) < 0) {
		(void)fprintf(stderr, "%s\n", fault.what);
		return -1;
	}
	if (assets_digest(&m->task, &assets, &fault) < 0)
		return -1;
	write_bytes(made_path(m, "runs/" SESSION_RUN "/", "task.lock"), assets.lock, assets.lock_size);
	assets_free(&assets);

	strcpy(run->id, SESSION_RUN);
	run->submission = "team07/3";
	memset(run->submission_sha256, 'a', 64);
	strcpy(run->started, "2026-09-30T17:00:00.000Z");
	strcpy(run->ended, "2026-09-30T17:00:04.200Z");
	strcpy(run->host, "eval1");
	run->task = &m->task;
	strcpy(run->selfcheck_passed, "2026-09-30T16:59:59.000Z");
	run->selfcheck_items = 1;
	run->folder = m->folder;
	run->folder_fd = open(m->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	fd = openat(run->folder_fd, "outputs/predictions.csv", O_RDONLY | O_CLOEXEC);
	if (fd < 0 || score_table(&m->task, fd, &run->score) < 0 || close(fd) < 0)
		return -1;
	run->have_score = run->score.verdict == VERDICT_SCORED;

	strcpy(m->name, "/bin/model");
	m->command[0] = m->name;
	strcpy(m->refused_path, "tmp\xff.lock");
	m->refused[0] = (struct refused){m->refused_path, "fifo"};
	run->stage = (struct stage){.stage = "candidate",
	    .run = run->id,
	    .command = m->command,
	    .engine_name = "runc",
	    .engine_version = "1.1.5",
	    .engine_argv = m->command,
	    .init_version = "0.1.0",
	    .mounts = json_array(),
	    .limits = json_object(),
	    .require = json_array(),
	    .facts = payload_parse(SESSION_FACTS, sizeof SESSION_FACTS - 1, &fault),
	    .record = payload_parse(SESSION_RECORD, sizeof SESSION_RECORD - 1, &fault),
	    .log = {{6, 6, 0}, {3, 2, 1}},
	    .refused = m->refused,
	    .refused_count = 1,
	    .frames = 8,
	    .observed = {.created = true,
		.greeted = true,
		.ticketed = true,
		.peer_verified = true,
		.session_whole = true,
		.gone = true,
		.init_intact = true,
		.wall_ms = 4160,
		.memory_peak = 41943040,
		.cpu_ms = 3910,
		.processes_peak = 4,
		.output_bytes = 4096,
		.output_files = 1}};
	memset(run->stage.init_sha256, 'b', 64);
	if (crosscheck(&run->stage, run->task, &run->fault) < 0)
		return -1;
	run->fault.verdict = run->score.verdict;
	return 0;
}

static inline void made_end(struct made *m)
{
	json_decref(m->run.stage.mounts);
	json_decref(m->run.stage.limits);
	json_decref(m->run.stage.require);
	json_decref(m->run.stage.facts);
	json_decref(m->run.stage.record);
	task_free(&m->task);
	(void)close(m->run.folder_fd);
	key_wipe(&m->key);
	(void)remove_tree(m->home);
}

#endif
