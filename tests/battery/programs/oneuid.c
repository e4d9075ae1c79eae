/*
 * A candidate with init's own uid goes for process 1, by every call that can name it, with the plain number and with a
 * high word that the kernel drops. Nothing may go through; init must live to tell the tale, on time.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe.h"

#ifndef FIOSETOWN
#define FIOSETOWN 0x8901
#define SIOCSPGRP 0x8902
#endif

/* Three ways to write 1: the filter sees all 64 bits, the kernel takes the low ones. */
static const long one[] = {1, 1L << 32 | 1, (long)0xffffffff00000001};
enum { WAYS = sizeof one / sizeof *one };

#define TRY(way, name, ...) \
	do { \
		char try_what_[80]; \
		snprintf(try_what_, sizeof try_what_, "%s/%d", name, way); \
		deny(try_what_, syscall(__VA_ARGS__)); \
	} while (0)

static int signals(int argc, char **argv)
{
	(void)argc, (void)argv;
	for (int sig = 1; sig <= 64; sig++)
		for (int w = 0; w < WAYS; w++) {
			siginfo_t info = {.si_signo = sig, .si_code = SI_QUEUE};
			TRY(w, "kill", SYS_kill, one[w], (long)sig);
			TRY(w, "tkill", SYS_tkill, one[w], (long)sig);
			TRY(w, "tgkill", SYS_tgkill, one[w], one[w], (long)sig);
			TRY(w, "rt_sigqueueinfo", SYS_rt_sigqueueinfo, one[w], (long)sig, &info);
			TRY(w, "rt_tgsigqueueinfo", SYS_rt_tgsigqueueinfo, one[w], one[w], (long)sig, &info);
		}
	/* With its uid's queue full, the kernel would lose the origin of a queued signal: like one from outside. */
	sigset_t last;
	sigemptyset(&last);
	sigaddset(&last, SIGRTMAX);
	sigprocmask(SIG_BLOCK, &last, NULL);
	for (int i = 0; i < 1000000 && sigqueue(getpid(), SIGRTMAX, (union sigval){0}) == 0; i++)
		;
	siginfo_t info = {.si_signo = SIGTERM, .si_code = SI_QUEUE};
	for (int w = 0; w < WAYS; w++) {
		TRY(w, "queue-full-rt_sigqueueinfo", SYS_rt_sigqueueinfo, one[w], (long)SIGTERM, &info);
		TRY(w, "queue-full-rt_tgsigqueueinfo", SYS_rt_tgsigqueueinfo, one[w], one[w], (long)SIGTERM,
		    &info);
	}
	return 0;
}

static int handles(int argc, char **argv)
{
	(void)argc, (void)argv;
	static const char *const folders[] = {"/proc/1", "/proc/1/task/1", "/proc/self/../1", "/proc/self"};
	for (int w = 0; w < WAYS; w++) {
		TRY(w, "pidfd_open", SYS_pidfd_open, one[w], 0L);
		TRY(w, "pidfd_getfd", SYS_pidfd_getfd, one[w], 0L, 0L);
	}
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		int fd = open(folders[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		for (int s = 0; s <= 64; s++)
			TRY((int)i, "pidfd_send_signal", SYS_pidfd_send_signal, (long)fd, (long)s, NULL, 0L);
		TRY((int)i, "pidfd_send_signal-high", SYS_pidfd_send_signal, (long)fd | 1L << 32,
		    (long)SIGTERM, NULL, 0L);
		TRY((int)i, "process_madvise", SYS_process_madvise, (long)fd, NULL, 0L, (long)MADV_DONTNEED,
		    0L);
		TRY((int)i, "process_mrelease", 448L, (long)fd, 0L);
		TRY((int)i, "setns", SYS_setns, (long)fd, 0L);
	}
	return 0;
}

static int limits(int argc, char **argv)
{
	(void)argc, (void)argv;
	struct rlimit least = {0, 0}, old;
	for (long r = 0; r < RLIM_NLIMITS; r++)
		for (int w = 0; w < WAYS; w++) {
			TRY(w, "prlimit64", SYS_prlimit64, one[w], r, &least, NULL);
			TRY(w, "prlimit64-ask", SYS_prlimit64, one[w], r, NULL, &old);
		}
	return 0;
}

static int schedule(int argc, char **argv)
{
	(void)argc, (void)argv;
	struct sched_param lowest = {0};
	const struct {
		uint32_t size, policy;
		uint64_t flags, rest[4];
	} idle = {48, SCHED_IDLE, 0, {0, 0, 0, 0}};
	unsigned long cpu = 1;
	for (int w = 0; w < WAYS; w++) {
		TRY(w, "sched_setscheduler", SYS_sched_setscheduler, one[w], (long)SCHED_IDLE, &lowest);
		TRY(w, "sched_setscheduler-batch", SYS_sched_setscheduler, one[w], (long)SCHED_BATCH,
		    &lowest);
		TRY(w, "sched_setparam", SYS_sched_setparam, one[w], &lowest);
		TRY(w, "sched_setattr", SYS_sched_setattr, one[w], &idle, 0L);
		TRY(w, "sched_setaffinity", SYS_sched_setaffinity, one[w], sizeof cpu, &cpu);
		TRY(w, "setpriority-process", SYS_setpriority, (long)PRIO_PROCESS, one[w], 19L);
		TRY(w, "setpriority-group", SYS_setpriority, (long)PRIO_PGRP, one[w], 19L);
		TRY(w, "setpriority-user", SYS_setpriority, (long)PRIO_USER | (w ? 1L << 32 : 0),
		    (long)getuid(), 19L);
		TRY(w, "setpriority-user-0", SYS_setpriority, (long)PRIO_USER | (w ? 1L << 32 : 0), 0L, 19L);
		TRY(w, "ioprio_set-process", SYS_ioprio_set, 1L, one[w], 3L << 13);
		TRY(w, "ioprio_set-group", SYS_ioprio_set, 2L, one[w], 3L << 13);
		TRY(w, "ioprio_set-user", SYS_ioprio_set, 3L | (w ? 1L << 32 : 0), (long)getuid(), 3L << 13);
		TRY(w, "prctl-sched-core", SYS_prctl, 62L, 2L, one[w], 0L, 0L);
	}
	/* Its own threads stay its own to place: libgomp and OpenBLAS do so. */
	if (sched_getaffinity(0, sizeof cpu, (cpu_set_t *)&cpu) > 0)
		allow("own-affinity", syscall(SYS_sched_setaffinity, (long)getpid(), sizeof cpu, &cpu));
	allow("own-priority", setpriority(PRIO_PROCESS, 0, 19));
	return 0;
}

/* Who is told of input: a signal of one's choice, sent by the kernel itself. */
static int owners(int argc, char **argv)
{
	(void)argc, (void)argv;
	struct {
		int type;
		int pid;
	} ex = {1, 1}, group = {2, 1};
	int pair[2], number = 1, minus = -1;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) < 0)
		return 1;
	long fd = pair[0];
	for (int w = 0; w < WAYS; w++) {
		const long high = w ? 1L << 32 : 0;
		TRY(w, "F_SETOWN", SYS_fcntl, fd, (long)F_SETOWN | high, one[w]);
		TRY(w, "F_SETOWN-minus", SYS_fcntl, fd, (long)F_SETOWN | high, (long)(uint32_t)-1 | high);
		TRY(w, "F_SETOWN_EX", SYS_fcntl, fd, (long)F_SETOWN_EX | high, &ex);
		TRY(w, "F_SETOWN_EX-group", SYS_fcntl, fd, (long)F_SETOWN_EX | high, &group);
		TRY(w, "F_SETSIG", SYS_fcntl, fd, 10L | high, (long)SIGTERM);
		TRY(w, "FIOSETOWN", SYS_ioctl, fd, (long)FIOSETOWN | high, &number);
		TRY(w, "FIOSETOWN-minus", SYS_ioctl, fd, (long)FIOSETOWN | high, &minus);
		TRY(w, "SIOCSPGRP", SYS_ioctl, fd, (long)SIOCSPGRP | high, &number);
	}
	fcntl(pair[0], F_SETFL, O_ASYNC | O_NONBLOCK);
	for (int i = 0; i < 1000; i++)
		if (write(pair[1], "x", 1) != 1)
			break;
	return 0;
}

static void write_to(const char *file, const char *text)
{
	char path[64], what[80];
	snprintf(path, sizeof path, "/proc/1/%s", file);
	snprintf(what, sizeof what, "write-%s", file);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	deny(what, fd < 0 ? -1 : write(fd, text, strlen(text)));
}

static int files(int argc, char **argv)
{
	(void)argc, (void)argv;
	static const char *const secret[] = {"mem", "environ", "exe", "root", "cwd", "syscall", "stack",
	    "auxv", "maps", "smaps", "pagemap", "io", "map_files", "ns/pid", "fd/0", "fd/1", "fd/2", "fd/3",
	    "fd/4", "fd/5", "fd/6", "fd/7", "fd/8", "fdinfo/3", "task/1/mem", "task/1/fd/1", "task/1/environ",
	    "personality", "patch_state"};
	char path[64], what[80];
	for (size_t i = 0; i < sizeof secret / sizeof *secret; i++) {
		snprintf(path, sizeof path, "/proc/1/%s", secret[i]);
		snprintf(what, sizeof what, "read-%s", secret[i]);
		int fd = open(path, O_RDONLY | O_CLOEXEC);
		char byte[8];
		/* Some open and then say nothing; a folder's or a namespace's descriptor is enough by itself. */
		ssize_t n = fd < 0 ? -1 : read(fd, byte, sizeof byte);
		deny(what, fd >= 0 && n < 0 && errno == EISDIR ? 0 : n);
	}
	int folder = open("/proc/1/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	deny("list-fd", folder);
	write_to("mem", "x");
	write_to("oom_score_adj", "1000");
	write_to("oom_adj", "15");
	write_to("comm", "mine");
	write_to("timerslack_ns", "1000000000");
	write_to("coredump_filter", "0");
	write_to("clear_refs", "1");
	write_to("sched", "0");
	write_to("autogroup", "19");
	write_to("task/1/comm", "mine");
	write_to("setgroups", "deny");
	write_to("attr/current", "x");
	return 0;
}

static int memory(int argc, char **argv)
{
	(void)argc, (void)argv;
	char word[8];
	struct iovec local = {word, sizeof word}, remote = {(void *)0x400000, sizeof word};
	void *page[1] = {(void *)0x400000};
	int node[1] = {0}, status[1];
	unsigned long nodes = 1;
	struct {
		uint32_t type, size;
		uint64_t rest[15];
	} counter = {1, 128, {1}};
	for (int w = 0; w < WAYS; w++) {
		TRY(w, "process_vm_readv", SYS_process_vm_readv, one[w], &local, 1L, &remote, 1L, 0L);
		TRY(w, "process_vm_writev", SYS_process_vm_writev, one[w], &local, 1L, &remote, 1L, 0L);
		TRY(w, "ptrace-attach", SYS_ptrace, 16L, one[w], NULL, NULL);
		TRY(w, "ptrace-seize", SYS_ptrace, 0x4206L, one[w], NULL, NULL);
		TRY(w, "kcmp", SYS_kcmp, one[w], (long)getpid(), 0L, 0L, 0L);
		TRY(w, "kcmp-second", SYS_kcmp, (long)getpid(), one[w], 0L, 0L, 0L);
		TRY(w, "get_robust_list", SYS_get_robust_list, one[w], &page[0], &nodes);
		TRY(w, "move_pages", SYS_move_pages, one[w], 1L, page, node, status, 0L);
		TRY(w, "migrate_pages", SYS_migrate_pages, one[w], 64L, &nodes, &nodes);
		TRY(w, "perf_event_open", SYS_perf_event_open, &counter, one[w], -1L, -1L, 0L);
		TRY(w, "setpgid", SYS_setpgid, one[w], (long)getpid());
	}
	return 0;
}

/* Forged stops from several processes at once, as fast as they go, until somebody ends it. */
static int flood(int argc, char **argv)
{
	for (long i = number(argc, argv, 0, 4); i > 1; i--)
		if (fork() == 0)
			break;
	say("flooding");
	for (;;) {
		siginfo_t info = {.si_signo = SIGTERM, .si_code = SI_QUEUE};
		kill(1, SIGTERM);
		syscall(SYS_tgkill, 1L, 1L, (long)SIGTERM);
		syscall(SYS_rt_sigqueueinfo, 1L, (long)SIGTERM, &info);
	}
	return 99;
}

/* Refused calls only: they keep init as busy as a candidate can. */
static int refused(int argc, char **argv)
{
	for (long i = number(argc, argv, 0, 16); i > 1; i--)
		if (fork() == 0)
			break;
	for (;;)
		syscall(SYS_mount, 0L, 0L, 0L, 0L, 0L);
	return 99;
}

/* Takes all there is of something that init shares with this uid, and keeps it. */
static int exhaust(int argc, char **argv)
{
	const char *what = argc > 0 ? argv[0] : "";
	int fd[2];
	if (strcmp(what, "pids") == 0) {
		for (int refusals = 0; refusals < 100;) {
			pid_t pid = fork();
			if (pid == 0)
				wait_forever();
			refusals += pid < 0;
		}
	} else if (strcmp(what, "fds") == 0) {
		while (dup(1) >= 0)
			;
	} else if (strcmp(what, "pipes") == 0) {
		while (pipe(fd) == 0)
			(void)fcntl(fd[1], 1031 /* F_SETPIPE_SZ */, 1 << 20);
	} else if (strcmp(what, "flight") == 0) {
		/* Descriptors on their way count for the whole uid. */
		for (int i = 0; i < 4000; i++) {
			char room[CMSG_SPACE(sizeof(int))] = {0}, byte = 0;
			struct iovec iov = {&byte, 1};
			struct msghdr m = {.msg_iov = &iov,
			    .msg_iovlen = 1,
			    .msg_control = room,
			    .msg_controllen = sizeof room};
			struct cmsghdr *c = CMSG_FIRSTHDR(&m);
			if (i % 200 == 0 && socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, fd) < 0)
				break;
			c->cmsg_level = SOL_SOCKET;
			c->cmsg_type = SCM_RIGHTS;
			c->cmsg_len = CMSG_LEN(sizeof(int));
			memcpy(CMSG_DATA(c), &fd[0], sizeof(int));
			(void)sendmsg(fd[1], &m, 0);
		}
	} else if (strcmp(what, "signals") == 0) {
		sigset_t all;
		sigfillset(&all);
		sigprocmask(SIG_BLOCK, &all, NULL);
		for (int i = 0; i < 1000000 && sigqueue(getpid(), SIGRTMAX, (union sigval){0}) == 0; i++)
			;
	} else if (strcmp(what, "memory") == 0) {
		/* One process after the other is killed for it, and the next one goes on. */
		for (;;)
			if (fork() == 0)
				for (;;) {
					char *p = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE,
					    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
					if (p != MAP_FAILED)
						memset(p, 1, 1 << 20);
				}
			else
				wait(NULL);
	} else {
		return 100;
	}
	say("exhausted");
	wait_forever();
}

/* Hears the first stop and goes on, so that only a second one or the grace's end does. */
static void heard(int sig)
{
	(void)sig;
	say("asked to stop");
}

static int stubborn(int argc, char **argv)
{
	(void)argc, (void)argv;
	struct sigaction act = {.sa_handler = heard, .sa_flags = SA_RESTART};
	sigaction(SIGTERM, &act, NULL);
	say("ready");
	wait_forever();
}

int main(int argc, char **argv)
{
	static const struct action actions[] = {
	    {"signals", signals},
	    {"handles", handles},
	    {"limits", limits},
	    {"schedule", schedule},
	    {"owners", owners},
	    {"files", files},
	    {"memory", memory},
	    {"flood", flood},
	    {"refused", refused},
	    {"exhaust", exhaust},
	    {"stubborn", stubborn},
	};
	return act(actions, sizeof actions / sizeof *actions, argc, argv);
}
