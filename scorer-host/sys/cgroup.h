/*
 * The run's own control group (cgroups(7)): made before the container, read before it is removed. Version 1 and hybrid
 * hosts have one folder in each hierarchy, version 2 a single one. The engine sets the limits; this reads and cleans.
 */
#ifndef PROCTOR_HOST_SYS_CGROUP_H
#define PROCTOR_HOST_SYS_CGROUP_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct cgroup {
	int version;	       /* 1 or 2 */
	char name[64];	       /* "/proctor-…": the same below every hierarchy's mount point */
	char memory[PATH_MAX]; /* its folder with the memory controller; on version 2 the only one */
	char cpu[PATH_MAX];    /* its folder with cpuacct; "" when there is none */
	char pids[PATH_MAX];   /* "" when there is none */
	char quota[PATH_MAX];  /* its folder with the cpu controller; "" when there is none */
	bool swap;	       /* memory and swap together can be limited */
};

/* LIMIT_NONE where a figure cannot be read. */
struct cgroup_reading {
	uint64_t memory_peak, memory_limit_hits, oom_kills, cpu_ms, processes_peak, processes_limit_hits;
};

/* Makes the group. 0; -ENOTSUP without a memory controller; -errno. name begins with '/', holds no other. */
int cgroup_make(struct cgroup *c, const char *name);

/* The same places without making them, for what an earlier process made. */
int cgroup_find(struct cgroup *c, const char *name);

void cgroup_read(const struct cgroup *c, struct cgroup_reading *out);

/*
 * Takes one process of the group out of the CPU quota that it shares with the others, so that they cannot keep it from
 * the processor; whatever it forked stays, and so does all else that is counted of it. Only where the cpu controller has
 * a hierarchy apart from memory and pids: -ENOTSUP on version 2, where a process has one group for all controllers.
 */
int cgroup_free_cpu(const struct cgroup *c, pid_t pid);

/* 1 while a group of that name is there: also one that nothing but a dying process is left in. */
int cgroup_there(const char *name);

/* How many processes it holds; 0 when it is not there. */
int cgroup_count(const struct cgroup *c);

/* Kills whatever is in it and waits at most timeout_ms. 0 when it is empty, -ETIMEDOUT. */
int cgroup_kill(const struct cgroup *c, unsigned timeout_ms);

/* Removes it from every hierarchy. 0, or -errno of what could not be removed. Not there is no error. */
int cgroup_remove(const struct cgroup *c);

/* Pure parts, for tests: the number behind key in "key value" lines; LIMIT_NONE without. */
uint64_t cgroup_field(const char *text, const char *key);

#endif
