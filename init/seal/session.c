/* A session of its own, so that no terminal and no job control of init's reaches the candidate, and clean signals. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "seal/steps.h"
#include "wire/require.h"

void session_reset_signals(void)
{
	struct sigaction plain;
	memset(&plain, 0, sizeof plain);
	plain.sa_handler = SIG_DFL;
	for (int n = 1; n < NSIG; n++)
		(void)sigaction(n, &plain, NULL); /* KILL, STOP and the C library's own refuse, and may */

	sigset_t none;
	sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
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
