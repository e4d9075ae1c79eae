/*
 * Everything before the spawn: plan, facts, ticket, watchers, filter, pipes. Here init may still give up, with a message
 * and, where a host is there, with a record that says why.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "core/options.h"
#include "core/require.h"
#include "core/text.h"
#include "policy/assemble.h"
#include "run.h"
#include "seal/look.h"
#include "sys/child.h"
#include "sys/clock.h"
#include "sys/file.h"
#include "sys/kill.h"
#include "sys/notify.h"
#include "sys/pipe.h"
#include "sys/signals.h"
#include "sys/terminal.h"

/* Gives up with a verdict, and tells whoever can be told. Returns the exit status. */
static int refuse(struct run *run, enum verdict v, const char *stage, int error)
{
	char proof[CAUSE_PROOF];
	struct text t;

	text_start(&t, proof, sizeof proof);
	text_add(&t, stage);
	if (error) {
		text_add(&t, ": ");
		text_add(&t, strerror(error));
	}
	run_say(proof, NULL);
	cause_decide(&run->cause, v, true, proof, 0);
	return run_finish(run);
}

/* The status to exit with, or -1 to go on. */
int run_plan(struct run *run, char *const *words)
{
	char text[OPTIONS_HELP_TEXT], message[OPTIONS_MESSAGE];
	int wish;

	plan_start(&run->plan);
	wish = options_parse(&run->plan, ON_ARGV, words, message);
	if (wish == OPTIONS_VERSION)
		return write(STDOUT_FILENO, "proctor-init " PROCTOR_VERSION "\n",
			   sizeof "proctor-init " PROCTOR_VERSION) < 0;
	if (wish == OPTIONS_HELP)
		return write(STDOUT_FILENO, text, options_help(text)) < 0;
	if (wish < 0 || options_complete(&run->plan, false, message) < 0) {
		run_say(message, NULL);
		return INIT_FAILED;
	}
	return -1;
}

void run_look(struct run *run)
{
	const struct plan *p = &run->plan;

	run->looked = p->report.kind || p->record.kind || p->require || p->network == NETWORK_LOOPBACK;
	if (run->looked)
		look_around(&run->facts);
	else if (p->number[OPTION_MEMORY] != LIMIT_NONE || p->number[OPTION_CPU_TIME] != LIMIT_NONE ||
		 p->number[OPTION_PROCESSES] != LIMIT_NONE)
		look_cgroup(&run->facts);
}

/* HELLO and TICKET. The status to exit with, or -1 to go on. */
int run_meet_host(struct run *run)
{
	static union {
		const char *in[TICKET_WORDS];
		char *out[TICKET_WORDS];
	} words;
	char message[OPTIONS_MESSAGE];
	uint8_t *ticket, key[CHAIN_KEY];
	size_t n;
	int r = report_open(&run->report, &run->plan);

	if (r < 0)
		return refuse(run, VERDICT_INIT_FAULT, run->plan.report.kind ? "--report" : "--record", -r);
	if (!run->report.host)
		return -1;
	r = report_meet(&run->report, &run->facts, &ticket, &n);
	if (r < 0)
		return refuse(run, VERDICT_INIT_FAULT, "no ticket from the host", -r);
	/* The key first: whatever else is wrong with the ticket can then be reported. */
	r = ticket_key(ticket, n, key);
	if (r == 0)
		report_key(&run->report, key);
	explicit_bzero(key, sizeof key);
	if (r == 0)
		r = ticket_split(ticket, n, words.in);
	if (r < 0)
		return refuse(run, VERDICT_INIT_FAULT, "the ticket cannot be read", -r);
	r = options_parse(&run->plan, ON_TICKET, words.out, message);
	if (r == 0)
		r = options_complete(&run->plan, true, message);
	explicit_bzero(run->plan.key, sizeof run->plan.key);
	if (run->plan.text[OPTION_KEY]) {
		uint8_t *hex = ticket + (run->plan.text[OPTION_KEY] - (const char *)ticket);
		explicit_bzero(hex, strlen((const char *)hex));
	}
	return r < 0 ? refuse(run, VERDICT_INIT_FAULT, message, 0) : -1;
}

static int64_t candidate_uid(const struct plan *p)
{
	return p->number[OPTION_UID] == LIMIT_NONE ? KILL_OWN_ID : (int64_t)p->number[OPTION_UID];
}

/* In plain use nobody need read a record: a limit that was asked for and cannot be kept here is said aloud. */
static void warn(const struct plan *p, const struct sight *s)
{
	const struct {
		enum option option;
		bool kept;
		const char *why;
	} limits[] = {
	    {OPTION_MEMORY, s->exact_memory || s->watches_memory || s->sums_memory,
		"is not enforced here: neither the run's cgroup nor /proc can be read"},
	    {OPTION_PROCESSES, s->counts_processes,
		"is not enforced here: neither the run's cgroup nor /proc can be read"},
	    {OPTION_OUTPUT_BYTES, s->exact_output || s->monitors_output,
		"is not enforced here: the --output tree cannot be watched"},
	    {OPTION_OUTPUT_FILES, s->exact_output || s->monitors_output,
		"is not enforced here: the --output tree cannot be watched"},
	    {OPTION_SCRATCH_BYTES, s->bounds_scratch || s->monitors_scratch,
		"is not enforced here: a --scratch tree cannot be watched"},
	};

	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		char name[32] = "--";
		if (limits[i].kept || p->number[limits[i].option] == LIMIT_NONE)
			continue;
		strncat(name, option_table[limits[i].option].name, sizeof name - 3);
		run_say(name, limits[i].why);
	}
}

/* Everything that the loop will read is opened here. The status to exit with, or -1 to go on. */
int run_prepare(struct run *run)
{
	const struct plan *p = &run->plan;
	bool watches = run->report.host || p->number[OPTION_PROCESSES] != LIMIT_NONE ||
		       p->number[OPTION_MEMORY] != LIMIT_NONE || p->number[OPTION_CPU_TIME] != LIMIT_NONE ||
		       p->number[OPTION_OUTPUT_BYTES] != LIMIT_NONE ||
		       p->number[OPTION_OUTPUT_FILES] != LIMIT_NONE ||
		       p->number[OPTION_SCRATCH_BYTES] != LIMIT_NONE;
	int proc = watches || getpid() != 1 ? file_proc() : -1;
	struct sight sight = {.pid1 = getpid() == 1};
	struct fsids as = {.uid = -1, .gid = -1};
	enum requirement unmet;
	char stage[128] = "required, but not so here: ";

	run->signals = signals_open();
	if (run->signals < 0)
		return refuse(run, VERDICT_INIT_FAULT, "signals", -run->signals);
	if (p->number[OPTION_UID] != LIMIT_NONE && p->number[OPTION_UID] != geteuid())
		as = (struct fsids){.uid = (int64_t)p->number[OPTION_UID], .gid = seal_gid(p)};
	family_open(&run->family, proc, candidate_uid(p));
	watch_open(
	    &run->watch, p, &run->facts, run->family.proc, run->family.pid1 ? run->family.proc : -1, &as);
	watch_sight(&run->watch, &sight);
	if (!run->report.host)
		warn(p, &sight);
	unmet = require_world(p, run->looked ? &run->facts : NULL, &sight);
	if (unmet == REQUIRE_END)
		return -1;
	strcat(stage, requirement_name(unmet));
	return refuse(run, VERDICT_REQUIRE_UNMET, stage, 0);
}

/* The filter that the child will load. Its length, 0 for none, or -errno. */
static int assemble(const struct run *run, bool notify, struct sock_filter *filter)
{
	const struct plan *p = &run->plan;
	struct policy_switches s = {
	    .network = p->network == NETWORK_NONE	? POLICY_NETWORK_NONE
		       : p->network == NETWORK_LOOPBACK ? POLICY_NETWORK_LOOPBACK
							: POLICY_NETWORK_OPEN,
	    .answer = notify ? POLICY_ANSWER_NOTIFY : POLICY_ANSWER_ERRNO,
	    .guard = p->number[OPTION_UID] == LIMIT_NONE || p->number[OPTION_UID] == geteuid(),
	    .monitored = output_monitored(&run->watch.output),
	    .guard_pid = (uint32_t)getpid(),
	    .guard_group = (uint32_t)getpgrp(),
	    .deny = p->deny,
	    .denies = p->denies,
	    .allow = p->allow,
	    .allows = p->allows,
	};
	return policy_assemble(filter, POLICY_PROGRAM_MAX, (enum policy_profile)p->profile, &s);
}

/* The pipes of stdout and stderr, if init is to pump them. 0 or -errno. */
static int lay_pipes(struct run *run, struct seal_job *job)
{
	const struct plan *p = &run->plan;
	bool own = p->number[OPTION_UID] == LIMIT_NONE;
	uint32_t uid = own ? geteuid() : (uint32_t)p->number[OPTION_UID], gid = own ? getegid() : seal_gid(p);
	uint64_t budget = p->number[OPTION_LOG_BYTES];
	int out[2], err[2], r;

	job->output = job->error = -1;
	if (!run->report.host && budget == LIMIT_NONE)
		return 0;
	if (budget == LIMIT_NONE)
		budget = option_table[OPTION_LOG_BYTES].preset;
	if ((r = pipe_owned(out, uid, gid)) < 0 || (r = pipe_owned(err, uid, gid)) < 0)
		return r;
	run->pumping = true;
	run->sink = report_sink(&run->report);
	logs_open(&run->logs, out[0], err[0], budget, p->kill_on_log);
	job->output = out[1];
	job->error = err[1];
	return 0;
}

/* The status to exit with, or -1 to go on. */
int run_spawn(struct run *run)
{
	static struct sock_filter filter[POLICY_PROGRAM_MAX];
	/* Denials are counted where somebody will read of them. */
	bool notify = (run->report.host || run->plan.record.kind) && notify_possible();
	int length = assemble(run, notify, filter), report[2], listener[2] = {-1, -1}, r;
	struct seal_job job = {
	    .plan = &run->plan,
	    .plain = !run->report.host,
	    .filter = length > 0 ? filter : NULL,
	    .filters = length > 0 ? (unsigned)length : 0,
	    .environment = run->environment,
	    .secret = {{&run->report.channel.chain, sizeof run->report.channel.chain}},
	    .secrets = run->report.host ? 1 : 0,
	    .file_size = output_file_size(&run->watch.output, &run->plan),
	};
	pid_t child;

	if (length < 0)
		return refuse(run, VERDICT_INIT_FAULT, "--syscalls", -length);
	if ((r = lay_pipes(run, &job)) < 0 || (r = pipe_owned(report, geteuid(), getegid())) < 0)
		return refuse(run, VERDICT_INIT_FAULT, "pipe", -r);
	job.report = report[1];
	if (notify && length > 0 && (r = handover_open(listener)) < 0)
		return refuse(run, VERDICT_INIT_FAULT, "socketpair", -r);
	job.listener = listener[1];
	denials_open(&run->denials, listener[0]);
	if ((r = child_hide_self()) < 0)
		return refuse(run, VERDICT_INIT_FAULT, "PR_SET_DUMPABLE", -r);
	run->terminal = job.plain && terminal_is_ours();
	child = fork();
	if (child < 0)
		return refuse(run, VERDICT_INIT_FAULT, "fork", errno);
	if (child == 0)
		seal_and_exec(&job);
	run->spawned = true;
	run->family.main = child;
	run->seal_pipe = report[0];
	close(report[1]);
	if (listener[1] >= 0)
		close(listener[1]);
	if (run->pumping) {
		close(job.output);
		close(job.error);
	}
	wall_start(&run->watch.wall, clock_now(), run->plan.number[OPTION_WALL_TIME]);
	return -1;
}
