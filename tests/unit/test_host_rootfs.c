/* Mount points in a root that somebody else filled: never through a link, never outside. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/rootfs.h"
#include "sys/files.h"

static char top[] = "/tmp/test_host_rootfs.XXXXXX";
static int base = -1, root = -1;
static struct fault fault;

static int fresh(void **state)
{
	(void)state;
	(void)mkdirat(base, "root", 0700);
	(void)mkdirat(base, "outside", 0700);
	root = openat(base, "root", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return root < 0;
}

static int after(void **state)
{
	(void)state;
	(void)close(root);
	return folder_remove(base, "root") < 0 || folder_remove(base, "outside") < 0;
}

static mode_t mode_of(const char *path)
{
	struct stat st;
	return fstatat(root, path, &st, AT_SYMLINK_NOFOLLOW) < 0 ? 0 : st.st_mode;
}

static int outside_is_empty(void)
{
	return unlinkat(base, "outside", AT_REMOVEDIR) == 0 && mkdirat(base, "outside", 0700) == 0;
}

static void made_where_missing(void **state)
{
	mode_t old = umask(077);
	(void)state;
	assert_int_equal(rootfs_mount_point(root, "/a/b/c", true, 0755, &fault), 0);
	assert_int_equal(rootfs_mount_point(root, "/a/b/f", false, 0644, &fault), 0);
	assert_int_equal(rootfs_mount_point(root, "/tmp", true, 01777, &fault), 0);
	(void)umask(old);
	assert_int_equal(mode_of("a/b/c"), S_IFDIR | 0755);
	assert_int_equal(mode_of("a/b"), S_IFDIR | 0755);
	assert_true(S_ISREG(mode_of("a/b/f")));
	assert_int_equal(mode_of("tmp"), S_IFDIR | 01777);
	assert_int_equal(rootfs_mount_point(root, "/a/b/c", true, 0755, &fault), 0);
}

static void a_scratch_over_a_folder_gets_its_mode(void **state)
{
	(void)state;
	assert_int_equal(mkdirat(root, "tmp", 0700), 0);
	assert_int_equal(rootfs_mount_point(root, "/tmp", true, 01777, &fault), 0);
	assert_int_equal(mode_of("tmp"), S_IFDIR | 01777);
}

/* runc would refuse /.proctor, and init /dev, as the image's own owner and modes have them. */
static void what_the_image_closed_is_open(void **state)
{
	static const char *const part[] = {"closed", "closed/door", "closed/door/dev"};
	struct stat st;
	(void)state;
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(mkdirat(root, part[i], 0700), 0);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(fchownat(root, part[i], 4242, 4242, AT_SYMLINK_NOFOLLOW), 0);
	assert_int_equal(fchmodat(root, "closed/door", 0, 0), 0);
	assert_int_equal(rootfs_mount_point(root, "/closed/door/dev", true, 0755, &fault), 0);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(fstatat(root, part[i], &st, AT_SYMLINK_NOFOLLOW), 0);
		assert_int_equal(st.st_mode, S_IFDIR | 0755);
		assert_int_equal(st.st_uid, 0);
		assert_int_equal(st.st_gid, 0);
	}
	assert_int_equal(rootfs_mount_point(root, "/closed/door/init", false, 0644, &fault), 0);
}

static void refused(const char *at, bool folder)
{
	assert_int_equal(rootfs_mount_point(root, at, folder, 0755, &fault), -1);
	assert_int_equal(fault.verdict, VERDICT_IMAGE_REFUSED);
	assert_true(outside_is_empty());
}

static void links_are_refused(void **state)
{
	(void)state;
	assert_int_equal(symlinkat("../outside", root, "link"), 0);
	assert_int_equal(symlinkat("/tmp", root, "absolute"), 0);
	assert_int_equal(symlinkat("nowhere", root, "dangling"), 0);
	assert_int_equal(symlinkat(".", root, "self"), 0);
	refused("/link", true);
	refused("/link/x", true);
	refused("/link/x", false);
	refused("/absolute", true);
	refused("/dangling", true);
	refused("/dangling", false);
	refused("/self/x", true);
}

static void the_wrong_kind_is_refused(void **state)
{
	(void)state;
	assert_int_equal(file_write(root, "file", "", 0, 0600), 0);
	assert_int_equal(mkdirat(root, "folder", 0700), 0);
	assert_int_equal(mkfifoat(root, "fifo", 0600), 0);
	refused("/file", true);
	refused("/file/x", true);
	refused("/folder", false);
	refused("/fifo", false);
	refused("/fifo", true);
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

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, fresh, after)
	const struct CMUnitTest tests[] = {
	    T(made_where_missing),
	    T(a_scratch_over_a_folder_gets_its_mode),
	    T(what_the_image_closed_is_open),
	    T(links_are_refused),
	    T(the_wrong_kind_is_refused),
	};
	return cmocka_run_group_tests(tests, group_start, group_end);
}
