/* Notifications: the seccomp call, the listener's ioctls, and how the listener gets to who answers. */
#include "sys/notify.h"

#include <errno.h>
#include <limits.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NEW_LISTENER (1UL << 3)
#define WAIT_KILLABLE_RECV (1UL << 5) /* Linux 5.19 */
#define SYNC_WAKE_UP UINT64_C(1)      /* Linux 6.6 */
#define SET_FLAGS SECCOMP_IOW(4, uint64_t)

/* The kernel writes as much as its own structure has; so there is room for a longer one than the headers know. */
union request {
	struct seccomp_notif known;
	unsigned char room[256];
};
union response {
	struct seccomp_notif_resp known;
	unsigned char room[128];
};

/* By system call: the C libraries do not agree on the type of a request. */
static int control(int listener, unsigned long request, void *at)
{
	return syscall(SYS_ioctl, listener, request, at) < 0 ? -errno : 0;
}

bool notify_possible(void)
{
	struct seccomp_notif_sizes size = {0, 0, 0};

	return syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0U, &size) == 0 &&
	       size.seccomp_notif >= sizeof(struct seccomp_notif) &&
	       size.seccomp_notif <= sizeof(union request) &&
	       size.seccomp_notif_resp >= sizeof(struct seccomp_notif_resp) &&
	       size.seccomp_notif_resp <= sizeof(union response);
}

int notify_load(const struct sock_filter *program, unsigned length)
{
	if (length > USHRT_MAX)
		return -EINVAL;
	const struct {
		unsigned short length;
		const struct sock_filter *program;
	} p = {(unsigned short)length, program};
	_Static_assert(sizeof p == sizeof(struct sock_fprog), "struct sock_fprog");

	/* A call that init has in hand is not interrupted by a signal, so each is made, counted and answered once. */
	long fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, NEW_LISTENER | WAIT_KILLABLE_RECV, &p);
	if (fd < 0 && errno == EINVAL)
		fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, NEW_LISTENER, &p);
	return fd < 0 ? -errno : (int)fd;
}

void notify_tune(int listener)
{
	/* This one takes a number where others take an address. */
	(void)syscall(SYS_ioctl, listener, SET_FLAGS, SYNC_WAKE_UP);
}

int notify_next(int listener, struct notified *n)
{
	struct pollfd p = {.fd = listener, .events = POLLIN};
	union request r;
	int e;

	/* The receiving ioctl waits whatever the descriptor's flags say; but what poll has seen it finds. */
	if (poll(&p, 1, 0) < 0)
		return errno == EINTR ? 0 : -errno;
	if (!(p.revents & POLLIN))
		return p.revents ? -EPIPE : 0;
	memset(&r, 0, sizeof r);
	if ((e = control(listener, SECCOMP_IOCTL_NOTIF_RECV, &r)) < 0)
		return e == -ENOENT || e == -EINTR ? 0 : e;
	n->id = r.known.id;
	n->process = (pid_t)r.known.pid;
	n->number = r.known.data.nr;
	n->arch = r.known.data.arch;
	memcpy(n->args, r.known.data.args, sizeof n->args);
	return 1;
}

int notify_refuse(int listener, const struct notified *n, int error)
{
	union response r;

	memset(&r, 0, sizeof r);
	r.known.id = n->id;
	r.known.error = -error;
	return control(listener, SECCOMP_IOCTL_NOTIF_SEND, &r);
}

union rights {
	struct cmsghdr header;
	char room[CMSG_SPACE(sizeof(int))];
};

int handover_open(int end[2])
{
	return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, end) < 0 ? -errno : 0;
}

int handover_send(int socket, int fd)
{
	union rights rights;
	char byte = 0;
	struct iovec one = {&byte, 1};
	struct msghdr m = {
	    .msg_iov = &one, .msg_iovlen = 1, .msg_control = &rights, .msg_controllen = sizeof rights};

	memset(&rights, 0, sizeof rights);
	rights.header.cmsg_level = SOL_SOCKET;
	rights.header.cmsg_type = SCM_RIGHTS;
	rights.header.cmsg_len = CMSG_LEN(sizeof fd);
	memcpy(CMSG_DATA(&rights.header), &fd, sizeof fd);
	return sendmsg(socket, &m, MSG_NOSIGNAL) == 1 ? 0 : -errno;
}

int handover_receive(int socket)
{
	union rights rights;
	char byte;
	struct iovec one = {&byte, 1};
	struct msghdr m = {
	    .msg_iov = &one, .msg_iovlen = 1, .msg_control = &rights, .msg_controllen = sizeof rights};
	ssize_t n;
	int fd;

	memset(&rights, 0, sizeof rights);
	n = recvmsg(socket, &m, MSG_CMSG_CLOEXEC);
	if (n < 0)
		return errno == EINTR ? -EAGAIN : -errno;
	if (n == 0)
		return -EPIPE;
	if (m.msg_controllen < sizeof rights.header || rights.header.cmsg_type != SCM_RIGHTS ||
	    rights.header.cmsg_len != CMSG_LEN(sizeof fd))
		return -EBADMSG;
	memcpy(&fd, CMSG_DATA(&rights.header), sizeof fd);
	return fd;
}
