/*
 * policy-gen ARCH: writes the syscall policy for one architecture as C source to stdout. Runs on the build machine,
 * for any of the architectures below. It builds, checks and writes every profile.
 */
#include <errno.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/gen/gen.h"

enum { X32 = 0x40000000 };

static struct target targets[] = {
    {.name = "x86_64", .token = SCMP_ARCH_X86_64, .foreign = X32, .x86 = true},
    {.name = "aarch64", .token = SCMP_ARCH_AARCH64},
};

static void generate(struct target *t)
{
	struct sock_filter *tree[POLICY_TREES];
	size_t length[POLICY_TREES];

	target_resolve(t);
	for (unsigned p = 0; p < POLICY_TREES; p++) {
		struct sock_filter *built = tree_build(t, p, &length[p]);

		tree[p] = tree_compact(t, built, &length[p]);
		free(built);
		tree_check(t, p, tree[p], length[p]);
	}
	emit_source(t, tree, length);
	for (unsigned p = 0; p < POLICY_TREES; p++)
		free(tree[p]);
	free(t->number);
}

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 2 && i < sizeof targets / sizeof targets[0]; i++) {
		if (strcmp(argv[1], targets[i].name) != 0)
			continue;
		generate(&targets[i]);
		if (fflush(stdout) != 0 || ferror(stdout))
			die("cannot write: %s", strerror(errno));
		return 0;
	}
	die("usage: policy-gen x86_64|aarch64");
}
