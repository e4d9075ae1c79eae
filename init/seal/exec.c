/*
 * The last steps: where the candidate starts, its filter, and exec. The command is looked up as the candidate, in its own
 * PATH and with its own rights; there is no fallback to a shell.
 */
#include <errno.h>
#include <limits.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "policy/assemble.h"
#include "seal/steps.h"
#include "sys/notify.h"
#include "sys/seccomp.h"
#include "wire/require.h"

/* True when the working directory can be reached from the root; one left open from outside cannot (CVE-2024-21626). */
static bool inside(void)
{
	char at[PATH_MAX];
	/* The raw call: C libraries hide what the kernel says about an unreachable folder. */
	return syscall(SYS_getcwd, at, sizeof at) > 0 && at[0] == '/';
}

int step_workdir(struct sealing *s)
{
	const char *to = s->plan->text[OPTION_WORKDIR];
	if (to) {
		if (chdir(to) < 0)
			return -errno;
		return inside() ? STATE_ENFORCED : -EBADE;
	}
	if (!inside() && chdir("/") < 0)
		return -errno;
	return STATE_OFF;
}

/*
 * The filter with init behind it. From its loading on, a refused call waits for init, which has no listener before this
 * has sent it: so what is called in between is what no policy may refuse (policy_needed).
 */
static int load_with_listener(struct sealing *s)
{
	int listener = notify_load(s->job->filter, s->job->filters);
	if (listener < 0)
		return listener;
	int r = handover_send(s->listener, listener);
	close(listener);
	if (r < 0)
		return -EBADE;
	s->said.notifies = 1;
	return 0;
}

static int load(struct sealing *s)
{
	if (s->listener >= 0) {
		int r = load_with_listener(s);
		close(s->listener); /* which tells init that none will come */
		s->listener = -1;
		if (r == 0 || !seal_unavailable(-r))
			return r;
		policy_forget_notify(s->job->filter, s->job->filters);
	}
	return seccomp_load(s->job->filter, s->job->filters);
}

int step_seccomp(struct sealing *s)
{
	if (!s->job->filter)
		return STATE_OFF;
	int r = load(s);
	if (r < 0)
		return seal_unavailable(-r) ? STATE_UNAVAILABLE : r;
	return seccomp_mode() == SECCOMP_MODE_FILTER ? STATE_ENFORCED : -EBADE;
}

static const char *search_path(char *const *environment)
{
	static const char name[] = "PATH=";
	for (; *environment; environment++)
		if (strncmp(*environment, name, sizeof name - 1) == 0)
			return *environment + sizeof name - 1;
	return "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
}

/* Errors that mean "not in this folder", as execvp(3) sees it. */
static bool elsewhere(int error)
{
	return error == ENOENT || error == ENOTDIR || error == ENODEV || error == ESTALE || error == ELOOP ||
	       error == ENAMETOOLONG || error == EACCES;
}

int step_exec(struct sealing *s)
{
	char *const *command = s->plan->command;
	const char *name = command[0];
	if (!name || !*name)
		return -ENOENT;
	if (strchr(name, '/')) {
		execve(name, command, s->environment);
		return -errno;
	}

	char file[PATH_MAX];
	size_t n = strlen(name);
	int worst = ENOENT;
	const char *folder = search_path(s->environment);
	for (;;) {
		size_t length = strcspn(folder, ":");
		if (length + 1 + n < sizeof file) {
			/* An empty folder is the working directory. */
			memcpy(file, folder, length);
			file[length] = '/';
			memcpy(file + length + (length > 0), name, n + 1);
			execve(file, command, s->environment);
			if (!elsewhere(errno))
				return -errno;
			if (errno == EACCES)
				worst = EACCES;
		}
		if (!folder[length])
			return -worst;
		folder += length + 1;
	}
}
