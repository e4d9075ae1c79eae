/* Asks the ledger only: a run that it does not know cannot be named. */
#include "command/exposed.h"

#include <time.h>

#include "command/home.h"

static int count(void *context, const struct ledger_row *row)
{
	unsigned *runs = context;

	*runs += row->ran != 0;
	return 0;
}

void exposed_runs(
    const char *home, const struct task *task, const struct exposure_seen *seen, struct fault *fault)
{
	char day[32];
	struct tm tm;
	struct ledger_filter filter = {.task = task->name, .since = day};
	struct ledger *l = NULL;
	struct fault quiet;
	unsigned runs = 0;

	if (!seen->appeared || !gmtime_r(&seen->appeared, &tm) || strftime(day, sizeof day, "%F", &tm) == 0)
		return;
	if (ledger_open(home_path(home), LEDGER_READ, &l, &quiet) == 0 && l &&
	    ledger_each(l, &filter, count, &runs, &quiet) == 0)
		(void)fault_more(fault, "runs", "since this file appeared (mtime %s): %u%s%s%s%s", day, runs,
		    runs ? ", listed by  scorer-host runs --task " : "", runs ? task->name : "",
		    runs ? " --since " : "", runs ? day : "");
	ledger_done(l);
}
