/*
 * For the tests of the seal: a run, and a probe. A child seals itself and becomes the test program again, which tells
 * what it finds; it trusts nothing that the seal says of itself. Included by one test program each.
 */
#ifndef PROCTOR_TESTS_SEALED_H
#define PROCTOR_TESTS_SEALED_H

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

static inline void tell_status(void)
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

static inline void tell_all(void)
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

static inline int reopen(const char *path)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	return fd < 0 ? errno : write(fd, "!", 1) == 1 ? 0 : errno;
}

static inline int connect_tcp(void)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr to = {.sa_family = AF_INET};
	return connect(fd, &to, sizeof to) < 0 ? errno : 0;
}

/* One word, one thing tried; the errno is told. */
static inline int attempt(const char *word)
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

static inline int probe(char **words, char **environment)
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
static int listener = -1; /* the seal's end of a hand-over */
static char *words[16];
static char folder[] = "/tmp/proctor-seal-XXXXXX";
static char self[4096];

static inline int fresh(void **state)
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

static inline void ask(const char *first, ...)
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

static inline void drain(int fd, void *to, size_t size, size_t *have)
{
	for (ssize_t n; *have < size && (n = read(fd, (char *)to + *have, size - *have)) != 0;) {
		if (n < 0 && errno != EINTR)
			break;
		if (n > 0)
			*have += (size_t)n;
	}
}

static inline void run(void (*before)(void))
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
	job.listener = listener;

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

static inline void assert_said(const char *what)
{
	if (!strstr(out.said, what))
		fail_msg("\"%s\" is not in \"%s\"", what, out.said);
}

static inline void assert_ran(void)
{
	if (out.reports != 1 || !WIFEXITED(out.status) || WEXITSTATUS(out.status) != 42)
		fail_msg("reports %d, failed step %s, error %d, status %x, said %s", out.reports,
		    seal_step_name(out.report[out.reports > 1].failed), out.report[out.reports > 1].error,
		    (unsigned)out.status, out.said);
	assert_int_equal(out.report[0].failed, SEAL_END);
}

static inline void assert_failed(enum seal_step step, int error, int status)
{
	const struct seal_report *last = &out.report[out.reports == 2];
	assert_int_equal(last->failed, step);
	assert_int_equal(last->error, error);
	assert_true(WIFEXITED(out.status));
	assert_int_equal(WEXITSTATUS(out.status), status);
	assert_int_equal(status, seal_exit_status(step, error));
}

static inline void assert_state(enum seal_step step, enum layer_state state)
{
	if (out.report[0].state[step] != state)
		fail_msg("%s is %s, not %s", seal_step_name(step),
		    layer_state_name((enum layer_state)out.report[0].state[step]), layer_state_name(state));
}

static inline void need_root(void)
{
	if (geteuid() != 0)
		skip();
}

static inline const char *inside(const char *name)
{
	static char path[32][sizeof folder + 64];
	static unsigned next;
	next = (next + 1) % 32;
	snprintf(path[next], sizeof path[0], "%s%s", folder, name);
	return path[next];
}

static inline const char *word(const char *verb, const char *path)
{
	static char text[8][256];
	static unsigned next;
	next = (next + 1) % 8;
	snprintf(text[next], sizeof text[0], "%s:%s", verb, path);
	return text[next];
}

static inline void make_file(const char *path, const char *text, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	assert_int_equal(fchmod(fd, mode), 0);
	close(fd);
}

static inline int clean(void **state)
{
	(void)state;
	static const char *const made[] = {"/out/a", "/out/d", "/out", "/tmp/b", "/tmp", "/elsewhere/file",
	    "/elsewhere", "/closed", "/plain", "/orphan", "/garbage", "/prober", "/sub", ""};
	for (size_t i = 0; i < sizeof made / sizeof *made; i++)
		if (unlink(inside(made[i])) < 0)
			(void)rmdir(inside(made[i]));
	return 0;
}

static inline int set_up(void **state)
{
	(void)state;
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	if (n <= 0 || !mkdtemp(folder) || chmod(folder, 0755) < 0)
		return -1;
	self[n] = '\0';
	return 0;
}

/* The main of a test program: the probe when the seal has execed it, else the tests. */
#define SEALED_MAIN(tests) \
	int main(int argc, char **argv) \
	{ \
		if (argc > 1 && strcmp(argv[1], "--probe") == 0) \
			_exit(probe(argv + 2, environ)); \
		return cmocka_run_group_tests(tests, set_up, clean); \
	}

#endif
