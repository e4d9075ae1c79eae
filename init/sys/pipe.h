/* Pipes for the candidate's streams (pipe(7)). */
#ifndef PROCTOR_SYS_PIPE_H
#define PROCTOR_SYS_PIPE_H

#include <stdint.h>

/*
 * Makes a pipe that belongs to uid and gid, so that its holder may reopen it through /dev/stdout: fd[0] is for init,
 * non-blocking; fd[1] is for the candidate, blocking; both close-on-exec. Needs CAP_SETUID and CAP_SETGID, or the ids
 * of the caller's; without them the pipe is made all the same, is the caller's, and 1 is returned. 0, 1 or -errno.
 */
int pipe_owned(int fd[2], uint32_t uid, uint32_t gid);

#endif
