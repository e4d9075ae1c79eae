/* Ways to reach a network, each by the plain call and by its tricks. What must stay usable is tried as well. */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "probe.h"

#ifndef AF_VSOCK
#define AF_VSOCK 40
#endif
#ifndef AF_ALG
#define AF_ALG 38
#endif
#ifndef AF_XDP
#define AF_XDP 44
#endif

static const struct {
	const char *name;
	long family, type;
} families[] = {
    {"AF_INET", AF_INET, SOCK_STREAM},
    {"AF_INET-udp", AF_INET, SOCK_DGRAM},
    {"AF_INET-raw", AF_INET, SOCK_RAW},
    {"AF_INET6", AF_INET6, SOCK_STREAM},
    {"AF_NETLINK", AF_NETLINK, SOCK_RAW},
    {"AF_PACKET", AF_PACKET, SOCK_RAW},
    {"AF_VSOCK", AF_VSOCK, SOCK_STREAM},
    {"AF_ALG", AF_ALG, SOCK_SEQPACKET},
    {"AF_BLUETOOTH", AF_BLUETOOTH, SOCK_RAW},
    {"AF_CAN", AF_CAN, SOCK_RAW},
    {"AF_TIPC", AF_TIPC, SOCK_SEQPACKET},
    {"AF_XDP", AF_XDP, SOCK_RAW},
};

/* All of its attempts are answered by an errno; then it does its work. */
static int attempts(int argc, char **argv)
{
	(void)argc, (void)argv;
	const long high = 1L << 32; /* the kernel drops it; a filter that compares 64 bits is passed */
	char what[64];
	int pair[2];
	for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
		long f = families[i].family, t = families[i].type;
		strcpy(what, "socket-");
		strcat(what, families[i].name);
		deny(what, syscall(SYS_socket, f, t | SOCK_CLOEXEC, 0L));
		strcat(what, "-high-word");
		deny(what, syscall(SYS_socket, f | high, t | SOCK_CLOEXEC, 0L));
		memcpy(what, "sopair-", 7);
		deny(what, syscall(SYS_socketpair, f | high, t, 0L, pair));
	}
	deny("socket-AF_INET-all-ones", syscall(SYS_socket, AF_INET | (-1L & ~0xffffffffL), 1L, 0L));
	deny("io_uring_setup", syscall(SYS_io_uring_setup, 4L, NULL));
	deny("number-above-table", syscall(100000L, 0L));

	allow("socketpair-AF_UNIX", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	allow("socket-AF_UNIX", socket(AF_UNIX, SOCK_STREAM, 0));

	/* The scorer's own door is closed by the time a candidate runs. */
	struct sockaddr_un door = {.sun_family = AF_UNIX, .sun_path = "/.proctor/s"};
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	deny("connect-scorer", connect(fd, (const struct sockaddr *)&door, sizeof door));
	good_table();
	return 0;
}

/* socket(2) by the 32-bit entry, past a filter that knows 64-bit numbers only. */
static int foreign(int argc, char **argv)
{
	(void)argc, (void)argv;
	good_table();
#ifdef __x86_64__
	long r =
	    359; /* i386's number of socket: everything goes in registers, no pointer below 4 GiB is needed */
	__asm__ volatile("int $0x80"
			 : "+a"(r)
			 : "b"(AF_INET), "c"(SOCK_STREAM), "d"(0)
			 : "memory", "r8", "r9", "r10", "r11");
	errno = (int)-r;
	deny("socket-int80", r < 0 ? -1 : 0);
#endif
	return 0;
}

/* The same by x32's numbers. */
static int x32(int argc, char **argv)
{
	(void)argc, (void)argv;
	good_table();
	deny("socket-x32", syscall(0x40000000L | SYS_socket, (long)AF_INET, (long)SOCK_STREAM, 0L));
	return 0;
}

/* Weights that are to be fetched at the start, by both families, as often as a library would try. */
static int fetch(int argc, char **argv)
{
	for (long i = number(argc, argv, 0, 6); i > 0; i--) {
		deny("fetch", socket(AF_INET, SOCK_STREAM, 0));
		deny("fetch", socket(AF_INET6, SOCK_STREAM, 0));
	}
	if (number(argc, argv, 1, 0) == 0)
		good_table();
	return (int)number(argc, argv, 1, 0);
}

int main(int argc, char **argv)
{
	static const struct action actions[] = {
	    {"attempts", attempts}, {"foreign", foreign}, {"x32", x32}, {"fetch", fetch}};
	return act(actions, sizeof actions / sizeof *actions, argc, argv);
}
