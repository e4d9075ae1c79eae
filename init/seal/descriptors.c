/*
 * The candidate starts with 0, 1 and 2 and nothing else: an inherited descriptor would be a door past every path rule.
 * The report pipe stays open at 3 until exec closes it, and so does the way for a filter's listener at 4.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include "seal/steps.h"
#include "sys/fd.h"
#include "wire/require.h"

enum { REPORT = 3, LISTENER = 4 };

/* True when the stream may be reopened by its path: it belongs to the candidate. */
static bool owned(const struct plan *plan, int fd)
{
	struct stat st;
	if (plan->number[OPTION_UID] == LIMIT_NONE)
		return true;
	if (fstat(fd, &st) < 0)
		return false;
	if (st.st_uid == plan->number[OPTION_UID])
		return true;
	return fchown(fd, (uid_t)plan->number[OPTION_UID], (gid_t)seal_gid(plan)) == 0;
}

/* Puts the stream at `to`; what is at `to` may be another one that is still needed, so the source is above 3 already. */
static int place(const struct plan *plan, int fd, int to, bool *reopens)
{
	int r = fd_move(fd, to, 0);
	if (r == 0 && !owned(plan, to))
		*reopens = false;
	return r;
}

/* A copy above the places that are about to be filled; -1 stays -1. */
static int lift(int *fd)
{
	if (*fd < 0)
		return 0;
	*fd = fcntl(*fd, F_DUPFD_CLOEXEC, LISTENER + 1);
	return *fd < 0 ? -errno : 0;
}

/* Standard streams that are kept must exist, or the next open would land on one of them. */
static int hold(int fd)
{
	if (fcntl(fd, F_GETFD) >= 0)
		return fcntl(fd, F_SETFD, 0) < 0 ? -errno : 0;
	int empty = fd_open_null();
	if (empty < 0)
		empty = fd_open_empty();
	return empty < 0 ? empty : fd_move(empty, fd, 0);
}

int step_descriptors(struct sealing *s)
{
	int output = s->job->output, error = s->job->error, report = s->report, listener = s->listener;
	bool reopens = true;

	int r = lift(&report);
	if (r < 0)
		return r;
	s->report = report;
	if ((r = lift(&output)) < 0 || (r = lift(&error)) < 0 || (r = lift(&listener)) < 0)
		return r;

	if (!s->job->plain) {
		int null = fd_open_null();
		if (null < 0)
			null = fd_open_empty();
		if (null < 0)
			return null;
		if ((r = fd_move(null, 0, 0)) < 0)
			return r;
	} else if ((r = hold(0)) < 0) {
		return r;
	}
	if ((r = output < 0 ? hold(1) : place(s->plan, output, 1, &reopens)) < 0)
		return r;
	if ((r = error < 0 ? hold(2) : place(s->plan, error, 2, &reopens)) < 0)
		return r;

	if ((r = fd_move(report, REPORT, 1)) < 0)
		return r;
	s->report = REPORT;
	if (listener >= 0 && (r = fd_move(listener, LISTENER, 1)) < 0)
		return r;
	s->listener = listener >= 0 ? LISTENER : -1;
	if ((r = fd_close_from(listener >= 0 ? LISTENER + 1 : LISTENER)) < 0)
		return r;
	for (int fd = 0; fd < REPORT; fd++)
		if (fcntl(fd, F_GETFD) != 0)
			return -EBADE;
	if (fcntl(REPORT, F_GETFD) != FD_CLOEXEC || (listener >= 0 && fcntl(LISTENER, F_GETFD) != FD_CLOEXEC))
		return -EBADE;
	return reopens ? STATE_ENFORCED : STATE_BEST_EFFORT;
}
