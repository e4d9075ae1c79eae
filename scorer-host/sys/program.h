/*
 * Runs another program: by its path, with an argv, never through a shell. The child gets /dev/null as standard input,
 * no descriptor but 0, 1 and 2, default signal dispositions, an empty signal mask, umask 022 and an environment of PATH
 * alone.
 */
#ifndef PROCTOR_HOST_SYS_PROGRAM_H
#define PROCTOR_HOST_SYS_PROGRAM_H

#include <stddef.h>

/* Looks for an executable of that name in the usual system folders, then in PATH. 0, -ENOENT, or -ENAMETOOLONG. */
int program_find(const char *name, char *path, size_t room);

/*
 * Runs argv[0] (a path) and waits at most timeout_ms; then its process group is killed. text receives both output
 * streams, cut to room - 1 bytes and NUL-terminated; with text NULL they go to /dev/null. Returns the exit status
 * (128 + n for signal n), -ETIMEDOUT, or -errno when it could not be started.
 */
int program_run(const char *const argv[], unsigned timeout_ms, char *text, size_t room);

#endif
