/*
 * The one loop that cannot be stopped: reap, deadlines, signals, streams, carrier, in this order and each in bounded
 * portions. Whatever happens is an event of core/life.h; nothing here returns before the life of the run is over.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/require.h"
#include "core/text.h"
#include "run.h"
#include "sys/clock.h"
#include "sys/signals.h"

enum { SECOND = 1000000, KILL_BOUND = 10 * SECOND, DRAIN_BOUND = 5 * SECOND, KILL_AGAIN = 20000 };

static uint64_t at_ms(const struct run *run)
{
	return wall_at(&run->watch.wall, clock_now());
}

static void step(struct run *run, enum life_event event)
{
	unsigned todo = life_step(&run->life, event);
	uint64_t now = clock_now(), grace = run->plan.number[OPTION_GRACE];

	if (grace == LIMIT_NONE)
		grace = option_table[OPTION_GRACE].preset;
	if (todo & DO_TERM) {
		family_signal(&run->family, SIGTERM);
		family_signal(&run->family, SIGCONT); /* whoever is stopped could not hear it */
		cause_note(&run->cause, "SIGTERM", at_ms(run));
	}
	if (todo & DO_KILL) {
		family_signal(&run->family, SIGKILL);
		cause_note(&run->cause, "SIGKILL", at_ms(run));
		run->next_kill = now + KILL_AGAIN;
	}
	if (todo & DO_GRACE_CLOCK)
		run->grace_due = now + grace * 1000;
	if (todo & DO_KILL_CLOCK)
		run->kill_due = now + KILL_BOUND;
	if (todo & DO_DRAIN_CLOCK)
		run->drain_due = now + DRAIN_BOUND;
}

static void breached(struct run *run, const struct breach *b)
{
	cause_breach(&run->cause, b, at_ms(run));
	step(run, b->graceful ? EVENT_LIMIT : EVENT_BREACH);
}

/* What the child says of its seal, as far as it is there. */
static void hear_seal(struct run *run)
{
	struct seal_report said;
	ssize_t n;

	if (run->seal_pipe < 0)
		return;
	while ((n = read(run->seal_pipe, &said, sizeof said)) == (ssize_t)sizeof said) {
		run->said = said;
		run->seal_seen = true;
		seal_summary(&said, &run->sealed);
	}
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	close(run->seal_pipe); /* exec closed the other end, or the child is gone */
	run->seal_pipe = -1;
	run->executed = run->seal_seen && run->said.failed == SEAL_END;
	if (run->executed)
		watch_executed(&run->watch);
}

/* Why the command never ran. */
static void not_executed(struct run *run)
{
	char proof[CAUSE_PROOF];
	struct text t;
	int status = seal_exit_status((enum seal_step)run->said.failed, run->said.error);
	enum requirement unmet = require_seal(&run->plan, &run->sealed);
	enum verdict v = status == 127	 ? VERDICT_EXEC_NOT_FOUND
			 : status == 126 ? VERDICT_EXEC_DENIED
					 : VERDICT_INIT_FAULT;

	text_start(&t, proof, sizeof proof);
	if (!run->seal_seen) {
		v = VERDICT_INIT_FAULT;
		text_add(&t, "the child ended before it was sealed");
	} else if (run->said.error == ECANCELED && unmet != REQUIRE_END) {
		v = VERDICT_REQUIRE_UNMET;
		text_add(&t, "required, but not so here: ");
		text_add(&t, requirement_name(unmet));
	} else {
		text_add(&t, seal_step_name((enum seal_step)run->said.failed));
		if (run->said.failed == SEAL_EXEC) {
			text_add(&t, " ");
			text_quoted(&t, run->plan.command[0], 80);
		}
		text_add(&t, ": ");
		text_add(&t, strerror(run->said.error));
	}
	run->family.ending.kind = ENDING_NONE;
	if (cause_decide(&run->cause, v, v == VERDICT_REQUIRE_UNMET, proof, at_ms(run)))
		run_say(proof, NULL);
}

static void main_ended(struct run *run)
{
	const struct ending *e = &run->family.ending;
	struct breach b;
	bool over;

	hear_seal(run);
	if (watch_counts_at_end(&run->watch) && (run->life == LIFE_RUNNING || run->life == LIFE_GRACE))
		family_signal(&run->family, SIGSTOP); /* SIGKILL comes next */
	over = watch_main_ended(&run->watch, clock_now(), &b);
	if (!run->executed)
		not_executed(run);
	else if (over && cause_breach(&run->cause, &b, at_ms(run)))
		;
	else if (e->kind == ENDING_SIGNAL && e->value == run->passed_on)
		cause_decide(&run->cause, VERDICT_CANCELLED, false,
		    "died of a signal that was sent from outside", at_ms(run));
	else
		cause_ended(&run->cause, e, at_ms(run));
	run->family.behind = run->life == LIFE_RUNNING || run->life == LIFE_GRACE;
	if (!run->family.gone)
		step(run, EVENT_MAIN_ENDED);
}

static void stop_asked(struct run *run, const struct signal_seen *s)
{
	bool outside = (s->user && s->sender == 0) || !run->family.pid1;
	bool stops =
	    s->number == SIGTERM || s->number == SIGINT || s->number == SIGQUIT || s->number == SIGHUP;

	if (s->number == SIGCHLD)
		return;
	if (!run->report.host && !(s->number == SIGTERM && run->plan.number[OPTION_GRACE] != LIMIT_NONE)) {
		/* As any init: the candidate could have sent it to itself anyhow. A terminal has reached it already. */
		if (!s->kernel)
			family_pass_on(&run->family, s->number);
		if (outside)
			run->passed_on = s->number;
	} else if (stops && outside && (s->user || !run->report.host)) {
		if (!cause_decide(&run->cause, VERDICT_CANCELLED, true, "a signal from outside asked to stop",
			at_ms(run)) &&
		    run->life == LIFE_GRACE)
			cause_note(&run->cause, "asked again from outside", at_ms(run));
		step(run, EVENT_STOP);
	}
}

static bool due(uint64_t *when, uint64_t now)
{
	if (now < *when)
		return false;
	*when = UINT64_MAX;
	return true;
}

/* Stops everybody while what they hold is counted, and lets them go on. */
static void hold(struct run *run)
{
	bool wanted = watch_wants_stop(&run->watch);

	if (wanted == run->held)
		return;
	family_signal(&run->family, wanted ? SIGSTOP : SIGCONT);
	run->held = wanted;
	watch_stopped(&run->watch, wanted);
}

static void clocks(struct run *run, uint64_t now)
{
	struct breach b;

	if (due(&run->grace_due, now))
		step(run, EVENT_GRACE_OVER);
	if (run->life == LIFE_RUNNING || run->life == LIFE_GRACE) {
		if (watch_look(&run->watch, now, &b))
			breached(run, &b);
		else
			hold(run);
	}
	if (due(&run->kill_due, now))
		step(run, EVENT_KILL_OVER);
	if ((run->life == LIFE_KILLING || run->life == LIFE_LEAVING) && due(&run->next_kill, now)) {
		family_signal(&run->family, SIGKILL);
		run->next_kill = now + KILL_AGAIN;
	}
}

/* What may be read without waiting. */
struct ready {
	bool signals, streams[2], denials, hung;
};

static void pump(struct run *run, const struct ready *ready, uint64_t now)
{
	struct breach b;

	if (run->life == LIFE_DRAINING) {
		bool forced = due(&run->drain_due, now), done = !run->pumping;
		for (int i = 0; !done && i < (forced ? 64 : 1); i++)
			done = logs_drain(&run->logs, &run->sink, forced);
		if (done || forced)
			step(run, done ? EVENT_DRAINED : EVENT_DRAIN_OVER);
	} else if (run->pumping && logs_turn(&run->logs, &run->sink, ready->streams, &b)) {
		breached(run, &b);
	}
}

/* Behind hear_seal: exec has closed the seal's pipe before anything of the candidate's can be refused. */
static void answer(struct run *run)
{
	struct breach b;

	if (denials_fd(&run->denials) >= 0 && denials_turn(&run->denials, run->executed, at_ms(run), &b))
		breached(run, &b);
}

static void sample(struct run *run, uint64_t now)
{
	struct sample s;

	if (now < run->next_sample || run->life > LIFE_GRACE)
		return;
	run->next_sample = now + SECOND;
	watch_sample(&run->watch, now, &s);
	s.stdout_bytes = run->logs.stream[0].budget.total;
	s.stderr_bytes = run->logs.stream[1].budget.total;
	s.denied = run->denials.counted ? run->denials.ledger.total : LIMIT_NONE;
	report_sample(&run->report, &s);
}

/* Sleeps until something can be done. */
static struct ready sleep_until_something(const struct run *run)
{
	enum { SIGNALS, DENIALS, STREAMS, SEAL = STREAMS + 2, ALARM, HOST };
	const struct ready nothing = {false, {false, false}, false, false},
			   all = {true, {true, true}, true, false};
	struct pollfd p[HOST + 2];
	nfds_t n = HOST;
	int count;
	uint64_t now = clock_now(), next = UINT64_MAX;
	const uint64_t clock[] = {run->grace_due, run->kill_due, run->drain_due,
	    run->life == LIFE_KILLING || run->life == LIFE_LEAVING ? run->next_kill : UINT64_MAX,
	    run->life <= LIFE_GRACE ? watch_next(&run->watch) : UINT64_MAX,
	    run->life <= LIFE_GRACE ? run->next_sample : UINT64_MAX};
	bool stalled[2] = {false, false};

	for (unsigned i = 0; i < sizeof clock / sizeof *clock; i++)
		next = clock[i] < next ? clock[i] : next;
	p[SIGNALS] = (struct pollfd){.fd = run->signals, .events = POLLIN};
	p[DENIALS] = (struct pollfd){.fd = denials_fd(&run->denials), .events = POLLIN};
	p[SEAL] = (struct pollfd){.fd = run->seal_pipe, .events = POLLIN};
	p[ALARM] = (struct pollfd){.fd = run->watch.wall.alarm, .events = POLLIN};
	for (int i = 0; i < 2; i++) {
		stalled[i] = run->pumping && run->logs.stream[i].waiting;
		p[STREAMS + i] = (struct pollfd){
		    .fd = run->pumping && !stalled[i] ? run->logs.stream[i].fd : -1, .events = POLLIN};
	}
	if (run->life != LIFE_LEAVING) /* a hung-up channel would wake it without end */
		n += (nfds_t)report_wait(&run->report, stalled, p + n);
	if (run->family.more)
		next = 0;
	next = next <= now ? 0 : next == UINT64_MAX ? next : next - now;
	const struct timespec bound = {(time_t)(next / SECOND), (long)(next % SECOND * 1000)};
	count = ppoll(p, n, next == UINT64_MAX ? NULL : &bound, NULL);
	if (count <= 0)
		return count < 0 ? all : nothing;
	return (struct ready){.signals = p[SIGNALS].revents != 0,
	    .streams = {p[STREAMS].revents != 0, p[STREAMS + 1].revents != 0},
	    .denials = p[DENIALS].revents != 0,
	    .hung = run->report.host && n > HOST && (p[HOST].revents & (POLLHUP | POLLERR | POLLNVAL))};
}

/* True while pipes are to be emptied and nothing has to be waited for. */
static bool may_drain(const struct run *run)
{
	return run->life == LIFE_DRAINING &&
	       !(run->pumping && (run->logs.stream[0].waiting || run->logs.stream[1].waiting));
}

void run_supervise(struct run *run)
{
	if (run->report.host) /* the first sample tells the host that the candidate has been forked */
		run->next_sample = clock_now();
	while (!life_over(run->life)) {
		struct ready ready = {.signals = true, .denials = true};
		struct signal_seen seen[16];
		/* Read before reaping, acted on after: a child that ends later raises a new one, and an end comes first. */
		int signals;
		uint64_t now;

		if (!may_drain(run))
			ready = sleep_until_something(run);
		signals = ready.signals ? signals_read(run->signals, seen, 16) : 0;

		if (family_reap(&run->family))
			main_ended(run);
		now = clock_now();
		clocks(run, now);
		for (int i = 0; i < signals; i++)
			stop_asked(run, &seen[i]);
		hear_seal(run);
		if (ready.denials)
			answer(run);
		if (run->family.gone)
			step(run, EVENT_ALL_GONE);
		pump(run, &ready, now);
		if (run->life != LIFE_LEAVING && !report_turn(&run->report, ready.hung))
			step(run, EVENT_CARRIER_LOST);
		sample(run, now);
	}
}
