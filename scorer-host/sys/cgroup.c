/* The run's own control group. */
#include "sys/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sys/clock.h"
#include "sys/files.h"
#include "wire/limits.h"

struct hierarchy {
	char at[PATH_MAX]; /* mount point */
	bool unified, memory, cpuacct, cpu, pids;
};

static bool listed(const char *options, const char *word)
{
	size_t n = strlen(word);
	for (const char *p = options; (p = strstr(p, word)) != NULL; p += n)
		if ((p == options || p[-1] == ',') && (p[n] == ',' || p[n] == '\0' || p[n] == '\n'))
			return true;
	return false;
}

/* One line of mountinfo: … root mountpoint options [optional…] - type source superoptions. */
static bool hierarchy_parse(char *line, struct hierarchy *h)
{
	char *tail = strstr(line, " - "), *at = line, *type, *options;

	if (!tail)
		return false;
	*tail = '\0';
	type = tail + 3;
	options = strchr(type, ' ');
	if (!options || (options = strchr(options + 1, ' ')) == NULL)
		return false;
	options++;
	for (int i = 0; i < 4; i++)
		if ((at = strchr(at, ' ')) == NULL)
			return false;
		else
			at++;
	at[strcspn(at, " ")] = '\0';
	memset(h, 0, sizeof *h);
	(void)snprintf(h->at, sizeof h->at, "%s", at);
	h->unified = strncmp(type, "cgroup2 ", 8) == 0;
	if (!h->unified && strncmp(type, "cgroup ", 7) != 0)
		return false;
	h->memory = !h->unified && listed(options, "memory");
	h->cpuacct = !h->unified && listed(options, "cpuacct");
	h->cpu = !h->unified && listed(options, "cpu");
	h->pids = !h->unified && listed(options, "pids");
	return true;
}

typedef int (*each)(void *context, const struct hierarchy *h);

/* Calls f for every hierarchy that is mounted. */
static int hierarchies(each f, void *context)
{
	FILE *in = fopen("/proc/self/mountinfo", "re");
	char *line = NULL;
	size_t room = 0;
	int r = 0;

	if (!in)
		return -errno;
	while (r == 0 && getline(&line, &room, in) > 0) {
		struct hierarchy h;
		if (hierarchy_parse(line, &h))
			r = f(context, &h);
	}
	free(line);
	(void)fclose(in);
	return r;
}

static void join(char out[PATH_MAX], const char *a, const char *b)
{
	if (snprintf(out, PATH_MAX, "%s%s", a, b) >= PATH_MAX)
		out[0] = '\0';
}

static bool has(const char *folder, const char *name)
{
	char path[PATH_MAX];
	join(path, folder, name);
	return path[0] && access(path, F_OK) == 0;
}

static uint64_t number(const char *folder, const char *name)
{
	char path[PATH_MAX], text[64], *end;
	unsigned long long v;

	join(path, folder, name);
	if (folder[0] == '\0' || file_read(AT_FDCWD, path, text, sizeof text) <= 0)
		return LIMIT_NONE;
	errno = 0;
	v = strtoull(text, &end, 10);
	return end == text || errno ? LIMIT_NONE : v;
}

static int place(void *context, const struct hierarchy *h)
{
	struct cgroup *c = context;
	char controllers[512], path[PATH_MAX];

	if (h->unified) {
		join(path, h->at, "/cgroup.controllers");
		if (c->memory[0] || file_read(AT_FDCWD, path, controllers, sizeof controllers) <= 0)
			return 0;
		for (char *p = controllers; *p; p++)
			*p = (char)(*p == ' ' ? ',' : *p);
		if (listed(controllers, "memory")) {
			c->version = 2;
			join(c->memory, h->at, c->name);
			join(c->cpu, h->at, c->name);
			join(c->pids, h->at, c->name);
			join(c->quota, h->at, c->name);
		}
		return 0;
	}
	if (h->memory) {
		c->version = 1;
		join(c->memory, h->at, c->name);
		c->swap = has(h->at, "/memory.memsw.limit_in_bytes");
	}
	if (h->cpuacct)
		join(c->cpu, h->at, c->name);
	if (h->cpu)
		join(c->quota, h->at, c->name);
	if (h->pids)
		join(c->pids, h->at, c->name);
	return 0;
}

int cgroup_find(struct cgroup *c, const char *name)
{
	int r;
	memset(c, 0, sizeof *c);
	if (name[0] != '/' || strchr(name + 1, '/') || strlen(name) >= sizeof c->name)
		return -EINVAL;
	memcpy(c->name, name, strlen(name) + 1);
	r = hierarchies(place, c);
	return r < 0 ? r : c->memory[0] ? 0 : -ENOTSUP;
}

/* On version 2 a controller reaches the group only when its parent hands it down. */
static void hand_down(const struct cgroup *c)
{
	static const char *const controllers[] = {"+memory", "+pids", "+cpu", "+cpuset"};
	char path[PATH_MAX];
	size_t n = strlen(c->memory) - strlen(c->name);

	(void)snprintf(path, sizeof path, "%.*s/cgroup.subtree_control", (int)n, c->memory);
	for (size_t i = 0; i < sizeof controllers / sizeof *controllers; i++) {
		int fd = open(path, O_WRONLY | O_CLOEXEC);
		if (fd >= 0) {
			(void)write_all(fd, controllers[i], strlen(controllers[i]));
			(void)close(fd);
		}
	}
}

int cgroup_make(struct cgroup *c, const char *name)
{
	int r = cgroup_find(c, name);
	if (r < 0)
		return r;
	if (c->version == 2)
		hand_down(c);
	if (mkdir(c->memory, 0755) < 0)
		return -errno;
	if (c->version == 2) {
		c->swap = has(c->memory, "/memory.swap.max");
		return has(c->memory, "/memory.max") ? 0 : -ENOTSUP;
	}
	if (c->cpu[0] && mkdir(c->cpu, 0755) < 0 && errno != EEXIST)
		return -errno;
	if (c->pids[0] && mkdir(c->pids, 0755) < 0 && errno != EEXIST)
		return -errno;
	if (c->quota[0] && mkdir(c->quota, 0755) < 0 && errno != EEXIST)
		return -errno;
	return 0;
}

uint64_t cgroup_field(const char *text, const char *key)
{
	size_t n = strlen(key);
	while (*text) {
		if (strncmp(text, key, n) == 0 && text[n] == ' ') {
			char *end;
			unsigned long long v = strtoull(text + n + 1, &end, 10);
			return end == text + n + 1 ? LIMIT_NONE : v;
		}
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return LIMIT_NONE;
}

static uint64_t field(const char *folder, const char *name, const char *key)
{
	char path[PATH_MAX], text[4096];
	join(path, folder, name);
	if (folder[0] == '\0' || file_read(AT_FDCWD, path, text, sizeof text) <= 0)
		return LIMIT_NONE;
	return cgroup_field(text, key);
}

static uint64_t divided(uint64_t v, uint64_t by)
{
	return v == LIMIT_NONE ? v : v / by;
}

void cgroup_read(const struct cgroup *c, struct cgroup_reading *out)
{
	out->processes_peak = number(c->pids, "/pids.peak");
	/* Where the local count is a file of its own, the other one counts the limits of other groups, too. */
	out->processes_limit_hits =
	    field(c->pids, has(c->pids, "/pids.events.local") ? "/pids.events.local" : "/pids.events", "max");
	if (c->version == 1) {
		out->memory_peak = number(c->memory, "/memory.max_usage_in_bytes");
		out->memory_limit_hits = number(c->memory, "/memory.failcnt");
		out->oom_kills = field(c->memory, "/memory.oom_control", "oom_kill");
		out->cpu_ms = divided(number(c->cpu, "/cpuacct.usage"), 1000000);
		return;
	}
	out->memory_peak = number(c->memory, "/memory.peak");
	out->memory_limit_hits = field(c->memory, "/memory.events.local", "max");
	out->oom_kills = field(c->memory, "/memory.events.local", "oom_kill");
	out->cpu_ms = divided(field(c->memory, "/cpu.stat", "usage_usec"), 1000);
}

int cgroup_free_cpu(const struct cgroup *c, pid_t pid)
{
	char path[PATH_MAX], number[16];
	size_t parent = strlen(c->quota) - strlen(c->name);
	int fd, r;

	if (c->version != 1 || c->quota[0] == '\0' || strcmp(c->quota, c->memory) == 0 ||
	    strcmp(c->quota, c->pids) == 0)
		return -ENOTSUP;
	(void)snprintf(path, sizeof path, "%.*s/cgroup.procs", (int)parent, c->quota);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	r = write_all(fd, number, (size_t)snprintf(number, sizeof number, "%d", (int)pid));
	(void)close(fd);
	return r;
}

/* Signals every member; signal 0 only counts. */
static int members(const struct cgroup *c, int signal)
{
	char path[PATH_MAX], *line = NULL;
	size_t room = 0;
	FILE *in;
	int count = 0;

	join(path, c->memory, "/cgroup.procs");
	in = fopen(path, "re");
	if (!in)
		return 0;
	while (getline(&line, &room, in) > 0) {
		long pid = strtol(line, NULL, 10);
		count++;
		if (signal && pid > 1 && pid <= INT_MAX)
			(void)kill((pid_t)pid, signal);
	}
	free(line);
	(void)fclose(in);
	return count;
}

int cgroup_there(const char *name)
{
	struct cgroup c;
	return cgroup_find(&c, name) == 0 && access(c.memory, F_OK) == 0;
}

int cgroup_count(const struct cgroup *c)
{
	return c->memory[0] ? members(c, 0) : 0;
}

int cgroup_kill(const struct cgroup *c, unsigned timeout_ms)
{
	const struct timespec pause = {0, 5000000};
	uint64_t end = clock_ms() + timeout_ms;

	if (!c->memory[0])
		return 0;
	while (members(c, SIGKILL) > 0) {
		if (clock_ms() >= end)
			return -ETIMEDOUT;
		(void)nanosleep(&pause, NULL);
	}
	return 0;
}

static int drop(void *context, const struct hierarchy *h)
{
	const char *name = context;
	const struct timespec pause = {0, 5000000};
	char path[PATH_MAX];

	join(path, h->at, name);
	/* The kernel lets go of the last task a moment after it was reaped. */
	for (int i = 0; i < 200; i++) {
		if (path[0] == '\0' || rmdir(path) == 0 || (errno != EBUSY && errno != EINTR))
			return 0;
		(void)nanosleep(&pause, NULL);
	}
	return -EBUSY;
}

int cgroup_remove(const struct cgroup *c)
{
	char name[64];
	if (c->name[0] != '/' || c->name[1] == '\0')
		return -EINVAL;
	memcpy(name, c->name, sizeof name);
	return hierarchies(drop, name);
}
