/* The system call filter of this process (seccomp(2)). */
#ifndef PROCTOR_SYS_SECCOMP_H
#define PROCTOR_SYS_SECCOMP_H

#include <linux/filter.h>

/* Puts a classic BPF program of `length` instructions on top of what is there. Needs no_new_privs. 0 or -errno. */
int seccomp_load(const struct sock_filter *program, unsigned length);

/* 0 no filter, 2 a filter (or the question itself was refused by one), as in /proc/PID/status. Never under mode 1. */
int seccomp_mode(void);

#endif
