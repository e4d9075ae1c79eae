/* Processes that multiply, stay behind, stop or kill each other, and that go for init. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "probe.h"

/* Every process forks for ever; a refused fork is tried again. */
static int bomb(int argc, char **argv)
{
	(void)argc, (void)argv;
	for (;;)
		fork();
	return 99;
}

/* As many children as there may be; at the first refusal it ends, with a good table if it is to look well. */
static int give_up(int argc, char **argv)
{
	(void)argv;
	for (;;) {
		pid_t child = fork();
		if (child < 0)
			break;
		if (child == 0)
			wait_forever();
	}
	if (argc > 0)
		good_table();
	return argc > 0 ? 0 : 1;
}

/* Computes for so many milliseconds of CPU time. */
static int compute(int argc, char **argv)
{
	long wanted = number(argc, argv, 0, 100);
	struct timespec t;
	good_table();
	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	while (t.tv_sec * 1000 + t.tv_nsec / 1000000 < wanted);
	return 0;
}

/* Never many, but each process replaces itself at once: a list of them is old when it is read. */
static int comets(int argc, char **argv)
{
	(void)argc, (void)argv;
	for (int i = 0; i < 8; i++)
		if (fork() == 0) {
			setsid();
			for (;;)
				if (fork() > 0)
					_exit(0);
		}
	wait_forever();
}

static void *idle(void *unused)
{
	(void)unused;
	wait_forever();
}

/* Threads count as processes do. */
static int threads(int argc, char **argv)
{
	(void)argc, (void)argv;
	pthread_attr_t small;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 16384);
	for (;;) {
		pthread_t t;
		if (pthread_create(&t, &small, idle, NULL) != 0)
			sched_yield();
	}
	return 99;
}

/* Waits until no zombie is left in this container; it sees the processes of its own uid. */
static void await_no_zombie(void)
{
	for (int found = 1; found;) {
		found = 0;
		DIR *d = opendir("/proc");
		if (d == NULL)
			_exit(102);
		for (const struct dirent *e; (e = readdir(d)) != NULL;) {
			char path[300], text[512], *end;
			if (e->d_name[0] < '0' || e->d_name[0] > '9')
				continue;
			snprintf(path, sizeof path, "/proc/%s/stat", e->d_name);
			int fd = open(path, O_RDONLY | O_CLOEXEC);
			if (fd < 0)
				continue;
			ssize_t n = read(fd, text, sizeof text - 1);
			close(fd);
			text[n > 0 ? n : 0] = 0;
			end = strrchr(text, ')');
			found |= end != NULL && end[1] == ' ' && end[2] == 'Z';
		}
		closedir(d);
		sched_yield();
	}
}

/* Orphans that all end in the same moment: init has to reap every one of them. */
static int orphans(int argc, char **argv)
{
	long count = number(argc, argv, 0, 100);
	int gate[2], dead[2];
	char byte;
	if (pipe(gate) < 0 || pipe(dead) < 0)
		return 1;
	for (long i = 0; i < count; i++) {
		pid_t child = fork();
		if (child < 0)
			return 2;
		if (child == 0) {
			if (fork() != 0)
				_exit(0);
			close(gate[1]);
			_exit(read(gate[0], &byte, 1) != 0);
		}
		waitpid(child, NULL, 0);
	}
	close(gate[1]);
	close(dead[1]);
	if (read(dead[0], &byte, 1) != 0)
		return 3;
	await_no_zombie();
	say("reaped");
	good_table();
	return 0;
}

/* A daemon in its own session keeps both streams open; the main process is done. */
static int survivor(int argc, char **argv)
{
	(void)argc, (void)argv;
	int ready[2];
	char byte;
	if (pipe(ready) < 0)
		return 1;
	if (fork() == 0) {
		setsid();
		if (fork() != 0)
			_exit(0);
		signal(SIGTERM, SIG_IGN);
		signal(SIGHUP, SIG_IGN);
		if (write(ready[1], "r", 1) != 1)
			_exit(1);
		wait_forever();
	}
	wait(NULL);
	if (read(ready[0], &byte, 1) != 1)
		return 2;
	good_table();
	return 0;
}

static int stop_all(int argc, char **argv)
{
	(void)argc, (void)argv;
	for (int i = 0; i < 4; i++)
		if (fork() == 0)
			wait_forever();
	say("stopping");
	kill(-1, SIGSTOP);
	kill(getpid(), SIGSTOP);
	return 99;
}

/* Its own process goes on; init must be there afterwards to tell the tale. */
static int kill_all(int argc, char **argv)
{
	(void)argc, (void)argv;
	pid_t child = fork();
	if (child == 0)
		wait_forever();
	kill(-1, SIGTERM);
	kill(-1, SIGKILL);
	waitpid(child, NULL, 0);
	say("killed all");
	good_table();
	return 0;
}

/* Whatever can be done to another process, done to process 1. */
static int attack_init(int argc, char **argv)
{
	(void)argc, (void)argv;
	const long high = 1L << 32;
	static const int signals[] = {SIGKILL, SIGSTOP, SIGTERM, SIGCHLD, SIGHUP, SIGINT, SIGUSR1, SIGALRM};
	static const char *const files[] = {"/proc/1/mem", "/proc/1/environ", "/proc/1/fd/0", "/proc/1/fd/1",
	    "/proc/1/fd/2", "/proc/1/fd/3", "/proc/1/fd/4", "/proc/1/fd/5", "/proc/1/exe", "/proc/1/root",
	    "/proc/1/cwd", "/proc/1/syscall", "/proc/1/stack", "/proc/1/auxv", "/proc/1/maps", "/proc/1/io"};
	char what[64], word[8];
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		snprintf(what, sizeof what, "kill-1-%d", signals[i]);
		deny(what, kill(1, signals[i]));
		snprintf(what, sizeof what, "kill-1-high-word-%d", signals[i]);
		deny(what, syscall(SYS_kill, high | 1, (long)signals[i]));
		snprintf(what, sizeof what, "tgkill-1-%d", signals[i]);
		deny(what, syscall(SYS_tgkill, 1L, 1L, (long)signals[i]));
		snprintf(what, sizeof what, "tkill-1-%d", signals[i]);
		deny(what, syscall(SYS_tkill, high | 1, (long)signals[i]));
	}
	siginfo_t info = {.si_signo = SIGTERM, .si_code = SI_QUEUE};
	deny("sigqueue-1", syscall(SYS_rt_sigqueueinfo, 1L, (long)SIGTERM, &info));
	long handle = syscall(SYS_pidfd_open, 1L, 0L);
	if (handle >= 0) {
		deny("pidfd-signal-1", syscall(SYS_pidfd_send_signal, handle, (long)SIGTERM, NULL, 0L));
		deny("pidfd-getfd-1", syscall(SYS_pidfd_getfd, handle, 0L, 0L));
	}
	int folder = open("/proc/1", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	deny("proc-signal-1", syscall(SYS_pidfd_send_signal, (long)folder, (long)SIGTERM, NULL, 0L));
	struct rlimit one = {1, 1};
	deny("prlimit-1-cpu", prlimit(1, RLIMIT_CPU, &one, NULL));
	deny("prlimit-1-nofile-high-word", syscall(SYS_prlimit64, high | 1, (long)RLIMIT_NOFILE, &one, NULL));
	struct sched_param lowest = {0};
	deny("sched-1", syscall(SYS_sched_setscheduler, 1L, (long)SCHED_IDLE, &lowest));
	cpu_set_t none;
	CPU_ZERO(&none);
	CPU_SET(0, &none);
	deny("affinity-1", sched_setaffinity(1, sizeof none, &none));
	deny("priority-1", setpriority(PRIO_PROCESS, 1, 19));
	deny("ioprio-1", syscall(SYS_ioprio_set, 1L, 1L, 3L << 13));
	deny("ptrace-1", ptrace(PTRACE_SEIZE, 1, NULL, NULL));
	struct iovec_like {
		void *base;
		size_t size;
	} local = {word, sizeof word}, remote = {(void *)0x10000, sizeof word};
	deny("vm-read-1", syscall(SYS_process_vm_readv, 1L, &local, 1L, &remote, 1L, 0L));
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		snprintf(what, sizeof what, "open %s", files[i]);
		deny(what, open(files[i], O_RDONLY | O_CLOEXEC));
	}
	/* The kernel may accept an owner here; what counts is that no signal reaches it. */
	int pair[2];
	if (pipe(pair) == 0) {
		fcntl(pair[0], F_SETOWN, 1);
		fcntl(pair[0], F_SETSIG, SIGTERM);
		fcntl(pair[0], F_SETFL, O_ASYNC | O_NONBLOCK);
		for (int i = 0; i < 100; i++)
			if (write(pair[1], "x", 1) != 1)
				break;
	}
	good_table();
	return 0;
}

/* The leader is gone, a thread goes on: /proc shows a zombie that is none. */
static void *spin(void *unused)
{
	(void)unused;
	for (;;)
		;
	return NULL;
}

static int dead_leader(int argc, char **argv)
{
	(void)argc, (void)argv;
	pthread_t t;
	good_table();
	if (pthread_create(&t, NULL, spin, NULL) != 0)
		return 1;
	syscall(SYS_exit, 0L);
	return 99;
}

int main(int argc, char **argv)
{
	static const struct action actions[] = {
	    {"bomb", bomb},
	    {"give-up", give_up},
	    {"compute", compute},
	    {"comets", comets},
	    {"threads", threads},
	    {"orphans", orphans},
	    {"survivor", survivor},
	    {"stop-all", stop_all},
	    {"kill-all", kill_all},
	    {"attack-init", attack_init},
	    {"dead-leader", dead_leader},
	};
	return act(actions, sizeof actions / sizeof *actions, argc, argv);
}
