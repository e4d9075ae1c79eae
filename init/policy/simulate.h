/*
 * Runs a seccomp program over one system call without the kernel: for the generator, which re-reads what it wrote,
 * and for tests of filters as tables, on every architecture. init itself does not call it, and the linker drops it.
 */
#ifndef PROCTOR_POLICY_SIMULATE_H
#define PROCTOR_POLICY_SIMULATE_H

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Whether the kernel would take the program: 1 … BPF_MAXINSNS instructions, only those seccomp knows and this
 * simulator runs, every jump inside, a return at the end (seccomp_check_filter, bpf_check_classic).
 */
bool policy_program_valid(const struct sock_filter *program, size_t length);

/* The answer (SECCOMP_RET_…) of a valid program to the call described by `data`. */
uint32_t policy_simulate(const struct sock_filter *program, const struct seccomp_data *data);

#endif
