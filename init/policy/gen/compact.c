/*
 * The library's tree asks for every number by itself; here it becomes a search among ranges of numbers that have one
 * answer, which is half as long and so loads in half the time. The answers are the library's: its program is run at
 * every place where an answer can change, so that both say the same to each of the 2^32 numbers.
 */
#include <stdlib.h>
#include <string.h>

#include "policy/gen/gen.h"
#include "policy/simulate.h"

struct range {
	uint32_t first;
	uint32_t answer;
};

struct ranges {
	struct range *range;
	size_t count;
};

static int by_value(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return (a > b) - (a < b);
}

/* 0, and every constant that the program compares with, and the one behind it, in order. The caller owns them. */
static uint32_t *places(const struct sock_filter *program, size_t length, size_t *count)
{
	uint32_t *place = calloc(2 * length + 1, sizeof *place);
	size_t n = 1;

	if (place == NULL)
		die("out of memory");
	for (size_t i = 0; i < length; i++) {
		if (BPF_CLASS(program[i].code) != BPF_JMP || BPF_OP(program[i].code) == BPF_JA)
			continue;
		if (BPF_OP(program[i].code) == BPF_JSET || BPF_SRC(program[i].code) != BPF_K)
			die("the library's program tests a number otherwise than by comparing");
		place[n++] = program[i].k;
		if (program[i].k != UINT32_MAX)
			place[n++] = program[i].k + 1;
	}
	qsort(place, n, sizeof *place, by_value);
	*count = n;
	return place;
}

static struct ranges ranges_of(const struct target *t, const struct sock_filter *program, size_t length)
{
	size_t count;
	uint32_t *place = places(program, length, &count);
	struct ranges r = {calloc(count, sizeof *r.range), 0};

	if (r.range == NULL)
		die("out of memory");
	for (size_t i = 0; i < count; i++) {
		const struct seccomp_data data = {.nr = (int)place[i], .arch = t->token};
		uint32_t answer = policy_simulate(program, &data);

		if (r.count == 0 || r.range[r.count - 1].answer != answer)
			r.range[r.count++] = (struct range){place[i], answer};
	}
	free(place);
	return r;
}

/* Appends the search in [from, to); returns the new length. */
static size_t search(struct sock_filter *out, size_t n, const struct range *range, size_t from, size_t to)
{
	size_t half = (from + to) / 2, at = n;

	if (to - from == 1) {
		out[n] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, range[from].answer);
		return n + 1;
	}
	n = search(out, n + 1, range, from, half);
	if (n - at - 1 > UINT8_MAX)
		die("a tree of %zu ranges is too long for one jump", to - from);
	out[at] = (struct sock_filter)BPF_JUMP(
	    BPF_JMP | BPF_JGE | BPF_K, range[half].first, (uint8_t)(n - at - 1), 0);
	return search(out, n, range, half, to);
}

struct sock_filter *tree_compact(const struct target *t, const struct sock_filter *program, size_t *length)
{
	struct ranges r = ranges_of(t, program, *length);
	struct sock_filter *out = calloc(2 * r.count + POLICY_TREE_HEAD, sizeof *out);
	size_t n = 0;

	if (out == NULL)
		die("out of memory");
	out[n++] =
	    (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
	out[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, t->token, 1, 0);
	out[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	out[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	if (n != POLICY_TREE_HEAD)
		die("the head of a tree has %zu instructions", n);
	*length = search(out, n, r.range, 0, r.count);
	free(r.range);
	return out;
}
