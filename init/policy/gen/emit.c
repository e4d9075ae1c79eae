/*
 * The C text. Its bytes follow from the tables and the library alone: no time, no path, no order but theirs.
 */
#include <stdio.h>
#include <string.h>

#include "policy/gen/gen.h"

static const char *const needed[] = {"sendmsg", "write", "close", "execve", "exit_group"};
_Static_assert(sizeof needed / sizeof needed[0] == POLICY_NEEDED, "one name for each needed call");

/* "ml_multi" for "ml-multi". */
static void print_identifier(const char *name)
{
	for (; *name != '\0'; name++)
		putchar(*name == '-' ? '_' : *name);
}

static void emit_program(enum policy_profile profile, const struct sock_filter *program, size_t length)
{
	printf("static const struct sock_filter tree_");
	print_identifier(policy_profile_name(profile));
	printf("[] = {\n");
	for (size_t i = 0; i < length; i++)
		printf("\t{%#06x, %u, %u, %#010x},\n", program[i].code, program[i].jt, program[i].jf,
		    program[i].k);
	printf("};\n\n");
}

static void emit_rule(const struct policy_rule *r, const struct argument_line *line)
{
	printf("\t/* %s: %s */\n\t{%#010xu, %u, %u, %u, {", line->call, line->reason, r->answer, r->number,
	    r->when, r->tests);
	for (unsigned i = 0; i < POLICY_TESTS; i++)
		printf("%s{%#xu, %#xu, %u, %u}", i == 0 ? "" : ", ", r->test[i].mask, r->test[i].value,
		    r->test[i].argument, r->test[i].op);
	printf("}},\n");
}

/* The lines of calls that exist here; those of one call must stand together. */
static unsigned emit_rules(const struct target *t)
{
	unsigned n = 0;

	printf("static const struct policy_rule rules[] = {\n");
	for (size_t i = 0; i < argument_line_count; i++) {
		const struct argument_line *line = &argument_lines[i];
		struct policy_rule rule = line->rule;
		int number = t->number[call_line_index(line->call)];

		for (size_t k = 0; k + 1 < i; k++)
			if (strcmp(argument_lines[k].call, line->call) == 0 &&
			    strcmp(argument_lines[i - 1].call, line->call) != 0)
				die("arguments.h: the lines of %s do not stand together", line->call);
		if (number < 0)
			continue;
		rule.number = (uint16_t)number;
		emit_rule(&rule, line);
		n++;
	}
	printf("};\n\n");
	return n;
}

static unsigned emit_names(const struct target *t)
{
	unsigned n = 0;

	printf("/* In the order of the table; each with what it is answered for. */\nstatic const char "
	       "names[] =\n");
	for (size_t i = 0; i < call_line_count; i++)
		if (t->number[i] >= 0)
			printf("\t\"%s\\0\" /* %s */\n", call_lines[i].name, call_lines[i].reason);
	printf("\t\"\";\n\nstatic const uint16_t numbers[] = {");
	for (size_t i = 0; i < call_line_count; i++)
		if (t->number[i] >= 0)
			printf("%s%d,", n++ % 16 == 0 ? "\n\t" : " ", t->number[i]);
	printf("\n};\n\n");
	return n;
}

void emit_source(
    const struct target *t, struct sock_filter *const tree[POLICY_TREES], const size_t length[POLICY_TREES])
{
	unsigned rules, names;

	printf("/* The syscall policy for %s, generated from init/policy/. Do not edit. */\n"
	       "#include \"policy/blob.h\"\n\n",
	    t->name);
	for (unsigned p = 0; p < POLICY_TREES; p++)
		emit_program(p, tree[p], length[p]);
	rules = emit_rules(t);
	names = emit_names(t);

	printf("const struct policy_arch policy_arch_%s = {\n", t->name);
	printf("\t.name = \"%s\",\n\t.audit = %#010xu,\n\t.foreign = %#xu,\n\t.last = %u,\n", t->name,
	    t->token, t->foreign, t->last);
	printf("\t.rules = %u,\n\t.names = %u,\n\t.needed = {", rules, names);
	for (unsigned i = 0; i < POLICY_NEEDED; i++)
		printf("%s%d", i == 0 ? "" : ", ", t->number[call_line_index(needed[i])]);
	printf("},\n\t.tree = {\n");
	for (unsigned p = 0; p < POLICY_TREES; p++) {
		printf("\t\t[%u] = {tree_", p);
		print_identifier(policy_profile_name(p));
		printf(", %zu},\n", length[p]);
	}
	printf("\t},\n\t.rule = rules,\n\t.name_text = names,\n\t.name_number = numbers,\n};\n");
}
