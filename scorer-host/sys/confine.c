/* Confinement of a reader, a judge, or whatever else must only compute. Never returns half confined as success. */
#include "sys/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

/* Bytes of address space in use: the first figure of /proc/self/statm (proc(5)), in pages. */
static int mapped(uint64_t *bytes)
{
	char text[128];
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ssize_t n = read(fd, text, sizeof text - 1);
	close(fd);
	if (n <= 0)
		return -EIO;
	text[n] = '\0';
	*bytes = strtoull(text, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
	return 0;
}

/* The hard limit lies `above` the soft one: SIGXCPU, which says why, comes before the kernel's SIGKILL. */
static int limit(int resource, uint64_t value, uint64_t above)
{
	struct rlimit r;
	if (getrlimit((__rlimit_resource_t)resource, &r) < 0)
		return -errno;
	if (r.rlim_max > value + above)
		r.rlim_max = value + above;
	r.rlim_cur = value < r.rlim_max ? value : r.rlim_max;
	return setrlimit((__rlimit_resource_t)resource, &r) < 0 ? -errno : 0;
}

static int limits(const struct confinement *c)
{
	uint64_t now = 0;
	/* A sanitizer's shadow fills terabytes of address space. */
	int r = SANITIZED ? 0 : mapped(&now);
	if (r == 0 && !SANITIZED)
		r = limit(RLIMIT_AS, now + c->memory, 0);
	if (r == 0)
		r = limit(RLIMIT_CPU, c->cpu_seconds, 5);
	/* One byte, not none: a pipe in core_pattern is fed all the same when the limit is 0. */
	if (r == 0)
		r = limit(RLIMIT_CORE, 1, 0);
	if (r == 0)
		r = limit(RLIMIT_FSIZE, 0, 0);
	if (r == 0)
		r = limit(RLIMIT_NOFILE, 0, 0);
	return r;
}

static int allow_memory(scmp_filter_ctx filter)
{
	static const int plain[] = {SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(brk), SCMP_SYS(madvise),
	    SCMP_SYS(futex), SCMP_SYS(rt_sigreturn), SCMP_SYS(exit), SCMP_SYS(exit_group)};
	int r = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 2,
	    SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0),
	    SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_ANONYMOUS, MAP_ANONYMOUS));
	for (size_t i = 0; r == 0 && i < sizeof plain / sizeof *plain; i++)
		r = seccomp_rule_add(filter, SCMP_ACT_ALLOW, plain[i], 0);
	/* A sanitizer looks at the signal stack before every exit. */
	if (r == 0 && SANITIZED)
		r = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(sigaltstack), 0);
	return r;
}

static int load_filter(void)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
	if (!filter)
		return -ENOMEM;
	int r = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
	if (r == 0)
		r = allow_memory(filter);
	if (r == 0)
		r = seccomp_load(filter);
	/* The filter's memory goes with the process. */
	return r;
}

int confine(const struct confinement *c)
{
	if (prctl(PR_SET_DUMPABLE, 0) < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -errno;
	int r = limits(c);
	if (r < 0)
		return r;
	closefrom(0);
	return load_filter();
}
