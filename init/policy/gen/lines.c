/*
 * The two tables as arrays. The only place where their columns get a meaning in C.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/prctl.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "policy/gen/gen.h"

_Static_assert(ENOSYS == 38, "UNKNOWN_ANSWER spells ENOSYS");

enum {
	PROFILES_NOBODY = 0,
	PROFILES_GPU_ONLY = 1 << POLICY_GPU,
	PROFILES_MULTI_UP = PROFILES_GPU_ONLY | 1 << POLICY_ML_MULTI,
	PROFILES_ML_UP = PROFILES_MULTI_UP | 1 << POLICY_ML,
	PROFILES_ALL = PROFILES_ML_UP | 1 << POLICY_STRICT,
};

#define OTHERWISE_NEVER 0
#define OTHERWISE_EPERM POLICY_DENIED
#define OTHERWISE_ENOSYS (SECCOMP_RET_ERRNO | ENOSYS)
#define OTHERWISE_EOPNOTSUPP (SECCOMP_RET_ERRNO | EOPNOTSUPP)

#define CALL(name, where, profiles, otherwise, reason) \
	{#name, WHERE_##where, PROFILES_##profiles, OTHERWISE_##otherwise, reason},
const struct call_line call_lines[] = {
#include "policy/table.h"
};
#undef CALL
const size_t call_line_count = sizeof call_lines / sizeof call_lines[0];

#define ANSWER_PASS SECCOMP_RET_ALLOW
#define ANSWER_DENIED POLICY_DENIED
#define ANSWER_QUIET (SECCOMP_RET_ERRNO | EPERM)
#define ANSWER_EOPNOTSUPP (SECCOMP_RET_ERRNO | EOPNOTSUPP)
#define ANSWER_EPROTONOSUPPORT (SECCOMP_RET_ERRNO | EPROTONOSUPPORT)

#define WHOLE UINT32_MAX
#define IS(argument, value) \
	{ \
		WHOLE, (uint32_t)(value), argument, POLICY_IS \
	}
#define MASKED(argument, mask, value) \
	{ \
		mask, (uint32_t)(value), argument, POLICY_IS \
	}
#define HAS(argument, bits) \
	{ \
		WHOLE, (uint32_t)(bits), argument, POLICY_HAS \
	}
#define IS_INIT(argument) \
	{ \
		WHOLE, 0, argument, POLICY_IS_INIT \
	}
#define IS_MINUS_INIT(argument) \
	{ \
		WHOLE, 0, argument, POLICY_IS_MINUS_INIT \
	}
#define IS_GROUP(argument) \
	{ \
		WHOLE, 0, argument, POLICY_IS_GROUP \
	}
#define IS_MINUS_GROUP(argument) \
	{ \
		WHOLE, 0, argument, POLICY_IS_MINUS_GROUP \
	}
#define IF_ANY .tests = 0
#define IF(a) .tests = 1, .test = {a}
#define IF2(a, b) .tests = 2, .test = {a, b}
#define IF3(a, b, c) .tests = 3, .test = {a, b, c}

/* What no header of the C library has, or has under a name that says nothing. */
#define ASK_PERSONALITY 0xffffffffu
#define EVERYBODY (-1)
#define TYPE 0xfu     /* SOCK_TYPE_MASK; the rest is SOCK_NONBLOCK and SOCK_CLOEXEC */
#define IOPRIO_USER 3 /* IOPRIO_WHO_USER, ioprio_set(2) */
#undef F_SETSIG
#define F_SETSIG 10
#define PR_SCHED_CORE 62
#define NAMESPACES \
	(CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | \
	    CLONE_NEWNET)
#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x80
#endif
/* FS_IOC_RESVSP, FS_IOC_RESVSP64, FS_IOC_ZERO_RANGE of linux/falloc.h, whose structure has 48 bytes. */
#define RESVSP 0x40305828u
#define RESVSP64 0x4030582au
#define ZERO_RANGE 0x40305839u

#define LINE(call, when, answer, tests, reason) {#call, reason, {ANSWER_##answer, 0, POLICY_##when, tests}},
const struct argument_line argument_lines[] = {
#include "policy/arguments.h"
};
#undef LINE
const size_t argument_line_count = sizeof argument_lines / sizeof argument_lines[0];

uint32_t line_answer(const struct call_line *line, enum policy_profile profile)
{
	return line->profiles & 1u << profile ? SECCOMP_RET_ALLOW : line->otherwise;
}
