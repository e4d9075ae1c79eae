/*
 * The steps of the seal, for seal.c alone. Each changes this process, reads back what it changed, and returns the
 * enum layer_state that holds now, or -errno when the run must not go on. "Unavailable" is for what the kernel or the
 * engine withholds; what was asked for by name and cannot be had ends the run.
 */
#ifndef PROCTOR_SEAL_STEPS_H
#define PROCTOR_SEAL_STEPS_H

#include <stdbool.h>

#include "seal/seal.h"

struct sealing {
	const struct seal_job *job;
	const struct plan *plan;
	int report;		  /* where the report goes now */
	int listener;		  /* where the filter's listener is handed over, or -1 */
	char *const *environment; /* the candidate's, once it is made */
	struct seal_report said;
};

/* True for an errno that means "not to be had here". */
bool seal_unavailable(int error);

int step_session(struct sealing *s);
int step_descriptors(struct sealing *s);
int step_umask(struct sealing *s);
int step_environment(struct sealing *s);
int step_rlimits(struct sealing *s);
int step_core(struct sealing *s);
int step_oom_score(struct sealing *s);
int step_bounding(struct sealing *s);
int step_groups(struct sealing *s);
int step_gid(struct sealing *s);
int step_uid(struct sealing *s);
int step_ambient(struct sealing *s);
int step_workdir(struct sealing *s);
int step_no_new_privs(struct sealing *s);
int step_landlock(struct sealing *s);
int step_seccomp(struct sealing *s);

/* Execs the command, looked up in the candidate's own PATH. Returns only when that failed: -errno. */
int step_exec(struct sealing *s);

/* Every signal at its default and none blocked. */
void session_reset_signals(void);

#endif
