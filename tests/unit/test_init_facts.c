/* The facts as JSON: names and order, and that the worst container's facts still fit a HELLO. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/facts.h"
#include "wire/limits.h"

enum { HELLO = 16384, REST_OF_HELLO = 1024 };

static char text[HELLO];
static struct facts f;

static long produce(size_t capacity)
{
	struct json j;
	json_start(&j, text, capacity);
	facts_write(&j, NULL, &f);
	return json_finish(&j);
}

static void golden(void **state)
{
	(void)state;
	memset(&f, 0, sizeof f);
	f.pid1 = f.pid_namespace = true;
	f.uid = 4294967294u;
	f.gid = 7;
	f.caps_effective = 0xc0;
	f.caps_bounding = UINT64_MAX;
	f.seccomp = 2;
	f.mounts = 1;
	f.mount[0] = (struct fact_mount){.at = "/out put",
	    .type = "ext4",
	    .writable = true,
	    .nosuid = true,
	    .bytes = 1048576,
	    .inodes = LIMIT_NONE};
	f.interfaces = 1;
	strcpy(f.interface[0], "lo");
	f.devices = 2;
	strcpy(f.device[0], "fuse");
	strcpy(f.device[1], "net/tun");
	f.sockets = 1;
	strcpy(f.socket[0], "/run/docker.sock");
	f.cgroup.version = 2;
	strcpy(f.cgroup.path, "/");
	strcpy(f.cgroup.memory, "/sys/fs/cgroup/memory.current");
	strcpy(f.cgroup.cpu, "/sys/fs/cgroup/cpu.stat");
	f.cgroup.memory_limit = 67108864;
	f.landlock_abi = 6;
	strcpy(f.kernel, "6.12\x01");
	assert_true(produce(sizeof text) > 0);
	assert_string_equal(text,
	    "{\"pid1\":true,\"pid_namespace\":true,\"uid\":4294967294,\"gid\":7,"
	    "\"caps\":{\"effective\":\"00000000000000c0\",\"bounding\":\"ffffffffffffffff\"},"
	    "\"no_new_privs\":false,\"seccomp\":2,\"root_writable\":false,"
	    "\"mounts\":[{\"at\":\"/out "
	    "put\",\"type\":\"ext4\",\"writable\":true,\"nosuid\":true,\"nodev\":false,"
	    "\"noexec\":false,\"bytes\":1048576,\"inodes\":null}],"
	    "\"interfaces\":[\"lo\"],\"routes\":0,\"devices\":[\"fuse\",\"net/tun\"],"
	    "\"sockets\":[\"/run/docker.sock\"],"
	    "\"cgroup\":{\"version\":2,\"path\":\"/\",\"readable\":[\"memory\",\"cpu\"],\"memory\":67108864},"
	    "\"core_pattern_piped\":false,\"landlock_abi\":6,\"kernel\":\"6.12\\u0001\",\"incomplete\":"
	    "false}");
}

static void fill(char *to, size_t size)
{
	memset(to, 0x01, size - 1);
	to[size - 1] = '\0';
}

/* Everything at its longest, every byte one that grows sixfold, every number at its widest. */
static void worst(void **state)
{
	(void)state;
	memset(&f, 0, sizeof f);
	f.uid = f.gid = f.routes = UINT32_MAX;
	f.caps_effective = f.caps_bounding = UINT64_MAX;
	for (f.mounts = 0; f.mounts < FACT_MOUNTS; f.mounts++) {
		struct fact_mount *m = &f.mount[f.mounts];
		fill(m->at, sizeof m->at);
		fill(m->type, sizeof m->type);
		m->bytes = m->inodes = UINT64_MAX - 1;
	}
	for (f.interfaces = 0; f.interfaces < FACT_INTERFACES; f.interfaces++)
		fill(f.interface[f.interfaces], sizeof f.interface[0]);
	for (f.devices = 0; f.devices < FACT_DEVICES; f.devices++)
		fill(f.device[f.devices], sizeof f.device[0]);
	for (f.sockets = 0; f.sockets < FACT_SOCKETS; f.sockets++)
		fill(f.socket[f.sockets], sizeof f.socket[0]);
	fill(f.cgroup.path, sizeof f.cgroup.path);
	char *const file[] = {
	    f.cgroup.memory, f.cgroup.peak, f.cgroup.limit, f.cgroup.oom, f.cgroup.failcnt, f.cgroup.cpu};
	for (size_t i = 0; i < sizeof file / sizeof *file; i++)
		strcpy(file[i], "/");
	f.cgroup.version = 2;
	f.cgroup.memory_limit = UINT64_MAX - 1;
	fill(f.kernel, sizeof f.kernel);
	assert_true(produce(HELLO - REST_OF_HELLO) > 0);
	assert_non_null(strstr(text, "\"incomplete\":true}"));
}

/* Ordinary names are not cut: the lists at their full length, as a busy machine would fill them. */
static void ordinary(void **state)
{
	(void)state;
	memset(&f, 0, sizeof f);
	for (f.mounts = 0; f.mounts < 24; f.mounts++) {
		snprintf(
		    f.mount[f.mounts].at, sizeof f.mount[0].at, "/sys/fs/cgroup/controller-%u", f.mounts);
		strcpy(f.mount[f.mounts].type, "cgroup");
	}
	for (f.devices = 0; f.devices < FACT_DEVICES; f.devices++)
		snprintf(f.device[f.devices], sizeof f.device[0], "nvidia-uvm-%u", f.devices);
	for (f.interfaces = 0; f.interfaces < FACT_INTERFACES; f.interfaces++)
		snprintf(f.interface[f.interfaces], sizeof f.interface[0], "eth%u", f.interfaces);
	assert_true(produce(sizeof text) > 0);
	assert_non_null(strstr(text, "controller-23"));
	assert_non_null(strstr(text, "nvidia-uvm-47"));
	assert_non_null(strstr(text, "eth15"));
	assert_non_null(strstr(text, "\"incomplete\":false}"));
}

static void under_a_key(void **state)
{
	(void)state;
	struct json j;
	memset(&f, 0, sizeof f);
	json_start(&j, text, sizeof text);
	json_open_object(&j, NULL);
	facts_write(&j, "facts", &f);
	json_close_object(&j);
	assert_true(json_finish(&j) > 0);
	assert_memory_equal(text, "{\"facts\":{\"pid1\":false,", 23);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(golden),
	    cmocka_unit_test(worst),
	    cmocka_unit_test(ordinary),
	    cmocka_unit_test(under_a_key),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
