/* The host's kernel topics: programs, paths beneath a folder, readings of the kernel's own texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "sys/cgroup.h"
#include "sys/files.h"
#include "sys/inside.h"
#include "sys/program.h"
#include "sys/slot.h"
#include "wire/limits.h"

static char top[] = "/tmp/test_host_sys.XXXXXX";
static int base = -1;

static void programs_and_their_status(void **state)
{
	char text[64];
	const char *const seven[] = {"/bin/sh", "-c", "echo out; echo err >&2; exit 7", NULL};
	const char *const killed[] = {"/bin/sh", "-c", "kill -9 $$", NULL};
	const char *const none[] = {"/nonexistent", NULL};
	(void)state;
	assert_int_equal(program_run(seven, 60000, text, sizeof text), 7);
	assert_string_equal(text, "out\nerr\n");
	assert_int_equal(program_run(seven, 60000, NULL, 0), 7);
	assert_int_equal(program_run(killed, 60000, NULL, 0), 137);
	assert_int_equal(program_run(none, 60000, text, sizeof text), -ENOENT);
}

static void output_is_cut_and_waits_end(void **state)
{
	char text[8];
	const char *const loud[] = {
	    "/bin/sh", "-c", "i=0; while [ $i -lt 20000 ]; do echo xxxxxxxxxxxx; i=$((i+1)); done", NULL};
	const char *const held[] = {"/bin/sh", "-c", "sleep 1000 & exit 3", NULL};
	const char *const slow[] = {"/bin/sh", "-c", "sleep 1000", NULL};
	(void)state;
	assert_int_equal(program_run(loud, 60000, text, sizeof text), 0);
	assert_string_equal(text, "xxxxxxx");
	assert_int_equal(program_run(held, 60000, text, sizeof text), 3);
	assert_int_equal(program_run(slow, 50, text, sizeof text), -ETIMEDOUT);
}

static void nothing_is_inherited(void **state)
{
	char text[256];
	const char *const look[] = {
	    "/bin/sh", "-c", "ls /proc/self/fd | wc -l; readlink /proc/self/fd/0; umask", NULL};
	int fd = open("/dev/null", O_RDONLY); /* not close-on-exec on purpose */
	(void)state;
	assert_int_equal(program_run(look, 60000, text, sizeof text), 0);
	(void)close(fd);
	/* 0, 1, 2, and ls's own folder */
	assert_string_equal(text, "4\n/dev/null\n0022\n");
}

static void paths_stay_beneath(void **state)
{
	int fd;
	(void)state;
	assert_int_equal(mkdirat(base, "in", 0700), 0);
	assert_int_equal(file_write(base, "in/file", "x", 1, 0600), 0);
	assert_int_equal(symlinkat("in", base, "link"), 0);
	fd = open_beneath(base, "in/file", O_RDONLY, 0);
	assert_true(fd >= 0);
	(void)close(fd);
	assert_int_equal(open_beneath(base, "link/file", O_RDONLY, 0), -ELOOP);
	assert_int_equal(open_beneath(base, "in/../in/file/../../../etc/passwd", O_RDONLY, 0), -ENOTDIR);
	assert_int_equal(open_beneath(base, "../etc", O_RDONLY, 0), -EXDEV);
	assert_int_equal(open_beneath(base, "/etc/passwd", O_RDONLY, 0), -EXDEV);
	assert_int_equal(file_write(base, "in/file", "y", 1, 0600), -EEXIST);
	assert_int_equal(unlinkat(base, "link", 0), 0);
	assert_int_equal(folder_remove(base, "in"), 0);
	assert_int_equal(folder_remove(base, "in"), 0);
}

static void removal_follows_no_link(void **state)
{
	(void)state;
	assert_int_equal(mkdirat(base, "keep", 0700), 0);
	assert_int_equal(file_write(base, "keep/file", "x", 1, 0600), 0);
	assert_int_equal(mkdirat(base, "gone", 0700), 0);
	assert_int_equal(symlinkat("../keep", base, "gone/link"), 0);
	assert_int_equal(folder_remove(base, "gone"), 0);
	assert_int_equal(faccessat(base, "keep/file", F_OK, 0), 0);
	assert_int_equal(folder_remove(base, "keep"), 0);
}

static int is_left(const char *name)
{
	return strcmp(name, "/left") == 0;
}

static void a_number_of_ones_own(void **state)
{
	char path[64] = "";
	unsigned a = 9, b = 9, c = 9;
	int first, second;
	(void)state;
	strcat(strcpy(path, top), "/slots");
	first = slot_take(path, 2, "/left", is_left, &a);
	second = slot_take(path, 2, "/b", is_left, &b);
	assert_true(first >= 0 && second >= 0);
	assert_int_equal(a, 0);
	assert_int_equal(b, 1);
	assert_int_equal(slot_take(path, 2, "/c", is_left, &c), -EBUSY);
	/* The first holder's group outlives it, the second one's does not. */
	(void)close(first);
	assert_int_equal(slot_take(path, 2, "/c", is_left, &c), -EBUSY);
	(void)close(second);
	second = slot_take(path, 2, "/c", is_left, &c);
	assert_true(second >= 0);
	assert_int_equal(c, 1);
	(void)close(second);
	assert_int_equal(folder_remove(base, "slots"), 0);
}

static void fields_of_counters(void **state)
{
	static const char v1[] = "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n";
	static const char v2[] = "low 0\nhigh 0\nmax 12\noom 1\noom_kill 1\n";
	(void)state;
	assert_int_equal(cgroup_field(v1, "oom_kill"), 3);
	assert_int_equal(cgroup_field(v2, "oom_kill"), 1);
	assert_int_equal(cgroup_field(v2, "max"), 12);
	assert_true(cgroup_field(v2, "oom_group_kill") == LIMIT_NONE);
	assert_true(cgroup_field("max\n", "max") == LIMIT_NONE);
	assert_true(cgroup_field("", "max") == LIMIT_NONE);
}

/* Both layouts, from folders that look like them. */
static void readings_of_both_versions(void **state)
{
	struct cgroup one = {.version = 1}, two = {.version = 2};
	struct cgroup_reading r;
	(void)state;

	assert_int_equal(mkdirat(base, "v1", 0700), 0);
	assert_int_equal(mkdirat(base, "v2", 0700), 0);
	(void)snprintf(one.memory, sizeof one.memory, "%s/v1", top);
	memcpy(one.cpu, one.memory, sizeof one.cpu);
	(void)snprintf(two.memory, sizeof two.memory, "%s/v2", top);
	memcpy(two.cpu, two.memory, sizeof two.cpu);
	memcpy(two.pids, two.memory, sizeof two.pids);
	assert_int_equal(file_write(base, "v1/memory.max_usage_in_bytes", "4096\n", 5, 0600), 0);
	assert_int_equal(file_write(base, "v1/memory.failcnt", "7\n", 2, 0600), 0);
	assert_int_equal(file_write(base, "v1/memory.oom_control", "under_oom 0\noom_kill 2\n", 23, 0600), 0);
	assert_int_equal(file_write(base, "v1/cpuacct.usage", "5000000\n", 8, 0600), 0);
	cgroup_read(&one, &r);
	assert_int_equal(r.memory_peak, 4096);
	assert_int_equal(r.memory_limit_hits, 7);
	assert_int_equal(r.oom_kills, 2);
	assert_int_equal(r.cpu_ms, 5);
	assert_true(r.processes_peak == LIMIT_NONE);

	assert_int_equal(file_write(base, "v2/memory.peak", "8192\n", 5, 0600), 0);
	assert_int_equal(
	    file_write(base, "v2/memory.events.local", "max 3\noom 1\noom_kill 1\n", 23, 0600), 0);
	assert_int_equal(file_write(base, "v2/cpu.stat", "usage_usec 9000\nuser_usec 1\n", 28, 0600), 0);
	assert_int_equal(file_write(base, "v2/pids.peak", "12\n", 3, 0600), 0);
	cgroup_read(&two, &r);
	assert_int_equal(r.memory_peak, 8192);
	assert_int_equal(r.memory_limit_hits, 3);
	assert_int_equal(r.oom_kills, 1);
	assert_int_equal(r.cpu_ms, 9);
	assert_int_equal(r.processes_peak, 12);
	assert_int_equal(folder_remove(base, "v1"), 0);
	cgroup_read(&one, &r);
	assert_true(r.memory_peak == LIMIT_NONE && r.oom_kills == LIMIT_NONE && r.cpu_ms == LIMIT_NONE);
	assert_int_equal(folder_remove(base, "v2"), 0);
}

static void what_is_inside(void **state)
{
	static const char heads[] = "Inter-|   Receive\n face |bytes\n";
	char text[256];
	(void)state;
	strcat(strcpy(text, heads), "    lo:       0       0\n");
	assert_true(inside_loopback_text(text));
	strcat(text, "  eth0:       0       0\n");
	assert_false(inside_loopback_text(text));
	assert_true(inside_loopback_text(heads));
	assert_true(inside_root_text(
	    "1 0 0:9 / / ro,relatime - overlay overlay rw\n2 1 0:8 / /tmp rw - tmpfs t rw\n"));
	assert_false(inside_root_text("1 0 0:9 / / rw,relatime - overlay overlay ro\n"));
	assert_false(inside_root_text("1 0 0:9 / / ro - x x rw\n7 1 0:9 / / rw - x x rw\n"));
	assert_false(inside_root_text(""));
}

static int group_start(void **state)
{
	(void)state;
	if (!mkdtemp(top))
		return 1;
	base = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return base < 0;
}

static int group_end(void **state)
{
	(void)state;
	(void)close(base);
	return rmdir(top);
}

/* The line of /proc/PID/cgroup for that controller ends with that group. */
static bool in_group(pid_t pid, const char *controller, const char *group)
{
	char path[64], line[512], wanted[128];
	bool is = false;
	FILE *in;

	(void)snprintf(path, sizeof path, "/proc/%d/cgroup", (int)pid);
	(void)snprintf(wanted, sizeof wanted, ":%s:%s\n", controller, group);
	in = fopen(path, "re");
	assert_non_null(in);
	while (fgets(line, sizeof line, in))
		is = is || strstr(line, wanted) != NULL;
	(void)fclose(in);
	return is;
}

static void join_group(const char *folder, pid_t pid)
{
	char path[PATH_MAX + 16], number[16];
	int fd;

	(void)snprintf(path, sizeof path, "%s/cgroup.procs", folder);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(write_all(fd, number, (size_t)snprintf(number, sizeof number, "%d", (int)pid)), 0);
	(void)close(fd);
}

static void leaves_the_quota_alone(void **state)
{
	char name[64];
	struct cgroup c = {0}; /* skip() leaves, but analysers do not know */
	pid_t pid;

	(void)state;
	(void)snprintf(name, sizeof name, "/proctor-test-%d", (int)getpid());
	if (geteuid() != 0 || cgroup_make(&c, name) < 0)
		skip();
	pid = fork();
	if (pid == 0)
		for (;;)
			(void)pause();
	assert_true(pid > 0);
	if (c.version == 1 && c.quota[0]) {
		join_group(c.memory, pid);
		join_group(c.quota, pid);
		assert_true(in_group(pid, "cpu", name));
		assert_int_equal(cgroup_free_cpu(&c, pid), 0);
		assert_true(in_group(pid, "cpu", "/"));
		assert_true(in_group(pid, "memory", name));
	} else {
		assert_int_equal(cgroup_free_cpu(&c, pid), -ENOTSUP);
	}
	(void)kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(cgroup_remove(&c), 0);
	c.version = 2;
	assert_int_equal(cgroup_free_cpu(&c, pid), -ENOTSUP);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(programs_and_their_status),
	    cmocka_unit_test(output_is_cut_and_waits_end),
	    cmocka_unit_test(nothing_is_inherited),
	    cmocka_unit_test(paths_stay_beneath),
	    cmocka_unit_test(removal_follows_no_link),
	    cmocka_unit_test(a_number_of_ones_own),
	    cmocka_unit_test(fields_of_counters),
	    cmocka_unit_test(readings_of_both_versions),
	    cmocka_unit_test(what_is_inside),
	    cmocka_unit_test(leaves_the_quota_alone),
	};
	return cmocka_run_group_tests(tests, group_start, group_end);
}
