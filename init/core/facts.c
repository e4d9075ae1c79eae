/*
 * The facts as JSON. The object always fits its share of a HELLO: the names in it come from the container and grow
 * sixfold when they are escaped, so that each list has its own room and is cut, and said to be cut, where that ends.
 */
#include "core/facts.h"

#include <string.h>

/* Bytes of JSON, all together below 14 KiB; the fixed rest takes less than 3 KiB at its worst. */
enum { ROOM_MOUNTS = 6144, ROOM_INTERFACES = 1024, ROOM_DEVICES = 2048, ROOM_SOCKETS = 1536 };
/* The longest single element: every byte escaped, and what stands around it. */
enum { WORST_MOUNT = 6 * (FACT_PATH + 24) + 200, WORST_NAME = 6 * 32 + 3, WORST_SOCKET = 6 * FACT_PATH + 3 };

/* Room left in a list of `room` bytes that began at `start`, for one more element. */
static bool fits(const struct json *j, size_t start, size_t room, size_t worst)
{
	return j->length - start + worst <= room;
}

/* As /proc/PID/status prints a set: 16 hex digits. A number would not survive every reader's 53 bits. */
static void write_set(struct json *j, const char *key, uint64_t set)
{
	static const char digit[] = "0123456789abcdef";
	char hex[16];
	for (unsigned i = 0; i < 16; i++)
		hex[i] = digit[set >> (60 - 4 * i) & 15];
	json_bytes(j, key, hex, sizeof hex);
}

static bool write_mounts(struct json *j, const struct facts *f)
{
	json_open_array(j, "mounts");
	size_t start = j->length;
	unsigned i = 0;
	for (; i < f->mounts && fits(j, start, ROOM_MOUNTS, WORST_MOUNT); i++) {
		const struct fact_mount *m = &f->mount[i];
		json_open_object(j, NULL);
		json_text(j, "at", m->at);
		json_text(j, "type", m->type);
		json_bool(j, "writable", m->writable);
		json_bool(j, "nosuid", m->nosuid);
		json_bool(j, "nodev", m->nodev);
		json_bool(j, "noexec", m->noexec);
		json_number(j, "bytes", m->bytes);
		json_number(j, "inodes", m->inodes);
		json_close_object(j);
	}
	json_close_array(j);
	return i == f->mounts;
}

/* A list of short names, `stride` bytes apart. */
static bool write_names(struct json *j, const char *key, const char *name, unsigned count, size_t stride,
    size_t room, size_t worst)
{
	json_open_array(j, key);
	size_t start = j->length;
	unsigned i = 0;
	for (; i < count && fits(j, start, room, worst); i++)
		json_text(j, NULL, name + i * stride);
	json_close_array(j);
	return i == count;
}

static void write_cgroup(struct json *j, const struct fact_cgroup *c)
{
	const struct {
		const char *name, *file;
	} readable[] = {
	    {"memory", c->memory},
	    {"peak", c->peak},
	    {"limit", c->limit},
	    {"oom", c->oom},
	    {"failcnt", c->failcnt},
	    {"cpu", c->cpu},
	    {"pids", c->pids},
	};

	json_open_object(j, "cgroup");
	json_number(j, "version", (uint64_t)c->version);
	json_text(j, "path", c->path);
	json_open_array(j, "readable");
	for (unsigned i = 0; i < sizeof readable / sizeof *readable; i++)
		if (readable[i].file[0])
			json_text(j, NULL, readable[i].name);
	json_close_array(j);
	json_number(j, "memory", c->memory_limit);
	json_close_object(j);
}

void facts_write(struct json *j, const char *key, const struct facts *f)
{
	bool whole = !f->incomplete;

	json_open_object(j, key);
	json_bool(j, "pid1", f->pid1);
	json_bool(j, "pid_namespace", f->pid_namespace);
	json_number(j, "uid", f->uid);
	json_number(j, "gid", f->gid);
	json_open_object(j, "caps");
	write_set(j, "effective", f->caps_effective);
	write_set(j, "bounding", f->caps_bounding);
	json_close_object(j);
	json_bool(j, "no_new_privs", f->no_new_privs);
	json_signed(j, "seccomp", f->seccomp);
	json_bool(j, "root_writable", f->root_writable);
	whole &= write_mounts(j, f);
	whole &= write_names(j, "interfaces", f->interface[0], f->interfaces, sizeof f->interface[0],
	    ROOM_INTERFACES, WORST_NAME);
	json_number(j, "routes", f->routes);
	whole &= write_names(
	    j, "devices", f->device[0], f->devices, sizeof f->device[0], ROOM_DEVICES, WORST_NAME);
	whole &= write_names(
	    j, "sockets", f->socket[0], f->sockets, sizeof f->socket[0], ROOM_SOCKETS, WORST_SOCKET);
	write_cgroup(j, &f->cgroup);
	json_bool(j, "core_pattern_piped", f->core_pattern_piped);
	json_signed(j, "landlock_abi", f->landlock_abi);
	json_text(j, "kernel", f->kernel);
	json_bool(j, "incomplete", !whole);
	json_close_object(j);
}
