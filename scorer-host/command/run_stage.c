/*
 * The sealed container of a run: made, served, read, removed; then its output is taken in. Whatever fails on the way,
 * the way back is the same, and says whether everything is gone.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command/run_stage.h"
#include "command/run_ticket.h"
#include "engine/rootfs.h"
#include "intake/session.h"
#include "judge/crosscheck.h"
#include "sys/clock.h"
#include "sys/digest.h"
#include "sys/inside.h"

/* How long the dying may take: a candidate can make its end slow, and no end at all is the engine's failure. */
enum { PASS_MS = 5000, GONE_MS = 300000 };

/* What both sides decide, the host decides with its own eyes too, before anything runs. */
static int host_sees(const struct staging *s, struct fault *fault)
{
	uint32_t require = s->g->task.require;

	if (require & UINT32_C(1) << REQUIRE_NO_NETWORK && inside_only_loopback(s->pid) != 1)
		return fault_set(fault, VERDICT_REQUIRE_UNMET,
		    "no-network is required, but the host sees an interface in the container");
	if (require & UINT32_C(1) << REQUIRE_READ_ONLY_ROOT && inside_root_read_only(s->pid) != 1)
		return fault_set(fault, VERDICT_REQUIRE_UNMET,
		    "read-only-root is required, but the host does not see the container's root read-only");
	return 0;
}

static int ticket(void *context, const json_t *facts, struct ticket *t, struct fault *fault)
{
	struct staging *s = context;
	const struct ticket_source source = {.run = s->g->run.id,
	    .key = s->g->session_key,
	    .uid = s->g->uid,
	    .task = &s->g->task,
	    .command = s->g->run.stage.command};

	if (crosscheck_facts(facts, &s->g->task, fault) < 0 || host_sees(s, fault) < 0)
		return -1;
	run_ticket(t, &source);
	return 0;
}

/*
 * A sample is init's word that it has forked the candidate: what is in the quota's group stays there, init itself leaves.
 * Not behind its reaping, when its pid may be somebody else's.
 */
static void free_init(struct staging *s)
{
	siginfo_t info;

	if (s->freed || waitid(P_PID, (id_t)s->pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0)
		return;
	s->freed = true;
	(void)cgroup_free_cpu(&s->cgroup, s->pid);
}

static void show(void *context, const struct sample *sample)
{
	struct staging *s = context;

	free_init(s);
	live_show(&s->live, sample);
}

/* init is our own child, not reaped yet: its pid is nobody else's. The kernel ends its namespace with it. */
static void stop(void *context)
{
	struct staging *s = context;
	(void)kill(s->pid, SIGKILL);
}

static int serve(struct staging *s)
{
	struct running *g = s->g;
	struct channel channel = {.listener = s->listener,
	    .folder = g->work_fd,
	    .name = "s",
	    .pid = s->pid,
	    .init_device = s->init_stat.st_dev,
	    .init_inode = s->init_stat.st_ino,
	    .signals = g->signals,
	    .logs = {s->logs[0], s->logs[1]},
	    .log_bytes = g->task.limit[OPTION_LOG_BYTES],
	    .deadline_ms = g->task.limit[OPTION_WALL_TIME] + crosscheck_slack(&g->task),
	    .recording = &s->recording,
	    .key = g->session_key,
	    .ticket = ticket,
	    .sample = show,
	    .stop = stop,
	    .context = s};
	int r;

	s->listener = -1;
	live_start(&s->live, g->run.submission ? g->run.submission : g->run.id, &g->task);
	r = channel_serve(&channel, &g->run.stage, &g->run.fault);
	live_end(&s->live);
	return r;
}

static int contain(struct staging *s)
{
	struct running *g = s->g;
	struct stage *stage = &g->run.stage;

	if (stage_prepare(s) < 0)
		return -1;
	if (getrandom(g->session_key, sizeof g->session_key, 0) != (ssize_t)sizeof g->session_key)
		return stage_failed(s, "getrandom", errno);
	if (run_interrupted(g)) {
		stage->observed.cancelled = true;
		return 0;
	}
	if (g->engine->create(&s->launch, &s->pid, &stage->engine_argv, &g->run.fault) < 0)
		return -1;
	stage->observed.created = true;
	if (g->engine->start(&s->launch, &g->run.fault) < 0)
		return -1;
	return serve(s);
}

/* Kills what is left and waits until the kernel has let go of the last of it. 0 or -errno. */
static int end_group(struct staging *s)
{
	uint64_t end = clock_ms() + GONE_MS;
	bool told = false;

	for (;;) {
		int r = cgroup_kill(&s->cgroup, PASS_MS);
		/* Orphans of the engine's come to us, and a group with an unreaped task cannot be removed. */
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		if (r == 0)
			r = cgroup_remove(&s->cgroup);
		if (r == 0 || clock_ms() >= end)
			return r;
		if (!told)
			(void)fprintf(stderr,
			    "scorer-host: %s: its processes take long to end; waiting for them\n",
			    s->g->run.id);
		told = true;
	}
}

/* The figures that outlive the candidate, then the container's end, verified. */
static void remove_container(struct staging *s)
{
	struct observed *o = &s->g->run.stage.observed;
	struct cgroup_reading reading = {
	    LIMIT_NONE, LIMIT_NONE, LIMIT_NONE, LIMIT_NONE, LIMIT_NONE, LIMIT_NONE};
	struct fault fault;
	int removed, ended = 0;

	if (s->grouped)
		cgroup_read(&s->cgroup, &reading);
	o->memory_peak = reading.memory_peak;
	o->memory_limit_hits = reading.memory_limit_hits;
	o->oom_kills = reading.oom_kills;
	o->cpu_ms = reading.cpu_ms;
	o->processes_peak = reading.processes_peak;
	o->processes_limit_hits = reading.processes_limit_hits;
	/* The group first: an engine gives up on a container whose processes do not end within seconds. */
	if (s->grouped)
		ended = end_group(s);
	removed = s->g->engine->remove(&s->launch, &fault);
	o->gone = removed == 0 && ended == 0;
	s->g->left = !o->gone;
	if (!o->gone)
		(void)fprintf(stderr, "scorer-host: %s is not gone: %s\n", s->g->run.id,
		    removed < 0 ? fault.what : "its control group is still in use");
}

/* What must be as it was: our copy of init, the inputs, the submission's folder. The candidate can reach none of them, so
 * a change is the host's or the organiser's doing. 0, or -1 with that verdict. */
static int seen_after(struct staging *s, struct fault *fault)
{
	struct running *g = s->g;
	struct stage *stage = &g->run.stage;
	char hex[65] = "", where[256];
	struct listing now;
	int r = 0;

	if (s->init_fd >= 0 && digest_fd(s->init_fd, hex, NULL) == 0)
		stage->observed.init_intact = strcmp(hex, stage->init_sha256) == 0;
	for (size_t i = 0; i < g->task.input_count; i++) {
		int same = assets_unchanged(&g->task, &g->assets, i);
		if (!same)
			r = fault_set(fault, VERDICT_ASSET_MISMATCH, "input %s was written to during the run",
			    g->task.input[i].path);
		(void)json_array_append_new(stage->mounts,
		    json_pack("{s:s, s:s, s:s, s:b}", "at", g->task.input[i].at, "sha256",
			g->assets.input[i].listing.sha256, "mode", "ro", "unchanged_after", same));
	}
	if (r == 0 && (listing_take(g->rootfs, "", NULL, true, LISTING_LOOK, UINT64_MAX, &now, where) < 0 ||
			  strcmp(now.signature, g->submitted.signature) != 0))
		r = fault_set(fault, VERDICT_IMAGE_DIGEST, "%s was written to during the run", g->rootfs);
	return r;
}

/* Reads the output tree, whatever the stage ended in: a failed run's files are evidence too. */
static int take_output(struct staging *s, struct fault *fault)
{
	struct running *g = s->g;
	struct observed *o = &g->run.stage.observed;
	int tree = s->image.mounted ? open(s->image.at, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1, into, r;

	o->output_bytes = o->output_files = LIMIT_NONE;
	if (tree < 0)
		return fault_set(fault, VERDICT_SCORER_FAULT, "%s: %s", s->image.at, strerror(errno));
	into = openat(g->run.folder_fd, "outputs", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	r = output_take(tree, into, g->task.output_table, g->task.limit[OPTION_OUTPUT_BYTES],
	    g->task.limit[OPTION_OUTPUT_FILES], &g->output, fault);
	(void)close(tree);
	if (into >= 0)
		(void)close(into);
	o->output_bytes = g->output.bytes;
	o->output_files = g->output.files;
	g->run.stage.refused = g->output.refused;
	g->run.stage.refused_count = g->output.refused_count;
	return r;
}

static void release(struct staging *s)
{
	const int fds[] = {s->init_fd, s->listener, s->transcript, s->logs[0], s->logs[1], s->slot};
	int r = 0;

	if (s->rooted)
		r = rootfs_drop(s->g->work);
	if (output_image_drop(&s->image) < 0 || r < 0)
		(void)fprintf(stderr, "scorer-host: %s: a mount could not be taken away\n", s->g->work);
	for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
		if (fds[i] >= 0)
			(void)close(fds[i]);
	free(s->mount);
}

/*
 * One verdict out of all that was seen. First an interruption; then our own failure, in run.fault already, unless the
 * run's own counters show that the candidate brought it about; then what changed under the run; then init's record
 * weighed against the host's eyes; then the output.
 */
static int decide(
    struct running *g, int own, int same, const struct fault *changed, int taken, const struct fault *output)
{
	struct stage *stage = &g->run.stage;
	struct fault ours = g->run.fault;
	int weighed;

	if (own < 0 && !stage->observed.ticketed) {
		(void)snprintf(
		    stage->crosscheck, sizeof stage->crosscheck, "not weighed: the candidate never ran");
		return -1;
	}
	weighed = crosscheck(stage, &g->task, &g->run.fault);
	if (stage->observed.cancelled)
		return -1;
	if (own < 0 && (weighed == 0 || g->run.fault.verdict != VERDICT_MEMORY)) {
		g->run.fault = ours;
		return -1;
	}
	if (same < 0) {
		g->run.fault = *changed;
		return -1;
	}
	if (weighed == 0 && taken < 0)
		g->run.fault = *output;
	return weighed < 0 ? weighed : taken;
}

int run_stage(struct running *g)
{
	struct staging *s = calloc(1, sizeof *s);
	struct fault output = {0}, changed = {0};
	int r, taken, same;

	if (!s)
		return fault_set(&g->run.fault, VERDICT_SCORER_FAULT, "out of memory");
	s->g = g;
	s->init_fd = s->slot = s->listener = s->transcript = s->logs[0] = s->logs[1] = -1;
	s->launch.id = g->run.id;
	s->launch.work = g->work;
	g->run.stage.observed.engine_status = -1;
	g->run.stage.observed.wall_ms = LIMIT_NONE;
	r = contain(s);
	remove_container(s);
	if (s->transcript >= 0 && g->run.stage.observed.gone) {
		int wrote = recording_finish(&s->recording);
		if (wrote < 0 && r == 0)
			r = stage_failed(s, "transcript.bin", -wrote);
	}
	recording_abandon(&s->recording);
	explicit_bzero(g->session_key, sizeof g->session_key);
	same = seen_after(s, &changed);
	taken = g->run.stage.observed.created ? take_output(s, &output) : -1;
	release(s);
	free(s);
	return decide(g, r, same, &changed, taken, &output);
}
