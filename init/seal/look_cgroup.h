/* The search for the own cgroup: its paths first, then each mount line that may lead to it. */
#ifndef PROCTOR_SEAL_LOOK_CGROUP_H
#define PROCTOR_SEAL_LOOK_CGROUP_H

#include "core/facts.h"
#include "core/mountinfo.h"

/* The own paths in the hierarchies that matter; "" when the process is in none. */
struct cgroup_search {
	char memory[FACT_FILE], cpu[FACT_FILE], pids[FACT_FILE], quota[FACT_FILE], unified[FACT_FILE];
};

/* Reads /proc/self/cgroup and empties f->cgroup. */
void cgroup_search_start(struct cgroup_search *s, struct facts *f, int proc);

/* Fills f->cgroup from a mount when it leads to the own cgroup and files there can be opened. */
void cgroup_search_mount(const struct cgroup_search *s, struct facts *f, const struct mount_line *m);

#endif
