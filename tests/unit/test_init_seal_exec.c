/* The seal on the live kernel: what is execed and what is not, with which environment, and what init forgets before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sealed.h"

static void commands(void **state)
{
	(void)state;
	make_file(inside("/plain"), "#!/bin/sh\n", 0644);
	make_file(inside("/orphan"), "#!/no/such/interpreter\n", 0755);
	make_file(inside("/garbage"), "\x01\x02\x03", 0755);
	assert_int_equal(symlink("/proc/self/exe", inside("/prober")), 0);
	static const struct {
		const char *name;
		int error, status;
	} cases[] = {
	    {"", ENOENT, 127},
	    {"no-such-command-anywhere", ENOENT, 127},
	    {"/no/such/command", ENOENT, 127},
	    {"/etc/passwd/below", ENOTDIR, 127},
	    {"/", EACCES, 126},
	    {"./plain", EACCES, 126},
	    {"plain", EACCES, 126},
	    {"./orphan", ENOENT, 127},
	    {"orphan", ENOENT, 127},
	    {"./garbage", ENOEXEC, 126},
	    {"garbage", ENOEXEC, 126},
	};
	static char path[sizeof folder + 64];
	snprintf(path, sizeof path, "PATH=/nowhere:%s:/bin", folder);
	plan.env[0] = path;
	plan.envs = 1;
	plan.text[OPTION_WORKDIR] = folder;
	char *command[] = {NULL, NULL};
	plan.command = command;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		command[0] = strdup(cases[i].name);
		run(NULL);
		assert_int_equal(out.reports, 2);
		assert_int_equal(out.report[0].failed, SEAL_END);
		assert_failed(SEAL_EXEC, cases[i].error, cases[i].status);
		free(command[0]);
	}
	ask("env", NULL);
	static char prober[] = "prober", dotted[] = "./prober", nested[] = "../prober";
	words[0] = prober;
	run(NULL);
	assert_ran();
	words[0] = dotted;
	run(NULL);
	assert_ran();
	/* An empty part of PATH is the working directory; a relative command is relative to --workdir. */
	snprintf(path, sizeof path, "PATH=/nowhere:");
	words[0] = prober;
	run(NULL);
	assert_ran();
	plan.text[OPTION_WORKDIR] = inside("/sub");
	assert_int_equal(mkdir(inside("/sub"), 0755), 0);
	words[0] = nested;
	run(NULL);
	assert_ran();
}

static void exhausted_uid(void **state)
{
	(void)state;
	assert_int_equal(seal_exit_status(SEAL_EXEC, EAGAIN), 125);
	assert_int_equal(seal_exit_status(SEAL_EXEC, EPERM), 126);
	assert_int_equal(seal_exit_status(SEAL_UID, ENOENT), 125);
	assert_null(seal_step_name(SEAL_END));
	assert_string_equal(seal_step_name(SEAL_NO_NEW_PRIVS), "no-new-privs");
}

/* ---- environment ---- */

static void environments(void **state)
{
	(void)state;
	static char a[] = "A=1", b[] = "B=2", ab[] = "AB=3", secret[] = "SECRET=x", path[] = "PATH=/opt/bin";
	static char *environment[] = {a, b, ab, secret, path, NULL};
	static const char built[] = "[PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin]";
	char expected[512];

	ask("env", NULL);
	job.environment = environment;
	run(NULL);
	assert_ran();
	snprintf(expected, sizeof expected, "%s[HOME=/]", built);
	assert_string_equal(out.said, expected);
	assert_state(SEAL_ENVIRONMENT, STATE_ENFORCED);

	plan.env[0] = "A=new";
	plan.env[1] = "HOME=/h";
	plan.env[2] = "A=newest";
	plan.env[3] = "C==";
	plan.envs = 4;
	plan.text[OPTION_KEEP_ENV] = "A,,AB,NONE,PATH";
	run(NULL);
	assert_ran();
	assert_string_equal(out.said, "[PATH=/opt/bin][HOME=/h][A=newest][AB=3][C==]");

	job.plain = true;
	plan.text[OPTION_KEEP_ENV] = NULL;
	plan.envs = 1;
	run(NULL);
	assert_ran();
	assert_string_equal(out.said, "[A=new][B=2][AB=3][SECRET=x][PATH=/opt/bin]");

	plan.envs = 0;
	run(NULL);
	assert_ran();
	assert_string_equal(out.said, "[A=1][B=2][AB=3][SECRET=x][PATH=/opt/bin]");
	assert_state(SEAL_ENVIRONMENT, STATE_OFF);
}

/* ---- plain use ---- */

static void kept_stdin(void)
{
	int fd[2];
	if (pipe(fd) < 0 || dup2(fd[0], 0) < 0 || write(fd[1], "x", 1) != 1)
		_exit(96);
}

static void plain_keeps_stdin(void **state)
{
	(void)state;
	ask("all", NULL);
	job.plain = true;
	run(kept_stdin);
	assert_ran();
	assert_said("fds=0,1,2,;stdin=1;");
	assert_state(SEAL_UMASK, STATE_OFF);
	assert_state(SEAL_RLIMITS, STATE_OFF);
}

/* ---- secrets ---- */

static void secrets_are_wiped(void **state)
{
	(void)state;
	char *shared = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(shared != MAP_FAILED);
	memset(shared, 'k', 8192);
	ask("env", NULL);
	job.secret[0] = (struct seal_secret){shared, 32};
	job.secret[1] = (struct seal_secret){shared + 100, 5000};
	job.secrets = 2;
	run(NULL);
	assert_ran();
	for (size_t i = 0; i < 8192; i++)
		assert_int_equal(shared[i], i < 32 || (i >= 100 && i < 5100) ? 0 : 'k');
	munmap(shared, 8192);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup(commands, fresh),
    cmocka_unit_test_setup(exhausted_uid, fresh),
    cmocka_unit_test_setup(environments, fresh),
    cmocka_unit_test_setup(plain_keeps_stdin, fresh),
    cmocka_unit_test_setup(secrets_are_wiped, fresh),
};
SEALED_MAIN(tests)
