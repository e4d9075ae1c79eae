/* The live line on stderr: redrawn in place on a terminal, a plain line now and then elsewhere. Display only. */
#ifndef PROCTOR_COMMAND_RUN_LIVE_H
#define PROCTOR_COMMAND_RUN_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "judge/task.h"
#include "wire/sample.h"

struct live {
	const char *who; /* submission or run */
	const struct task *task;
	bool terminal;
	bool drawn;	  /* a line stands there to be wiped */
	uint64_t next_ms; /* elsewhere: when the next line is due */
};

void live_start(struct live *l, const char *who, const struct task *task);
void live_show(struct live *l, const struct sample *s);
void live_end(struct live *l);

/* The line's text, for tests. Returns out. */
char *live_text(const struct live *l, const struct sample *s, char out[256]);

#endif
