/* Writes config.json's object. Every list is spelled out here: defaults of a runtime are not trusted to stay. */
#include "engine/bundle.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "wire/limits.h"

enum { CPU_PERIOD_US = 100000 };

static json_t *words(const char *const *word)
{
	json_t *list = json_array();
	for (size_t i = 0; list && word[i]; i++)
		if (json_array_append_new(list, json_string(word[i])) < 0) {
			json_decref(list);
			return NULL;
		}
	return list;
}

/*
 * What is counted per process or uid and would else come from whoever started the host: no priorities, and presets of the
 * kernel where a program may need some. init sets the task's own limits.
 */
static json_t *rlimits(void)
{
	static const struct {
		const char *type;
		int value;
	} limit[] = {{"RLIMIT_RTPRIO", 0}, {"RLIMIT_NICE", 0}, {"RLIMIT_MEMLOCK", 8 << 20},
	    {"RLIMIT_MSGQUEUE", 819200}, {"RLIMIT_SIGPENDING", 4096}};
	json_t *list = json_array();

	for (size_t i = 0; list && i < sizeof limit / sizeof *limit; i++)
		if (json_array_append_new(list, json_pack("{s:s, s:i, s:i}", "type", limit[i].type, "hard",
						    limit[i].value, "soft", limit[i].value)) < 0) {
			json_decref(list);
			return NULL;
		}
	return list;
}

static json_t *process(const struct launch *l)
{
	/* What init needs to become the candidate's uid, and to shed the rest. */
	static const char *const kept[] = {"CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP", NULL};
	static const char *const none[] = {NULL};

	return json_pack("{s:b, s:{s:i, s:i}, s:o, s:o, s:s, s:{s:o, s:o, s:o, s:o, s:o}, s:b, s:o}",
	    "terminal", 0, "user", "uid", 0, "gid", 0, "args", words(l->argv), "env", words(none), "cwd", "/",
	    "capabilities", "bounding", words(kept), "effective", words(kept), "permitted", words(kept),
	    "inheritable", words(none), "ambient", words(none), "noNewPrivileges", 1, "rlimits", rlimits());
}

static int add(
    json_t *mounts, const char *at, const char *type, const char *source, const char *const *options)
{
	return json_array_append_new(mounts, json_pack("{s:s, s:s, s:s, s:o}", "destination", at, "type",
						 type, "source", source, "options", words(options)));
}

static int add_tmpfs(json_t *mounts, const struct launch_mount *m)
{
	char size[40], inodes[40];
	uint64_t files = m->bytes / 8192;
	const char *const options[] = {
	    "nosuid", "nodev", m->executable ? "exec" : "noexec", "mode=1777", size, inodes, NULL};

	/* Inodes cost kernel memory that size= does not count. */
	files = files < 1024 ? 1024 : files > 1000000 ? 1000000 : files;
	(void)snprintf(size, sizeof size, "size=%" PRIu64, m->bytes);
	(void)snprintf(inodes, sizeof inodes, "nr_inodes=%" PRIu64, files);
	return add(mounts, m->at, "tmpfs", "tmpfs", options);
}

static int add_bind(json_t *mounts, const char *at, const char *source, bool writable, bool executable)
{
	const char *const options[] = {"bind", writable ? "rw" : "ro", "nosuid", "nodev",
	    executable ? "exec" : "noexec", "private", NULL};
	return add(mounts, at, "bind", source, options);
}

/* Only the controllers that init reads: a whole version 1 mount would leave a writable tmpfs behind. */
static int add_cgroup(json_t *mounts, const struct launch_cgroup *c)
{
	static const char *const small[] = {"nosuid", "nodev", "noexec", "mode=755", "size=64k", "ro", NULL};

	if (c->version == 2)
		return add_bind(mounts, "/sys/fs/cgroup", c->memory, false, false);
	if (add(mounts, "/sys/fs/cgroup", "tmpfs", "tmpfs", small) < 0 ||
	    add_bind(mounts, "/sys/fs/cgroup/memory", c->memory, false, false) < 0)
		return -1;
	const struct {
		const char *at, *from;
	} more[] = {{"/sys/fs/cgroup/cpuacct", c->cpu}, {"/sys/fs/cgroup/pids", c->pids},
	    {"/sys/fs/cgroup/cpu", c->quota}};
	for (size_t i = 0; i < sizeof more / sizeof *more; i++)
		if (more[i].from && more[i].from[0] &&
		    add_bind(mounts, more[i].at, more[i].from, false, false) < 0)
			return -1;
	return 0;
}

static json_t *mounts(const struct launch *l)
{
	static const char *const proc[] = {"nosuid", "noexec", "nodev", NULL};
	static const char *const dev[] = {
	    "nosuid", "noexec", "strictatime", "mode=755", "size=64k", "ro", NULL};
	static const char *const sys[] = {"nosuid", "noexec", "nodev", "ro", NULL};
	json_t *list = json_array();
	int bad = !list;

	bad = bad || add(list, "/proc", "proc", "proc", proc) < 0 ||
	      add(list, "/dev", "tmpfs", "tmpfs", dev) < 0 || add(list, "/sys", "sysfs", "sysfs", sys) < 0 ||
	      (l->cgroup && add_cgroup(list, l->cgroup) < 0);
	for (size_t i = 0; !bad && i < l->mount_count; i++) {
		const struct launch_mount *m = &l->mount[i];
		bad = (m->kind == MOUNT_TMPFS
			      ? add_tmpfs(list, m)
			      : add_bind(list, m->at, m->source, m->writable, m->executable)) < 0;
	}
	if (!bad)
		return list;
	json_decref(list);
	return NULL;
}

static json_t *resources(const struct launch *l)
{
	json_t *r = json_pack("{s:[{s:b, s:s}]}", "devices", "allow", 0, "access", "rwm");
	int bad = !r;

	if (!bad && l->memory != LIMIT_NONE) {
		json_t *memory = json_pack("{s:I}", "limit", (json_int_t)l->memory);
		if (l->cgroup && l->cgroup->swap)
			bad = json_object_set_new(
				  memory, "swap", json_integer((json_int_t)l->memory + SWAP_MARGIN)) < 0;
		bad = json_object_set_new(r, "memory", memory) < 0 || bad;
	}
	if (!bad && l->processes != LIMIT_NONE)
		bad = json_object_set_new(
			  r, "pids", json_pack("{s:I}", "limit", (json_int_t)l->processes + PIDS_MARGIN)) < 0;
	if (!bad && l->cpus != LIMIT_NONE)
		bad = json_object_set_new(r, "cpu",
			  json_pack("{s:I, s:i}", "quota", (json_int_t)l->cpus * (CPU_PERIOD_US / 1000),
			      "period", CPU_PERIOD_US)) < 0;
	if (!bad)
		return r;
	json_decref(r);
	return NULL;
}

static json_t *namespaces(void)
{
	static const char *const types[] = {"pid", "network", "ipc", "uts", "mount", "cgroup", NULL};
	json_t *list = json_array();
	for (size_t i = 0; list && types[i]; i++)
		if (json_array_append_new(list, json_pack("{s:s}", "type", types[i])) < 0) {
			json_decref(list);
			return NULL;
		}
	return list;
}

json_t *bundle_config(const struct launch *l)
{
	static const char *const masked[] = {"/proc/acpi", "/proc/asound", "/proc/kcore", "/proc/keys",
	    "/proc/latency_stats", "/proc/timer_list", "/proc/timer_stats", "/proc/sched_debug", "/proc/scsi",
	    "/sys/firmware", NULL};
	static const char *const read_only[] = {
	    "/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger", NULL};
	json_t *system = json_pack("{s:o, s:o, s:o, s:o, s:{s:s}}", "namespaces", namespaces(), "resources",
	    resources(l), "maskedPaths", words(masked), "readonlyPaths", words(read_only), "sysctl",
	    "kernel.shm_rmid_forced", "1");

	if (system && l->cgroup &&
	    json_object_set_new(system, "cgroupsPath", json_string(l->cgroup->path)) < 0) {
		json_decref(system);
		return NULL;
	}
	return json_pack("{s:s, s:o, s:{s:s, s:b}, s:s, s:o, s:o}", "ociVersion", "1.0.2", "process",
	    process(l), "root", "path", l->rootfs, "readonly", 1, "hostname", "proctor", "mounts", mounts(l),
	    "linux", system);
}
