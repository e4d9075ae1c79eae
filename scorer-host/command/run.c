/*
 * scorer-host run: one submission, sealed, scored, with evidence. This file is the order of things; the steps are in
 * run_*.c. Once a run directory exists, every way out of here leaves a verdict in it.
 */
#include "command/run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/check_lock.h"
#include "command/command.h"
#include "command/run_ledger.h"
#include "evidence/canonical.h"
#include "evidence/evidence.h"
#include "intake/scoring.h"
#include "intake/task_file.h"
#include "judge/record.h"
#include "sys/clock.h"
#include "sys/mounts.h"

enum { HELD_MAX = 64 << 20 };

bool run_interrupted(const struct running *g)
{
	struct pollfd p = {g->signals, POLLIN, 0};
	return poll(&p, 1, 0) > 0;
}

static int new_id(struct running *g)
{
	unsigned char bytes[6];

	if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
		return fault_set(&g->run.fault, VERDICT_SCORER_FAULT, "getrandom: %s", strerror(errno));
	memcpy(g->run.id, "r-", 3);
	for (size_t i = 0; i < sizeof bytes; i++)
		(void)snprintf(g->run.id + 2 + 2 * i, 3, "%02x", bytes[i]);
	return 0;
}

int run_start(struct running *g)
{
	sigset_t set;

	g->began_ms = clock_ms();
	g->active = g->work_fd = g->signals = g->run.folder_fd = g->output.table = -1;
	g->run.submission = g->options.submission;
	clock_utc(g->run.started);
	(void)gethostname(g->run.host, sizeof g->run.host - 1);
	g->run.stage.stage = "candidate";
	g->run.stage.run = g->run.id;
	g->run.stage.image = json_null();
	g->run.stage.mounts = json_array();
	g->run.stage.limits = json_object();
	g->run.stage.require = json_array();
	(void)signal(SIGPIPE, SIG_IGN);
	/* Signals are looked at between steps and in the session's loop; nothing is ever cut in the middle. */
	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGINT);
	(void)sigaddset(&set, SIGTERM);
	(void)sigaddset(&set, SIGHUP);
	if (sigprocmask(SIG_BLOCK, &set, NULL) < 0 ||
	    (g->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK)) < 0 ||
	    prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
		return fault_set(&g->run.fault, VERDICT_SCORER_FAULT, "start: %s", strerror(errno));
	return new_id(g);
}

/* --limit over the task's. A scratch tree that was given a sixteenth of memory follows it. */
static void override(struct running *g)
{
	uint64_t *limit = g->task.limit, memory = limit[OPTION_MEMORY];
	bool follows =
	    limit[OPTION_SCRATCH_BYTES] == LIMIT_NONE || limit[OPTION_SCRATCH_BYTES] == memory / 16;

	for (unsigned o = 0; o < OPTION_END; o++)
		if (g->options.limit[o] != LIMIT_NONE)
			limit[o] = g->options.limit[o];
	if (follows && g->options.limit[OPTION_SCRATCH_BYTES] == LIMIT_NONE)
		limit[OPTION_SCRATCH_BYTES] = limit[OPTION_MEMORY] / 16;
}

static int load(struct running *g)
{
	struct run *run = &g->run;
	char text[32];

	if (task_load(g->options.task, &g->task, &run->fault) < 0)
		return -1;
	g->loaded = true;
	run->task = &g->task;
	override(g);
	for (unsigned o = 0; o < OPTION_END; o++) {
		const struct option_row *row = &option_table[o];
		if (!(row->where & ON_TASK) || row->kind != VALUE_NUMBER)
			continue;
		if (g->task.limit[o] != LIMIT_NONE)
			(void)json_object_set_new(run->stage.limits, row->name,
			    json_string(unit_format(row->unit, g->task.limit[o], text)));
	}
	for (unsigned r = 0; r < REQUIRE_END; r++)
		if (g->task.require & UINT32_C(1) << r)
			(void)json_array_append_new(
			    run->stage.require, json_string(requirement_name((enum requirement)r)));
	run->stage.command = g->options.command ? g->options.command : g->task.command;
	if (!run->stage.command || !run->stage.command[0]) {
		(void)fault_set(&run->fault, VERDICT_NONE, "no command: the task names none");
		return fault_hint(&run->fault, "scorer-host run ... -- CMD ARG...");
	}
	return 0;
}

int run_selfcheck(struct running *g)
{
	struct fault unlocked;
	struct lock lock;

	if (task_selfcheck(&g->task, &g->run.selfcheck_items, &g->run.fault) < 0) {
		if (g->run.fault.verdict == VERDICT_SELFCHECK_FAILED) {
			if (lock_look(&g->task, &lock, &unlocked) == 0)
				lock_explain(&lock, &g->run.fault);
			lock_free(&lock);
		}
		return -1;
	}
	clock_utc(g->run.selfcheck_passed);
	return 0;
}

int run_score(struct running *g)
{
	struct run *run = &g->run;

	if (score_table(&g->task, g->output.table, &run->score) < 0 || run->score.verdict != VERDICT_SCORED) {
		run->fault = run->score.fault;
		if (run->fault.verdict == VERDICT_NONE)
			run->fault.verdict =
			    run->score.verdict == VERDICT_NONE ? VERDICT_SCORER_FAULT : run->score.verdict;
		run->have_score = run->score.truth_sha256[0] != '\0' && run->score.verdict == VERDICT_SCORED;
		return -1;
	}
	/* Of a table that is only looked at, no assets were taken. */
	if (g->assets.truth_sha256[0] && strcmp(run->score.truth_sha256, g->assets.truth_sha256) != 0)
		return fault_set(
		    &run->fault, VERDICT_ASSET_MISMATCH, "%s changed during the run", g->task.truth);
	run->have_score = true;
	memset(&run->fault, 0, sizeof run->fault);
	run->fault.verdict = VERDICT_SCORED;
	return 0;
}

static void notes(struct running *g)
{
	struct run *run = &g->run;
	struct record record;
	struct fault fault;

	if (run->stage.record && record_read(run->stage.record, &record, &fault) == 0) {
		run->notes |= record_notes(&record);
		run->stage.init_version = record.init;
	}
	if (run->score.bom)
		run->notes |= NOTE_BOM;
	if (g->output.refused_count > 0)
		run->notes |= NOTE_REFUSED_FILES;
	if (run->stage.log[0].dropped > 0 || run->stage.log[1].dropped > 0)
		run->notes |= NOTE_LOG_TRUNCATED;
}

/*
 * For the operator: how far a run that was ended had got with its table. Read and matched by the same confined
 * processes as ever; of what they find only two numbers are told.
 */
static void held_rows(struct running *g)
{
	struct run *run = &g->run;
	struct stat st;
	struct score *s;

	if (verdict_class(run->fault.verdict) != CLASS_SUBMISSION || g->output.table < 0 ||
	    fstat(g->output.table, &st) < 0 || st.st_size > HELD_MAX || !(s = calloc(1, sizeof *s)))
		return;
	(void)score_table(&g->task, g->output.table, s);
	if (s->truth_rows > 0)
		(void)fault_more(&run->fault, "output",
		    "%s held %" PRIu64 " of %" PRIu64 " rows and was not scored", g->task.output_table,
		    s->rows, s->truth_rows);
	else if (s->rows > 0)
		(void)fault_more(&run->fault, "output", "%s held %" PRIu64 " rows and was not scored",
		    g->task.output_table, s->rows);
	free(s);
}

/* The stage and the score. Whatever they end in is the run's verdict. */
static void evaluate(struct running *g)
{
	int r;

	(void)memset(&g->run.fault, 0, sizeof g->run.fault);
	r = mounts_private();
	if (r < 0) {
		(void)fault_set(
		    &g->run.fault, VERDICT_ENGINE_FAILED, "a mount namespace of our own: %s", strerror(-r));
		return;
	}
	if (run_stage(g) < 0) {
		held_rows(g);
		return;
	}
	if (run_score(g) == 0 && run_interrupted(g)) {
		g->run.have_score = false;
		(void)fault_set(&g->run.fault, VERDICT_CANCELLED, "interrupted by the operator");
	}
}

void run_conclude(struct running *g)
{
	struct fault fault;

	notes(g);
	if (run_settle(g) < 0)
		g->run.have_score = false;
	clock_utc(g->run.ended);
	g->run.elapsed_ms = clock_ms() - g->began_ms;
	if (evidence_write(&g->run, &g->key, &fault) < 0) {
		/* Nothing may be told that the evidence does not hold. */
		g->run.have_score = false;
		g->run.fault = fault;
	}
	if (run_close(g) == 0)
		run_end(g);
}

static void prepare_and_run(struct running *g)
{
	if (run_preflight(g) < 0)
		return;
	run_recover(g);
	g->run.stage.engine_name = g->engine->name;
	g->run.stage.engine_version = g->engine_version;
	if (run_interrupted(g)) {
		(void)fault_set(&g->run.fault, VERDICT_CANCELLED, "interrupted by the operator");
		return;
	}
	if (run_begin(g) == 0)
		evaluate(g);
	if (g->begun)
		run_conclude(g);
	else if (run_close(g) == 0)
		run_end(g);
}

int run_tell(struct running *g)
{
	const struct fault *f = &g->run.fault;
	int status = f->verdict == VERDICT_NONE ? 2 : verdict_exit(f->verdict);

	if (g->earlier.claim == LEDGER_DECIDED || g->earlier.claim == LEDGER_HELD)
		return run_tell_earlier(g);
	if (g->held)
		status = verdict_exit(VERDICT_SCORER_FAULT);
	if (!g->run.elapsed_ms)
		g->run.elapsed_ms = clock_ms() - g->began_ms;
	if (g->options.json) {
		/* An id that nothing was made under leads nowhere. */
		if (!g->begun && !g->entered)
			g->run.id[0] = '\0';
		json_t *o = run_json(&g->run);
		if (g->held) {
			(void)json_object_set_new(o, "exit", json_integer(status));
			(void)json_object_set_new(o, "retry", json_false());
		}
		if (canonical_print(o, stdout) < 0)
			status = status ? status : 3;
		json_decref(o);
	} else if (f->verdict == VERDICT_NONE) {
		(void)fprintf(stderr, "scorer-host %s: %s\n", g->table ? "score" : "run", f->what);
		if (f->hint[0])
			(void)fprintf(stderr, "  %s\n", f->hint);
	} else {
		run_screen(g, stdout);
	}
	if (fflush(stdout) != 0 && status == 0)
		status = 3;
	return status;
}

void run_finish(struct running *g)
{
	struct stage *s = &g->run.stage;

	for (char **word = s->engine_argv; word && *word; word++)
		free(*word);
	free(s->engine_argv);
	json_decref(s->facts);
	json_decref(s->record);
	json_decref(s->mounts);
	json_decref(s->limits);
	json_decref(s->require);
	output_free(&g->output);
	assets_free(&g->assets);
	key_wipe(&g->key);
	if (g->loaded)
		task_free(&g->task);
	if (g->run.folder_fd >= 0)
		(void)close(g->run.folder_fd);
	if (g->signals >= 0)
		(void)close(g->signals);
	free(g);
}

int command_run(int argc, char **argv)
{
	struct running *g = calloc(1, sizeof *g);
	int status;

	if (!g) {
		(void)fputs("scorer-host run: out of memory\n", stderr);
		return 3;
	}
	status = run_options_read(argc, argv, &g->options, &g->run.fault);
	if (g->options.help) {
		run_help(stdout);
		free(g);
		return 0;
	}
	g->began_ms = clock_ms();
	g->run.folder_fd = g->signals = g->active = g->output.table = -1;
	if (status == 0 && geteuid() != 0) {
		(void)fault_set(&g->run.fault, VERDICT_NONE,
		    "needs root: it mounts, makes control groups and gives every run a uid "
		    "of its own");
		(void)fault_hint(&g->run.fault, "sudo scorer-host run ...");
	} else if (status == 0 && run_start(g) == 0 && load(g) == 0 && run_known(g) == 0 &&
		   run_selfcheck(g) == 0) {
		prepare_and_run(g);
	}
	status = run_tell(g);
	run_finish(g);
	return status;
}
