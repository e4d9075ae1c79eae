/* Mount and cgroup lines: what the manual shows, what engines make of it, and what nobody should write. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/mountinfo.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

static char line[8192];

static int parse(const char *text, struct mount_line *m)
{
	assert_true(strlen(text) < sizeof line);
	strcpy(line, text);
	return mountinfo_parse(line, m);
}

static void plain_mounts(void **state)
{
	(void)state;
	static const struct {
		const char *text, *root, *at, *options, *type, *super;
	} good[] = {
	    {"36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue", "/mnt1",
		"/mnt2", "rw,noatime", "ext3", "rw,errors=continue"},
	    {"27 1 254:0 / / rw,relatime - ext4 /dev/vda rw", "/", "/", "rw,relatime", "ext4", "rw"},
	    {"5 4 0:9 / /a\\040b\\134c\\011d ro shared:1 master:2 propagate_from:3 - fuse.x\\040y none ro",
		"/", "/a b\\c\td", "ro", "fuse.x y", "ro"},
	    {"5 4 0:9 pid:[4026531836] /run/ns rw - nsfs nsfs rw", "pid:[4026531836]", "/run/ns", "rw",
		"nsfs", "rw"},
	    {"5 4 0:9 / /x rw -  src rw", "/", "/x", "rw", "", "rw"},
	    {"5 4 0:9 / /x rw - tmpfs  rw", "/", "/x", "rw", "tmpfs", "rw"},
	    {"5 4 0:9 / /x rw - tmpfs none ", "/", "/x", "rw", "tmpfs", ""},
	};
	for (size_t i = 0; i < COUNT(good); i++) {
		struct mount_line m;
		assert_int_equal(parse(good[i].text, &m), 0);
		assert_string_equal(m.root, good[i].root);
		assert_string_equal(m.at, good[i].at);
		assert_string_equal(m.options, good[i].options);
		assert_string_equal(m.type, good[i].type);
		assert_string_equal(m.super, good[i].super);
	}
}

static void hostile_mounts(void **state)
{
	(void)state;
	static const char *const bad[] = {
	    "",
	    " ",
	    "- - - -",
	    "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 ext3 /dev/root rw",
	    "36 35 98:0 /mnt1 /mnt2 rw -",
	    "36 35 98:0 /mnt1 /mnt2 rw - ext3",
	    "36 35 98:0 /mnt1 /mnt2 rw - ext3 src",
	    "36 35 980 /mnt1 /mnt2 rw - ext3 src rw",
	    "x 35 98:0 / / rw - ext3 src rw",
	    "36 35 98:-1 / / rw - ext3 src rw",
	    "36 35 99999999999:0 / / rw - ext3 src rw",
	    "36 35 98:0 / /a\\04 rw - ext3 src rw",
	    "36 35 98:0 / /a\\ rw - ext3 src rw",
	    "36 35 98:0 / /a\\400 rw - ext3 src rw",
	    "36 35 98:0 / /a\\000b rw - ext3 src rw",
	    "36 35 98:0 / relative rw - ext3 src rw",
	    "36 35 98:0 /  rw - ext3 src rw",
	};
	for (size_t i = 0; i < COUNT(bad); i++) {
		struct mount_line m;
		assert_int_equal(parse(bad[i], &m), -EBADMSG);
	}
}

/* Every beginning of a good line, and every single byte of it changed, ends in an answer and inside the line. */
static void broken_mounts(void **state)
{
	(void)state;
	static const char text[] =
	    "36 35 98:0 /a\\040b /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue";
	char copy[sizeof text];
	struct mount_line m;
	for (size_t cut = 0; cut < sizeof text - 1; cut++) {
		memcpy(copy, text, cut);
		copy[cut] = '\0';
		int r = mountinfo_parse(copy, &m);
		assert_true(r == 0 || r == -EBADMSG);
	}
	for (size_t i = 0; i < sizeof text - 1; i++)
		for (unsigned byte = 1; byte < 256; byte++) {
			memcpy(copy, text, sizeof text);
			copy[i] = (char)byte;
			if (mountinfo_parse(copy, &m) < 0)
				continue;
			assert_true(m.at > copy && m.super + strlen(m.super) < copy + sizeof copy);
		}
}

static void cgroup_lines(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int result;
		unsigned id;
		const char *controllers, *path;
	} lines[] = {
	    {"0::/", 0, 0, "", "/"},
	    {"0::/a:b/c", 0, 0, "", "/a:b/c"},
	    {"11:cpu,cpuacct:/docker/x", 0, 11, "cpu,cpuacct", "/docker/x"},
	    {"9:name=systemd:/", 0, 9, "name=systemd", "/"},
	    {"0::/../..", 0, 0, "", "/../.."},
	    {"", -EBADMSG, 0, NULL, NULL},
	    {"0:", -EBADMSG, 0, NULL, NULL},
	    {"0::", -EBADMSG, 0, NULL, NULL},
	    {"::/", -EBADMSG, 0, NULL, NULL},
	    {"-1::/", -EBADMSG, 0, NULL, NULL},
	    {"0::relative", -EBADMSG, 0, NULL, NULL},
	    {"4294967296::/", -EBADMSG, 0, NULL, NULL},
	};
	for (size_t i = 0; i < COUNT(lines); i++) {
		struct cgroup_line c;
		strcpy(line, lines[i].text);
		assert_int_equal(cgroup_parse(line, &c), lines[i].result);
		if (lines[i].result < 0)
			continue;
		assert_int_equal(c.id, lines[i].id);
		assert_string_equal(c.controllers, lines[i].controllers);
		assert_string_equal(c.path, lines[i].path);
	}
}

static void lists(void **state)
{
	(void)state;
	assert_true(list_has("rw,noatime", "rw"));
	assert_true(list_has("noatime,ro", "ro"));
	assert_false(list_has("errors=remount-ro,rw", "ro"));
	assert_false(list_has("cpu,cpuset", "cpuacct"));
	assert_false(list_has("", "ro"));
	assert_false(list_has(",,", "ro"));
}

static void folders(void **state)
{
	(void)state;
	static const struct {
		const char *at, *root, *own, *folder;
		int result;
	} cases[] = {
	    {"/sys/fs/cgroup", "/", "/", "/sys/fs/cgroup", 0},
	    {"/sys/fs/cgroup", "/", "/user.slice/a", "/sys/fs/cgroup/user.slice/a", 0},
	    {"/sys/fs/cgroup/memory", "/docker/x", "/docker/x", "/sys/fs/cgroup/memory", 0},
	    {"/sys/fs/cgroup/memory", "/docker/x", "/docker/x/y", "/sys/fs/cgroup/memory/y", 0},
	    {"/", "/", "/a", "/a", 0},
	    {"/cg", "/docker/x", "/docker/xy", NULL, -ENOENT},
	    {"/cg", "/docker/x", "/", NULL, -ENOENT},
	    {"/cg", "/docker/x", "/other", NULL, -ENOENT},
	    {"/cg", "/../..", "/", NULL, -ENOENT},
	    {"/cg", "/", "/../sibling", NULL, -ENOENT},
	    {"/cg", "/", "/a/..", NULL, -ENOENT},
	    {"/cg", "/", "/a..b/..c", "/cg/a..b/..c", 0},
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		char out[64] = "untouched";
		assert_int_equal(cgroup_folder(out, sizeof out, cases[i].at, cases[i].root, cases[i].own),
		    cases[i].result);
		if (cases[i].folder)
			assert_string_equal(out, cases[i].folder);
	}
}

static void joins(void **state)
{
	(void)state;
	char out[8];
	assert_int_equal(path_join(out, sizeof out, "/abc", "def"), -ENAMETOOLONG);
	assert_int_equal(path_join(out, sizeof out, "/abc", "de"), 0);
	assert_string_equal(out, "/abc/de");
	assert_int_equal(path_join(out, sizeof out, "/abcdefgh", ""), -ENAMETOOLONG);
	assert_int_equal(path_join(out, sizeof out, "/", "//x"), 0);
	assert_string_equal(out, "/x");
	assert_int_equal(path_join(out, sizeof out, "/", ""), 0);
	assert_string_equal(out, "/");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(plain_mounts),
	    cmocka_unit_test(hostile_mounts),
	    cmocka_unit_test(broken_mounts),
	    cmocka_unit_test(cgroup_lines),
	    cmocka_unit_test(lists),
	    cmocka_unit_test(folders),
	    cmocka_unit_test(joins),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
