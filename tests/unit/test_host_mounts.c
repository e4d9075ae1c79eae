/* A mount namespace of our own, from a machine's root and from within a chroot, where "/" is no mount. */
#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "sys/mounts.h"

static char folder[] = "/tmp/proctor-mounts-XXXXXX";

/* Returns a small number that says how far it came; 0 is success. In a child: it leaves this process's namespace. */
static int inside_a_chroot(void)
{
	char here[64] = "";

	if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return 1;
	if (chdir(folder) < 0 || mkdir("proc", 0755) < 0 || mkdir("work", 0755) < 0 ||
	    mount("proc", "proc", "proc", 0, NULL) < 0 || chroot(".") < 0 || chdir("/work") < 0)
		return 2;
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 || errno != EINVAL)
		return 3; /* the chroot is a mount after all: this test would show nothing */
	if (mounts_private() < 0)
		return 4;
	if (mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) < 0)
		return 5;
	if (!getcwd(here, sizeof here) || strcmp(here, "/work") != 0)
		return 6;
	return access("/proc/self/mountinfo", R_OK) == 0 ? 0 : 7;
}

static int in_child(int (*body)(void))
{
	int status = -1;
	pid_t child = fork();

	if (child == 0)
		_exit(body());
	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void a_chroot_gets_a_root_that_is_a_mount(void **state)
{
	char path[64];

	(void)state;
	if (geteuid() != 0) {
		print_message("needs root\n");
		skip();
	}
	assert_non_null(mkdtemp(folder));
	assert_int_equal(in_child(inside_a_chroot), 0);
	(void)snprintf(path, sizeof path, "%s/proc", folder);
	assert_int_equal(rmdir(path), 0); /* fails if a mount reached this namespace */
	(void)snprintf(path, sizeof path, "%s/work", folder);
	assert_int_equal(rmdir(path), 0);
	assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_chroot_gets_a_root_that_is_a_mount)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
