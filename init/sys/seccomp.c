/* The system call filter: the seccomp call, and prctl where only that is known. */
#include "sys/seccomp.h"

#include <errno.h>
#include <limits.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int seccomp_load(const struct sock_filter *program, unsigned length)
{
	if (length > USHRT_MAX)
		return -EINVAL;
	/* The kernel only reads it; the interface has no const. */
	const struct {
		unsigned short length;
		const struct sock_filter *program;
	} p = {(unsigned short)length, program};
	_Static_assert(sizeof p == sizeof(struct sock_fprog), "struct sock_fprog");

	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0U, &p) == 0)
		return 0;
	if (errno == ENOSYS && prctl(PR_SET_SECCOMP, (unsigned long)SECCOMP_MODE_FILTER, &p, 0UL, 0UL) == 0)
		return 0;
	return -errno;
}

int seccomp_mode(void)
{
	int r = prctl(PR_GET_SECCOMP, 0UL, 0UL, 0UL, 0UL);
	if (r >= 0)
		return r;
	return errno == EINVAL ? SECCOMP_MODE_DISABLED : SECCOMP_MODE_FILTER;
}
