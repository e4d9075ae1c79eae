/*
 * Puts one filter together from the generated parts. Pure: no system call, no allocation. The child of init loads
 * the result; it is never loaded into init itself.
 *
 * Order of the program: architecture, numbers above the table, argument rules, denied, allowed, tree.
 */
#ifndef PROCTOR_POLICY_ASSEMBLE_H
#define PROCTOR_POLICY_ASSEMBLE_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/profile.h"

struct policy_arch;

/* Enough for every profile with all switches and some hundred names; BPF_MAXINSNS is the kernel's own limit. */
enum { POLICY_PROGRAM_MAX = BPF_MAXINSNS };

enum policy_network {
	POLICY_NETWORK_NONE,	 /* AF_UNIX alone */
	POLICY_NETWORK_LOOPBACK, /* and TCP and UDP over AF_INET and AF_INET6 */
	POLICY_NETWORK_OPEN, /* and whatever internet the container has; with POLICY_NONE no rule at all */
};

/* How a denial by policy (EPERM in the table, a foreign ABI) reaches whoever made the call. */
enum policy_answer {
	POLICY_ANSWER_ERRNO,  /* EPERM; a foreign ABI kills the process */
	POLICY_ANSWER_NOTIFY, /* SECCOMP_RET_USER_NOTIF for both: the supervisor answers or kills */
};

struct policy_switches {
	enum policy_network network;
	enum policy_answer answer;
	bool guard;	      /* the candidate may have init's uid: keep it from naming init */
	bool monitored;	      /* output has no filesystem of its own: nothing may allocate without writing */
	uint32_t guard_pid;   /* init as the candidate names it: 1 as process 1, else getpid() */
	uint32_t guard_group; /* init's process group, getpgrp(); 0 (outside the namespace): none */
	const int *deny;      /* numbers, from policy_number() */
	size_t denies;
	const int *allow; /* a number in both lists is denied */
	size_t allows;
};

/*
 * Writes the filter for this architecture into `out`, at most `cap` instructions; returns their number. 0: nothing
 * was asked (POLICY_NONE without switches), load no filter.
 * -EINVAL: no such profile, a number outside the table, or a guard without a pid.
 * -EPERM: `deny` holds a call that policy_needed() names. -E2BIG: `cap` or BPF_MAXINSNS is too small.
 */
int policy_assemble(
    struct sock_filter *out, size_t cap, enum policy_profile profile, const struct policy_switches *switches);

/* The same for any architecture whose blob is linked in. */
int policy_assemble_for(const struct policy_arch *arch, struct sock_filter *out, size_t cap,
    enum policy_profile profile, const struct policy_switches *switches);

/* Turns a program that was assembled with POLICY_ANSWER_NOTIFY into what POLICY_ANSWER_ERRNO would have made. */
void policy_forget_notify(struct sock_filter *program, size_t length);

#endif
