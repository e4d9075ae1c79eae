/* SipHash with one round a word and three at the end. Pure. */
#include "judge/siphash.h"

static inline uint64_t rotate(uint64_t v, unsigned by)
{
	return v << by | v >> (64 - by);
}

static inline void sip_round(uint64_t v[4])
{
	v[0] += v[1];
	v[2] += v[3];
	v[1] = rotate(v[1], 13) ^ v[0];
	v[3] = rotate(v[3], 16) ^ v[2];
	v[0] = rotate(v[0], 32);
	v[2] += v[1];
	v[0] += v[3];
	v[1] = rotate(v[1], 17) ^ v[2];
	v[3] = rotate(v[3], 21) ^ v[0];
	v[2] = rotate(v[2], 32);
}

static inline void absorb(uint64_t v[4], uint64_t word)
{
	v[3] ^= word;
	sip_round(v);
	v[0] ^= word;
}

uint64_t siphash(const uint64_t key[2], const uint8_t *bytes, size_t n)
{
	uint64_t v[4] = {key[0] ^ UINT64_C(0x736f6d6570736575), key[1] ^ UINT64_C(0x646f72616e646f6d),
	    key[0] ^ UINT64_C(0x6c7967656e657261), key[1] ^ UINT64_C(0x7465646279746573)};
	uint64_t word = 0;
	for (size_t i = 0; i < n; i++) {
		word |= (uint64_t)bytes[i] << (8 * (i & 7));
		if ((i & 7) == 7) {
			absorb(v, word);
			word = 0;
		}
	}
	absorb(v, word | (uint64_t)n << 56);
	v[2] ^= 0xff;
	for (int i = 0; i < 3; i++)
		sip_round(v);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}
