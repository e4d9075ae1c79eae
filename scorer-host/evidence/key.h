/*
 * The operator's signing key: ECDSA on P-256 with SHA-256 (BearSSL), private part as PKCS#8 PEM in a file of mode 0600,
 * public part as SubjectPublicKeyInfo PEM (RFC 5208, RFC 5480), so that openssl reads both.
 */
#ifndef PROCTOR_EVIDENCE_KEY_H
#define PROCTOR_EVIDENCE_KEY_H

#include <stdint.h>

#include "judge/fault.h"

struct signing_key {
	unsigned char secret[32]; /* big-endian scalar; wiped by key_wipe */
	unsigned char point[65];  /* uncompressed public point */
	char id[65];		  /* hex SHA-256 of the public key's DER: the DSSE keyid */
};

/* Makes a key and writes PATH (0600, never overwritten) and PATH.pub or the name that the caller gives. */
int key_generate(const char *path, const char *public_path, struct signing_key *key, struct fault *fault);
int key_load(const char *path, struct signing_key *key, struct fault *fault);
/* Fills point and id only. */
int key_load_public(const char *path, struct signing_key *key, struct fault *fault);
void key_wipe(struct signing_key *key);

#endif
