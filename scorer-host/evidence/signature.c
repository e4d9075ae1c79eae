/*
 * ECDSA signatures in one form only. For every signature (r, s) the pair (r, n - s) verifies too, and DER can be written
 * in more than one way; both are refused, so that a signature cannot be exchanged for another over the same bytes.
 */
#include <bearssl_ec.h>
#include <bearssl_hash.h>
#include <string.h>

#include "evidence/key.h"

enum { SCALAR = 32 };

/* The order n of P-256 (FIPS 186-4, D.1.2.3), and n / 2. */
static const uint8_t order[SCALAR] = {0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff,
    0xff, 0xff, 0xff, 0xff, 0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc,
    0x63, 0x25, 0x51};
static const uint8_t half[SCALAR] = {0x7f, 0xff, 0xff, 0xff, 0x80, 0x00, 0x00, 0x00, 0x7f, 0xff, 0xff, 0xff,
    0xff, 0xff, 0xff, 0xff, 0xde, 0x73, 0x7d, 0x56, 0xd3, 0x8b, 0xcf, 0x42, 0x79, 0xdc, 0xe5, 0x61, 0x7e,
    0x31, 0x92, 0xa8};

static void hash(const void *bytes, size_t n, uint8_t out[br_sha256_SIZE])
{
	br_sha256_context c;
	br_sha256_init(&c);
	br_sha256_update(&c, bytes, n);
	br_sha256_out(&c, out);
}

static void negate(uint8_t s[SCALAR])
{
	int borrow = 0;
	for (int i = SCALAR - 1; i >= 0; i--) {
		int d = order[i] - s[i] - borrow;
		borrow = d < 0;
		s[i] = (uint8_t)d;
	}
}

size_t key_sign(const struct signing_key *key, const void *bytes, size_t n, uint8_t signature[SIGNATURE_MAX])
{
	uint8_t digest[br_sha256_SIZE], secret[SCALAR];
	br_ec_private_key k = {BR_EC_secp256r1, secret, sizeof secret};
	size_t length;

	memcpy(secret, key->secret, sizeof secret);
	hash(bytes, n, digest);
	length =
	    br_ecdsa_sign_raw_get_default()(br_ec_get_default(), &br_sha256_vtable, digest, &k, signature);
	explicit_bzero(secret, sizeof secret);
	if (length != 2 * SCALAR)
		return 0;
	if (memcmp(signature + SCALAR, half, SCALAR) > 0)
		negate(signature + SCALAR);
	return br_ecdsa_raw_to_asn1(signature, length);
}

int key_verify(
    const struct signing_key *key, const void *bytes, size_t n, const uint8_t *signature, size_t length)
{
	uint8_t digest[br_sha256_SIZE], raw[256], again[SIGNATURE_MAX], point[sizeof key->point];
	br_ec_public_key k = {BR_EC_secp256r1, point, sizeof point};
	size_t size;

	if (length == 0 || length > SIGNATURE_MAX)
		return 0;
	memcpy(point, key->point, sizeof point);
	memcpy(raw, signature, length);
	/* Two numbers of unequal length come out padded to the longer one, so this can grow: to 254 at most. */
	size = br_ecdsa_asn1_to_raw(raw, length);
	if (size == 0 || size > 2 * SCALAR || size % 2 != 0)
		return 0;
	/* Both halves come as long as the longer one: bring them to full length to compare and to encode again. */
	memset(again, 0, sizeof again);
	memcpy(again + SCALAR - size / 2, raw, size / 2);
	memcpy(again + 2 * SCALAR - size / 2, raw + size / 2, size / 2);
	if (memcmp(again + SCALAR, half, SCALAR) > 0)
		return 0;
	hash(bytes, n, digest);
	if (!br_ecdsa_vrfy_raw_get_default()(
		br_ec_get_default(), digest, sizeof digest, &k, again, 2 * SCALAR))
		return 0;
	return br_ecdsa_raw_to_asn1(again, 2 * SCALAR) == length && memcmp(again, signature, length) == 0;
}
