/*
 * Reads the kernel's figures out of text that a file of /proc or of a cgroup gave: never more than n bytes, no
 * assumption about what is in them, and a value that does not fit is "not there". Pure.
 */
#ifndef PROCTOR_CORE_FIGURES_H
#define PROCTOR_CORE_FIGURES_H

#include <stdint.h>
#include <stddef.h>

/* A file of one number; LIMIT_NONE for "max", anything malformed, and numbers above 2^63-1. */
uint64_t figure_alone(const char *text, size_t n);

/* The number behind "key " at the start of a line (memory.oom_control, memory.events.local, cpu.stat); LIMIT_NONE. */
uint64_t figure_keyed(const char *text, size_t n, const char *key);

/* What proc_pid_stat(5) says of one process. */
struct process_stat {
	char state;
	uint64_t parent;
	uint64_t ticks;	       /* utime + stime, fields 14 and 15 */
	uint64_t reaped_ticks; /* cutime + cstime, fields 16 and 17 */
	uint64_t threads;
	uint64_t resident; /* pages */
};

/* 0, or -EINVAL. The name between the outer parentheses may hold anything, ") R 1" included. */
int figure_process(const char *text, size_t n, struct process_stat *s);

#endif
