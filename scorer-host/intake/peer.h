/* Who is at the other end of a unix socket: proof that it is this run's init, from the kernel's own answers. */
#ifndef PROCTOR_INTAKE_PEER_H
#define PROCTOR_INTAKE_PEER_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * True when the peer's pid (SO_PEERCRED, unix(7)) is that one, it is process 1 of a pid namespace of its own (NSpid,
 * proc(5)), and its executable is that device and inode.
 */
bool peer_is_init(int socket, pid_t pid, dev_t device, ino_t inode);

/* Pure part: the text of /proc/PID/status says that the process is 1 in a namespace below ours. */
bool peer_status_pid1(const char *status);

#endif
