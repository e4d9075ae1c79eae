/* A session of its own, so that no terminal and no job control of init's reaches the candidate, and clean signals. */
#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "seal/steps.h"
#include "wire/require.h"

/*
 * By system call: the C library keeps two signals to itself and will not reset them, but a parent's posix_spawn may have
 * left them ignored, and an ignored signal stays so through exec. Nothing uses them between here and exec.
 */
void session_reset_signals(void)
{
	static const unsigned long
	    by_default[8]; /* larger than any kernel's struct sigaction; all zero is SIG_DFL */
	static const unsigned long none[1];

	for (int n = 1; n < NSIG; n++)
		(void)syscall(
		    SYS_rt_sigaction, n, by_default, NULL, NSIG / 8); /* KILL and STOP refuse, and may */
	(void)syscall(SYS_rt_sigprocmask, SIG_SETMASK, none, NULL, NSIG / 8);
}

/* At a terminal the candidate becomes its foreground job, as any shell would do it; a new session would lose Ctrl-C. */
static int take_terminal(void)
{
	sigset_t ttou;
	sigemptyset(&ttou);
	sigaddset(&ttou, SIGTTOU);
	if (setpgid(0, 0) < 0)
		return -errno;
	(void)sigprocmask(SIG_BLOCK, &ttou, NULL);
	(void)tcsetpgrp(0, getpgrp()); /* not our terminal to give: then it stays with whom it belongs to */
	(void)sigprocmask(SIG_UNBLOCK, &ttou, NULL);
	return STATE_OFF;
}

int step_session(struct sealing *s)
{
	if (s->job->plain && isatty(0))
		return take_terminal();
	if (setsid() < 0)
		return -errno;
	return getsid(0) == getpid() ? STATE_ENFORCED : -EBADE;
}
