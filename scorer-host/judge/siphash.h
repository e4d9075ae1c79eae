/*
 * SipHash-1-3 (Aumasson, Bernstein: "SipHash: a fast short-input PRF"): a keyed hash, so that nobody who does not know
 * the key can choose ids that collide. Pure.
 */
#ifndef PROCTOR_JUDGE_SIPHASH_H
#define PROCTOR_JUDGE_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t siphash(const uint64_t key[2], const uint8_t *bytes, size_t n);

#endif
