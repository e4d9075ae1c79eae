/* What the host asks of init for a run: the ticket's words from the task, the limits and the run's own ids. */
#ifndef PROCTOR_COMMAND_RUN_TICKET_H
#define PROCTOR_COMMAND_RUN_TICKET_H

#include <stdint.h>

#include "judge/task.h"
#include "wire/ticket.h"

struct ticket_source {
	const char *run;    /* id */
	const uint8_t *key; /* CHAIN_KEY bytes */
	unsigned uid;	    /* and gid */
	const struct task *task;
	char *const *command; /* NULL-terminated, not empty */
};

/* Appends all words; the caller asks ticket_fits. */
void run_ticket(struct ticket *t, const struct ticket_source *s);

#endif
