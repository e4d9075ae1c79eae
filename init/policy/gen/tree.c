/*
 * The part that libseccomp does: numbers to a balanced tree. Plain numbers only, since its argument comparisons look
 * at 64 bits where the kernel takes 32.
 */
#include <errno.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/gen/gen.h"

static void must(int result, const char *what, const char *object)
{
	if (result < 0)
		die("libseccomp: %s %s: %s", what, object, strerror(-result));
}

static void add_rules(scmp_filter_ctx filter, const struct target *t, enum policy_profile profile)
{
	for (size_t i = 0; i < call_line_count; i++) {
		uint32_t answer = line_answer(&call_lines[i], profile);

		/* The library refuses a rule that says what the default says already. */
		if (t->number[i] < 0 || answer == UNKNOWN_ANSWER)
			continue;
		/* It takes the build machine's numbers, whatever the filter is for, and goes by their names. */
		must(seccomp_rule_add_exact(
			 filter, answer, seccomp_syscall_resolve_name(call_lines[i].name), 0),
		    "rule for", call_lines[i].name);
	}
}

static struct sock_filter *export(scmp_filter_ctx filter, size_t *length)
{
	FILE *f = tmpfile();
	struct sock_filter *program = calloc(BPF_MAXINSNS, sizeof *program);

	if (f == NULL || program == NULL)
		die("no room for the exported program: %s", strerror(errno));
	must(seccomp_export_bpf(filter, fileno(f)), "export", "");
	rewind(f);
	*length = fread(program, sizeof *program, BPF_MAXINSNS, f);
	if (ferror(f) || *length == 0 || fgetc(f) != EOF)
		die("the exported program cannot be read back, or is too long");
	fclose(f);
	return program;
}

struct sock_filter *tree_build(const struct target *t, enum policy_profile profile, size_t *length)
{
	scmp_filter_ctx filter = seccomp_init(UNKNOWN_ANSWER);
	struct sock_filter *program;

	if (filter == NULL)
		die("libseccomp: no filter");
	if (seccomp_arch_native() != t->token) {
		must(seccomp_arch_add(filter, t->token), "architecture", t->name);
		must(seccomp_arch_remove(filter, SCMP_ARCH_NATIVE), "architecture", "native");
	}
	must(seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS), "attribute",
	    "bad architecture");
	must(seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2), "attribute", "binary tree");
	add_rules(filter, t, profile);
	program = export(filter, length);
	seccomp_release(filter);
	return program;
}
