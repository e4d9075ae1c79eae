/* Ways for the main process to end: statuses, signals at itself, faults, its own filter, and not at all. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "probe.h"

static int leave(int argc, char **argv)
{
	return (int)number(argc, argv, 0, 0);
}

static int table(int argc, char **argv)
{
	good_table();
	return (int)number(argc, argv, 0, 0);
}

/* The signal's action and mask are the kernel's defaults, whatever init handed down. */
static int signal_itself(int argc, char **argv)
{
	int n = (int)number(argc, argv, 0, 0);
	sigset_t all;
	signal(n, SIG_DFL);
	sigfillset(&all);
	sigprocmask(SIG_UNBLOCK, &all, NULL);
	good_table();
	kill(getpid(), n);
	return 99;
}

static int fault(int argc, char **argv)
{
	(void)argc, (void)argv;
	volatile char *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	*page = 1;
	return 99;
}

static int overflow(int depth, char **argv)
{
	volatile char frame[4096];
	frame[0] = (char)depth;
	return depth < 0 ? 99 : overflow(depth + 1, argv) + frame[0];
}

/* Dies of SIGSYS by its own doing: it must not look like a policy of ours. */
static int own_filter(int argc, char **argv)
{
	(void)argc, (void)argv;
	struct sock_filter code[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof code / sizeof *code, code};
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
		return 98;
	syscall(SYS_getppid);
	return 99;
}

/* A limit of its own making, well below ours. */
static int own_cpu_limit(int argc, char **argv)
{
	(void)argc, (void)argv;
	struct rlimit limit = {1, 1};
	setrlimit(RLIMIT_CPU, &limit);
	for (;;)
		;
	return 99;
}

static int stay(int argc, char **argv)
{
	(void)argc, (void)argv;
	say("ready");
	wait_forever();
}

static int spin(int argc, char **argv)
{
	(void)argc, (void)argv;
	for (;;)
		;
	return 99;
}

/* SIGTERM is ignored by the whole tree; only SIGKILL ends it. */
static int ignore_term(int argc, char **argv)
{
	(void)argc, (void)argv;
	signal(SIGTERM, SIG_IGN);
	if (fork() == 0)
		wait_forever();
	say("ready");
	wait_forever();
}

/* Tidies up on SIGTERM and claims success: the limit was passed all the same. */
static int polite(int argc, char **argv)
{
	(void)argc, (void)argv;
	sigset_t term;
	int n;
	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	sigprocmask(SIG_BLOCK, &term, NULL);
	sigwait(&term, &n);
	good_table();
	say("tidied up");
	return 0;
}

int main(int argc, char **argv)
{
	static const struct action actions[] = {
	    {"exit", leave},
	    {"table", table},
	    {"signal", signal_itself},
	    {"fault", fault},
	    {"overflow", overflow},
	    {"own-filter", own_filter},
	    {"own-cpu-limit", own_cpu_limit},
	    {"stay", stay},
	    {"spin", spin},
	    {"ignore-term", ignore_term},
	    {"polite", polite},
	};
	return act(actions, sizeof actions / sizeof *actions, argc, argv);
}
