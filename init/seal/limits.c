/* What one process may use: umask, resource limits, no core, and first in line when memory runs out. */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "seal/steps.h"
#include "sys/rlimit.h"
#include "wire/require.h"

int step_umask(struct sealing *s)
{
	uint64_t mask = s->plan->number[OPTION_UMASK];
	if (mask == LIMIT_NONE && s->job->plain)
		return STATE_OFF;
	if (mask == LIMIT_NONE)
		mask = option_table[OPTION_UMASK].preset;
	umask((mode_t)mask);
	return umask((mode_t)mask) == mask ? STATE_ENFORCED : -EBADE;
}

/*
 * The kernel's backstop above init's own count, which decides: a burst may pass that count before init looks, and a fork
 * that the kernel refuses first would leave the limit unproven. A cgroup's limit, which proves it, stands below this one.
 * It counts per uid, so it means nothing under a shared one.
 */
static int limit_processes(const struct plan *plan)
{
	uint64_t asked = plan->number[OPTION_PROCESSES];
	if (asked == LIMIT_NONE || plan->number[OPTION_UID] == LIMIT_NONE)
		return STATE_OFF;
	uint64_t soft, hard;
	int r = rlimit_get(RLIMIT_NPROC, &soft, &hard);
	if (r < 0)
		return r;
	uint64_t wanted = asked + asked / 8 + 16;
	if (hard < asked)
		return -EPERM;
	r = rlimit_set(RLIMIT_NPROC, wanted < hard ? wanted : hard);
	if (r < 0)
		return r;
	return wanted <= hard ? STATE_ENFORCED : STATE_BEST_EFFORT;
}

int step_rlimits(struct sealing *s)
{
	static const struct {
		enum option option;
		int resource;
	} limit[] = {
	    {OPTION_OPEN_FILES, RLIMIT_NOFILE},
	    {OPTION_FILE_SIZE, RLIMIT_FSIZE},
	    {OPTION_STACK, RLIMIT_STACK},
	};
	int state = limit_processes(s->plan);
	for (size_t i = 0; i < sizeof limit / sizeof *limit && state >= 0; i++) {
		uint64_t value = s->plan->number[limit[i].option];
		if (limit[i].option == OPTION_FILE_SIZE && s->job->file_size && s->job->file_size < value)
			value = s->job->file_size;
		if (value == LIMIT_NONE)
			continue;
		int r = rlimit_set(limit[i].resource, value);
		if (r < 0)
			return r;
		if (state == STATE_OFF)
			state = STATE_ENFORCED;
	}
	return state;
}

/* Zero bytes would still start the helper of a piped core_pattern(5); one byte does not. */
int step_core(struct sealing *s)
{
	(void)s;
	int r = rlimit_set(RLIMIT_CORE, 1);
	if (r == 0)
		return STATE_ENFORCED;
	/* The engine's hard limit is 0 already: no core file, and nothing more to be had. */
	uint64_t soft, hard;
	if (rlimit_get(RLIMIT_CORE, &soft, &hard) == 0 && hard == 0)
		return STATE_BEST_EFFORT;
	return seal_unavailable(-r) ? STATE_UNAVAILABLE : r;
}

/* By one descriptor: it is procfs's, it takes the score, and it gives it back. */
static int write_score(const char *score, size_t n)
{
	char now[16];
	struct statfs fs;
	int fd = open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return -errno;
	int r = fstatfs(fd, &fs) < 0 ? -errno : fs.f_type != PROC_SUPER_MAGIC ? -ENODEV : 0;
	if (r == 0 && write(fd, score, n) != (ssize_t)n)
		r = -errno;
	if (r == 0 && (pread(fd, now, sizeof now, 0) != (ssize_t)n + 1 || memcmp(now, score, n) != 0))
		r = -EBADE;
	close(fd);
	return r;
}

int step_oom_score(struct sealing *s)
{
	(void)s;
	/* Init is not dumpable, so that its copy's files are root's; the secrets are wiped, and nobody else runs yet. */
	bool hidden = prctl(PR_GET_DUMPABLE, 0UL, 0UL, 0UL, 0UL) == 0;
	if (hidden)
		(void)prctl(PR_SET_DUMPABLE, 1UL, 0UL, 0UL, 0UL);
	int r = write_score("1000", 4);
	if (hidden)
		(void)prctl(PR_SET_DUMPABLE, 0UL, 0UL, 0UL, 0UL);
	return r == 0 ? STATE_ENFORCED : r == -EBADE ? r : STATE_UNAVAILABLE;
}
