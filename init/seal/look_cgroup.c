/*
 * Where the own cgroup's figures can be read. A path is taken only when the file there was opened, and never in the root
 * of a hierarchy: its figures are the machine's, and a bystander's memory is not the candidate's.
 */
#include "seal/look_cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sys/file.h"
#include "sys/lines.h"
#include "wire/limits.h"

enum { CGROUP_MOST = 1 << 16 };

static void keep(char to[FACT_FILE], const char *path, struct facts *f)
{
	size_t n = strlen(path);
	if (n >= FACT_FILE) {
		f->incomplete = true;
		return;
	}
	memcpy(to, path, n + 1);
}

void cgroup_search_start(struct cgroup_search *s, struct facts *f, int proc)
{
	memset(s, 0, sizeof *s);
	memset(&f->cgroup, 0, sizeof f->cgroup);
	f->cgroup.memory_limit = f->cgroup.pids_limit = LIMIT_NONE;

	struct lines l;
	if (proc < 0 || lines_open(&l, proc, "self/cgroup", CGROUP_MOST) < 0)
		return;
	struct cgroup_line c;
	char *line;
	while ((line = lines_next(&l))) {
		if (cgroup_parse(line, &c) < 0)
			continue;
		if (c.id == 0 && !c.controllers[0])
			keep(s->unified, c.path, f);
		if (c.controllers[0] && list_has(c.controllers, "memory"))
			keep(s->memory, c.path, f);
		if (c.controllers[0] && list_has(c.controllers, "cpuacct"))
			keep(s->cpu, c.path, f);
		if (c.controllers[0] && list_has(c.controllers, "pids"))
			keep(s->pids, c.path, f);
		if (c.controllers[0] && list_has(c.controllers, "cpu"))
			keep(s->quota, c.path, f);
	}
	lines_close(&l);
}

/* The path of a file in the folder, if it opens. */
static bool readable(char path[FACT_FILE], const char *folder, const char *name)
{
	if (path_join(path, FACT_FILE, folder, name) == 0) {
		int fd = file_open(AT_FDCWD, path);
		if (fd >= 0) {
			close(fd);
			return true;
		}
	}
	path[0] = '\0';
	return false;
}

static bool present(const char *folder, const char *name)
{
	char path[FACT_FILE];
	return path_join(path, sizeof path, folder, name) == 0 && access(path, F_OK) == 0;
}

/* True when this process is the only one in the folder's cgroup (0 stands for one of another namespace). */
static bool alone(const char *folder)
{
	char path[FACT_FILE], text[32];
	if (path_join(path, sizeof path, folder, "cgroup.procs") < 0)
		return false;
	if (file_read(AT_FDCWD, path, text, sizeof text) <= 0)
		return false;
	char *end;
	long pid = strtol(text, &end, 10);
	return pid == getpid() && end[0] == '\n' && end[1] == '\0';
}

static uint64_t limit_of(const char *path)
{
	char text[32];
	if (!path[0] || file_read(AT_FDCWD, path, text, sizeof text) <= 0)
		return LIMIT_NONE;
	char *end;
	errno = 0;
	unsigned long long value = strtoull(text, &end, 10);
	/* "max" in version 2; version 1 says the largest number of whole pages below 2^63. */
	if (end == text || errno || value >= (1ULL << 63) - (1ULL << 20))
		return LIMIT_NONE;
	return value;
}

static void memory_v1(struct fact_cgroup *c, const char *folder, const char *own)
{
	if (c->memory[0] || present(folder, "release_agent"))
		return;
	if (!readable(c->memory, folder, "memory.usage_in_bytes"))
		return;
	readable(c->peak, folder, "memory.max_usage_in_bytes");
	readable(c->limit, folder, "memory.limit_in_bytes");
	readable(c->oom, folder, "memory.oom_control");
	readable(c->failcnt, folder, "memory.failcnt");
	c->memory_limit = limit_of(c->limit);
	c->memory_alone = alone(folder);
	c->version = 1;
	memcpy(c->path, own, FACT_FILE);
}

static void cpu_v1(struct fact_cgroup *c, const char *folder, const char *own)
{
	if (c->cpu[0] || present(folder, "release_agent") || !readable(c->cpu, folder, "cpuacct.usage"))
		return;
	c->cpu_alone = alone(folder);
	c->version = 1;
	if (!c->path[0])
		memcpy(c->path, own, FACT_FILE);
}

static void pids(struct fact_cgroup *c, const char *folder)
{
	char limit[FACT_FILE];

	if (c->pids[0] || !readable(c->pids, folder, "pids.current"))
		return;
	readable(c->pids_peak, folder, "pids.peak");
	/* Where the local count is a file of its own, the other one counts the limits of other cgroups, too. */
	if (!readable(c->pids_events, folder, "pids.events.local"))
		readable(c->pids_events, folder, "pids.events");
	if (readable(limit, folder, "pids.max"))
		c->pids_limit = limit_of(limit);
}

/* `quota` and `period` of microseconds, in two files or in one. */
static void share(struct fact_cgroup *c, const char *folder)
{
	char path[FACT_FILE], text[64], *end;
	unsigned long long quota, period = 0;

	if (c->cpus || path_join(path, sizeof path, folder, "cpu.max") < 0)
		return;
	if (file_read(AT_FDCWD, path, text, sizeof text) > 0) {
		quota = strtoull(text, &end, 10);
		if (end != text)
			period = strtoull(end, NULL, 10);
	} else {
		if (path_join(path, sizeof path, folder, "cpu.cfs_quota_us") < 0 ||
		    file_read(AT_FDCWD, path, text, sizeof text) <= 0 || text[0] == '-')
			return;
		quota = strtoull(text, NULL, 10);
		if (path_join(path, sizeof path, folder, "cpu.cfs_period_us") == 0 &&
		    file_read(AT_FDCWD, path, text, sizeof text) > 0)
			period = strtoull(text, NULL, 10);
	}
	if (quota && period && quota < UINT64_MAX / 1000)
		c->cpus = quota * 1000 / period;
}

static void unified(struct fact_cgroup *c, const char *folder, const char *own)
{
	/* Every cgroup but the root has this file. */
	if (c->version || !present(folder, "cgroup.events"))
		return;
	if (readable(c->memory, folder, "memory.current")) {
		readable(c->peak, folder, "memory.peak");
		readable(c->limit, folder, "memory.max");
		readable(c->oom, folder, "memory.events.local");
		c->memory_limit = limit_of(c->limit);
		c->memory_alone = alone(folder);
	}
	if (readable(c->cpu, folder, "cpu.stat"))
		c->cpu_alone = alone(folder);
	pids(c, folder);
	share(c, folder);
	c->version = 2;
	memcpy(c->path, own, FACT_FILE);
}

void cgroup_search_mount(const struct cgroup_search *s, struct facts *f, const struct mount_line *m)
{
	char folder[FACT_FILE];
	struct fact_cgroup *c = &f->cgroup;

	if (strcmp(m->type, "cgroup") == 0) {
		if (s->memory[0] && list_has(m->super, "memory") &&
		    cgroup_folder(folder, sizeof folder, m->at, m->root, s->memory) == 0)
			memory_v1(c, folder, s->memory);
		if (s->cpu[0] && list_has(m->super, "cpuacct") &&
		    cgroup_folder(folder, sizeof folder, m->at, m->root, s->cpu) == 0)
			cpu_v1(c, folder, s->cpu);
		if (s->pids[0] && list_has(m->super, "pids") &&
		    cgroup_folder(folder, sizeof folder, m->at, m->root, s->pids) == 0 &&
		    !present(folder, "release_agent")) {
			pids(c, folder);
			c->version = c->pids[0] ? 1 : c->version;
		}
		if (s->quota[0] && list_has(m->super, "cpu") &&
		    cgroup_folder(folder, sizeof folder, m->at, m->root, s->quota) == 0 &&
		    !present(folder, "release_agent")) {
			share(c, folder);
			c->version = c->cpus ? 1 : c->version;
		}
	} else if (strcmp(m->type, "cgroup2") == 0) {
		/* In a hybrid set-up the controllers are version 1's, and the unified tree has no figures. */
		if (s->unified[0] && !s->memory[0] && !s->cpu[0] &&
		    cgroup_folder(folder, sizeof folder, m->at, m->root, s->unified) == 0)
			unified(c, folder, s->unified);
	}
}
