/* Base64 (RFC 4648 section 4), canonical: one text for one byte string, and only that text is read. */
#ifndef PROCTOR_EVIDENCE_BASE64_H
#define PROCTOR_EVIDENCE_BASE64_H

#include <stddef.h>
#include <stdint.h>

/* NUL-terminated text for free(3); NULL on no memory. */
char *base64_encode(const uint8_t *bytes, size_t n);

/* The bytes for free(3) and *n; NULL on no memory or anything but the canonical text. */
uint8_t *base64_decode(const char *text, size_t *n);

#endif
