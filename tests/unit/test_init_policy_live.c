/*
 * The filter in the kernel. Children load what the assembler wrote and make calls whose own errors (EFAULT, EBADF,
 * success) differ from the filter's, and the same calls again without it: so a pass is told from a denial.
 * The guarded process is a child that sleeps, never a process of the machine.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "policy/assemble.h"
#include "policy/numbers.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])
#define HIGH (1L << 32)

enum { SKIP = 77, BAD = 99, ROWS = 64 };

struct probe {
	const char *call;
	long argument[4];
	int kernel; /* errno without the filter, 0 for success; ANY where it depends on the machine */
	int filter; /* errno with it */
};

enum { ANY = -1 };

static struct sock_filter program[POLICY_PROGRAM_MAX];
static int *results; /* shared with the children */
static pid_t victim;

/* Loads the program into this process; a listener with SECCOMP_FILTER_FLAG_NEW_LISTENER. */
static int load(const struct policy_switches *s, unsigned flags)
{
	int n = policy_assemble(program, POLICY_PROGRAM_MAX, POLICY_ML, s);
	struct sock_fprog prog = {(unsigned short)n, program};

	if (n <= 0)
		_exit(BAD);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		_exit(BAD);
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &prog);
}

static void load_or_skip(const struct policy_switches *s)
{
	if (load(s, 0) < 0)
		_exit(errno == EINVAL || errno == ENOSYS ? SKIP : BAD);
}

static int wait_for(pid_t child)
{
	int status;

	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	if (WIFEXITED(status) && WEXITSTATUS(status) == SKIP)
		skip();
	return status;
}

static void make_calls(const struct probe *probes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const long *a = probes[i].argument;
		int number = policy_number(probes[i].call, strlen(probes[i].call));
		long r = syscall(number, a[0], a[1], a[2], a[3], 0L, 0L);

		results[i] = r < 0 ? errno : 0;
	}
	_exit(0);
}

static void compare(const struct probe *probes, size_t n, bool filtered)
{
	for (size_t i = 0; i < n; i++) {
		int want = filtered ? probes[i].filter : probes[i].kernel;

		if (want != ANY && results[i] != want)
			fail_msg("%s filter: probe %zu, %s: %s", filtered ? "with" : "without", i,
			    probes[i].call, strerror(results[i]));
	}
}

static void run_probes(const struct policy_switches *s, const struct probe *probes, size_t n)
{
	assert_true(n <= ROWS);
	for (int filtered = 0; filtered <= 1; filtered++) {
		pid_t child = fork();

		if (child == 0) {
			if (filtered)
				load_or_skip(s);
			make_calls(probes, n);
		}
		assert_int_equal(wait_for(child), 0);
		compare(probes, n, filtered);
	}
}

static void denials_come_from_the_filter(void **state)
{
	static const struct probe probes[] = {
	    /* got through: the kernel's own complaint */
	    {"read", {-1}, EBADF, EBADF},
	    {"openat", {AT_FDCWD, 1}, EFAULT, EFAULT},
	    {"sendmsg", {-1}, EBADF, EBADF},
	    {"execve", {1}, EFAULT, EFAULT},
	    {"fallocate", {-1}, EBADF, EBADF},
	    {"unshare", {CLONE_FILES}, 0, 0},
	    {"socketpair", {AF_UNIX, SOCK_STREAM, 0, 1}, EFAULT, EFAULT},
	    {"sched_setaffinity", {0, 8, 1}, EFAULT, EFAULT},
	    {"personality", {0xffffffff}, 0, 0},
	    /* did not */
	    {"mount", {0, 1}, EFAULT, EPERM},
	    {"open_by_handle_at", {-1, 1}, ANY, EPERM},
	    {"setns", {-1}, EBADF, EPERM},
	    {"unshare", {HIGH | CLONE_NEWUSER | CLONE_THREAD}, ANY, EPERM},
	    {"clone3", {0, 0}, EINVAL, ENOSYS},
	    {"io_uring_setup", {0, 0}, ANY, ENOSYS},
	    {"io_uring_enter", {-1}, ANY, ENOSYS},
	    {"bpf", {-1}, ANY, EPERM},
	    {"keyctl", {-1}, ANY, EPERM},
	    {"userfaultfd", {-1}, ANY, EPERM},
	    {"ptrace", {-1, -1}, ANY, EPERM},
	    {"process_vm_readv", {0, 0, 0, 0}, ANY, EPERM},
	    {"name_to_handle_at", {-1, 1}, EFAULT, EOPNOTSUPP},
	    {"ioctl", {-1, HIGH | 0x5412}, EBADF, EPERM},
	    {"socket", {AF_INET, SOCK_STREAM}, 0, EPERM},
	    {"socket", {HIGH | AF_INET, SOCK_STREAM}, 0, EPERM},
	    {"socket", {AF_NETLINK, SOCK_RAW}, 0, EPERM},
	    {"socketpair", {AF_INET, SOCK_STREAM, 0, 1}, EFAULT, EPERM},
	};
	const struct policy_switches s = {0};

	(void)state;
	run_probes(&s, probes, COUNT(probes));
}

static void watched_output_answers_like_a_simple_filesystem(void **state)
{
	static const struct probe probes[] = {{"fallocate", {-1}, EBADF, EOPNOTSUPP}};
	const struct policy_switches s = {.monitored = true};

	(void)state;
	run_probes(&s, probes, COUNT(probes));
}

static void loopback_opens_internet_sockets(void **state)
{
	static const struct probe probes[] = {
	    {"socket", {AF_INET, SOCK_STREAM}, 0, 0},
	    {"socket", {AF_INET, SOCK_DGRAM | SOCK_CLOEXEC}, 0, 0},
	    {"socket", {AF_INET, SOCK_STREAM, 262}, ANY, EPROTONOSUPPORT},
	    {"socket", {AF_NETLINK, SOCK_RAW}, 0, EPERM},
	};
	const struct policy_switches s = {.network = POLICY_NETWORK_LOOPBACK};

	(void)state;
	run_probes(&s, probes, COUNT(probes));
}

static int start_victim(void **state)
{
	(void)state;
	victim = fork();
	if (victim == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
		for (;;)
			pause();
	}
	return victim < 0 ? -1 : 0;
}

static int stop_victim(void **state)
{
	(void)state;
	kill(victim, SIGKILL);
	return waitpid(victim, NULL, 0) == victim ? 0 : -1;
}

/* With and without the high word: the kernel takes both for the victim. */
static void nobody_reaches_the_guarded_process(void **state)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	long v = victim, nowhere = HIGH | v, own = getpid();
	const struct probe probes[] = {
	    {"kill", {v, 0}, 0, EPERM},
	    {"kill", {nowhere, 0}, 0, EPERM},
	    {"kill", {own, 0}, 0, 0},
	    {"tkill", {nowhere, 0}, 0, EPERM},
	    {"tgkill", {nowhere, nowhere, 0}, 0, EPERM},
	    {"rt_sigqueueinfo", {nowhere, 0, 1}, EFAULT, EPERM},
	    {"rt_tgsigqueueinfo", {nowhere, nowhere, 0, 1}, EFAULT, EPERM},
	    {"pidfd_open", {nowhere, 0}, 0, EPERM},
	    {"pidfd_send_signal", {-1, 0}, EBADF, EPERM},
	    {"prlimit64", {nowhere, RLIMIT_NOFILE, 0, 0}, 0, EPERM},
	    {"prlimit64", {0, RLIMIT_NOFILE, 0, 0}, 0, 0},
	    {"sched_setscheduler", {nowhere, 0, 1}, EFAULT, EPERM},
	    {"sched_setparam", {nowhere, 1}, EFAULT, EPERM},
	    {"sched_setattr", {nowhere, 1, 0}, EFAULT, EPERM},
	    {"sched_setaffinity", {nowhere, 8, 1}, EFAULT, EPERM},
	    {"setpriority", {PRIO_PROCESS, nowhere, 0}, 0, EPERM},
	    {"setpriority", {PRIO_USER, 0, 0}, ANY, EPERM},
	    {"setpriority", {PRIO_PROCESS, 0, 0}, 0, 0},
	    {"ioprio_set", {1, nowhere, 0}, 0, EPERM},
	    {"ioprio_set", {3, 0, -1}, ANY, EPERM},
	    {"fcntl", {fd, F_SETOWN, nowhere}, 0, EPERM},
	    {"fcntl", {fd, F_SETOWN, own}, 0, 0},
	    {"fcntl", {fd, F_SETOWN_EX, 1}, EFAULT, EPERM},
	    {"fcntl", {fd, HIGH | F_SETSIG, SIGTERM}, 0, EPERM},
	    {"fcntl", {fd, F_GETFD}, 0, 0},
	    {"ioctl", {-1, 0x8901}, EBADF, EPERM},
	    {"ioctl", {-1, HIGH | 0x8902}, EBADF, EPERM},
	};
	const struct policy_switches s = {.guard = true, .guard_pid = (uint32_t)v, .guard_group = 0};

	(void)state;
	assert_true(fd >= 0);
	run_probes(&s, probes, COUNT(probes));
	close(fd);
}

#ifdef __x86_64__
static long getpid_in_32_bits(void)
{
	long r;

	__asm__ volatile("int $0x80" : "=a"(r) : "a"(20L) : "memory");
	return r;
}

static void other_abis_die(void **state)
{
	const struct policy_switches s = {0};

	(void)state;
	for (int filtered = 0; filtered <= 1; filtered++)
		for (int wide = 0; wide <= 1; wide++) {
			pid_t child = fork();
			int status;

			if (child == 0) {
				if (filtered)
					load_or_skip(&s);
				if (wide)
					syscall(0x40000000L | SYS_getpid);
				else
					getpid_in_32_bits();
				_exit(0);
			}
			status = wait_for(child);
			if (filtered)
				assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS);
			else
				assert_false(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS);
		}
}
#endif

/* ---- real programs ---- */

static int run_sealed(const char *path, const char *option, const char *text)
{
	const struct policy_switches s = {.guard = true, .guard_pid = (uint32_t)getpid()};
	pid_t child = fork();

	if (child == 0) {
		int null = open("/dev/null", O_RDWR | O_CLOEXEC);

		dup2(null, 1);
		dup2(null, 2);
		load_or_skip(&s);
		execl(path, path, option, text, (char *)NULL);
		_exit(BAD);
	}
	return wait_for(child);
}

static void a_shell_pipes_and_forks(void **state)
{
	(void)state;
	assert_int_equal(run_sealed("/bin/sh", "-c", "x=$(echo a | cat); test \"$x\" = a"), 0);
}

static void a_static_musl_program_runs(void **state)
{
	const char *init = getenv("PROCTOR_INIT");

	(void)state;
	if (init == NULL || access(init, X_OK) < 0) {
		skip();
		return;
	}
	assert_int_equal(run_sealed(init, "--help", NULL), 0);
}

static const char threads_processes_names[] =
    "import threading, socket, subprocess, multiprocessing as m\n"
    "ts = [threading.Thread(target=print) for _ in range(4)]\n"
    "[t.start() for t in ts]; [t.join() for t in ts]\n"
    "p = m.get_context('fork').Pool(2); assert p.map(abs, [-1, -2]) == [1, 2]; p.terminate()\n"
    "assert subprocess.run(['/bin/true']).returncode == 0\n"
    "a, b = socket.socketpair(); a.send(b'x'); assert b.recv(1) == b'x'\n"
    "assert socket.getaddrinfo('127.0.0.1', 80)\n"
    "try:\n socket.socket()\n raise SystemExit(3)\n"
    "except PermissionError:\n pass\n";

static void an_interpreter_has_threads_processes_and_names(void **state)
{
	static const char python[] = "/usr/bin/python3";

	(void)state;
	if (access(python, X_OK) < 0)
		skip();
	assert_int_equal(run_sealed(python, "-c", threads_processes_names), 0);
}

/* ---- notification ---- */

static void send_listener(int to, int fd)
{
	union {
		struct cmsghdr align;
		char space[CMSG_SPACE(sizeof(int))];
	} control = {0};
	char byte = 0;
	struct iovec part = {&byte, 1};
	struct msghdr m = {
	    .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(c), &fd, sizeof fd);
	if (sendmsg(to, &m, 0) != 1)
		_exit(BAD);
}

/* The listener, or -1 when the child ended without sending one. */
static int receive_listener(int from)
{
	union {
		struct cmsghdr align;
		char space[CMSG_SPACE(sizeof(int))];
	} control;
	char byte;
	struct iovec part = {&byte, 1};
	struct msghdr m = {
	    .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
	int fd = -1;

	if (recvmsg(from, &m, MSG_CMSG_CLOEXEC) != 1)
		return -1;
	if (CMSG_FIRSTHDR(&m) != NULL)
		memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof fd);
	return fd;
}

static void denied_child(int to)
{
	const struct policy_switches s = {.answer = POLICY_ANSWER_NOTIFY};
	int listener = load(&s, SECCOMP_FILTER_FLAG_NEW_LISTENER);

	if (listener < 0)
		_exit(SKIP);
	send_listener(to, listener);
	close(listener);
	if (socket(AF_NETLINK, SOCK_RAW, 0) != -1 || errno != EPERM)
		_exit(1);
	if (syscall(SYS_clone3, 0L, 0L) != -1 || errno != ENOSYS)
		_exit(2);
	if (socket(AF_INET, SOCK_STREAM, 0) != -1 || errno != EXDEV)
		_exit(3);
	_exit(0);
}

static void a_denial_waits_for_the_supervisor(void **state)
{
	int pair[2], listener;
	pid_t child;

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
	child = fork();
	if (child == 0)
		denied_child(pair[1]);
	close(pair[1]);
	listener = receive_listener(pair[0]);
	if (listener >= 0) {
		struct seccomp_notif request = {0};
		struct seccomp_notif_resp reply = {0};

		/* The first notification is socket(AF_INET): what came before was answered without one. */
		assert_int_equal(ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &request), 0);
		assert_int_equal(request.data.nr, SYS_socket);
		assert_int_equal((uint32_t)request.data.args[0], AF_INET);
		reply.id = request.id;
		reply.error = -EXDEV;
		assert_int_equal(ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &reply), 0);
		close(listener);
	}
	close(pair[0]);
	assert_int_equal(wait_for(child), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(denials_come_from_the_filter),
	    cmocka_unit_test(watched_output_answers_like_a_simple_filesystem),
	    cmocka_unit_test(loopback_opens_internet_sockets),
	    cmocka_unit_test_setup_teardown(nobody_reaches_the_guarded_process, start_victim, stop_victim),
#ifdef __x86_64__
	    cmocka_unit_test(other_abis_die),
#endif
	    cmocka_unit_test(a_shell_pipes_and_forks),
	    cmocka_unit_test(a_static_musl_program_runs),
	    cmocka_unit_test(an_interpreter_has_threads_processes_and_names),
	    cmocka_unit_test(a_denial_waits_for_the_supervisor),
	};

	results =
	    mmap(NULL, ROWS * sizeof *results, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (results == MAP_FAILED)
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
