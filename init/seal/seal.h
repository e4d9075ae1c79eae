/*
 * The seal: what the child does to itself between fork and exec, one flat list, each step re-read. It runs in the
 * child only and never returns; what happened travels to the supervisor over a pipe that exec closes.
 */
#ifndef PROCTOR_SEAL_SEAL_H
#define PROCTOR_SEAL_SEAL_H

#include <linux/filter.h>
#include <stddef.h>
#include <stdnoreturn.h>

#include "core/layers.h"
#include "core/plan.h"

/* In the order in which they happen. */
#define SEAL_STEPS(X) \
	X(SESSION, "session") \
	X(DESCRIPTORS, "descriptors") \
	X(UMASK, "umask") \
	X(ENVIRONMENT, "environment") \
	X(RLIMITS, "rlimits") \
	X(CORE, "core") \
	X(OOM_SCORE, "oom-score") \
	X(BOUNDING, "bounding-set") \
	X(GROUPS, "groups") \
	X(GID, "gid") \
	X(UID, "uid") \
	X(AMBIENT, "ambient") \
	X(WORKDIR, "workdir") \
	X(NO_NEW_PRIVS, "no-new-privs") \
	X(LANDLOCK, "landlock") \
	X(SECCOMP, "seccomp") \
	X(EXEC, "exec")

enum seal_step {
#define X(id, name) SEAL_##id,
	SEAL_STEPS(X)
#undef X
	    SEAL_END
};

/* What the child writes to `report`, twice at most: before exec (failed = SEAL_END), and when a step failed. */
struct seal_report {
	uint8_t state[SEAL_END]; /* enum layer_state of each step so far */
	uint8_t failed;		 /* enum seal_step, or SEAL_END */
	uint8_t notifies; /* 1: init answers for the filter and counts; 0: the filter answers by itself */
	int32_t error;	  /* errno of the failed step */
};

/* Memory of init's that the candidate's process may not keep: the plan's key, the chain, the ticket's bytes. */
struct seal_secret {
	void *at;
	size_t size;
};

enum { SEAL_SECRETS = 6 };

struct seal_job {
	const struct plan *plan;
	bool plain; /* drop-in use: stdin is kept, no new session when stdin is a terminal */
	/* Write ends of the log pipes (blocking; made by pipe_owned, so that /dev/stdout opens), or -1: 1, 2 are kept. */
	int output, error;
	int report;		    /* write end of the report pipe, close-on-exec */
	struct sock_filter *filter; /* NULL where none was asked for; the child may change its own copy */
	unsigned filters;	    /* instructions */
	int listener; /* where the filter's listener is handed over, close-on-exec, or -1: it needs none */
	char *const *environment; /* what init itself was started with, for --keep-env and plain use */
	struct seal_secret secret[SEAL_SECRETS]; /* wiped first of all, in the child's own copy */
	unsigned secrets;
	uint64_t file_size; /* the kernel's backstop below --file-size; 0 for none */
};

/* The name of a step for messages; NULL outside the table. */
const char *seal_step_name(enum seal_step s);

/*
 * The exit status that goes with a failed step: 127 when there was nothing to exec (ENOENT, ENOTDIR: the command or its
 * interpreter), 126 when exec refused it for any other reason of its own, 125 otherwise: our fault, or the machine's.
 */
int seal_exit_status(enum seal_step failed, int error);

/* The gid that goes with --uid: --gid, or the number of the uid where none was given, never init's own. */
uint32_t seal_gid(const struct plan *plan);

/* What the report says, as layers and requirements are judged by it. */
void seal_summary(const struct seal_report *r, struct sealed *s);

/*
 * Seals this process and execs plan->command; on failure reports and exits with 125, 126 or 127. A requirement that the
 * seal did not meet is such a failure, of step SEAL_EXEC with ECANCELED: nothing of the candidate's runs.
 */
noreturn void seal_and_exec(const struct seal_job *job);

#endif
