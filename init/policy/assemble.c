/*
 * The assembler. It must never widen what the table says except by `allow`, and never emit a program that the
 * kernel would refuse: every offset is computed from lengths known before the first instruction is written.
 */
#include "policy/assemble.h"

#include <errno.h>

#include "policy/blob.h"
#include "policy/numbers.h"

struct output {
	struct sock_filter *at;
	size_t cap;
	size_t used;
	bool full;
};

struct request {
	const struct policy_arch *arch;
	enum policy_profile profile;
	const struct policy_switches *switches;
};

enum {
	LOAD = BPF_LD | BPF_W | BPF_ABS,
	MASK = BPF_ALU | BPF_AND | BPF_K,
	EQUAL = BPF_JMP | BPF_JEQ | BPF_K,
	ABOVE = BPF_JMP | BPF_JGT | BPF_K,
	BITS = BPF_JMP | BPF_JSET | BPF_K,
	JUMP = BPF_JMP | BPF_JA,
	RETURN = BPF_RET | BPF_K,

	NUMBER = offsetof(struct seccomp_data, nr),
	ARCH = offsetof(struct seccomp_data, arch),
	ARGUMENTS = offsetof(struct seccomp_data, args),
	JUMP_MAX = 255,
};

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the low word of an argument is its first");

static void emit(struct output *o, int code, uint32_t k, size_t jt, size_t jf)
{
	if (o->used >= o->cap || jt > JUMP_MAX || jf > JUMP_MAX) {
		o->full = true;
		return;
	}
	o->at[o->used++] = (struct sock_filter){(uint16_t)code, (uint8_t)jt, (uint8_t)jf, k};
}

/* The kernel ignores the data of a notification; here it tells which answer the program would have without one. */
#define NOTIFY_KILL (SECCOMP_RET_USER_NOTIF | 1u)

static uint32_t translate(uint32_t answer, enum policy_answer how)
{
	if (answer != POLICY_DENIED && answer != SECCOMP_RET_KILL_PROCESS)
		return answer;
	if (how == POLICY_ANSWER_NOTIFY)
		return answer == POLICY_DENIED ? SECCOMP_RET_USER_NOTIF : NOTIFY_KILL;
	return answer == POLICY_DENIED ? SECCOMP_RET_ERRNO | EPERM : answer;
}

static void emit_return(struct output *o, const struct request *r, uint32_t answer)
{
	emit(o, RETURN, translate(answer, r->switches->answer), 0, 0);
}

/* Whether a rule belongs into this program at all. */
static bool active(const struct request *r, const struct policy_rule *rule)
{
	const struct policy_switches *s = r->switches;

	for (unsigned i = 0; i < rule->tests; i++) {
		uint8_t op = rule->test[i].op;

		if (s->guard_group == 0 && (op == POLICY_IS_GROUP || op == POLICY_IS_MINUS_GROUP))
			return false;
	}
	switch ((enum policy_when)rule->when) {
	case POLICY_ALWAYS:
		return r->profile != POLICY_NONE;
	case POLICY_GUARD:
		return s->guard;
	case POLICY_GUARD_NOT_FIRST:
		return s->guard && s->guard_pid != 1;
	case POLICY_SOCKETS:
		return r->profile != POLICY_NONE || s->network != POLICY_NETWORK_OPEN;
	case POLICY_LOOPBACK:
		return s->network == POLICY_NETWORK_LOOPBACK;
	case POLICY_OPEN:
		return r->profile != POLICY_NONE && s->network == POLICY_NETWORK_OPEN;
	case POLICY_ONLY_STRICT:
		return r->profile == POLICY_STRICT;
	case POLICY_MONITORED:
		return s->monitored;
	}
	return true;
}

static uint32_t value_of(const struct request *r, const struct policy_test *t)
{
	switch ((enum policy_operator)t->op) {
	case POLICY_IS_INIT:
		return r->switches->guard_pid;
	case POLICY_IS_MINUS_INIT:
		return 0 - r->switches->guard_pid;
	case POLICY_IS_GROUP:
		return r->switches->guard_group;
	case POLICY_IS_MINUS_GROUP:
		return 0 - r->switches->guard_group;
	case POLICY_IS:
	case POLICY_HAS:
		break;
	}
	return t->value;
}

static size_t test_length(const struct policy_test *t)
{
	return t->mask == UINT32_MAX ? 2 : 3;
}

static size_t rule_length(const struct policy_rule *rule)
{
	size_t n = 1;

	for (unsigned i = 0; i < rule->tests; i++)
		n += test_length(&rule->test[i]);
	return n;
}

/* One rule; `end` is where the call goes on when it passes. */
static void emit_rule(struct output *o, const struct request *r, const struct policy_rule *rule, size_t end)
{
	size_t next = o->used + rule_length(rule);

	for (unsigned i = 0; i < rule->tests; i++) {
		const struct policy_test *t = &rule->test[i];

		emit(o, LOAD, ARGUMENTS + 8u * t->argument, 0, 0);
		if (t->mask != UINT32_MAX)
			emit(o, MASK, t->mask, 0, 0);
		emit(o, t->op == POLICY_HAS ? BITS : EQUAL, value_of(r, t), 0, next - o->used - 1);
	}
	if (rule->answer == SECCOMP_RET_ALLOW)
		emit(o, JUMP, (uint32_t)(end - o->used - 1), 0, 0);
	else
		emit_return(o, r, rule->answer);
}

/* All rules of the call at `from`: `number? rules; load the number again`. Returns the index behind them. */
static size_t emit_call(struct output *o, const struct request *r, size_t from)
{
	const struct policy_rule *rule = r->arch->rule;
	size_t to, body = 0;

	for (to = from; to < r->arch->rules && rule[to].number == rule[from].number; to++)
		if (active(r, &rule[to]))
			body += rule_length(&rule[to]);
	if (body == 0)
		return to;

	size_t end = o->used + 1 + body;
	emit(o, EQUAL, rule[from].number, 0, body + 1);
	for (size_t i = from; i < to && !o->full; i++)
		if (active(r, &rule[i]))
			emit_rule(o, r, &rule[i], end);
	emit(o, LOAD, NUMBER, 0, 0);
	return to;
}

static void emit_list(struct output *o, const struct request *r, const int *list, size_t n, uint32_t answer)
{
	for (size_t i = 0; i < n; i++) {
		emit(o, EQUAL, (uint32_t)list[i], 0, 1);
		emit_return(o, r, answer);
	}
}

static void emit_tree(struct output *o, const struct request *r)
{
	const struct policy_tree *tree = &r->arch->tree[r->profile];

	for (size_t i = 0; i < tree->length; i++) {
		struct sock_filter f = tree->program[i];

		emit(o, f.code, f.code == RETURN ? translate(f.k, r->switches->answer) : f.k, f.jt, f.jf);
	}
}

static bool asked(const struct request *r)
{
	const struct policy_switches *s = r->switches;

	return r->profile != POLICY_NONE || s->guard || s->monitored || s->denies > 0 ||
	       s->network != POLICY_NETWORK_OPEN;
}

static int check(const struct request *r)
{
	const struct policy_switches *s = r->switches;

	if (policy_profile_name(r->profile) == NULL)
		return -EINVAL;
	if (s->guard && s->guard_pid == 0)
		return -EINVAL;
	for (size_t i = 0; i < s->denies; i++) {
		if (s->deny[i] < 0 || s->deny[i] > r->arch->last)
			return -EINVAL;
		if (policy_needed_on(r->arch, s->deny[i]))
			return -EPERM;
	}
	for (size_t i = 0; i < s->allows; i++)
		if (s->allow[i] < 0 || s->allow[i] > r->arch->last)
			return -EINVAL;
	return 0;
}

int policy_assemble_for(const struct policy_arch *arch, struct sock_filter *out, size_t cap,
    enum policy_profile profile, const struct policy_switches *switches)
{
	const struct request r = {arch, profile, switches};
	struct output o = {out, cap < BPF_MAXINSNS ? cap : BPF_MAXINSNS, 0, false};
	int e = check(&r);

	if (e < 0)
		return e;
	if (!asked(&r))
		return 0;

	emit(&o, LOAD, ARCH, 0, 0);
	emit(&o, EQUAL, arch->audit, 1, 0);
	emit_return(&o, &r, SECCOMP_RET_KILL_PROCESS);
	emit(&o, LOAD, NUMBER, 0, 0);
	if (arch->foreign != 0) {
		/* -1 is what a tracer leaves behind for "skip this call"; it is no foreign call. */
		emit(&o, EQUAL, UINT32_MAX, 2, 0);
		emit(&o, BITS, arch->foreign, 0, 1);
		emit_return(&o, &r, SECCOMP_RET_KILL_PROCESS);
	}
	if (profile != POLICY_NONE) {
		emit(&o, ABOVE, arch->last, 0, 1);
		emit(&o, RETURN, SECCOMP_RET_ERRNO | ENOSYS, 0, 0);
	}
	for (size_t i = 0; i < arch->rules && !o.full;)
		i = emit_call(&o, &r, i);
	emit_list(&o, &r, switches->deny, switches->denies, POLICY_DENIED);
	emit_list(&o, &r, switches->allow, switches->allows, SECCOMP_RET_ALLOW);
	if (profile == POLICY_NONE)
		emit(&o, RETURN, SECCOMP_RET_ALLOW, 0, 0);
	else
		emit_tree(&o, &r);
	return o.full ? -E2BIG : (int)o.used;
}

int policy_assemble(
    struct sock_filter *out, size_t cap, enum policy_profile profile, const struct policy_switches *switches)
{
	return policy_assemble_for(POLICY_NATIVE, out, cap, profile, switches);
}

void policy_forget_notify(struct sock_filter *program, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (program[i].code != RETURN)
			continue;
		if (program[i].k == NOTIFY_KILL)
			program[i].k = SECCOMP_RET_KILL_PROCESS;
		else if (program[i].k == SECCOMP_RET_USER_NOTIF)
			program[i].k = translate(POLICY_DENIED, POLICY_ANSWER_ERRNO);
	}
}
