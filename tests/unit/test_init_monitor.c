/* Monitored trees: the pace, the set of inodes, lines of maps and fdinfo, and walks over trees of every odd shape. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "core/inodes.h"
#include "core/mapping.h"
#include "core/pace.h"
#include "sys/clock.h"
#include "sys/room.h"
#include "watch/output.h"
#include "wire/limits.h"

static char folder[64];
static int home, top;
static struct scan scan;
static const struct fsids own = {-1, -1};

static int begin(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/monitor-XXXXXX");
	home = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (!mkdtemp(folder) || chdir(folder) < 0)
		return -1;
	top = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return top < 0 ? -1 : 0;
}

static int with_folder(const char *program, const char *option, const char *mode)
{
	int status = -1;
	pid_t child = fork();

	if (child == 0) {
		if (mode)
			execlp(program, program, option, mode, folder, (char *)NULL);
		else
			execlp(program, program, option, folder, (char *)NULL);
		_exit(127);
	}
	return child > 0 && waitpid(child, &status, 0) == child ? status : -1;
}

static int end(void **state)
{
	(void)state;
	close(top);
	assert_int_equal(fchdir(home), 0);
	close(home);
	return with_folder("chmod", "-R", "u+rwx") | with_folder("rm", "-rf", NULL);
}

static void file(const char *name, off_t length)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0 && ftruncate(fd, length) == 0);
	close(fd);
}

/* Folders' own blocks differ between filesystems: they are taken off by an estimate of none or one each. */
static void walk(bool still)
{
	unsigned turns = 0;
	scan_start(&scan, top, &own, still);
	while (!scan_turn(&scan, 7))
		assert_true(++turns < 100000);
}

static void the_pace(void **state)
{
	(void)state;
	assert_int_equal(pace_bytes(0, 0), 200);
	assert_int_equal(pace_bytes(MIB(100), 0), MIB(100) / 2 / 16000);
	assert_int_equal(pace_bytes(MIB(100), 100), MIB(100) / 2 / 16000); /* a slow start is no promise */
	assert_int_equal(pace_bytes(MIB(100), 32000), MIB(100) / 2 / 32000);
	assert_int_equal(pace_bytes(UINT64_MAX, 0), 50000);
	assert_int_equal(pace_calm(3276, 99999), 3276);
	assert_int_equal(pace_calm(3276, 100000), 4 * 3276);
	assert_int_equal(pace_calm(200, 100000), 2000);
	assert_int_equal(pace_calm(50000, 100000), 50000);
	assert_int_equal(pace_files(0), 2000);
	assert_int_equal(pace_files(20000), 10000);
	assert_int_equal(pace_files(UINT64_MAX), 50000);
}

static void a_set_of_inodes(void **state)
{
	static struct inodes s;
	(void)state;
	for (uint64_t i = 0; i < INODES_MOST; i++)
		assert_true(inodes_add(&s, 5, i * 64));
	for (uint64_t i = 0; i < INODES_MOST; i++)
		assert_false(inodes_add(&s, 5, i * 64));
	/* Full: what is known stays known, the rest counts each time. */
	assert_true(inodes_add(&s, 5, 7));
	assert_true(inodes_add(&s, 5, 7));
	assert_false(inodes_add(&s, 5, 64));
	inodes_clear(&s);
	assert_true(inodes_add(&s, 5, 64));
	assert_false(inodes_add(&s, 5, 64));
	assert_true(inodes_add(&s, 6, 64)); /* another filesystem */
}

static int parse(const char *text, struct mapping *m)
{
	static char line[512];
	strcpy(line, text);
	return mapping_parse(line, m);
}

static void lines_of_maps(void **state)
{
	struct mapping m;
	(void)state;
	assert_int_equal(
	    parse("7f00-9f00 rw-s 00001000 fe:01 77                         /output/a b (deleted)", &m), 0);
	assert_true(
	    m.nameless && m.inode == 77 && m.device == (UINT64_C(0xfe) << 32 | 1) && m.reach == 0x3000);
	assert_string_equal(m.path, "/output/a b (deleted)");
	assert_int_equal(parse("1000-2000 r--p 00000000 00:00 0 ", &m), 0);
	assert_false(m.nameless);
	assert_int_equal(parse("1000-2000 r--p 00000000 00:00 0    [heap]", &m), 0);
	assert_int_equal(parse("1000-2000 r--p 00000000 08:01 9    /x (deleted) ", &m), 0);
	assert_false(m.nameless);
	static const char *const bad[] = {"", "-", "1000", "1000-", "2000-1000 r--p 0 0:0 1 /x",
	    "g-h r--p 0 0:0 1 /x", "1000-2000 r-- 0 0:0 1 /x", "1000-2000 r--p 0 00 1 /x",
	    "1000-2000 r--p 0 0:0 x /x", "0-ffffffffffffffff r--p ffffffffffffffff 0:0 1 /x",
	    "11112222333344445-2 r--p 0 0:0 1 /x"};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_int_equal(parse(bad[i], &m), -EBADMSG);
}

static void descriptors_in_flight(void **state)
{
	static const char some[] = "pos:\t0\nflags:\t02\nscm_fds: 3\n", none[] = "pos:\t0\nscm_fds: 0\n",
			  other[] = "pos:\t0\nxscm_fds: 3\n", odd[] = "scm_fds: many";
	(void)state;
	assert_int_equal(mapping_in_flight(some, sizeof some - 1), 3);
	assert_int_equal(mapping_in_flight(none, sizeof none - 1), 0);
	assert_int_equal(mapping_in_flight(other, sizeof other - 1), 0);
	assert_true(mapping_in_flight(odd, sizeof odd - 1) > 0); /* not understood is not none */
	assert_int_equal(mapping_in_flight(some, 0), 0);
}

static void each_inode_once_and_the_larger_size(void **state)
{
	char name[32];
	(void)state;
	file("sparse", 1 << 20);
	assert_int_equal(link("sparse", "again"), 0);
	assert_int_equal(mkdir("d", 0700), 0);
	assert_int_equal(link("sparse", "d/again"), 0);
	assert_int_equal(symlink("/etc", "d/link"), 0);
	assert_int_equal(mkfifo("d/pipe", 0600), 0);
	for (int i = 0; i < 300; i++) {
		(void)snprintf(name, sizeof name, "d/%d", i);
		file(name, 10);
	}
	walk(false);
	assert_false(scan.hidden);
	assert_int_equal(scan.files, 1 + 1 + 2 + 300);
	assert_in_range(scan.bytes, (1 << 20) + 3000, (1 << 20) + 3000 + KIB(64));
}

static void folders_below_folders(void **state)
{
	int fd;
	(void)state;
	for (int i = 0; i < 1000; i++)
		assert_true(mkdir("d", 0700) == 0 && mkdir("e", 0700) == 0 && chdir("d") == 0);
	file("last", 5000);
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	walk(false);
	assert_false(scan.hidden);
	assert_int_equal(scan.files, 2001);
	assert_int_equal(fcntl(fd + 1, F_GETFD), -1); /* nothing stays open */
	close(fd);
}

static void deeper_than_can_be_followed(void **state)
{
	(void)state;
	for (int i = 0; i < SCAN_DEEPEST + 10; i++)
		assert_true(mkdir("d", 0700) == 0 && chdir("d") == 0);
	walk(true);
	assert_true(scan.hidden);
	assert_int_equal(scan.files, SCAN_DEEPEST);
	/* rm(1) follows this deep; end() does the rest. */
}

static void no_way_back(void **state)
{
	(void)state;
	for (int i = 0; i < 40; i++)
		assert_true(mkdir("d", 0700) == 0 && chdir("d") == 0);
	scan_start(&scan, top, &own, false);
	assert_false(scan_turn(&scan, 40)); /* at the bottom; the upper folders had to be closed */
	assert_int_equal(fchdir(top), 0);
	assert_int_equal(mkdir("other", 0700), 0);
	assert_int_equal(rename("d/d/d/d/d", "other/moved"), 0);
	while (!scan_turn(&scan, 10))
		;
	assert_true(scan.hidden);
}

static void given_up_and_begun_again(void **state)
{
	(void)state;
	for (int i = 0; i < 5; i++)
		assert_true(mkdir("d", 0700) == 0 && chdir("d") == 0);
	scan_start(&scan, top, &own, false);
	assert_false(scan_turn(&scan, 3));
	walk(false);
	assert_int_equal(scan.files, 5);
	assert_false(scan.hidden);
}

/* Only where this process is not above permissions; run as nobody by the fork below. */
static void closed_folders(void **state)
{
	const struct fsids nobody = {65534, 65534};
	struct stat st;
	(void)state;
	if (geteuid() != 0)
		skip();
	assert_int_equal(mkdir("closed", 0700), 0);
	file("closed/in", 7000);
	assert_true(chown(".", 65534, 65534) == 0 && chown("closed", 65534, 65534) == 0 &&
		    chown("closed/in", 65534, 65534) == 0 && chmod("closed", 0) == 0 && chmod(".", 0) == 0);
	/* Root's own rights are what the walk falls back to: here they see everything, so only the modes are looked at. */
	scan_start(&scan, top, &nobody, true);
	while (!scan_turn(&scan, 2))
		;
	assert_false(scan.hidden);
	assert_int_equal(scan.files, 2);
	assert_true(scan.bytes >= 7000);
	assert_true(fstat(top, &st) == 0 && (st.st_mode & 07777) == 0);
	assert_true(stat("closed", &st) == 0 && (st.st_mode & 07777) == 0);
	assert_int_equal(geteuid(), 0);
	assert_int_equal(setfsuid((uid_t)-1), 0); /* what was borrowed is given back */
}

static void a_part_is_not_the_whole(void **state)
{
	int fd = room_open(folder), proc = room_open("/proc");
	(void)state;
	assert_true(fd >= 0 && proc >= 0);
	assert_int_equal(room_is_mount(fd), 0);
	assert_int_equal(room_is_whole(proc), 1);
	close(fd);
	close(proc);
}

/* A tree in a larger filesystem, watched by hand. */
static struct output watched;

static void look_until(uint64_t *now, struct breach *b, bool *breached)
{
	*breached = false;
	for (int i = 0; i < 100 && !*breached; i++) {
		*now += 1000000;
		*breached = output_look(&watched, *now, b);
		watched.monitor.stopped = watched.monitor.hold;
		if (watched.monitor.state == MONITOR_RESTS && i > 2)
			break;
	}
}

static void watched_by_hand(void **state)
{
	static struct plan plan;
	struct breach b;
	struct figure bytes, files;
	uint64_t now = clock_now();
	bool breached;
	(void)state;
	for (unsigned i = 0; i < OPTION_END; i++)
		plan.number[i] = LIMIT_NONE;
	plan.text[OPTION_OUTPUT] = folder;
	plan.number[OPTION_OUTPUT_BYTES] = KIB(64);
	file("before", 1 << 20); /* was there: not the candidate's */
	memset(&watched, 0, sizeof watched);
	output_open(&watched, &plan, -1, &own);
	assert_false(output_exact(&watched));
	assert_true(output_monitored(&watched) && output_monitors_result(&watched));
	assert_true(output_next(&watched) == UINT64_MAX);
	watched.monitor.armed = true;
	file("small", 30000);
	look_until(&now, &b, &breached);
	assert_false(breached);
	file("hole", 70000);
	look_until(&now, &b, &breached);
	assert_true(breached);
	assert_int_equal(b.verdict, VERDICT_OUTPUT_BYTES);
	assert_int_equal(b.limit, KIB(64));
	output_usage(&watched, &bytes, &files);
	assert_true(bytes.value >= 70000);
	assert_int_equal(bytes.how, HOW_LOWER_BOUND);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_pace),
	    cmocka_unit_test(a_set_of_inodes),
	    cmocka_unit_test(lines_of_maps),
	    cmocka_unit_test(descriptors_in_flight),
	    cmocka_unit_test_setup_teardown(each_inode_once_and_the_larger_size, begin, end),
	    cmocka_unit_test_setup_teardown(folders_below_folders, begin, end),
	    cmocka_unit_test_setup_teardown(deeper_than_can_be_followed, begin, end),
	    cmocka_unit_test_setup_teardown(no_way_back, begin, end),
	    cmocka_unit_test_setup_teardown(given_up_and_begun_again, begin, end),
	    cmocka_unit_test_setup_teardown(closed_folders, begin, end),
	    cmocka_unit_test_setup_teardown(a_part_is_not_the_whole, begin, end),
	    cmocka_unit_test_setup_teardown(watched_by_hand, begin, end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
