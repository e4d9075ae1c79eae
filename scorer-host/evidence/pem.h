/* Keys as PEM files (RFC 7468): only what key.c needs of it. */
#ifndef PROCTOR_EVIDENCE_PEM_H
#define PROCTOR_EVIDENCE_PEM_H

#include <stddef.h>
#include <stdint.h>

enum { PEM_MAX = 4096, DER_PUBLIC = 91 };

/* The first block of that name ("PUBLIC KEY") in a NUL-terminated text. Bytes for free(3), or NULL. */
uint8_t *pem_decode(const char *text, const char *name, size_t *n);

/* A block with lines of 64 and its NUL into out. The length, or 0 when it does not fit. */
size_t pem_encode(char out[PEM_MAX], const char *name, const uint8_t *bytes, size_t n);

/* A P-256 point as SubjectPublicKeyInfo. */
void der_public(uint8_t out[DER_PUBLIC], const uint8_t point[65]);

/* The point of a SubjectPublicKeyInfo on P-256, uncompressed. 0, or -EINVAL for anything else. */
int der_public_point(const uint8_t *der, size_t n, uint8_t point[65]);

#endif
