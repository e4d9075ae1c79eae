/* Answers to what the policy refuses. */
#include "watch/denials.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "core/text.h"
#include "policy/blob.h"
#include "sys/notify.h"
#include "wire/limits.h"

/* Answers in one turn: enough for a busy program, too few to keep the loop from its deadline. */
enum { ANSWERS = 4 };

void denials_open(struct denials *d, int handover)
{
	memset(d, 0, sizeof *d);
	d->handover = handover;
	d->listener = -1;
}

int denials_fd(const struct denials *d)
{
	return d->handover >= 0 ? d->handover : d->listener;
}

static void drop(int *fd)
{
	close(*fd);
	*fd = -1;
}

static void receive(struct denials *d)
{
	int fd = handover_receive(d->handover);

	if (fd == -EAGAIN)
		return;
	drop(&d->handover); /* one listener, or none: the child has ended or could not have one */
	if (fd < 0)
		return;
	d->listener = fd;
	d->counted = true;
	notify_tune(fd);
}

static bool foreign(const struct notified *n)
{
	return n->arch != POLICY_NATIVE->audit || ((uint32_t)n->number & POLICY_NATIVE->foreign) != 0;
}

static void forbid(struct denials *d, const struct notified *n, struct breach *b)
{
	struct text t;

	text_start(&t, d->proof, sizeof d->proof);
	text_add(&t, n->arch != POLICY_NATIVE->audit ? "system call by another architecture's entry, number "
						     : "system call by the x32 numbers, number ");
	text_number(&t, (uint32_t)n->number & ~POLICY_NATIVE->foreign);
	text_add(&t, ", never answered; process ");
	text_number(&t, (uint64_t)n->process);
	*b = (struct breach){VERDICT_FORBIDDEN_SYSCALL, LIMIT_NONE, LIMIT_NONE, NULL, d->proof, false};
}

bool denials_turn(struct denials *d, bool counting, uint64_t at_ms, struct breach *b)
{
	struct notified n;

	if (d->handover >= 0)
		receive(d);
	for (int i = 0; d->listener >= 0 && i < ANSWERS; i++) {
		int r = notify_next(d->listener, &n);
		if (r < 0)
			drop(&d->listener);
		if (r <= 0)
			return false;
		if (foreign(&n)) {
			forbid(d, &n, b);
			return true;
		}
		/* Whoever was interrupted before the answer calls again, and is counted then. */
		if (notify_refuse(d->listener, &n, EPERM) == 0 && counting)
			ledger_add(&d->ledger, n.number, n.args, at_ms);
	}
	return false;
}
