/* Radix sort, least significant byte first; bytes that all keys share are skipped. Pure. */
#include "judge/sort.h"

#include <stdbool.h>
#include <string.h>

enum { DIGITS = 8, VALUES = 256, WIDTH = 11, WIDE = 1 << WIDTH, UPPER = 31, FEW = 48 };

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

/* Sorts by `passes` digits of WIDTH bits from bit `from` on; digits that all keys share are skipped. */
static void by_digits(uint64_t *keys, uint64_t *spare, size_t n, unsigned low, unsigned passes)
{
	size_t count[3][WIDE] = {{0}};
	uint64_t *from = keys, *to = spare;
	for (size_t i = 0; i < n; i++)
		for (unsigned p = 0; p < passes; p++)
			count[p][keys[i] >> (low + p * WIDTH) & (WIDE - 1)]++;
	for (unsigned p = 0; p < passes; p++) {
		unsigned shift = low + p * WIDTH;
		if (count[p][keys[0] >> shift & (WIDE - 1)] == n)
			continue;
		size_t at = 0;
		for (size_t v = 0; v < WIDE; v++) {
			size_t here = count[p][v];
			count[p][v] = at;
			at += here;
		}
		for (size_t i = 0; i < n; i++)
			to[count[p][from[i] >> shift & (WIDE - 1)]++] = from[i];
		uint64_t *swap = from;
		from = to;
		to = swap;
	}
	if (from != keys)
		memcpy(keys, from, n * sizeof *keys);
}

static void insert(uint64_t *keys, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		uint64_t key = keys[i];
		size_t at = i;
		for (; at > 0 && keys[at - 1] > key; at--)
			keys[at] = keys[at - 1];
		keys[at] = key;
	}
}

/* Doubles differ by their upper half already, nearly all of them: half of the passes, and little is left to do. */
void sort_keys(uint64_t *keys, uint64_t *spare, size_t n)
{
	if (n > FEW)
		by_digits(keys, spare, n, UPPER, 3);
	for (size_t i = 0, end; i < n; i = end) {
		bool equal = true;
		end = i + 1;
		while (end < n && (n <= FEW || keys[end] >> UPPER == keys[i] >> UPPER)) {
			equal = equal && keys[end] == keys[i];
			end++;
		}
		if (!equal && end - i <= FEW)
			insert(keys + i, end - i);
		else if (!equal)
			by_digits(keys + i, spare, end - i, 0, 3);
	}
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
