/*
 * What the generator writes for one architecture and the assembler reads: trees, argument rules, numbers and names.
 * Plain constant data; both sides share these types, so nothing is laid out twice.
 */
#ifndef PROCTOR_POLICY_BLOB_H
#define PROCTOR_POLICY_BLOB_H

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdint.h>

#include "wire/profile.h"

/*
 * The errno that stands for "denied by policy" in trees and rules. The assembler turns it into EPERM or into a user
 * notification; the kernel never sees it. Below MAX_ERRNO (4095), above every errno in use.
 */
enum { POLICY_SENTINEL = 4000 };
#define POLICY_DENIED (SECCOMP_RET_ERRNO | POLICY_SENTINEL)

/* When an argument rule is part of the program. */
enum policy_when {
	POLICY_ALWAYS,		/* with every profile but none */
	POLICY_GUARD,		/* init is to be guarded */
	POLICY_GUARD_NOT_FIRST, /* ... and is not process 1, so that the kernel gives it no protection */
	POLICY_SOCKETS,		/* --network was given, or a profile other than none */
	POLICY_LOOPBACK,	/* --network loopback */
	POLICY_OPEN,		/* no --network was given */
	POLICY_ONLY_STRICT,	/* with the profile strict */
	POLICY_MONITORED,	/* output is watched, not bounded by its own filesystem */
};

/* How one test reads: the low 32 bits of an argument, masked, against a value. */
enum policy_operator {
	POLICY_IS,	      /* (argument & mask) == value */
	POLICY_HAS,	      /* argument & value is not zero */
	POLICY_IS_INIT,	      /* the guarded process */
	POLICY_IS_MINUS_INIT, /* its negative: the group of that number where kill(2) is meant */
	POLICY_IS_GROUP,      /* init's process group */
	POLICY_IS_MINUS_GROUP,
};

struct policy_test {
	uint32_t mask;
	uint32_t value;
	uint8_t argument;
	uint8_t op; /* enum policy_operator */
};

enum { POLICY_TESTS = 3 };

/* One line of arguments.h. The rules of a call stand together; the first whose tests all hold answers. */
struct policy_rule {
	uint32_t
	    answer; /* a seccomp return value; SECCOMP_RET_ALLOW: no further rule, go on to deny, allow and tree */
	uint16_t number;
	uint8_t when; /* enum policy_when */
	uint8_t tests;
	struct policy_test test[POLICY_TESTS];
};

/* A tree begins with so many instructions that check the architecture and load the number. */
enum { POLICY_TREE_HEAD = 4 };

struct policy_tree {
	const struct sock_filter *program;
	uint16_t length;
};

enum { POLICY_NEEDED = 5 };

struct policy_arch {
	const char *name;
	uint32_t audit;	  /* AUDIT_ARCH_… */
	uint32_t foreign; /* a bit in the number that means another ABI (x32), or 0 */
	uint16_t last;	  /* the highest number the table speaks of */
	uint16_t rules;
	uint16_t names;
	uint16_t needed[POLICY_NEEDED]; /* what the child calls after the filter is loaded */
	struct policy_tree tree[POLICY_TREES];
	const struct policy_rule *rule;
	const char *name_text;	     /* `names` names, each with its NUL */
	const uint16_t *name_number; /* their numbers, in the same order */
};

/* One per generated file; a program links its own, tests link both. */
extern const struct policy_arch policy_arch_x86_64;
extern const struct policy_arch policy_arch_aarch64;

#if defined(__x86_64__)
#define POLICY_NATIVE (&policy_arch_x86_64)
#elif defined(__aarch64__)
#define POLICY_NATIVE (&policy_arch_aarch64)
#endif

#endif
