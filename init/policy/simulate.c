/*
 * Classic BPF as far as libseccomp and the assembler use it. It must never accept what the kernel refuses; it may
 * refuse instructions that the kernel takes, since nobody here writes them.
 */
#include "policy/simulate.h"

#include <string.h>

static bool in_range(size_t at, size_t jump, size_t length)
{
	return jump < length - at - 1;
}

bool policy_program_valid(const struct sock_filter *program, size_t length)
{
	if (length == 0 || length > BPF_MAXINSNS || program[length - 1].code != (BPF_RET | BPF_K))
		return false;
	for (size_t i = 0; i < length; i++) {
		const struct sock_filter *f = &program[i];

		switch (f->code) {
		case BPF_LD | BPF_W | BPF_ABS:
			if (f->k % 4 != 0 || f->k > sizeof(struct seccomp_data) - 4)
				return false;
			break;
		case BPF_ALU | BPF_AND | BPF_K:
		case BPF_RET | BPF_K:
			break;
		case BPF_JMP | BPF_JA:
			if (!in_range(i, f->k, length))
				return false;
			break;
		case BPF_JMP | BPF_JEQ | BPF_K:
		case BPF_JMP | BPF_JGT | BPF_K:
		case BPF_JMP | BPF_JGE | BPF_K:
		case BPF_JMP | BPF_JSET | BPF_K:
			if (!in_range(i, f->jt, length) || !in_range(i, f->jf, length))
				return false;
			break;
		default:
			return false;
		}
	}
	return true;
}

uint32_t policy_simulate(const struct sock_filter *program, const struct seccomp_data *data)
{
	uint32_t a = 0;

	for (const struct sock_filter *f = program;; f++) {
		bool taken = false;

		switch (f->code) {
		case BPF_LD | BPF_W | BPF_ABS:
			memcpy(&a, (const char *)data + f->k, sizeof a);
			continue;
		case BPF_ALU | BPF_AND | BPF_K:
			a &= f->k;
			continue;
		case BPF_JMP | BPF_JA:
			f += f->k;
			continue;
		case BPF_JMP | BPF_JEQ | BPF_K:
			taken = a == f->k;
			break;
		case BPF_JMP | BPF_JGT | BPF_K:
			taken = a > f->k;
			break;
		case BPF_JMP | BPF_JGE | BPF_K:
			taken = a >= f->k;
			break;
		case BPF_JMP | BPF_JSET | BPF_K:
			taken = (a & f->k) != 0;
			break;
		default:
			return f->k;
		}
		f += taken ? f->jt : f->jf;
	}
}
