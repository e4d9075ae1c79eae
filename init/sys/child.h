/* Children: making one and reaping all (fork(2), waitpid(2)). */
#ifndef PROCTOR_SYS_CHILD_H
#define PROCTOR_SYS_CHILD_H

#include <stdint.h>
#include <sys/types.h>

/* What waitpid(2) told of one child. */
struct reaped {
	pid_t pid;
	int code;   /* exit code, or -1 when a signal ended it */
	int signal; /* that signal, or 0 */
};

/* Makes orphans of the tree children of this process (PR_SET_CHILD_SUBREAPER(2const)). 0 or -errno. */
int child_adopt_orphans(void);

/* Takes /proc/PID and core dumps of this process away from others of the same uid. 0 or -errno. */
int child_hide_self(void);

/* Reaps `pid` (-1: any child) if it has ended. 1: *r is filled; 0: none has ended; -ECHILD: there is no child. */
int child_reap(pid_t pid, struct reaped *r);

/* CPU time of all reaped children and of what they had reaped, in microseconds. */
uint64_t child_reaped_cpu(void);

#endif
