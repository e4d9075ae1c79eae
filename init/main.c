/*
 * proctor-init: the first process of a container. It plans, looks around, gets its ticket, spawns the sealed candidate,
 * watches it in one loop that cannot be stopped, and reports why it ended.
 *
 * Before the spawn it may end with a message and 125. After the spawn it never ends by itself: whatever goes wrong is an
 * event of core/life.h. It never waits without a bound, allocates nothing, and opens nothing once the candidate has ended.
 */
#include "core/cause.h"
#include "run.h"

int main(int argc, char **argv, char **environment)
{
	static struct run run;
	int status;

	run.environment = environment;
	run.seal_pipe = -1;
	run.watch.wall.alarm = -1;
	denials_open(&run.denials, -1);
	run.grace_due = run.kill_due = run.drain_due = run.next_kill = run.next_sample = UINT64_MAX;
	cause_start(&run.cause);
	if ((status = run_plan(&run, argv + (argc > 0))) >= 0)
		return status;
	run_look(&run);
	if ((status = run_meet_host(&run)) >= 0 || (status = run_prepare(&run)) >= 0 ||
	    (status = run_spawn(&run)) >= 0)
		return status;
	run_supervise(&run);
	return run.life == LIFE_LEFT ? INIT_FAILED : run_finish(&run);
}
