/* The seal on the live kernel: Landlock and filters in force, and kernels that lack a call, made with a filter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sealed.h"

static void need_landlock(int abi)
{
	if (landlock_abi() < abi)
		skip();
}

static void only_beneath(void **state)
{
	(void)state;
	need_landlock(1);
	need_root();
	static const char *const made[] = {"/out", "/tmp", "/elsewhere"};
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(mkdir(inside(made[i]), 0777), 0);
		assert_int_equal(chmod(inside(made[i]), 0777), 0);
	}
	make_file(inside("/elsewhere/file"), "text", 0666);
	plan.text[OPTION_OUTPUT] = inside("/out");
	plan.scratch[0] = inside("/tmp");
	plan.scratches = 1;
	plan.number[OPTION_UID] = UID;
	ask(word("create", inside("/out/a")), word("create", inside("/tmp/b")),
	    word("mkdir", inside("/out/d")), word("create", inside("/elsewhere/c")),
	    word("mkdir", inside("/elsewhere/d")), word("write", inside("/elsewhere/file")), NULL);
	run(NULL);
	assert_ran();
	assert_said("/out/a=0;");
	assert_said("/tmp/b=0;");
	assert_said("/out/d=0;");
	assert_said("/elsewhere/c=13;");
	assert_said("/elsewhere/d=13;");
	assert_said("/elsewhere/file=13;");

	ask(word("read", inside("/elsewhere/file")), word("truncate", inside("/elsewhere/file")),
	    word("unlink", inside("/elsewhere/file")), "write:/dev/null", "read:/dev/zero",
	    "write:/proc/self/oom_score_adj", "write:/proc/self/comm", "reopen:/dev/stdout", NULL);
	run(NULL);
	assert_ran();
	assert_said("read:");
	assert_said("/elsewhere/file=0;truncate:");
	assert_said(landlock_abi() >= LANDLOCK_ABI_TRUNCATE ? "/elsewhere/file=13;unlink:" : "truncate:");
	assert_said("/elsewhere/file=13;write:/dev/null=0;read:/dev/zero=0;write:/proc/self/oom_score_adj=13;"
		    "write:/proc/self/comm=13;");
	assert_said("reopen:/dev/stdout=0;");
	assert_state(
	    SEAL_LANDLOCK, landlock_abi() >= LANDLOCK_ABI_TRUNCATE ? STATE_ENFORCED : STATE_BEST_EFFORT);
	assert_string_equal(plan.scratch[0], inside("/tmp"));
}

static void nothing_to_grant(void **state)
{
	(void)state;
	need_landlock(1);
	ask("env", NULL);
	plan.text[OPTION_OUTPUT] = inside("/not-there");
	run(NULL);
	assert_failed(SEAL_LANDLOCK, ENOENT, 125);
}

/* The same uid, and still no signal to init; TCP refused before the address is looked at. */
static void scopes(void **state)
{
	(void)state;
	need_landlock(LANDLOCK_ABI_SCOPE);
	plan.scratch[0] = "/tmp";
	plan.scratches = 1;
	plan.network = NETWORK_NONE;
	ask("signal-parent", "connect", NULL);
	run(NULL);
	assert_ran();
	assert_said("signal-parent=1;connect=13;");
	plan.network = NETWORK_LOOPBACK;
	run(NULL);
	assert_ran();
	assert_said("signal-parent=1;connect=111;");
	plan.scratches = 0;
	run(NULL);
	assert_ran();
	assert_said("signal-parent=0;");
}

/* ---- seccomp, and kernels that lack things ---- */

static struct sock_filter *refuse(int number, uint32_t error)
{
	static struct sock_filter program[4];
	program[0] =
	    (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	program[1] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 1);
	program[2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error);
	program[3] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	return program;
}

static void filters(void **state)
{
	(void)state;
	ask("all", "personality", NULL);
	job.filter = refuse(SYS_personality, 77);
	job.filters = 4;
	run(NULL);
	assert_ran();
	assert_said("personality=77;");
	assert_said("Seccomp:2;");
	assert_state(SEAL_SECCOMP, STATE_ENFORCED);

	/* The question whether a filter is there, refused by the filter, is an answer. */
	job.filter = refuse(SYS_prctl, EPERM);
	run(NULL);
	assert_ran();
	assert_state(SEAL_SECCOMP, STATE_ENFORCED);

	/* An empty program is what the kernel calls EINVAL. */
	job.filters = 0;
	run(NULL);
	assert_ran();
	assert_said("Seccomp:0;");
	assert_state(SEAL_SECCOMP, STATE_UNAVAILABLE);
}

static int refused_call;
static uint32_t refused_error;

static void refuse_before(void)
{
	for (int fd = 5; fd < 1500; fd += 7)
		dup2(2, fd);
	if (caps_no_new_privs() < 0 || seccomp_load(refuse(refused_call, refused_error), 4) < 0)
		_exit(95);
}

static void lacking_kernels(void **state)
{
	(void)state;
	static const struct {
		int call;
		uint32_t error;
		enum seal_step step;
		enum layer_state then;
	} cases[] = {
	    {SYS_close_range, ENOSYS, SEAL_DESCRIPTORS, STATE_ENFORCED},
	    {SYS_close_range, EPERM, SEAL_DESCRIPTORS, STATE_ENFORCED},
	    {SYS_landlock_create_ruleset, ENOSYS, SEAL_LANDLOCK, STATE_UNAVAILABLE},
	    {SYS_landlock_create_ruleset, EPERM, SEAL_LANDLOCK, STATE_UNAVAILABLE},
	    {SYS_landlock_create_ruleset, EOPNOTSUPP, SEAL_LANDLOCK, STATE_UNAVAILABLE},
	    {SYS_landlock_restrict_self, EPERM, SEAL_LANDLOCK, STATE_UNAVAILABLE},
	    {SYS_seccomp, EBUSY, SEAL_SECCOMP, STATE_UNAVAILABLE},
	    {SYS_seccomp, EINVAL, SEAL_SECCOMP, STATE_UNAVAILABLE},
	    {SYS_seccomp, ENOSYS, SEAL_SECCOMP, STATE_ENFORCED},
	    {SYS_capset, EPERM, SEAL_AMBIENT, STATE_UNAVAILABLE},
	    {SYS_prctl, EPERM, SEAL_BOUNDING, STATE_UNAVAILABLE},
	    {SYS_prctl, ENOSYS, SEAL_NO_NEW_PRIVS, STATE_UNAVAILABLE},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		static struct sock_filter allow[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
		fresh(NULL);
		plan.scratch[0] = "/tmp";
		plan.scratches = landlock_abi() > 0;
		job.filter = allow;
		job.filters = 1;
		ask("all", NULL);
		refused_call = cases[i].call;
		refused_error = cases[i].error;
		if (cases[i].step == SEAL_LANDLOCK && landlock_abi() < 1)
			continue;
		run(refuse_before);
		assert_ran();
		assert_said("fds=0,1,2,;");
		assert_state(cases[i].step, cases[i].then);
	}
}

static void hide_proc(void)
{
	for (int fd = 5; fd < 1500; fd += 7)
		dup2(2, fd);
	if (unshare(CLONE_NEWNS) < 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("none", "/proc", "tmpfs", 0, NULL) < 0 || mkdir("/proc/self", 0755) < 0)
		_exit(94);
	/* As an image may have it: a file that takes anything. */
	close(open("/proc/self/oom_score_adj", O_WRONLY | O_CREAT, 0666));
	refused_call = SYS_close_range;
	refused_error = ENOSYS;
	if (caps_no_new_privs() < 0 || seccomp_load(refuse(refused_call, refused_error), 4) < 0)
		_exit(95);
}

/* An image's own /proc is believed by nobody, and without one descriptors are closed all the same. */
static void no_proc(void **state)
{
	(void)state;
	need_root();
	ask("all", NULL);
	words[0] = self;
	run(hide_proc);
	assert_ran();
	assert_said("fds=0,1,2,;");
	assert_state(SEAL_OOM_SCORE, STATE_UNAVAILABLE);
	assert_state(SEAL_DESCRIPTORS, STATE_ENFORCED);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup(only_beneath, fresh),
    cmocka_unit_test_setup(nothing_to_grant, fresh),
    cmocka_unit_test_setup(scopes, fresh),
    cmocka_unit_test_setup(filters, fresh),
    cmocka_unit_test_setup(lacking_kernels, fresh),
    cmocka_unit_test_setup(no_proc, fresh),
};
SEALED_MAIN(tests)
