/* The OCI bundle: what a container gets, and what it must never get. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/bundle.h"
#include "wire/limits.h"

static const char *const argv_[] = {"/.proctor/init", "--ticket", "unix:/.proctor/s", NULL};
static const struct launch_mount mounts[] = {
    {.kind = MOUNT_BIND, .source = "/srv/in", .at = "/input"},
    {.kind = MOUNT_BIND, .source = "/srv/out", .at = "/output", .writable = true},
    {.kind = MOUNT_TMPFS, .at = "/tmp", .writable = true, .executable = true, .bytes = MIB(64)},
};
static const struct launch_cgroup group = {.version = 1,
    .path = "/proctor-x",
    .memory = "/cg/memory/proctor-x",
    .cpu = "/cg/cpu/proctor-x",
    .swap = true};
static const struct launch launch = {.id = "r-0123456789ab",
    .work = "/work",
    .rootfs = "root",
    .argv = argv_,
    .mount = mounts,
    .mount_count = 3,
    .memory = GIB(1),
    .processes = 256,
    .cpus = 1500,
    .cgroup = &group};

static json_t *at(json_t *o, const char *path)
{
	char part[64];
	while (o && *path) {
		size_t n = strcspn(path, "/");
		memcpy(part, path, n);
		part[n] = '\0';
		o = json_is_array(o) ? json_array_get(o, (size_t)strtoul(part, NULL, 10))
				     : json_object_get(o, part);
		path += n + (path[n] == '/');
	}
	return o;
}

/* The mount at that place; fails when there is none. */
static json_t *mount_at(json_t *config, const char *place)
{
	json_t *m;
	size_t i;
	json_array_foreach(json_object_get(config, "mounts"), i, m)
	{
		if (strcmp(json_string_value(json_object_get(m, "destination")), place) == 0)
			return m;
	}
	fail_msg("no mount at %s", place);
	return NULL;
}

static int has(json_t *list, const char *word)
{
	json_t *w;
	size_t i;
	json_array_foreach(list, i, w)
	{
		if (json_is_string(w) && strcmp(json_string_value(w), word) == 0)
			return 1;
	}
	return 0;
}

static void privileges_are_three(void **state)
{
	static const char *const sets[] = {"bounding", "effective", "permitted"};
	json_t *c = bundle_config(&launch);
	(void)state;
	for (size_t i = 0; i < 3; i++) {
		json_t *set = json_object_get(at(c, "process/capabilities"), sets[i]);
		assert_int_equal(json_array_size(set), 3);
		assert_true(has(set, "CAP_SETUID") && has(set, "CAP_SETGID") && has(set, "CAP_SETPCAP"));
	}
	assert_int_equal(json_array_size(at(c, "process/capabilities/ambient")), 0);
	assert_int_equal(json_array_size(at(c, "process/capabilities/inheritable")), 0);
	assert_true(json_is_true(at(c, "process/noNewPrivileges")));
	assert_true(json_is_true(at(c, "root/readonly")));
	assert_int_equal(json_array_size(at(c, "process/env")), 0);
	assert_null(at(c, "hooks"));
	json_decref(c);
}

/* None is left to what the host's own session happens to have. */
static void limits_are_spelled_out(void **state)
{
	static const struct {
		const char *type;
		int value;
	} limits[] = {{"RLIMIT_RTPRIO", 0}, {"RLIMIT_NICE", 0}, {"RLIMIT_MEMLOCK", 8388608},
	    {"RLIMIT_MSGQUEUE", 819200}, {"RLIMIT_SIGPENDING", 4096}};
	json_t *c = bundle_config(&launch);
	(void)state;
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		json_t *limit = json_array_get(at(c, "process/rlimits"), i);
		assert_string_equal(json_string_value(json_object_get(limit, "type")), limits[i].type);
		assert_int_equal(json_integer_value(json_object_get(limit, "hard")), limits[i].value);
		assert_int_equal(json_integer_value(json_object_get(limit, "soft")), limits[i].value);
	}
	assert_int_equal(json_array_size(at(c, "process/rlimits")), sizeof limits / sizeof *limits);
	json_decref(c);
}

static void every_mount_is_sized_or_read_only(void **state)
{
	json_t *c = bundle_config(&launch), *m;
	size_t i;
	(void)state;
	json_array_foreach(json_object_get(c, "mounts"), i, m)
	{
		const char *type = json_string_value(json_object_get(m, "type"));
		json_t *options = json_object_get(m, "options"), *o;
		size_t k;
		int sized = 0;
		json_array_foreach(options, k, o)
		{
			sized |= strncmp(json_string_value(o), "size=", 5) == 0;
		}
		assert_true(has(options, "nosuid"));
		if (strcmp(type, "tmpfs") == 0)
			assert_true(sized);
	}
	assert_true(has(at(mount_at(c, "/input"), "options"), "ro"));
	assert_true(has(at(mount_at(c, "/input"), "options"), "nodev"));
	assert_true(has(at(mount_at(c, "/output"), "options"), "rw"));
	assert_true(has(at(mount_at(c, "/output"), "options"), "noexec"));
	assert_true(has(at(mount_at(c, "/tmp"), "options"), "size=67108864"));
	assert_true(has(at(mount_at(c, "/tmp"), "options"), "mode=1777"));
	assert_true(has(at(mount_at(c, "/dev"), "options"), "ro"));
	json_decref(c);
}

static void limits_leave_the_decision_to_init(void **state)
{
	json_t *c = bundle_config(&launch);
	(void)state;
	assert_int_equal(json_integer_value(at(c, "linux/resources/memory/limit")), GIB(1));
	assert_true(json_integer_value(at(c, "linux/resources/memory/swap")) > (json_int_t)GIB(1));
	assert_true(json_integer_value(at(c, "linux/resources/pids/limit")) > 256);
	assert_int_equal(json_integer_value(at(c, "linux/resources/cpu/quota")), 150000);
	assert_int_equal(json_integer_value(at(c, "linux/resources/cpu/period")), 100000);
	assert_string_equal(json_string_value(at(c, "linux/sysctl/kernel.shm_rmid_forced")), "1");
	assert_string_equal(json_string_value(at(c, "linux/cgroupsPath")), "/proctor-x");
	json_decref(c);
}

static void only_the_needed_controllers(void **state)
{
	struct launch_cgroup two = {.version = 2, .path = "/proctor-x", .memory = "/cg/proctor-x", .cpu = ""};
	struct launch l = launch;
	json_t *c = bundle_config(&launch);
	(void)state;
	assert_true(has(at(mount_at(c, "/sys/fs/cgroup"), "options"), "ro"));
	assert_string_equal(
	    json_string_value(at(mount_at(c, "/sys/fs/cgroup/memory"), "source")), "/cg/memory/proctor-x");
	assert_true(has(at(mount_at(c, "/sys/fs/cgroup/memory"), "options"), "ro"));
	json_decref(c);
	l.cgroup = &two;
	c = bundle_config(&l);
	assert_string_equal(json_string_value(at(mount_at(c, "/sys/fs/cgroup"), "source")), "/cg/proctor-x");
	assert_null(at(c, "linux/resources/memory/swap"));
	json_decref(c);
}

static void the_same_launch_gives_the_same_bytes(void **state)
{
	json_t *a = bundle_config(&launch), *b = bundle_config(&launch);
	char *x = json_dumps(a, 0), *y = json_dumps(b, 0);
	(void)state;
	assert_string_equal(x, y);
	free(x);
	free(y);
	json_decref(a);
	json_decref(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(privileges_are_three),
	    cmocka_unit_test(limits_are_spelled_out),
	    cmocka_unit_test(every_mount_is_sized_or_read_only),
	    cmocka_unit_test(limits_leave_the_decision_to_init),
	    cmocka_unit_test(only_the_needed_controllers),
	    cmocka_unit_test(the_same_launch_gives_the_same_bytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
