/* Radix sort, least significant byte first; bytes that all keys share are skipped. Pure. */
#include "judge/sort.h"

#include <string.h>

enum { DIGITS = 8, VALUES = 256 };

uint64_t sort_key(double value)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof bits);
	return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static size_t digit(uint64_t key, unsigned at)
{
	return (size_t)(key >> (8 * at) & 0xff);
}

void sort_keys(uint64_t *keys, uint64_t *spare, size_t n)
{
	size_t count[DIGITS][VALUES] = {{0}};
	uint64_t *from = keys, *to = spare;
	for (size_t i = 0; i < n; i++)
		for (unsigned d = 0; d < DIGITS; d++)
			count[d][digit(keys[i], d)]++;
	for (unsigned d = 0; d < DIGITS; d++) {
		if (n == 0 || count[d][digit(keys[0], d)] == n)
			continue;
		size_t at = 0;
		for (size_t v = 0; v < VALUES; v++) {
			size_t here = count[d][v];
			count[d][v] = at;
			at += here;
		}
		for (size_t i = 0; i < n; i++)
			to[count[d][digit(from[i], d)]++] = from[i];
		uint64_t *swap = from;
		from = to;
		to = swap;
	}
	if (from != keys)
		memcpy(keys, from, n * sizeof *keys);
}

void sort_pairs(struct sort_pair *pairs, struct sort_pair *spare, size_t n)
{
	size_t count[DIGITS][VALUES] = {{0}};
	struct sort_pair *from = pairs, *to = spare;
	for (size_t i = 0; i < n; i++)
		for (unsigned d = 0; d < DIGITS; d++)
			count[d][digit(pairs[i].key, d)]++;
	for (unsigned d = 0; d < DIGITS; d++) {
		if (n == 0 || count[d][digit(pairs[0].key, d)] == n)
			continue;
		size_t at = 0;
		for (size_t v = 0; v < VALUES; v++) {
			size_t here = count[d][v];
			count[d][v] = at;
			at += here;
		}
		for (size_t i = 0; i < n; i++)
			to[count[d][digit(from[i].key, d)]++] = from[i];
		struct sort_pair *swap = from;
		from = to;
		to = swap;
	}
	if (from != pairs)
		memcpy(pairs, from, n * sizeof *pairs);
}
