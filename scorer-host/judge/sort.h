/* Sorting doubles in linear time. Pure. */
#ifndef PROCTOR_JUDGE_SORT_H
#define PROCTOR_JUDGE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* A key that orders as the finite double does; equal doubles have equal keys when no minus zero is among them. */
uint64_t sort_key(double value);

/* Sorts n keys upwards, by radix. spare has room for n keys. */
void sort_keys(uint64_t *keys, uint64_t *spare, size_t n);

#endif
