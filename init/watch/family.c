/* The family of processes. */
#include "watch/family.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "sys/child.h"
#include "sys/kill.h"

/* A turn reaps no more than this: a flood of zombies must not keep the loop from its deadline. */
enum { REAPS = 512 };

void family_open(struct family *f, int proc, int64_t uid)
{
	*f = (struct family){.pid1 = getpid() == 1, .proc = -1, .uid = uid};
	if (proc >= 0 && kill_can_follow(proc) == 0)
		f->proc = proc;
	if (!f->pid1)
		child_adopt_orphans();
}

bool family_reap(struct family *f)
{
	bool main_ended = false;
	struct reaped r;

	f->more = true;
	for (int i = 0; i < REAPS; i++) {
		int got = child_reap(-1, &r);
		if (got == -ECHILD)
			f->gone = true;
		if (got <= 0) {
			f->more = false;
			break;
		}
		if (r.pid == f->main) {
			f->main = 0;
			f->ending.kind = r.code >= 0 ? ENDING_CODE : ENDING_SIGNAL;
			f->ending.value = r.code >= 0 ? r.code : r.signal;
			main_ended = true;
		} else if (f->behind && r.signal == SIGKILL) {
			f->killed++;
		}
	}
	return main_ended;
}

void family_signal(struct family *f, int signal)
{
	int n;

	if (f->gone)
		return;
	if (f->pid1) {
		kill_namespace(signal, f->uid);
		return;
	}
	n = f->proc < 0 ? -ENOENT : kill_descendants(f->proc, signal, f->uid);
	if (n < 0)
		kill_group(f->main, signal, f->uid);
	else if (f->behind && (uint64_t)n > f->found)
		f->found = (uint64_t)n;
}

uint64_t family_survivors(const struct family *f)
{
	return f->found > f->killed ? f->found : f->killed;
}

void family_pass_on(const struct family *f, int signal)
{
	if (f->main > 0)
		kill_child(f->main, signal, f->uid);
}
