/* The seal on the live kernel: sessions, descriptors, limits, ids and capabilities, as its child finds them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#include <cmocka.h>

#include "sealed.h"

static void open_doors(void)
{
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	/* As a parent's posix_spawn leaves them; the C library's own calls refuse these two. */
	static const unsigned long ignore[8] = {1};
	for (int n = 32; n <= 33; n++)
		syscall(SYS_rt_sigaction, n, ignore, NULL, 8);
	for (int fd = 5; fd < 1500; fd += 7)
		dup2(2, fd);
	dup2(open("/etc/passwd", O_RDONLY), 0);
}

static void everything(void **state)
{
	(void)state;
	need_root();
	ask("all", "reopen:/dev/stdout", "reopen:/dev/stderr", NULL);
	plan.number[OPTION_UID] = UID;
	plan.number[OPTION_GID] = GID;
	plan.number[OPTION_PROCESSES] = 80;
	plan.number[OPTION_OPEN_FILES] = 100;
	plan.number[OPTION_FILE_SIZE] = 1 << 20;
	plan.number[OPTION_STACK] = 4 << 20;
	plan.number[OPTION_UMASK] = 027;
	plan.text[OPTION_WORKDIR] = "/usr";
	run(open_doors);
	assert_ran();
	assert_said("uid=54321,54321,54321;gid=54322,54322,54322;");
	assert_said("Groups:;");
	assert_said("leader=1;fds=0,1,2,;stdin=0;umask=27;");
	assert_said("core=1;nofile=100,100;fsize=1048576,1048576;stack=4194304,4194304;nproc=106,106;");
	assert_said("oom=1000;cwd=/usr;");
	assert_said("SigBlk:0000000000000000;SigIgn:0000000000000000;");
	assert_said(
	    "CapInh:0000000000000000;CapPrm:0000000000000000;CapEff:0000000000000000;CapBnd:0000000000000000;"
	    "CapAmb:0000000000000000;NoNewPrivs:1;");
	assert_said("reopen:/dev/stdout=0;");
	assert_said("reopen:/dev/stderr=0;");
	static const enum seal_step enforced[] = {SEAL_SESSION, SEAL_DESCRIPTORS, SEAL_UMASK,
	    SEAL_ENVIRONMENT, SEAL_RLIMITS, SEAL_CORE, SEAL_OOM_SCORE, SEAL_BOUNDING, SEAL_GROUPS, SEAL_GID,
	    SEAL_UID, SEAL_AMBIENT, SEAL_WORKDIR, SEAL_NO_NEW_PRIVS};
	for (size_t i = 0; i < sizeof enforced / sizeof *enforced; i++)
		assert_state(enforced[i], STATE_ENFORCED);
	assert_state(SEAL_LANDLOCK, STATE_OFF);
	assert_state(SEAL_SECCOMP, STATE_OFF);
}

/* Without --gid the group is never init's own. */
static void gid_follows_uid(void **state)
{
	(void)state;
	need_root();
	ask("all", NULL);
	plan.number[OPTION_UID] = UID;
	run(NULL);
	assert_ran();
	assert_said("gid=54321,54321,54321;");
}

/* The largest uids that are one: neither is taken for "leave it as it is". */
static void large_ids(void **state)
{
	(void)state;
	need_root();
	ask("all", NULL);
	plan.number[OPTION_UID] = plan.number[OPTION_GID] = 4294967294;
	run(NULL);
	assert_ran();
	assert_said("uid=4294967294,4294967294,4294967294;gid=4294967294,4294967294,4294967294;");
}

/* What an engine leaves init: three capabilities. No CAP_CHOWN, no CAP_KILL, no CAP_SYS_RESOURCE. */
static void engine_caps(void)
{
	const uint64_t three = 1u << 6 | 1u << 7 | 1u << 8;
	const struct caps left = {three, three, 0};
	for (unsigned long cap = 0; cap < 64; cap++)
		if (!(three >> cap & 1))
			(void)prctl(PR_CAPBSET_DROP, cap, 0UL, 0UL, 0UL);
	if (caps_set(&left) < 0 || caps_no_new_privs() < 0)
		_exit(98);
}

static void three_capabilities_suffice(void **state)
{
	(void)state;
	need_root();
	ask("all", "reopen:/dev/stdout", NULL);
	plan.number[OPTION_UID] = UID;
	plan.number[OPTION_GID] = GID;
	run(engine_caps);
	assert_ran();
	assert_said("uid=54321,54321,54321;gid=54322,54322,54322;");
	assert_said("CapBnd:0000000000000000;");
	assert_said("reopen:/dev/stdout=0;");
	assert_state(SEAL_DESCRIPTORS, STATE_ENFORCED);
	assert_state(SEAL_BOUNDING, STATE_ENFORCED);
}

static void become_nobody(void)
{
	if (setgroups(0, NULL) < 0 || setresgid(GID, GID, GID) < 0 || setresuid(UID, UID, UID) < 0)
		_exit(97);
	/* As init does for itself. */
	prctl(PR_SET_DUMPABLE, 0UL, 0UL, 0UL, 0UL);
}

static void without_root(void **state)
{
	(void)state;
	need_root();
	ask("all", NULL);
	run(become_nobody);
	assert_ran();
	assert_said("uid=54321,54321,54321;");
	assert_said("oom=1000;");
	assert_said("CapPrm:0000000000000000;CapEff:0000000000000000;");
	assert_said("NoNewPrivs:1;");
	assert_state(SEAL_UID, STATE_BY_ENGINE);
	assert_state(SEAL_GROUPS, STATE_BY_ENGINE);
	assert_state(SEAL_OOM_SCORE, STATE_ENFORCED);
	assert_state(SEAL_BOUNDING, STATE_UNAVAILABLE);
	assert_state(SEAL_AMBIENT, STATE_ENFORCED);
}

static void ids_that_cannot_be_had(void **state)
{
	(void)state;
	need_root();
	ask("all", NULL);
	plan.number[OPTION_UID] = UID + 7;
	run(become_nobody);
	assert_failed(SEAL_GROUPS, EPERM, 125);
	assert_string_equal(out.said, "");
	/* The own ids, asked for: the engine set them, nothing is left to do. */
	plan.number[OPTION_UID] = UID;
	plan.number[OPTION_GID] = GID;
	run(become_nobody);
	assert_ran();
	assert_state(SEAL_GROUPS, STATE_BY_ENGINE);
	assert_state(SEAL_UID, STATE_ENFORCED);
}

static void refused_limits(void **state)
{
	(void)state;
	ask("all", NULL);
	plan.number[OPTION_OPEN_FILES] = UINT64_C(1) << 40;
	run(NULL);
	assert_failed(SEAL_RLIMITS, EPERM, 125);
	assert_int_equal(out.reports, 1);
}

static void workdirs(void **state)
{
	(void)state;
	need_root();
	ask("all", NULL);
	plan.text[OPTION_WORKDIR] = inside("/nowhere");
	run(NULL);
	assert_failed(SEAL_WORKDIR, ENOENT, 125);
	/* Root's own folder: the candidate goes there as itself, and cannot. */
	assert_int_equal(mkdir(inside("/closed"), 0700), 0);
	plan.text[OPTION_WORKDIR] = inside("/closed");
	plan.number[OPTION_UID] = UID;
	run(NULL);
	assert_failed(SEAL_WORKDIR, EACCES, 125);
}

static void hide_dev(void)
{
	if (unshare(CLONE_NEWNS) < 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("none", "/dev", "tmpfs", 0, NULL) < 0)
		_exit(94);
	int fd = open("/dev/null", O_WRONLY | O_CREAT, 0666);
	if (fd < 0 || write(fd, "not empty", 9) != 9)
		_exit(93);
	dup2(fd, 0);
}

/* Nor is its /dev/null: the input is empty whatever stands there. */
static void no_dev(void **state)
{
	(void)state;
	need_root();
	ask("all", NULL);
	run(hide_dev);
	assert_ran();
	assert_said("fds=0,1,2,;stdin=0;");
}

static void leave_a_hole(void)
{
	close(0);
	close(1);
	close(2);
}

/* Init started with its standard streams closed: the pipes must not land on each other. */
static void closed_streams(void **state)
{
	(void)state;
	ask("all", NULL);
	run(leave_a_hole);
	assert_ran();
	assert_said("fds=0,1,2,;stdin=0;");
	job.plain = true;
	run(leave_a_hole);
	assert_ran();
	assert_said("fds=0,1,2,;stdin=0;");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup(everything, fresh),
    cmocka_unit_test_setup(gid_follows_uid, fresh),
    cmocka_unit_test_setup(large_ids, fresh),
    cmocka_unit_test_setup(three_capabilities_suffice, fresh),
    cmocka_unit_test_setup(without_root, fresh),
    cmocka_unit_test_setup(ids_that_cannot_be_had, fresh),
    cmocka_unit_test_setup(refused_limits, fresh),
    cmocka_unit_test_setup(workdirs, fresh),
    cmocka_unit_test_setup(no_dev, fresh),
    cmocka_unit_test_setup(closed_streams, fresh),
};
SEALED_MAIN(tests)
