/*
 * The operator's signing key: ECDSA on P-256 with SHA-256 (BearSSL), private part as PKCS#8 PEM in a file of mode 0600,
 * public part as SubjectPublicKeyInfo PEM (RFC 5208, RFC 5480), so that openssl reads both. Faults here are usage
 * errors (VERDICT_NONE): the operator gave a path that does not hold such a key.
 */
#ifndef PROCTOR_EVIDENCE_KEY_H
#define PROCTOR_EVIDENCE_KEY_H

#include <stddef.h>
#include <stdint.h>

#include "judge/fault.h"

struct signing_key {
	unsigned char secret[32]; /* big-endian scalar; wiped by key_wipe */
	unsigned char point[65];  /* uncompressed public point */
	char id[65];		  /* hex SHA-256 of the public key's DER: the DSSE keyid */
};

enum { SIGNATURE_MAX = 80 };

/* Names in HOME: the private part that `run` signs with, the public part that `verify` and others check with. */
#define OPERATOR_KEY "operator.key"
#define OPERATOR_PUBLIC "operator.pub"

/*
 * Makes a key and writes PATH (0600) and public_path, or, when that is NULL, PATH with .pub in the place of a final .key
 * or .pem, else behind it. Neither file is ever overwritten.
 */
int key_generate(const char *path, const char *public_path, struct signing_key *key, struct fault *fault);

/* Reads a private key, PKCS#8 or SEC 1, of a file that others can neither read nor write. */
int key_load(const char *path, struct signing_key *key, struct fault *fault);

/* The public part's default path for that private one. 0 or -ENAMETOOLONG. */
int key_public_path(const char *path, char *out, size_t room);

/* Fills point and id only. */
int key_load_public(const char *path, struct signing_key *key, struct fault *fault);

void key_wipe(struct signing_key *key);

/*
 * Signs SHA-256 of the bytes: deterministic (RFC 6979), DER, the smaller of the two values of s. The signature's length.
 */
size_t key_sign(const struct signing_key *key, const void *bytes, size_t n, uint8_t signature[SIGNATURE_MAX]);

/* 1 when that is the key's signature in the form that key_sign gives, else 0: no second form of it is accepted. */
int key_verify(
    const struct signing_key *key, const void *bytes, size_t n, const uint8_t *signature, size_t length);

#endif
