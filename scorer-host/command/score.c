/*
 * scorer-host score: a table against a task, without a candidate. A table is looked at and nothing is written, unless
 * --run-dir says where its evidence goes; stored runs are scored again by a corrected task, each into a run of its own.
 */
#include "command/score.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/command.h"
#include "command/home.h"
#include "evidence/statement.h"
#include "intake/task_file.h"
#include "sys/clock.h"
#include "sys/files.h"

static const char usage[] =
    "usage: scorer-host score --task DIR TABLE [--run-dir DIR] [--home DIR] [--json]\n"
    "       scorer-host score --task DIR RUN... [--key FILE] [--run-dir DIR] [--home DIR] [--json]\n\n"
    "Scores without a candidate. TABLE is a file, or a folder that holds the task's table: the result is\n"
    "printed and nothing is written. RUN is a run's id, the beginning of it, or its directory: its stored\n"
    "table is scored again by a task whose truth or rules were corrected and whose version was raised. That\n"
    "makes a new run with evidence of its own, which names the old one; the old one stays as it is.\n\n"
    "  --task DIR      the task: a folder with task.yaml (proctor-task(5))\n"
    "  --run-dir DIR   put the evidence exactly there; it must not exist\n"
    "  --key FILE      the public key of the old runs: else DIR/operator.pub of --home\n"
    "  --home DIR      $PROCTOR_HOME, else /var/lib/proctor\n"
    "  --json          one JSON object for each table or run, each on a line (proctor-json(5))\n\n"
    "exit status: 0 scored, 1 the table failed, 2 usage, 3 infrastructure (safe to retry), 4 task or "
    "evaluator\n"
    "at fault, 130 cancelled; of several runs the greatest\n";

static int wrong(struct fault *fault, const char *word, const char *what)
{
	(void)fault_set(fault, VERDICT_NONE, "%s%s%s", word, *word ? ": " : "", what);
	return fault_hint(fault, "scorer-host score --help lists the options");
}

static int arguments(int argc, char **argv, struct scoring *s, struct fault *fault)
{
	const struct {
		const char *name;
		const char **to;
	} values[] = {{"--task", &s->task_folder}, {"--home", &s->home}, {"--run-dir", &s->run_dir},
	    {"--key", &s->key}};

	s->word = calloc((size_t)argc, sizeof *s->word);
	if (!s->word)
		return fault_set(fault, VERDICT_SCORER_FAULT, "out of memory");
	/* Before anything is refused, so that refusals are told in it. */
	for (int i = 1; i < argc; i++) {
		s->json = s->json || strcmp(argv[i], "--json") == 0;
		s->help = s->help || strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0;
	}
	for (int i = 1; i < argc && !s->help; i++) {
		const char **to = NULL;
		for (size_t k = 0; k < sizeof values / sizeof *values; k++)
			to = strcmp(argv[i], values[k].name) == 0 ? values[k].to : to;
		if (strcmp(argv[i], "--json") == 0)
			continue;
		if (!to && argv[i][0] == '-')
			return wrong(fault, argv[i], "no such option");
		if (!to)
			s->word[s->words++] = argv[i];
		else if (*to)
			return wrong(fault, argv[i], "given twice");
		else if (i + 1 == argc || !argv[i + 1][0])
			return wrong(fault, argv[i], "a value is missing");
		else
			*to = argv[++i];
	}
	if (s->help)
		return 0;
	if (!s->task_folder)
		return wrong(fault, "", "--task DIR is missing");
	if (s->words == 0)
		return wrong(fault, "", "a table or a run is missing");
	if (s->words > 1 && s->run_dir)
		return wrong(fault, "--run-dir", "goes with one table or run");
	return 0;
}

struct running *score_new(struct scoring *s, const char *word)
{
	static const struct engine none = {.name = NO_ENGINE};
	struct running *g = calloc(1, sizeof *g);

	if (!g)
		return NULL;
	g->run.folder_fd = g->signals = g->active = g->work_fd = g->output.table = -1;
	g->began_ms = clock_ms();
	g->options.task = s->task_folder ? s->task_folder : "";
	g->options.home = s->home;
	g->options.run_dir = s->run_dir;
	g->options.json = s->json;
	g->table = word;
	g->engine = &none;
	if (s->loaded) {
		g->task = s->task;
		g->run.task = &g->task;
		g->loaded = true;
	}
	return g;
}

int score_end(struct running *g)
{
	int status = run_tell(g);

	memset(&g->assets, 0, sizeof g->assets);
	g->loaded = false;
	run_finish(g);
	return status;
}

int score_assets(struct scoring *s, struct running *g)
{
	if (!s->assets.lock && (assets_take(&s->task, &s->assets, &g->run.fault) < 0 ||
				   assets_locked(&s->task, &s->assets, &g->run.fault) < 0)) {
		assets_free(&s->assets);
		return -1;
	}
	g->assets = s->assets;
	g->run.selfcheck_items = s->selfcheck_items;
	memcpy(g->run.selfcheck_passed, s->selfcheck_passed, sizeof g->run.selfcheck_passed);
	return 0;
}

/* Our own failure: no memory, or a fault before any table was looked at. */
static int refused(struct scoring *s, const struct fault *fault)
{
	struct running *g = score_new(s, "");

	if (!g)
		return 3;
	g->table = s->words == 1 ? s->word[0] : g->options.task;
	g->run.fault = *fault;
	return score_end(g);
}

/* The table of that file or folder, open; -1 with a usage fault. */
static int open_table(const struct task *task, const char *word, struct fault *fault)
{
	int folder = open(word, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC), fd;
	const char *name = folder < 0 ? "" : task->output_table;
	struct stat st;

	if (folder >= 0) {
		fd = open_beneath(folder, task->output_table, O_RDONLY | O_NONBLOCK, 0);
		(void)close(folder);
	} else {
		fd = open(word, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		fd = fd < 0 ? -errno : fd;
	}
	if (fd >= 0 && (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))) {
		(void)close(fd);
		fd = -EINVAL;
	}
	if (fd < 0)
		return fault_set(fault, VERDICT_NONE, "%s%s%s: %s", word, *name ? "/" : "", name,
		    fd == -EINVAL ? "not a regular file" : strerror(-fd));
	return fd;
}

static int table(struct scoring *s, const char *word)
{
	struct running *g = score_new(s, word);
	int fd;

	if (!g)
		return 3;
	fd = open_table(&s->task, word, &g->run.fault);
	if (fd >= 0 && !s->run_dir) {
		g->output.table = fd;
		(void)run_score(g);
		return score_end(g);
	}
	if (fd >= 0 && run_start(g) == 0 && score_assets(s, g) == 0 && run_home(g) == 0 && run_place(g) == 0)
		score_record(g, fd, NULL, -1);
	if (fd >= 0)
		(void)close(fd);
	return score_end(g);
}

/* A folder with a statement is a run's; what is no path at all is taken for a run's id. */
static bool is_run(const char *word)
{
	char path[PATH_MAX];
	struct stat st;

	if (stat(word, &st) < 0)
		return !strchr(word, '/') && strncmp(word, "r-", 2) == 0;
	return S_ISDIR(st.st_mode) &&
	       snprintf(path, sizeof path, "%s/" AUDIT_FILE, word) < (int)sizeof path &&
	       access(path, F_OK) == 0;
}

static int each(struct scoring *s, struct fault *fault)
{
	int status = 0;

	for (size_t i = 0; i < s->words; i++)
		if (s->words > 1 && !is_run(s->word[i])) {
			(void)wrong(fault, s->word[i], "one table at a time, or runs");
			return refused(s, fault);
		}
	for (size_t i = 0; i < s->words; i++) {
		int one = is_run(s->word[i]) ? score_again(s, s->word[i]) : table(s, s->word[i]);
		status = one > status ? one : status;
		if (one == 130)
			break;
	}
	return status;
}

int command_score(int argc, char **argv)
{
	struct scoring s = {0};
	struct fault fault = {0};
	int r = arguments(argc, argv, &s, &fault), status;

	if (s.help) {
		(void)fputs(usage, stdout);
		free(s.word);
		return 0;
	}
	if (r == 0)
		r = task_load(s.task_folder, &s.task, &fault);
	s.loaded = s.task_folder && r == 0;
	if (r == 0)
		r = task_selfcheck(&s.task, &s.selfcheck_items, &fault);
	if (r == 0) {
		clock_utc(s.selfcheck_passed);
		status = each(&s, &fault);
	} else {
		status = refused(&s, &fault);
	}
	assets_free(&s.assets);
	if (s.loaded)
		task_free(&s.task);
	free(s.word);
	return status;
}
