/*
 * The parts of the policy generator: the tables as data, libseccomp's tree, the check by simulation, the C text.
 * A program of the build machine: it may allocate, and it dies at the first thing that does not add up.
 */
#ifndef PROCTOR_POLICY_GEN_GEN_H
#define PROCTOR_POLICY_GEN_GEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "policy/blob.h"

enum where { WHERE_ANY, WHERE_X86, WHERE_NEWER };

/* One CALL line. */
struct call_line {
	const char *name;
	enum where where;
	unsigned profiles;  /* bit 1 << enum policy_profile */
	uint32_t otherwise; /* a seccomp return value; 0 for NEVER */
	const char *reason;
};

/* One LINE line; `rule.number` is filled in per architecture. */
struct argument_line {
	const char *call;
	const char *reason;
	struct policy_rule rule;
};

extern const struct call_line call_lines[];
extern const size_t call_line_count;
extern const struct argument_line argument_lines[];
extern const size_t argument_line_count;

/* An architecture and, for each CALL line, its number there: -1 where the call does not exist. */
struct target {
	const char *name;
	uint32_t token; /* SCMP_ARCH_…, which is AUDIT_ARCH_… too */
	uint32_t foreign;
	bool x86;
	uint16_t last;
	int *number;
};

/* Fills in `number` and `last` from the library's table; dies where table and library disagree. */
void target_resolve(struct target *t);

/* The index of the line that speaks of `name`; dies where there is none. */
size_t call_line_index(const char *name);

/* The answer of `profile` to the call of a line, as a seccomp return value with the sentinel. */
uint32_t line_answer(const struct call_line *line, enum policy_profile profile);

/* What a number that no line speaks of is answered: what a kernel without the call says. */
#define UNKNOWN_ANSWER (SECCOMP_RET_ERRNO | 38u)

/* Lets libseccomp build the tree of `profile`; the caller owns the array. */
struct sock_filter *tree_build(const struct target *t, enum policy_profile profile, size_t *length);

/* The same answers by a shorter program; the caller owns the array. */
struct sock_filter *tree_compact(const struct target *t, const struct sock_filter *program, size_t *length);

/* Dies unless the program answers every line, and every number without one, as the table says. */
void tree_check(
    const struct target *t, enum policy_profile profile, const struct sock_filter *program, size_t length);

/* Writes the C source, all trees included. */
void emit_source(
    const struct target *t, struct sock_filter *const tree[POLICY_TREES], const size_t length[POLICY_TREES]);

/* Says what is wrong with the tables or the library, and ends the build. The format is a literal. */
#define die(...) (fprintf(stderr, "policy-gen: " __VA_ARGS__), fputc('\n', stderr), exit(1))

#endif
