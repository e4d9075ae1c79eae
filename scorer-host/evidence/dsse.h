/*
 * The envelope around the statement: DSSE v1, payload type application/vnd.in-toto+json, one ECDSA P-256 signature over
 * the pre-authentication encoding. Its bytes are the canonical encoding of canonical.h.
 */
#ifndef PROCTOR_EVIDENCE_DSSE_H
#define PROCTOR_EVIDENCE_DSSE_H

#include <stdbool.h>
#include <stddef.h>

#include "evidence/key.h"

#define DSSE_TYPE "application/vnd.in-toto+json"

/* What is signed: "DSSEv1 28 TYPE LENGTH PAYLOAD". For free(3); NULL on no memory. */
char *dsse_pae(const char *payload, size_t n, size_t *length);

/* The envelope's bytes, for free(3). NULL on no memory or when the key does not sign. */
char *dsse_seal(const struct signing_key *key, const char *payload, size_t n, size_t *length);

struct dsse {
	char *payload; /* for free(3) */
	size_t payload_length;
	uint8_t signature[SIGNATURE_MAX];
	size_t signature_length;
	char keyid[65];
};

/* Takes an envelope apart. 0, or -EBADMSG for anything but the canonical encoding of one with one signature. */
int dsse_open(const char *bytes, size_t n, struct dsse *d);

/* True when that payload carries the key's signature. */
bool dsse_signs(const struct dsse *d, const struct signing_key *key, const char *payload, size_t n);

#endif
