/*
 * The argument rules that hold without a guard: namespaces, devices, sockets, watched output; every row by hand.
 */
#include "policy_rows.h"

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
	    cmocka_unit_test(some_arguments_are_nobodys),
	    cmocka_unit_test(no_network_is_unix_alone),
	    cmocka_unit_test(loopback_adds_tcp_and_udp),
	    cmocka_unit_test(an_open_network_still_has_families),
	    cmocka_unit_test(netlink_is_never_notified),
	    cmocka_unit_test(watched_output_cannot_be_reserved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
