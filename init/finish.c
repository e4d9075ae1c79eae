/* The last words: the record is put together and delivered, also for a run that never began. */
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "core/options.h"
#include "core/record.h"
#include "core/text.h"
#include "run.h"
#include "sys/clock.h"
#include "sys/terminal.h"

void run_say(const char *what, const char *detail)
{
	char line[OPTIONS_MESSAGE + 128];
	struct pollfd ready = {.fd = STDERR_FILENO, .events = POLLOUT};
	struct text t;

	text_start(&t, line, sizeof line);
	text_add(&t, "proctor-init: ");
	text_add(&t, what);
	if (detail) {
		text_add(&t, ": ");
		text_add(&t, detail);
	}
	text_add(&t, "\n");
	/* A reader that is stuck must not hold init; a pipe that is ready takes a line of this length whole. */
	if (poll(&ready, 1, 0) > 0 && write(STDERR_FILENO, line, t.length) < 0)
		return; /* nobody to tell */
}

/* In plain use the status alone would leave people guessing: one line says which limit it was. */
static void tell_limit(const struct cause *c)
{
	static const struct {
		const char *unit;
		enum unit as;
	} units[] = {{"ms", UNIT_TIME}, {"bytes", UNIT_SIZE}, {"count", UNIT_COUNT}};
	char line[128], number[32];
	struct text t;

	if (!c->by_init || !c->unit || c->limit == LIMIT_NONE)
		return;
	text_start(&t, line, sizeof line);
	text_add(&t, "ended at a limit: ");
	text_add(&t, verdict_name(c->verdict));
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strcmp(units[i].unit, c->unit) == 0) {
			text_add(&t, " ");
			text_add(&t, unit_format(units[i].as, c->limit, number));
		}
	run_say(line, NULL);
}

int run_finish(struct run *run)
{
	struct sight sight = {.pid1 = getpid() == 1, .pumps_logs = run->pumping};
	struct log_usage logs[2] = {{0, 0, 0}, {0, 0, 0}};
	struct usage usage = {.wall_ms = {LIMIT_NONE, HOW_UNAVAILABLE}};
	struct layers layers;
	struct record record = {.run = run->plan.run,
	    .version = PROCTOR_VERSION,
	    .facts = run->looked ? &run->facts : NULL,
	    .layers = &layers,
	    .ending = &run->family.ending,
	    .cause = &run->cause,
	    .usage = &usage,
	    .logs = run->pumping || run->report.host ? logs : NULL,
	    .denied = run->denials.counted ? &run->denials.ledger : NULL,
	    .survivors = family_survivors(&run->family),
	    .authenticated = run->report.host};
	int r;

	usage.cpu_ms = usage.memory_peak = usage.processes_peak = usage.output_bytes = usage.output_files =
	    usage.wall_ms;
	if (run->terminal)
		terminal_take_back();
	if (run->spawned) {
		watch_after(&run->watch, &run->cause, clock_now(), &usage);
		watch_sight(&run->watch, &sight);
	}
	if (run->pumping)
		logs_usage(&run->logs, logs);
	layers_from(&layers, &run->plan, record.facts, &run->sealed, &sight);
	if (run->spawned && !run->report.host)
		tell_limit(&run->cause);
	r = report_record(&run->report, &record);
	if (r < 0 && run->spawned)
		run_say("the record could not be delivered", strerror(-r));
	return r < 0 ? INIT_FAILED : cause_status(&run->cause, &run->family.ending);
}
