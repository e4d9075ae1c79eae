/* The denial ledger as a table, its bounds under a flood, and notifications on the live kernel. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <errno.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "policy/assemble.h"
#include "policy/blob.h"
#include "policy/simulate.h"
#include "sys/notify.h"
#include "watch/denials.h"
#include "wire/limits.h"

static struct ledger ledger;

static void add(int number, uint64_t a, uint64_t b, uint64_t at)
{
	const uint64_t args[6] = {a, b};
	ledger_add(&ledger, number, args, at);
}

static const char *written(void)
{
	static char text[16384];
	struct json j;
	json_start(&j, text, sizeof text);
	json_open_object(&j, NULL);
	ledger_write(&j, "denied", &ledger);
	json_close_object(&j);
	assert_true(json_finish(&j) > 0);
	return text;
}

static int empty(void **state)
{
	(void)state;
	memset(&ledger, 0, sizeof ledger);
	return 0;
}

static void rows_by_call_and_argument(void **state)
{
	(void)state;
	assert_string_equal(written(), "{\"denied\":[]}");
	add(SYS_socket, AF_INET, SOCK_STREAM, 210);
	add(SYS_mount, 77, 0, 300);
	add(SYS_socket, (UINT64_C(1) << 32) | AF_INET, SOCK_DGRAM, 400);
	add(SYS_socket, 99, 0, 500);
	add(SYS_socket, 98, 0, 600);
	add(SYS_unshare, CLONE_NEWNET | CLONE_NEWUSER, 0, 700);
	add(-7, 0, 0, 800); /* no call, and no number that would be taken for the row of others */
	assert_string_equal(written(),
	    "{\"denied\":[{\"call\":\"socket\",\"arg\":\"AF_INET\",\"count\":2,\"first_ms\":210},"
	    "{\"call\":\"mount\",\"arg\":null,\"count\":1,\"first_ms\":300},"
	    "{\"call\":\"socket\",\"arg\":null,\"count\":2,\"first_ms\":500},"
	    "{\"call\":\"unshare\",\"arg\":\"CLONE_NEWUSER\",\"count\":1,\"first_ms\":700},"
	    "{\"call\":\"other\",\"arg\":null,\"count\":1,\"first_ms\":800}]}");
	assert_int_equal(ledger.total, 7);
}

static void arguments_have_names(void **state)
{
	static const struct {
		int number;
		uint64_t args[2];
		const char *name;
	} rows[] = {
	    {SYS_socket, {AF_INET6, 0}, "AF_INET6"},
	    {SYS_socket, {38, 0}, "AF_ALG"},
	    {SYS_socketpair, {40, 0}, "AF_VSOCK"},
	    {SYS_socket, {AF_UNIX, 0}, NULL},
	    {SYS_clone, {CLONE_NEWPID | 17, 0}, "CLONE_NEWPID"},
	    {SYS_setns, {3, CLONE_NEWNS}, "CLONE_NEWNS"},
	    {SYS_ioctl, {0, 0x5412}, "TIOCSTI"},
	    {SYS_fcntl, {0, 8}, "F_SETOWN"},
	    {SYS_fcntl, {0, 10}, "F_SETSIG"},
	    {SYS_prctl, {PR_SET_SECCOMP, 0}, "PR_SET_SECCOMP"},
	    {SYS_mount, {AF_INET, AF_INET}, NULL},
	};
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *name = denial_argument(rows[i].number, rows[i].args);
		if (!rows[i].name)
			assert_null(name);
		else
			assert_string_equal(name, rows[i].name);
	}
}

/* More distinct calls than rows: a row of others, and still room for the network's. */
static void a_flood_hides_no_socket(void **state)
{
	(void)state;
	for (int round = 0; round < 3; round++)
		for (int n = 100; n < 400; n++)
			add(n, 0, 0, 1);
	for (int family = 0; family < 50; family++)
		add(SYS_socket, (uint64_t)family, 0, 9);
	const char *text = written(), *at = text;
	unsigned rows = 0;
	while ((at = strstr(at, "\"call\"")))
		rows++, at++;
	assert_true(rows <= DENIAL_ROWS);
	assert_non_null(strstr(text, "{\"call\":\"socket\",\"arg\":\"AF_INET\",\"count\":1,\"first_ms\":9}"));
	assert_non_null(
	    strstr(text, "{\"call\":\"socket\",\"arg\":\"AF_INET6\",\"count\":1,\"first_ms\":9}"));
	assert_non_null(strstr(text, "{\"call\":\"other\",\"arg\":null,\"count\":"));
	assert_int_equal(ledger.total, 950);
	uint64_t sum = ledger.row[DENIAL_ROWS - 1].count;
	for (unsigned i = 0; i < ledger.rows; i++)
		sum += ledger.row[i].count;
	assert_int_equal(sum, 950);
}

static void without_a_listener_the_filter_is_the_other_one(void **state)
{
	static struct sock_filter errnos[POLICY_PROGRAM_MAX], notified[POLICY_PROGRAM_MAX];
	(void)state;
	for (int profile = 0; profile <= POLICY_TREES; profile++) {
		struct policy_switches s = {.guard = true, .guard_pid = 1, .guard_group = 1};
		int n = policy_assemble(errnos, POLICY_PROGRAM_MAX, (enum policy_profile)profile, &s);
		s.answer = POLICY_ANSWER_NOTIFY;
		assert_true(n > 0);
		assert_int_equal(
		    policy_assemble(notified, POLICY_PROGRAM_MAX, (enum policy_profile)profile, &s), n);
		assert_memory_not_equal(errnos, notified, (size_t)n * sizeof *errnos);
		policy_forget_notify(notified, (size_t)n);
		assert_memory_equal(errnos, notified, (size_t)n * sizeof *errnos);
	}
}

/* ---- on the live kernel ---- */

static struct sock_filter filter[POLICY_PROGRAM_MAX];
static unsigned filters;
static int end[2];
static struct denials denials;

/* A child under the filter, with its end of the hand-over; what it returns is its exit status. */
static pid_t candidate(int (*run)(void))
{
	const struct policy_switches s = {.answer = POLICY_ANSWER_NOTIFY};
	int n = policy_assemble(filter, POLICY_PROGRAM_MAX, POLICY_ML, &s);
	assert_true(n > 0);
	filters = (unsigned)n;
	if (!notify_possible())
		skip();
	assert_int_equal(handover_open(end), 0);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		close(end[0]);
		if (prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) < 0)
			_exit(200);
		int listener = notify_load(filter, filters);
		if (listener < 0 || handover_send(end[1], listener) < 0)
			_exit(201);
		close(listener);
		close(end[1]);
		_exit(run());
	}
	close(end[1]);
	denials_open(&denials, end[0]);
	return pid;
}

/* Turns until the child is gone or forbidden; its wait status. */
static int supervise(pid_t pid, struct breach *b)
{
	int status = -1;
	memset(b, 0, sizeof *b);
	while (waitpid(pid, &status, WNOHANG) == 0) {
		struct pollfd p = {.fd = denials_fd(&denials), .events = POLLIN};
		poll(&p, 1, 100);
		if (denials_turn(&denials, true, 42, b)) {
			kill(pid, SIGKILL);
			assert_int_equal(waitpid(pid, &status, 0), pid);
			break;
		}
	}
	/* Nobody is left: the listener says so and is dropped, without waiting. */
	struct breach none;
	for (int i = 0; i < 8; i++)
		assert_false(denials_turn(&denials, true, 43, &none));
	assert_int_equal(denials_fd(&denials), -1);
	return status;
}

static int refused_calls(void)
{
	for (int i = 0; i < 100; i++) {
		if (socket(AF_INET, SOCK_STREAM, 0) >= 0 || errno != EPERM)
			return 1;
		if (syscall(SYS_ptrace, 16L, 1L, 0L, 0L) >= 0 || errno != EPERM)
			return 2;
	}
	return socket(AF_NETLINK, SOCK_RAW, 0) >= 0 || errno != EPERM ? 3 : 7;
}

static void each_is_answered_and_counted_once(void **state)
{
	struct breach b;
	(void)state;
	int status = supervise(candidate(refused_calls), &b);
	assert_int_equal(WEXITSTATUS(status), 7);
	assert_true(denials.counted);
	ledger = denials.ledger;
	assert_string_equal(written(),
	    "{\"denied\":[{\"call\":\"socket\",\"arg\":\"AF_INET\",\"count\":100,\"first_ms\":42},"
	    "{\"call\":\"ptrace\",\"arg\":null,\"count\":100,\"first_ms\":42}]}");
}

#ifdef __x86_64__
static int foreign(void)
{
	long r = 20; /* getpid, which no policy would refuse, by i386's entry */
	__asm__ volatile("int $0x80" : "+a"(r) : : "memory", "r8", "r9", "r10", "r11");
	return 1;
}

static int x32(void)
{
	return syscall(0x40000000L | SYS_getpid) > 0;
}

static void another_abi_is_never_answered(void **state)
{
	struct breach b;
	(void)state;
	int status = supervise(candidate(foreign), &b);
	assert_int_equal(WTERMSIG(status), SIGKILL);
	assert_int_equal(b.verdict, VERDICT_FORBIDDEN_SYSCALL);
	assert_int_equal(b.limit, LIMIT_NONE);
	assert_non_null(strstr(b.proof, "another architecture's entry, number 20"));
	status = supervise(candidate(x32), &b);
	assert_int_equal(WTERMSIG(status), SIGKILL);
	assert_int_equal(b.verdict, VERDICT_FORBIDDEN_SYSCALL);
	assert_non_null(strstr(b.proof, "x32 numbers, number 39"));
	assert_int_equal(denials.ledger.total, 0);
}
#else
static void another_abi_is_never_answered(void **state)
{
	(void)state;
	skip();
}
#endif

/* A second filter of its own that answers by an errno comes first: the ledger is a lower bound. */
static int hides(void)
{
	struct sock_filter own[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 0, 1),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
	const struct sock_fprog p = {sizeof own / sizeof *own, own};
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0L, &p) < 0)
		return 1;
	if (syscall(SYS_ptrace, 16L, 1L, 0L, 0L) >= 0 || errno != EINVAL)
		return 2;
	/* And a second listener is the kernel's to refuse. */
	return notify_load(own, sizeof own / sizeof *own) == -EBUSY ? 7 : 3;
}

static void a_filter_of_its_own_comes_first(void **state)
{
	struct breach b;
	(void)state;
	int status = supervise(candidate(hides), &b);
	assert_int_equal(WEXITSTATUS(status), 7);
	assert_int_equal(denials.ledger.total, 0);
}

/* Nothing is handed over: counted by nobody, and nothing is waited for. */
static void no_listener_no_ledger(void **state)
{
	struct breach b;
	(void)state;
	assert_int_equal(handover_open(end), 0);
	denials_open(&denials, end[0]);
	assert_false(denials_turn(&denials, true, 1, &b));
	assert_int_equal(denials_fd(&denials), end[0]);
	close(end[1]);
	assert_false(denials_turn(&denials, true, 1, &b));
	assert_int_equal(denials_fd(&denials), -1);
	assert_false(denials.counted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(rows_by_call_and_argument, empty),
	    cmocka_unit_test_setup(arguments_have_names, empty),
	    cmocka_unit_test_setup(a_flood_hides_no_socket, empty),
	    cmocka_unit_test(without_a_listener_the_filter_is_the_other_one),
	    cmocka_unit_test_setup(each_is_answered_and_counted_once, empty),
	    cmocka_unit_test_setup(another_abi_is_never_answered, empty),
	    cmocka_unit_test_setup(a_filter_of_its_own_comes_first, empty),
	    cmocka_unit_test_setup(no_listener_no_ledger, empty),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
