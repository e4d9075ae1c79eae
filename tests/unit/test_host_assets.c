/* Assets and what names a folder: digests, task.lock, and what was written to meanwhile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "intake/assets.h"
#include "sys/files.h"

static struct fault fault;

static void write_in(const char *folder, const char *name, const char *text)
{
	char path[128];
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	(void)snprintf(path, sizeof path, "%s", name);
	(void)unlinkat(fd, path, 0);
	assert_int_equal(file_write(fd, path, text, strlen(text), 0644), 0);
	(void)close(fd);
}

static void assets_and_their_lock(void **state)
{
	char top[] = "/tmp/test_host_run.XXXXXX", sub[64], *name;
	char name_[] = "input", at[] = "/input", truth[] = "truth.csv";
	struct task_input input = {.path = name_, .at = at};
	struct task task = {.input = &input, .input_count = 1, .truth = truth};
	struct assets a;
	(void)state;

	assert_non_null(mkdtemp(top));
	assert_int_equal(chmod(top, 0755), 0);
	task.folder = top;
	memset(task.sha256, 'a', 64);
	(void)snprintf(sub, sizeof sub, "%s/input", top);
	assert_int_equal(mkdir(sub, 0755), 0);
	assert_int_equal(chmod(sub, 0755), 0);
	write_in(top, "truth.csv", "id\n");
	write_in(sub, "b", "2");
	write_in(sub, "a", "1");
	(void)snprintf(sub, sizeof sub, "%s/input/a", top);
	assert_int_equal(chmod(sub, 0644), 0);
	(void)snprintf(sub, sizeof sub, "%s/input/b", top);
	assert_int_equal(chmod(sub, 0644), 0);

	assert_int_equal(assets_take(&task, &a, &fault), 0);
	assert_int_equal(assets_locked(&task, &a, &fault), 0); /* none there */
	name = strstr(a.lock, "  input/a\n");
	assert_non_null(name);
	assert_true(strstr(a.lock, "  input/b\n") > name);
	assert_non_null(strstr(a.lock, "  truth.csv\n"));
	assert_non_null(
	    strstr(a.lock, "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b  input/a\n"));
	write_in(top, "task.lock", a.lock);
	assert_int_equal(assets_locked(&task, &a, &fault), 1);
	assert_true(assets_unchanged(&task, &a, 0));
	write_in(top, "input/a", "3");
	assert_false(assets_unchanged(&task, &a, 0));
	assets_free(&a);

	assert_int_equal(chmod(sub, 0644), 0);
	(void)snprintf(sub, sizeof sub, "%s/input/a", top);
	assert_int_equal(chmod(sub, 0644), 0);
	assert_int_equal(assets_take(&task, &a, &fault), 0);
	assert_int_equal(assets_locked(&task, &a, &fault), -1);
	assert_int_equal(fault.verdict, VERDICT_ASSET_MISMATCH);
	assert_non_null(strstr(fault.what, "input/a"));
	assets_free(&a);

	assert_int_equal(chmod(sub, 0600), 0);
	assert_int_equal(assets_take(&task, &a, &fault), -1);
	assert_int_equal(fault.verdict, VERDICT_TASK_INVALID);
	assert_non_null(strstr(fault.what, "could not read it"));
	assets_free(&a);
	assert_int_equal(folder_remove(AT_FDCWD, top), 0);
}

static void a_listing_sees_what_matters(void **state)
{
	char top[] = "/tmp/test_host_run.XXXXXX", where[256], path[64];
	struct listing one, two;
	(void)state;

	assert_non_null(mkdtemp(top));
	write_in(top, "a", "1");
	assert_int_equal(listing_take(top, "", NULL, true, LISTING_CONTENT, UINT64_MAX, &one, where), 0);
	assert_int_equal(one.files, 1);
	assert_int_equal(one.bytes, 1);
	assert_int_equal(listing_take(top, "", NULL, true, LISTING_CONTENT, 0, &two, where), -EFBIG);
	(void)snprintf(path, sizeof path, "%s/a", top);
	assert_int_equal(chmod(path, 0755), 0);
	assert_int_equal(listing_take(top, "", NULL, true, LISTING_CONTENT, UINT64_MAX, &two, where), 0);
	assert_string_not_equal(one.sha256, two.sha256);
	(void)snprintf(path, sizeof path, "%s/l", top);
	assert_int_equal(symlink("/etc", path), 0);
	assert_int_equal(listing_take(top, "", NULL, true, LISTING_CONTENT, UINT64_MAX, &one, where), 0);
	assert_string_not_equal(one.sha256, two.sha256);
	assert_int_equal(one.files, 1);
	assert_int_equal(folder_remove(AT_FDCWD, top), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(assets_and_their_lock),
	    cmocka_unit_test(a_listing_sees_what_matters),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
