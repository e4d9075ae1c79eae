/* The parts of looking around, one topic each, for look.c alone. proc is the descriptor of file_proc, or -errno. */
#ifndef PROCTOR_SEAL_LOOK_PARTS_H
#define PROCTOR_SEAL_LOOK_PARTS_H

#include "core/facts.h"
#include "core/mountinfo.h"

/* Process 1, ids, capabilities, filter, core pattern, Landlock, kernel. */
void look_process(struct facts *f, int proc);

/* Mounts and the root; each mount line is shown to the search for the own cgroup, too. */
void look_mounts(struct facts *f, int proc);

/* Interfaces and routes. */
void look_network(struct facts *f, int proc);

/* What /dev holds beyond the standard, and engine sockets. */
void look_devices(struct facts *f);

#endif
