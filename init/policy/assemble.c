/*
 * The assembler. It must never widen what the table says except by `allow`, and never emit a program that the
 * kernel would refuse: a jump is written once its target is, and what does not fit ends the assembling.
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
	int held; /* the argument that is loaded wherever the next rule begins, or -1 */
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
	/* Jumps whose ways to the end are not known yet; further than any program is long. */
	PASSES = 0xffff,
	PASSES_LOADED = 0xfffe, /* the number is loaded still */
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

/* One rule; where it lets the call pass, a jump is left that emit_rules leads to the end. */
static void emit_rule(struct output *o, const struct request *r, const struct policy_rule *rule)
{
	size_t fails[POLICY_TESTS] = {0};

	for (unsigned i = 0; i < rule->tests; i++) {
		const struct policy_test *t = &rule->test[i];

		if (i > 0 || o->held != t->argument)
			emit(o, LOAD, ARGUMENTS + 8u * t->argument, 0, 0);
		if (t->mask != UINT32_MAX)
			emit(o, MASK, t->mask, 0, 0);
		fails[i] = o->used;
		emit(o, t->op == POLICY_HAS ? BITS : EQUAL, value_of(r, t), 0, 0);
	}
	if (rule->answer == SECCOMP_RET_ALLOW)
		emit(o, JUMP, PASSES, 0, 0);
	else
		emit_return(o, r, rule->answer);
	for (unsigned i = 0; i < rule->tests && !o->full; i++)
		o->at[fails[i]].jf = (uint8_t)(o->used - fails[i] - 1);
	o->held = rule->tests == 1 && rule->test[0].mask == UINT32_MAX ? rule->test[0].argument : -1;
}

/* The rules of one call: arch->rule[from] … [to - 1], of which some are active. */
struct call {
	uint16_t from, to;
	uint16_t body; /* index of the instruction where its rules begin */
	uint16_t leaf; /* of the jump there */
};

/* More calls than arguments.h speaks of; a table that grows beyond is refused with -E2BIG. */
enum { CALLS_MAX = 64 };

struct calls {
	struct call call[CALLS_MAX];
	size_t count;
};

/* The calls that have active rules, by number. */
static bool collect(struct calls *c, const struct request *r)
{
	const struct policy_rule *rule = r->arch->rule;

	c->count = 0;
	for (size_t from = 0, to; from < r->arch->rules; from = to) {
		bool any = false;
		size_t at = c->count;

		for (to = from; to < r->arch->rules && rule[to].number == rule[from].number; to++)
			any = any || active(r, &rule[to]);
		if (!any)
			continue;
		if (c->count == CALLS_MAX)
			return false;
		for (; at > 0 && rule[c->call[at - 1].from].number > rule[from].number; at--)
			c->call[at] = c->call[at - 1];
		c->call[at] = (struct call){(uint16_t)from, (uint16_t)to, 0, 0};
		c->count++;
	}
	return true;
}

/* Finds the call in [from, to) by its number: halves while there are many. What is no call of these goes on behind. */
static void emit_search(struct output *o, const struct request *r, struct calls *c, size_t from, size_t to)
{
	const struct policy_rule *rule = r->arch->rule;

	if (to - from > 3) {
		size_t half = (from + to) / 2, at = o->used;

		emit(o, ABOVE, (uint32_t)rule[c->call[half].from].number - 1, 0, 0);
		emit_search(o, r, c, from, half);
		if (!o->full && o->used - at - 1 > JUMP_MAX)
			o->full = true;
		if (o->full)
			return;
		o->at[at].jt = (uint8_t)(o->used - at - 1);
		emit_search(o, r, c, half, to);
		return;
	}
	for (size_t i = from; i < to; i++) {
		emit(o, EQUAL, rule[c->call[i].from].number, 0, 1);
		c->call[i].leaf = (uint16_t)o->used;
		emit(o, JUMP, 0, 0, 0);
	}
	emit(o, JUMP, PASSES_LOADED, 0, 0);
}

static bool same_rule(const struct policy_rule *a, const struct policy_rule *b)
{
	if (a->answer != b->answer || a->tests != b->tests)
		return false;
	for (unsigned i = 0; i < a->tests; i++)
		if (a->test[i].mask != b->test[i].mask || a->test[i].value != b->test[i].value ||
		    a->test[i].argument != b->test[i].argument || a->test[i].op != b->test[i].op)
			return false;
	return true;
}

/* Whether two calls have the same active rules, in the same order. */
static bool same_rules(const struct request *r, const struct call *a, const struct call *b)
{
	const struct policy_rule *rule = r->arch->rule;
	size_t i = a->from, k = b->from;

	for (;;) {
		while (i < a->to && !active(r, &rule[i]))
			i++;
		while (k < b->to && !active(r, &rule[k]))
			k++;
		if (i == a->to || k == b->to)
			return i == a->to && k == b->to;
		if (!same_rule(&rule[i++], &rule[k++]))
			return false;
	}
}

static void emit_body(struct output *o, const struct request *r, const struct call *call)
{
	const struct policy_rule *last = &r->arch->rule[call->from];

	o->held = -1;
	for (size_t i = call->from; i < call->to; i++) {
		if (!active(r, &r->arch->rule[i]))
			continue;
		last = &r->arch->rule[i];
		emit_rule(o, r, last);
	}
	if (last->tests > 0)
		emit(o, JUMP, PASSES, 0, 0);
}

/*
 * The argument rules: a search for the number, then the rules of each call, those that calls have in common once. All
 * jumps of passing calls are led to the end, where the number is loaded again.
 */
static void emit_rules(struct output *o, const struct request *r)
{
	struct calls c;
	size_t start = o->used;

	if (!collect(&c, r)) {
		o->full = true;
		return;
	}
	if (c.count == 0)
		return;
	emit_search(o, r, &c, 0, c.count);
	for (size_t i = 0; i < c.count && !o->full; i++) {
		size_t k = 0;

		while (k < i && !same_rules(r, &c.call[k], &c.call[i]))
			k++;
		c.call[i].body = k < i ? c.call[k].body : (uint16_t)o->used;
		o->at[c.call[i].leaf].k = (uint32_t)(c.call[i].body - c.call[i].leaf - 1);
		if (k == i)
			emit_body(o, r, &c.call[i]);
	}
	for (size_t i = start; i < o->used; i++)
		if (o->at[i].code == JUMP && (o->at[i].k == PASSES || o->at[i].k == PASSES_LOADED))
			o->at[i].k = (uint32_t)(o->used - i - (o->at[i].k == PASSES));
	emit(o, LOAD, NUMBER, 0, 0);
}

/* The architecture; and numbers above the table, those of a foreign ABI among them. The kernel runs it for each number. */
static void emit_head(struct output *o, const struct request *r)
{
	const struct policy_arch *arch = r->arch;

	emit(o, LOAD, ARCH, 0, 0);
	emit(o, EQUAL, arch->audit, 1, 0);
	emit_return(o, r, SECCOMP_RET_KILL_PROCESS);
	emit(o, LOAD, NUMBER, 0, 0);
	emit(o, ABOVE, arch->last, 0, (arch->foreign ? 3 : 0) + 1);
	if (arch->foreign) {
		/* -1 is what a tracer leaves behind for "skip this call"; it is no foreign call. */
		emit(o, EQUAL, UINT32_MAX, 2, 0);
		emit(o, BITS, arch->foreign, 0, 1);
		emit_return(o, r, SECCOMP_RET_KILL_PROCESS);
	}
	emit(o, RETURN, r->profile == POLICY_NONE ? SECCOMP_RET_ALLOW : SECCOMP_RET_ERRNO | ENOSYS, 0, 0);
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

	/* The architecture is known and the number loaded. */
	for (size_t i = POLICY_TREE_HEAD; i < tree->length; i++) {
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
	struct output o = {out, cap < BPF_MAXINSNS ? cap : BPF_MAXINSNS, 0, false, -1};
	int e = check(&r);

	if (e < 0)
		return e;
	if (!asked(&r))
		return 0;

	emit_head(&o, &r);
	emit_rules(&o, &r);
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
