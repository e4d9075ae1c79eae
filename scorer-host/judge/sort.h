/* Sorting doubles in linear time. Pure. */
#ifndef PROCTOR_JUDGE_SORT_H
#define PROCTOR_JUDGE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* A key that orders as the finite double does; equal doubles have equal keys when no minus zero is among them. */
uint64_t sort_key(double value);

struct sort_pair {
	uint64_t key;
	uint32_t row;
};

/* Sorts pairs upwards by key; equal keys keep their order. spare has room for n pairs. */
void sort_pairs(struct sort_pair *pairs, struct sort_pair *spare, size_t n);

/* Sorts n keys upwards, by their upper 33 bits and then what is still equal. spare has room for n keys. */
void sort_keys(uint64_t *keys, uint64_t *spare, size_t n);

#endif
