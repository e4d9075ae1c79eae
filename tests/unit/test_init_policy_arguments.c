/*
 * The argument rules as tables: architecture, call, arguments, answer; every row by hand. Low words decide: each row
 * is asked again with rubbish in the high words, which the kernel does not see.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "policy/assemble.h"
#include "policy/blob.h"
#include "policy/numbers.h"
#include "policy/simulate.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

enum answer { OK, DENIED, ENOSYS_, EOPNOTSUPP_, EPROTONOSUPPORT_ };

struct row {
	const char *call;
	uint32_t argument[3];
	enum answer want;
};

static const struct policy_arch *const arches[] = {&policy_arch_x86_64, &policy_arch_aarch64};
static struct sock_filter program[POLICY_PROGRAM_MAX];

static uint32_t answer_of(enum answer a)
{
	static const uint32_t answers[] = {
	    [OK] = SECCOMP_RET_ALLOW,
	    [DENIED] = SECCOMP_RET_ERRNO | EPERM,
	    [ENOSYS_] = SECCOMP_RET_ERRNO | ENOSYS,
	    [EOPNOTSUPP_] = SECCOMP_RET_ERRNO | EOPNOTSUPP,
	    [EPROTONOSUPPORT_] = SECCOMP_RET_ERRNO | EPROTONOSUPPORT,
	};

	return answers[a];
}

static uint32_t ask(const struct policy_arch *arch, int number, const struct row *r, uint64_t high)
{
	struct seccomp_data data = {.nr = number, .arch = arch->audit, .instruction_pointer = high};

	for (unsigned i = 0; i < 6; i++)
		data.args[i] = high << 32 | (i < 3 ? r->argument[i] : 0);
	return policy_simulate(program, &data);
}

static void check(
    enum policy_profile profile, const struct policy_switches *s, const struct row *rows, size_t n)
{
	static const uint64_t high[] = {0, 1, 0x80000000, 0xffffffff};
	unsigned asked = 0;

	for (unsigned a = 0; a < COUNT(arches); a++) {
		int length = policy_assemble_for(arches[a], program, POLICY_PROGRAM_MAX, profile, s);

		assert_in_range(length, 1, POLICY_PROGRAM_MAX);
		assert_true(policy_program_valid(program, (size_t)length));
		for (size_t i = 0; i < n; i++) {
			int number = policy_number_on(arches[a], rows[i].call, strlen(rows[i].call));

			if (number < 0) {
				assert_ptr_equal(arches[a], &policy_arch_aarch64);
				continue;
			}
			for (size_t h = 0; h < COUNT(high); h++, asked++) {
				uint32_t got = ask(arches[a], number, &rows[i], high[h]);

				if (got != answer_of(rows[i].want))
					fail_msg("%s: row %zu, %s(%#x, %#x, %#x): %#x", arches[a]->name, i,
					    rows[i].call, rows[i].argument[0], rows[i].argument[1],
					    rows[i].argument[2], got);
			}
		}
	}
	assert_true(asked >= n * COUNT(high));
}

/* ---- the guard ---- */

enum { SIGTERM_ = 15, SELF = 4711 };
#define MINUS(n) (0u - (n))

/* Calls that name process 1, and the same calls naming another. */
static const struct row guarded[] = {
    {"kill", {1, SIGTERM_}, DENIED},
    {"kill", {SELF, SIGTERM_}, OK},
    {"kill", {0, SIGTERM_}, OK},
    {"kill", {MINUS(1), SIGTERM_}, OK},
    {"kill", {MINUS(SELF), SIGTERM_}, OK},
    {"tkill", {1, SIGTERM_}, DENIED},
    {"tkill", {SELF, 1}, OK},
    {"tgkill", {1, 1, SIGTERM_}, DENIED},
    {"tgkill", {SELF, 1, SIGTERM_}, DENIED},
    {"tgkill", {1, SELF, SIGTERM_}, DENIED},
    {"tgkill", {SELF, SELF, 1}, OK},
    {"rt_sigqueueinfo", {1, SIGTERM_}, DENIED},
    {"rt_sigqueueinfo", {SELF, 1}, OK},
    {"rt_tgsigqueueinfo", {1, 1, SIGTERM_}, DENIED},
    {"rt_tgsigqueueinfo", {SELF, 1, SIGTERM_}, DENIED},
    {"rt_tgsigqueueinfo", {SELF, SELF, 1}, OK},
    {"pidfd_open", {1}, DENIED},
    {"pidfd_open", {SELF}, OK},
    {"pidfd_send_signal", {3, SIGTERM_}, DENIED},
    {"pidfd_send_signal", {1, 1}, DENIED},
    {"prlimit64", {1, 0}, DENIED},
    {"prlimit64", {0, 7}, OK},
    {"prlimit64", {SELF, 1}, OK},
    {"sched_setparam", {1}, DENIED},
    {"sched_setparam", {0}, OK},
    {"sched_setscheduler", {1, 3}, DENIED},
    {"sched_setscheduler", {0, 1}, OK},
    {"sched_setattr", {1}, DENIED},
    {"sched_setattr", {SELF}, OK},
    {"sched_setaffinity", {1, 8}, DENIED},
    {"sched_setaffinity", {0, 8}, OK},
    {"sched_setaffinity", {SELF, 1}, OK},
    {"setpriority", {0, 1, 19}, DENIED},
    {"setpriority", {1, 1, 19}, DENIED},
    {"setpriority", {2, 0, 19}, DENIED},
    {"setpriority", {2, 1000, 19}, DENIED},
    {"setpriority", {0, 0, 19}, OK},
    {"setpriority", {0, SELF, 1}, OK},
    {"setpriority", {1, 0, 1}, OK},
    {"ioprio_set", {1, 1, 0}, DENIED},
    {"ioprio_set", {2, 1, 0}, DENIED},
    {"ioprio_set", {3, 0, 0}, DENIED},
    {"ioprio_set", {3, 1000, 0}, DENIED},
    {"ioprio_set", {1, 0, 0}, OK},
    {"ioprio_set", {1, SELF, 1}, OK},
    {"fcntl", {3, 8, 1}, DENIED},
    {"fcntl", {3, 8, MINUS(1)}, DENIED},
    {"fcntl", {3, 8, SELF}, OK},
    {"fcntl", {3, 8, MINUS(SELF)}, OK},
    {"fcntl", {3, 15, 0x1000}, DENIED},
    {"fcntl", {3, 10, SIGTERM_}, DENIED},
    {"fcntl", {3, 4, 1}, OK},
    {"fcntl", {3, 0, 1}, OK},
    {"fcntl", {1, 1, 1}, OK},
    {"fcntl", {8, 2, 1}, OK},
    {"ioctl", {3, 0x8901, 0}, DENIED},
    {"ioctl", {3, 0x8902, 0}, DENIED},
    {"ioctl", {3, 0x8903, 0}, OK},
    /* asking about process 1 stays free */
    {"getpriority", {0, 1}, OK},
    {"sched_getaffinity", {1}, OK},
    {"getpgid", {1}, OK},
};

static void nobody_names_process_1(void **state)
{
	const struct policy_switches s = {.guard = true, .guard_pid = 1, .guard_group = 1};

	(void)state;
	check(POLICY_ML, &s, guarded, COUNT(guarded));
	check(POLICY_NONE, &s, guarded, COUNT(guarded));
}

static void the_guard_outranks_allow(void **state)
{
	static const char *const names[] = {"ptrace", "process_vm_readv", "process_vm_writev", "kcmp",
	    "move_pages", "migrate_pages", "perf_event_open", "kill", "prlimit64"};
	static const struct row rows[] = {
	    {"ptrace", {16, 1}, DENIED},
	    {"ptrace", {16, SELF}, OK},
	    {"process_vm_readv", {1}, DENIED},
	    {"process_vm_readv", {SELF}, OK},
	    {"process_vm_writev", {1}, DENIED},
	    {"kcmp", {1, SELF}, DENIED},
	    {"kcmp", {SELF, 1}, DENIED},
	    {"kcmp", {SELF, SELF}, OK},
	    {"move_pages", {1}, DENIED},
	    {"migrate_pages", {1}, DENIED},
	    {"perf_event_open", {0, 1}, DENIED},
	    {"perf_event_open", {0, 0}, OK},
	    {"kill", {1}, DENIED},
	    {"prlimit64", {1}, DENIED},
	};

	(void)state;
	for (unsigned a = 0; a < COUNT(arches); a++) {
		int allow[COUNT(names)];
		const struct policy_switches s = {
		    .guard = true, .guard_pid = 1, .guard_group = 1, .allow = allow, .allows = COUNT(names)};

		for (size_t i = 0; i < COUNT(names); i++)
			allow[i] = policy_number_on(arches[a], names[i], strlen(names[i]));
		assert_true(policy_assemble_for(arches[a], program, POLICY_PROGRAM_MAX, POLICY_ML, &s) > 0);
		for (size_t i = 0; i < COUNT(rows); i++)
			for (uint64_t high = 0; high < 2; high++) {
				int number = policy_number_on(arches[a], rows[i].call, strlen(rows[i].call));

				assert_int_equal(
				    ask(arches[a], number, &rows[i], high), answer_of(rows[i].want));
			}
	}
}

/* Without a pid namespace init is a process among others, and a broadcast reaches it. */
static void beside_other_processes_more_names_reach_init(void **state)
{
	static const struct row rows[] = {
	    {"kill", {500}, DENIED},
	    {"kill", {MINUS(500)}, DENIED},
	    {"kill", {MINUS(400)}, DENIED},
	    {"kill", {MINUS(1)}, DENIED},
	    {"kill", {1}, OK},
	    {"kill", {400}, OK},
	    {"kill", {0}, OK},
	    {"fcntl", {3, 8, MINUS(400)}, DENIED},
	    {"fcntl", {3, 8, 500}, DENIED},
	    {"fcntl", {3, 8, 1}, OK},
	    {"setpriority", {1, 400, 1}, DENIED},
	    {"setpriority", {0, 500, 1}, DENIED},
	    {"setpriority", {0, 1, 1}, OK},
	    {"prlimit64", {500}, DENIED},
	    {"prlimit64", {1}, OK},
	};
	const struct policy_switches s = {.guard = true, .guard_pid = 500, .guard_group = 400};

	(void)state;
	check(POLICY_ML, &s, rows, COUNT(rows));
}

static void a_group_outside_the_namespace_is_no_name(void **state)
{
	static const struct row rows[] = {
	    {"kill", {0}, OK},
	    {"kill", {1}, DENIED},
	    {"fcntl", {3, 8, 0}, OK},
	    {"setpriority", {1, 0, 1}, OK},
	    {"setpriority", {1, 1, 1}, DENIED},
	    {"fcntl", {3, 8, MINUS(1)}, DENIED},
	};
	const struct policy_switches s = {.guard = true, .guard_pid = 1, .guard_group = 0};

	(void)state;
	check(POLICY_ML, &s, rows, COUNT(rows));
}

static void with_a_uid_of_its_own_the_kernel_guards(void **state)
{
	static const struct row rows[] = {
	    {"kill", {1, SIGTERM_}, OK},
	    {"prlimit64", {1}, OK},
	    {"pidfd_send_signal", {3}, OK},
	    {"fcntl", {3, 8, 1}, OK},
	    {"ioctl", {3, 0x8901}, OK},
	};
	const struct policy_switches s = {.guard_pid = 1, .guard_group = 1};

	(void)state;
	check(POLICY_ML, &s, rows, COUNT(rows));
}

/* ---- always ---- */

static const struct row always[] = {
    {"ioctl", {0, 0x5412}, DENIED},
    {"ioctl", {0, 0x541c}, DENIED},
    {"ioctl", {0, 0x5401}, OK},
    {"ioctl", {0, 0x5413}, OK},
    {"ioctl", {0x5412, 0x5421}, OK},
    /* clone: a thread, a fork, a vfork; then one namespace each */
    {"clone", {0x003d0f00}, OK},
    {"clone", {0x01200011}, OK},
    {"clone", {0x00004111}, OK},
    {"clone", {0x00000080}, OK},
    {"clone", {0x00020011}, DENIED},
    {"clone", {0x02000011}, DENIED},
    {"clone", {0x04000011}, DENIED},
    {"clone", {0x08000011}, DENIED},
    {"clone", {0x10000011}, DENIED},
    {"clone", {0x20000011}, DENIED},
    {"clone", {0x40000011}, DENIED},
    {"clone", {0x7e020011}, DENIED},
    {"clone", {0x81000011}, OK},
    {"clone3", {0}, ENOSYS_},
    {"unshare", {0x00000400}, OK},
    {"unshare", {0x00000200}, OK},
    {"unshare", {0x00000080}, DENIED},
    {"unshare", {0x10000000}, DENIED},
    {"unshare", {0x00020000}, DENIED},
    {"unshare", {0x40000400}, DENIED},
    {"setns", {3, 0}, DENIED},
    {"personality", {0}, OK},
    {"personality", {8}, OK},
    {"personality", {0xffffffff}, OK},
    {"personality", {0x20000}, OK},
    {"personality", {0x20008}, OK},
    {"personality", {0x40000}, OK},
    {"personality", {0x400000}, DENIED},
    {"personality", {0x100000}, DENIED},
    {"personality", {4}, DENIED},
    {"personality", {0x440000}, DENIED},
    {"prctl", {62}, DENIED},
    {"prctl", {15}, OK},
    {"prctl", {38, 1}, OK},
    {"mknod", {0, 0010644}, OK},
    {"mknod", {0, 0140644}, OK},
    {"mknod", {0, 0100644}, OK},
    {"mknod", {0, 0020644}, DENIED},
    {"mknod", {0, 0060644}, DENIED},
    {"mknod", {0, 0644}, OK},
    {"mknodat", {0, 0, 0010644}, OK},
    {"mknodat", {0, 0, 0020644}, DENIED},
    {"mknodat", {0, 0, 0060644}, DENIED},
    {"mknodat", {0, 0020000, 0100600}, OK},
};

static void some_arguments_are_nobodys(void **state)
{
	const struct policy_switches s = {0};

	(void)state;
	check(POLICY_ML, &s, always, COUNT(always));
}

/* ---- sockets ---- */

enum {
	UNIX = 1,
	INET = 2,
	INET6 = 10,
	NETLINK = 16,
	PACKET = 17,
	ALG = 38,
	VSOCK = 40,
	STREAM = 1,
	DGRAM = 2,
	RAW = 3
};
enum { FLAGS = 02004000, TCP = 6, UDP = 17, MPTCP = 262, SCTP = 132, ICMP = 1 };

static void no_network_is_unix_alone(void **state)
{
	static const struct row rows[] = {
	    {"socket", {UNIX, STREAM}, OK},
	    {"socket", {UNIX, DGRAM | FLAGS}, OK},
	    {"socket", {UNIX, 5}, OK},
	    {"socketpair", {UNIX, STREAM}, OK},
	    {"socket", {INET, STREAM}, DENIED},
	    {"socket", {INET6, DGRAM}, DENIED},
	    {"socket", {NETLINK, RAW}, DENIED},
	    {"socket", {ALG, 5}, DENIED},
	    {"socket", {VSOCK, STREAM}, DENIED},
	    {"socket", {PACKET, RAW}, DENIED},
	    {"socket", {0, STREAM}, DENIED},
	    {"socket", {0xffffffff, STREAM}, DENIED},
	    {"socketpair", {INET, STREAM}, DENIED},
	    {"socketpair", {30 /* TIPC */, STREAM}, DENIED},
	};
	const struct policy_switches s = {.network = POLICY_NETWORK_NONE};

	(void)state;
	check(POLICY_ML, &s, rows, COUNT(rows));
	check(POLICY_NONE, &s, rows, COUNT(rows));
}

static void loopback_adds_tcp_and_udp(void **state)
{
	static const struct row rows[] = {
	    {"socket", {UNIX, STREAM}, OK},
	    {"socket", {INET, STREAM, 0}, OK},
	    {"socket", {INET, STREAM, TCP}, OK},
	    {"socket", {INET, STREAM | FLAGS, TCP}, OK},
	    {"socket", {INET, DGRAM, UDP}, OK},
	    {"socket", {INET, DGRAM | FLAGS, 0}, OK},
	    {"socket", {INET6, STREAM, 0}, OK},
	    {"socket", {INET6, STREAM | FLAGS, TCP}, OK},
	    {"socket", {INET6, DGRAM, 0}, OK},
	    {"socket", {INET6, DGRAM, UDP}, OK},
	    {"socket", {INET, STREAM, MPTCP}, EPROTONOSUPPORT_},
	    {"socket", {INET6, STREAM, SCTP}, EPROTONOSUPPORT_},
	    {"socket", {INET, DGRAM, ICMP}, EPROTONOSUPPORT_},
	    {"socket", {INET6, DGRAM, TCP}, EPROTONOSUPPORT_},
	    {"socket", {INET, RAW, ICMP}, DENIED},
	    {"socket", {INET, 10, 0}, DENIED},
	    {"socket", {INET6, RAW, 58}, DENIED},
	    {"socket", {INET, 5, SCTP}, DENIED},
	    {"socket", {NETLINK, RAW}, DENIED},
	    {"socket", {ALG, 5}, DENIED},
	    {"socket", {VSOCK, STREAM}, DENIED},
	    {"socket", {PACKET, RAW}, DENIED},
	    {"socketpair", {UNIX, DGRAM}, OK},
	    {"socketpair", {INET, STREAM}, DENIED},
	};
	const struct policy_switches s = {.network = POLICY_NETWORK_LOOPBACK};

	(void)state;
	check(POLICY_ML, &s, rows, COUNT(rows));
	check(POLICY_NONE, &s, rows, COUNT(rows));
}

static void an_open_network_still_has_families(void **state)
{
	static const struct row rows[] = {
	    {"socket", {UNIX, STREAM}, OK},
	    {"socket", {INET, STREAM, MPTCP}, OK},
	    {"socket", {INET6, DGRAM}, OK},
	    {"socket", {NETLINK, RAW}, OK},
	    {"socket", {ALG, 5}, DENIED},
	    {"socket", {VSOCK, STREAM}, DENIED},
	    {"socket", {PACKET, RAW}, DENIED},
	    {"socketpair", {UNIX, STREAM}, OK},
	};
	const struct policy_switches s = {.network = POLICY_NETWORK_OPEN};

	(void)state;
	check(POLICY_ML, &s, rows, COUNT(rows));
}

/* An innocent getaddrinfo is answered, and counts as nobody's attempt at a network. */
static void netlink_is_never_notified(void **state)
{
	const struct policy_switches s = {.answer = POLICY_ANSWER_NOTIFY, .guard = true, .guard_pid = 1};
	static const struct row netlink = {"socket", {NETLINK, RAW}, DENIED},
				inet = {"socket", {INET}, DENIED}, killing = {"kill", {1}, DENIED},
				mptcp = {"socket", {INET, STREAM, MPTCP}, DENIED};

	(void)state;
	for (unsigned a = 0; a < COUNT(arches); a++) {
		int socket = policy_number_on(arches[a], "socket", 6),
		    kill = policy_number_on(arches[a], "kill", 4);

		assert_true(policy_assemble_for(arches[a], program, POLICY_PROGRAM_MAX, POLICY_ML, &s) > 0);
		assert_int_equal(ask(arches[a], socket, &netlink, 0), SECCOMP_RET_ERRNO | EPERM);
		assert_int_equal(ask(arches[a], socket, &inet, 1), SECCOMP_RET_USER_NOTIF);
		assert_int_equal(ask(arches[a], socket, &mptcp, 0), SECCOMP_RET_USER_NOTIF);
		assert_int_equal(ask(arches[a], kill, &killing, 1), SECCOMP_RET_USER_NOTIF);
	}
}

/* ---- watched output ---- */

static void watched_output_cannot_be_reserved(void **state)
{
	static const struct row watched[] = {
	    {"fallocate", {3, 0, 0}, EOPNOTSUPP_},
	    {"ioctl", {3, 0x40305828}, EOPNOTSUPP_},
	    {"ioctl", {3, 0x4030582a}, EOPNOTSUPP_},
	    {"ioctl", {3, 0x40305839}, EOPNOTSUPP_},
	    {"ftruncate", {3, 1}, OK},
	    {"ioctl", {3, 0x5401}, OK},
	};
	static const struct row bounded[] = {
	    {"fallocate", {3, 0, 0}, OK},
	    {"ioctl", {3, 0x4030582a}, OK},
	    {"ioctl", {3, 0x5412}, DENIED},
	};
	const struct policy_switches on = {.monitored = true}, off = {0};

	(void)state;
	check(POLICY_ML, &on, watched, COUNT(watched));
	check(POLICY_ML, &off, bounded, COUNT(bounded));
	check(POLICY_NONE, &on, watched, COUNT(watched));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(nobody_names_process_1),
	    cmocka_unit_test(the_guard_outranks_allow),
	    cmocka_unit_test(beside_other_processes_more_names_reach_init),
	    cmocka_unit_test(a_group_outside_the_namespace_is_no_name),
	    cmocka_unit_test(with_a_uid_of_its_own_the_kernel_guards),
	    cmocka_unit_test(some_arguments_are_nobodys),
	    cmocka_unit_test(no_network_is_unix_alone),
	    cmocka_unit_test(loopback_adds_tcp_and_udp),
	    cmocka_unit_test(an_open_network_still_has_families),
	    cmocka_unit_test(netlink_is_never_notified),
	    cmocka_unit_test(watched_output_cannot_be_reserved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
