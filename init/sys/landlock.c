/* Landlock's three system calls. */
#include "sys/landlock.h"

#include <errno.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CREATE_RULESET_VERSION = 1, RULE_PATH_BENEATH = 1 };

struct path_beneath {
	uint64_t rights;
	int32_t fd;
} __attribute__((packed));

static long checked(long r)
{
	return r < 0 ? -errno : r;
}

int landlock_abi(void)
{
	return (int)checked(syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, CREATE_RULESET_VERSION));
}

int landlock_create(const struct landlock_ruleset *r)
{
	return (int)checked(syscall(SYS_landlock_create_ruleset, r, sizeof *r, 0));
}

int landlock_beneath(int ruleset, int fd, uint64_t rights)
{
	const struct path_beneath rule = {rights, fd};
	return (int)checked(syscall(SYS_landlock_add_rule, ruleset, RULE_PATH_BENEATH, &rule, 0));
}

int landlock_restrict(int ruleset)
{
	return (int)checked(syscall(SYS_landlock_restrict_self, ruleset, 0));
}
