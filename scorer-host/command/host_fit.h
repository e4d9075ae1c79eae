/*
 * Whether this host can ever run a task: what `run` refuses before anything is made, and `check` says beforehand. What
 * the command line brought about is a usage error; what the host lacks is REQUIRE_UNMET or ENGINE_FAILED, and lasting.
 */
#ifndef PROCTOR_COMMAND_HOST_FIT_H
#define PROCTOR_COMMAND_HOST_FIT_H

#include <limits.h>

#include "judge/task.h"

/* The task's limits against this machine. given: those of --limit, LIMIT_NONE where not; NULL for none. 0 or -1. */
int host_limits_fit(const struct task *task, const uint64_t *given, struct fault *fault);

/* What of the task's requirements the host alone decides, and landlock, which the kernel has or has not. 0 or -1. */
int host_requirements_fit(const struct task *task, struct fault *fault);

/* The Landlock ABI of this kernel; 0 without. */
long host_landlock(void);

/*
 * The path of proctor-init: the one given with --init, else the one beside this program. It is asked for its name, so
 * that no other program becomes PID 1. 0 or -1.
 */
int host_init_find(const char *given, char path[PATH_MAX], struct fault *fault);

#endif
