/* The intake of a hostile tree: what is taken, what is refused, and that nothing outside is ever read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <fcntl.h>
#include <unistd.h>

#include <cmocka.h>

#include "intake/output.h"
#include "sys/files.h"

static char top[] = "/tmp/test_host_output.XXXXXX";
static int base = -1, tree = -1, into = -1;
static struct output out;
static struct fault fault;

static int fresh(void **state)
{
	(void)state;
	(void)mkdirat(base, "tree", 0700);
	(void)mkdirat(base, "into", 0700);
	tree = openat(base, "tree", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	into = openat(base, "into", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return tree < 0 || into < 0;
}

static int gone(void **state)
{
	(void)state;
	output_free(&out);
	(void)close(tree);
	(void)close(into);
	return folder_remove(base, "tree") < 0 || folder_remove(base, "into") < 0;
}

static int group_start(void **state)
{
	(void)state;
	if (!mkdtemp(top))
		return 1;
	base = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return base < 0 || file_write(base, "secret", "secret", 6, 0600) < 0;
}

static int group_end(void **state)
{
	(void)state;
	(void)unlinkat(base, "secret", 0);
	(void)close(base);
	return rmdir(top);
}

static void put(const char *name, const char *text)
{
	assert_int_equal(file_write(tree, name, text, strlen(text), 0644), 0);
}

static int take(uint64_t bytes, uint64_t files)
{
	return output_take(tree, into, "t.csv", bytes, files, &out, &fault);
}

static const char *refused_as(const char *path)
{
	for (size_t i = 0; i < out.refused_count; i++)
		if (strcmp(out.refused[i].path, path) == 0)
			return out.refused[i].kind;
	return "not refused";
}

static int copied(const char *path, const char *text)
{
	char buffer[256];
	ssize_t n = file_read(into, path, buffer, sizeof buffer);
	return n == (ssize_t)strlen(text) && strcmp(buffer, text) == 0;
}

static void regular_files_are_copied(void **state)
{
	char text[16] = "";
	(void)state;
	put("t.csv", "a,b\n");
	assert_int_equal(mkdirat(tree, "deep", 0700), 0);
	put("deep/x", "x");
	assert_int_equal(fchmodat(tree, "deep/x", 0, 0), 0);
	assert_int_equal(take(1000, 10), 0);
	assert_true(copied("t.csv", "a,b\n"));
	assert_true(copied("deep/x", "x"));
	assert_int_equal(out.files, 3);
	assert_int_equal(out.taken, 2);
	assert_int_equal(read(out.table, text, sizeof text), 4);
	assert_string_equal(text, "a,b\n");
}

static void nothing_there(void **state)
{
	(void)state;
	put("other.csv", "");
	assert_int_equal(take(1000, 10), -1);
	assert_int_equal(fault.verdict, VERDICT_OUTPUT_MISSING);
	assert_int_equal(out.table, -1);
}

static void links_are_never_followed(void **state)
{
	(void)state;
	assert_int_equal(symlinkat("../secret", tree, "t.csv"), 0);
	assert_int_equal(symlinkat("..", tree, "up"), 0);
	assert_int_equal(symlinkat("/proc/self/fd", tree, "magic"), 0);
	assert_int_equal(take(1000, 10), -1);
	assert_int_equal(fault.verdict, VERDICT_OUTPUT_NOT_REGULAR);
	assert_string_equal(refused_as("t.csv"), "symlink");
	assert_string_equal(refused_as("up"), "symlink");
	assert_string_equal(refused_as("magic"), "symlink");
	assert_int_equal(out.taken, 0);
}

static void a_fifo_does_not_hang(void **state)
{
	(void)state;
	assert_int_equal(mkfifoat(tree, "t.csv", 0644), 0);
	assert_int_equal(take(1000, 10), -1);
	assert_int_equal(fault.verdict, VERDICT_OUTPUT_NOT_REGULAR);
	assert_string_equal(refused_as("t.csv"), "fifo");
}

static void a_socket_is_refused(void **state)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	(void)state;
	(void)snprintf(a.sun_path, sizeof a.sun_path, "%s/tree/t.csv", top);
	assert_int_equal(bind(s, (struct sockaddr *)&a, sizeof a), 0);
	(void)close(s);
	assert_int_equal(take(1000, 10), -1);
	assert_int_equal(fault.verdict, VERDICT_OUTPUT_NOT_REGULAR);
	assert_string_equal(refused_as("t.csv"), "socket");
}

static void a_folder_is_no_table(void **state)
{
	(void)state;
	assert_int_equal(mkdirat(tree, "t.csv", 0700), 0);
	assert_int_equal(take(1000, 10), -1);
	assert_int_equal(fault.verdict, VERDICT_OUTPUT_NOT_REGULAR);
	assert_string_equal(refused_as("t.csv"), "directory");
}

static void hard_links_are_unsafe(void **state)
{
	(void)state;
	assert_int_equal(linkat(base, "secret", tree, "t.csv", 0), 0);
	assert_int_equal(take(1000, 10), -1);
	assert_int_equal(fault.verdict, VERDICT_OUTPUT_UNSAFE);
	assert_string_equal(refused_as("t.csv"), "hard-link");
	assert_int_equal(out.taken, 0);
}

/* One file under thousands of names takes what one file takes. */
static void each_inode_counts_once(void **state)
{
	char block[8192] = {0}, name[16];
	uint64_t alone;
	(void)state;
	put("t.csv", "");
	assert_int_equal(file_write(tree, "big", block, sizeof block, 0644), 0);
	assert_int_equal(file_write(tree, "other", block, sizeof block, 0644), 0);
	assert_int_equal(take(100000, 2000), 0);
	assert_int_equal(out.files, 3);
	alone = out.bytes;
	assert_true(alone >= 2 * sizeof block);
	output_free(&out);
	(void)folder_remove(base, "into");
	(void)close(into);
	(void)mkdirat(base, "into", 0700);
	into = openat(base, "into", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (int i = 0; i < 1500; i++) {
		(void)snprintf(name, sizeof name, "n%d", i);
		assert_int_equal(linkat(tree, i % 2 ? "big" : "other", tree, name, 0), 0);
	}
	assert_int_equal(lseek(tree, 0, SEEK_SET), 0); /* the first walk left it at its end */
	assert_int_equal(take(100000, 2000), 0);
	assert_int_equal(out.files, 3);
	assert_int_equal(out.bytes, alone);
	assert_int_equal(out.refused_all, 1502);
}

static void names_that_nobody_can_carry(void **state)
{
	(void)state;
	put("t.csv", "");
	put("a\nb", "");
	put("\xff", "");
	put("\xed\xa0\x80", "");
	put(".hidden", "");
	put("-rf", "");
	put("\xc3\xa9", "");
	assert_int_equal(take(1000, 10), 0);
	assert_string_equal(refused_as("a\nb"), "name");
	assert_string_equal(refused_as("\xff"), "name");
	assert_string_equal(refused_as("\xed\xa0\x80"), "name");
	assert_string_equal(refused_as(".hidden"), "name");
	assert_string_equal(refused_as("-rf"), "name");
	assert_int_equal(out.taken, 2);
}

static void sizes_are_bounded_in_all(void **state)
{
	int fd;
	(void)state;
	put("a", "123456");
	put("b", "123456");
	put("t.csv", "1");
	fd = openat(tree, "sparse", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	assert_int_equal(ftruncate(fd, (off_t)1 << 40), 0);
	(void)close(fd);
	assert_int_equal(take(10, 10), 0);
	assert_string_equal(refused_as("b"), "large");
	assert_string_equal(refused_as("sparse"), "large");
	assert_true(copied("a", "123456"));
	assert_true(copied("t.csv", "1"));
}

static void a_table_beyond_the_budget_is_unsafe(void **state)
{
	(void)state;
	put("t.csv", "0123456789");
	assert_int_equal(take(9, 10), -1);
	assert_int_equal(fault.verdict, VERDICT_OUTPUT_UNSAFE);
}

static void holes_stay_holes(void **state)
{
	struct stat st;
	char end[5] = "";
	int fd = openat(tree, "t.csv", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	(void)state;
	assert_int_equal(pwrite(fd, "head", 4, 0), 4);
	assert_int_equal(pwrite(fd, "tail", 4, 64 << 20), 4);
	(void)close(fd);
	assert_int_equal(take((64 << 20) + 4, 10), 0);
	assert_int_equal(fstat(out.table, &st), 0);
	assert_int_equal(st.st_size, (64 << 20) + 4);
	assert_true(st.st_blocks * 512 < 4 << 20);
	assert_int_equal(pread(out.table, end, 4, 64 << 20), 4);
	assert_string_equal(end, "tail");
}

static void depth_is_bounded(void **state)
{
	int at = fcntl(tree, F_DUPFD_CLOEXEC, 3);
	(void)state;
	put("t.csv", "");
	for (int i = 0; i < 100; i++) {
		int next;
		assert_int_equal(mkdirat(at, "d", 0700), 0);
		next = openat(at, "d", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		(void)close(at);
		at = next;
	}
	(void)close(at);
	assert_int_equal(take(1000, 200), 0);
	assert_int_equal(out.refused_count, 1);
	assert_string_equal(out.refused[0].kind, "name");
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, fresh, gone)
	const struct CMUnitTest tests[] = {
	    T(regular_files_are_copied),
	    T(nothing_there),
	    T(links_are_never_followed),
	    T(a_fifo_does_not_hang),
	    T(a_socket_is_refused),
	    T(a_folder_is_no_table),
	    T(hard_links_are_unsafe),
	    T(each_inode_counts_once),
	    T(names_that_nobody_can_carry),
	    T(sizes_are_bounded_in_all),
	    T(a_table_beyond_the_budget_is_unsafe),
	    T(holes_stay_holes),
	    T(depth_is_bounded),
	};
	return cmocka_run_group_tests(tests, group_start, group_end);
}
