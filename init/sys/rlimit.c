/* Resource limits by prlimit64: 64 bits in every C library, and a plain int for the resource. */
#include "sys/rlimit.h"

#include <errno.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

struct limits {
	uint64_t soft, hard;
};

int rlimit_get(int resource, uint64_t *soft, uint64_t *hard)
{
	struct limits now = {0, 0};
	if (syscall(SYS_prlimit64, 0, resource, NULL, &now) < 0)
		return -errno;
	*soft = now.soft;
	*hard = now.hard;
	return 0;
}

int rlimit_set(int resource, uint64_t value)
{
	const struct limits wanted = {value, value};
	if (syscall(SYS_prlimit64, 0, resource, &wanted, NULL) < 0)
		return -errno;
	uint64_t soft = 0, hard = 0;
	int r = rlimit_get(resource, &soft, &hard);
	if (r < 0)
		return r;
	return soft == value && hard == value ? 0 : -EBADE;
}
