/*
 * The seal on the live kernel: a child seals itself and becomes this program again, which tells what it finds. The
 * probe trusts nothing that the seal says of itself; it looks.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "seal/seal.h"
#include "sys/caps.h"
#include "sys/landlock.h"
#include "sys/pipe.h"
#include "sys/seccomp.h"
#include "wire/require.h"

enum { UID = 54321, GID = 54322 };

/* ---- the probe ---- */

static void tell_status(void)
{
	static const char *const wanted[] = {"Groups:", "SigBlk:", "SigIgn:", "CapInh:", "CapPrm:", "CapEff:",
	    "CapBnd:", "CapAmb:", "NoNewPrivs:", "Seccomp:"};
	char text[256];
	FILE *status = fopen("/proc/self/status", "re");
	while (status && fgets(text, sizeof text, status))
		for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
			if (strncmp(text, wanted[i], strlen(wanted[i])) == 0) {
				char *value = text + strlen(wanted[i]);
				value += strspn(value, " \t");
				value[strcspn(value, " \n")] = '\0';
				printf("%s%s;", wanted[i], value);
			}
	if (status)
		fclose(status);
}

static void tell_all(void)
{
	uid_t r, e, s;
	gid_t gr, ge, gs;
	if (getresuid(&r, &e, &s) < 0 || getresgid(&gr, &ge, &gs) < 0)
		_exit(99);
	printf("uid=%u,%u,%u;gid=%u,%u,%u;", r, e, s, gr, ge, gs);
	printf("leader=%d;", getsid(0) == getpid());
	printf("fds=");
	for (int fd = 0; fd < 2000; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			printf("%d,", fd);
	printf(";");
	char byte;
	printf("stdin=%zd;", read(0, &byte, 1));
	mode_t mask = umask(0);
	printf("umask=%o;", (unsigned)mask);
	umask(mask);
	/* The hard limit alone: sanitizers lower the soft one, as any candidate may. */
	struct rlimit core;
	getrlimit(RLIMIT_CORE, &core);
	printf("core=%lld;", (long long)core.rlim_max);
	static const struct {
		const char *name;
		__rlimit_resource_t resource;
	} limits[] = {{"nofile", RLIMIT_NOFILE}, {"fsize", RLIMIT_FSIZE}, {"stack", RLIMIT_STACK},
	    {"nproc", RLIMIT_NPROC}};
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		struct rlimit l;
		getrlimit(limits[i].resource, &l);
		printf("%s=%lld,%lld;", limits[i].name, (long long)l.rlim_cur, (long long)l.rlim_max);
	}
	char score[16] = "";
	FILE *f = fopen("/proc/self/oom_score_adj", "re");
	if (f) {
		if (fgets(score, sizeof score, f))
			score[strcspn(score, "\n")] = '\0';
		fclose(f);
	}
	printf("oom=%s;", score);
	char at[4096];
	printf("cwd=%s;", getcwd(at, sizeof at) ? at : "?");
	tell_status();
}

static int reopen(const char *path)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	return fd < 0 ? errno : write(fd, "!", 1) == 1 ? 0 : errno;
}

static int connect_tcp(void)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr to = {.sa_family = AF_INET};
	return connect(fd, &to, sizeof to) < 0 ? errno : 0;
}

/* One word, one thing tried; the errno is told. */
static int attempt(const char *word)
{
	const char *path = strchr(word, ':');
	path = path ? path + 1 : "";
	if (strncmp(word, "create:", 7) == 0)
		return open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) < 0 ? errno : 0;
	if (strncmp(word, "write:", 6) == 0)
		return open(path, O_WRONLY | O_CLOEXEC) < 0 ? errno : 0;
	if (strncmp(word, "read:", 5) == 0)
		return open(path, O_RDONLY | O_CLOEXEC) < 0 ? errno : 0;
	if (strncmp(word, "truncate:", 9) == 0)
		return truncate(path, 0) < 0 ? errno : 0;
	if (strncmp(word, "mkdir:", 6) == 0)
		return mkdir(path, 0700) < 0 ? errno : 0;
	if (strncmp(word, "unlink:", 7) == 0)
		return unlink(path) < 0 ? errno : 0;
	if (strncmp(word, "reopen:", 7) == 0)
		return reopen(path);
	if (strcmp(word, "signal-parent") == 0)
		return kill(getppid(), 0) < 0 ? errno : 0;
	if (strcmp(word, "connect") == 0)
		return connect_tcp();
	if (strcmp(word, "personality") == 0)
		return personality(0xffffffff) < 0 ? errno : 0;
	return -1;
}

static int probe(char **words, char **environment)
{
	for (; *words; words++) {
		if (strcmp(*words, "all") == 0)
			tell_all();
		else if (strcmp(*words, "env") == 0)
			for (char **e = environment; *e; e++)
				printf("[%s]", *e);
		else
			printf("%s=%d;", *words, attempt(*words));
	}
	fflush(stdout);
	return 42;
}

/* ---- the run ---- */

static struct outcome {
	struct seal_report report[2];
	int reports;
	int status;
	char said[16384];
} out;

static struct plan plan;
static struct seal_job job;
static char *words[16];
static char folder[] = "/tmp/proctor-seal-XXXXXX";
static char self[4096];

static int fresh(void **state)
{
	(void)state;
	memset(&plan, 0, sizeof plan);
	for (unsigned o = 0; o < OPTION_END; o++)
		plan.number[o] = LIMIT_NONE;
	plan.network = NETWORK_UNSET;
	memset(&job, 0, sizeof job);
	job.plan = &plan;
	static char *nothing[] = {NULL};
	job.environment = nothing;
	return 0;
}

static void ask(const char *first, ...)
{
	static char text[16][256];
	static char program[] = "/proc/self/exe", prober[] = "--probe";
	unsigned n = 0;
	words[n++] = program;
	words[n++] = prober;
	va_list list;
	va_start(list, first);
	for (const char *w = first; w; w = va_arg(list, const char *)) {
		snprintf(text[n], sizeof text[n], "%s", w);
		words[n] = text[n];
		n++;
	}
	va_end(list);
	words[n] = NULL;
	plan.command = words;
}

static void drain(int fd, void *to, size_t size, size_t *have)
{
	for (ssize_t n; *have < size && (n = read(fd, (char *)to + *have, size - *have)) != 0;) {
		if (n < 0 && errno != EINTR)
			break;
		if (n > 0)
			*have += (size_t)n;
	}
}

static void run(void (*before)(void))
{
	int output[2], report[2];
	bool ids = plan.number[OPTION_UID] != LIMIT_NONE;
	int r = pipe_owned(
	    output, ids ? (uint32_t)plan.number[OPTION_UID] : geteuid(), ids ? seal_gid(&plan) : getegid());
	assert_int_equal(r, 0);
	assert_int_equal(fcntl(output[0], F_SETFL, 0), 0);
	assert_int_equal(pipe2(report, O_CLOEXEC), 0);
	job.output = job.error = output[1];
	job.report = report[1];

	memset(&out, 0, sizeof out);
	pid_t child = fork();
	if (child == 0) {
		if (before)
			before();
		seal_and_exec(&job);
	}
	assert_true(child > 0);
	close(output[1]);
	close(report[1]);
	size_t reported = 0, said = 0;
	drain(report[0], out.report, sizeof out.report, &reported);
	drain(output[0], out.said, sizeof out.said - 1, &said);
	close(report[0]);
	close(output[0]);
	assert_int_equal(waitpid(child, &out.status, 0), child);
	assert_int_equal(reported % sizeof out.report[0], 0);
	out.reports = (int)(reported / sizeof out.report[0]);
}

static void assert_said(const char *what)
{
	if (!strstr(out.said, what))
		fail_msg("\"%s\" is not in \"%s\"", what, out.said);
}

static void assert_ran(void)
{
	if (out.reports != 1 || !WIFEXITED(out.status) || WEXITSTATUS(out.status) != 42)
		fail_msg("reports %d, failed step %s, error %d, status %x, said %s", out.reports,
		    seal_step_name(out.report[out.reports > 1].failed), out.report[out.reports > 1].error,
		    (unsigned)out.status, out.said);
	assert_int_equal(out.report[0].failed, SEAL_END);
}

static void assert_failed(enum seal_step step, int error, int status)
{
	const struct seal_report *last = &out.report[out.reports == 2];
	assert_int_equal(last->failed, step);
	assert_int_equal(last->error, error);
	assert_true(WIFEXITED(out.status));
	assert_int_equal(WEXITSTATUS(out.status), status);
	assert_int_equal(status, seal_exit_status(step, error));
}

static void assert_state(enum seal_step step, enum layer_state state)
{
	if (out.report[0].state[step] != state)
		fail_msg("%s is %s, not %s", seal_step_name(step),
		    layer_state_name((enum layer_state)out.report[0].state[step]), layer_state_name(state));
}

static void need_root(void)
{
	if (geteuid() != 0)
		skip();
}

static const char *inside(const char *name)
{
	static char path[32][sizeof folder + 64];
	static unsigned next;
	next = (next + 1) % 32;
	snprintf(path[next], sizeof path[0], "%s%s", folder, name);
	return path[next];
}

static const char *word(const char *verb, const char *path)
{
	static char text[8][256];
	static unsigned next;
	next = (next + 1) % 8;
	snprintf(text[next], sizeof text[0], "%s:%s", verb, path);
	return text[next];
}

/* ---- what is tried ---- */

static void open_doors(void)
{
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
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

/* ---- exec ---- */

static void make_file(const char *path, const char *text, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	assert_int_equal(fchmod(fd, mode), 0);
	close(fd);
}

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

/* ---- Landlock ---- */

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

static const struct sock_filter *refuse(int number, uint32_t error)
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

static int clean(void **state)
{
	(void)state;
	static const char *const made[] = {"/out/a", "/out/d", "/out", "/tmp/b", "/tmp", "/elsewhere/file",
	    "/elsewhere", "/closed", "/plain", "/orphan", "/garbage", "/prober", "/sub", ""};
	for (size_t i = 0; i < sizeof made / sizeof *made; i++)
		if (unlink(inside(made[i])) < 0)
			(void)rmdir(inside(made[i]));
	return 0;
}

static int set_up(void **state)
{
	(void)state;
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	if (n <= 0 || !mkdtemp(folder) || chmod(folder, 0755) < 0)
		return -1;
	self[n] = '\0';
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "--probe") == 0)
		_exit(probe(argv + 2, environ));
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(everything, fresh),
	    cmocka_unit_test_setup(gid_follows_uid, fresh),
	    cmocka_unit_test_setup(large_ids, fresh),
	    cmocka_unit_test_setup(three_capabilities_suffice, fresh),
	    cmocka_unit_test_setup(without_root, fresh),
	    cmocka_unit_test_setup(ids_that_cannot_be_had, fresh),
	    cmocka_unit_test_setup(refused_limits, fresh),
	    cmocka_unit_test_setup(workdirs, fresh),
	    cmocka_unit_test_setup(commands, fresh),
	    cmocka_unit_test_setup(exhausted_uid, fresh),
	    cmocka_unit_test_setup(environments, fresh),
	    cmocka_unit_test_setup(plain_keeps_stdin, fresh),
	    cmocka_unit_test_setup(secrets_are_wiped, fresh),
	    cmocka_unit_test_setup(only_beneath, fresh),
	    cmocka_unit_test_setup(nothing_to_grant, fresh),
	    cmocka_unit_test_setup(scopes, fresh),
	    cmocka_unit_test_setup(filters, fresh),
	    cmocka_unit_test_setup(lacking_kernels, fresh),
	    cmocka_unit_test_setup(no_proc, fresh),
	    cmocka_unit_test_setup(no_dev, fresh),
	    cmocka_unit_test_setup(closed_streams, fresh),
	};
	return cmocka_run_group_tests(tests, set_up, clean);
}
