/* PEM and the one DER structure of a public key. */
#include "evidence/pem.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evidence/base64.h"

/* SEQUENCE { SEQUENCE { id-ecPublicKey, prime256v1 }, BIT STRING of 66 bytes without unused bits } (RFC 5480) */
static const uint8_t spki[DER_PUBLIC - 65] = {0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce,
    0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00};

void der_public(uint8_t out[DER_PUBLIC], const uint8_t point[65])
{
	memcpy(out, spki, sizeof spki);
	memcpy(out + sizeof spki, point, 65);
}

int der_public_point(const uint8_t *der, size_t n, uint8_t point[65])
{
	if (n != DER_PUBLIC || memcmp(der, spki, sizeof spki) != 0 || der[sizeof spki] != 0x04)
		return -EINVAL;
	memcpy(point, der + sizeof spki, 65);
	return 0;
}

uint8_t *pem_decode(const char *text, const char *name, size_t *n)
{
	char line[64], body[PEM_MAX];
	const char *at, *end;
	size_t length = 0;

	(void)snprintf(line, sizeof line, "-----BEGIN %s-----", name);
	at = strstr(text, line);
	if (!at)
		return NULL;
	at += strlen(line);
	(void)snprintf(line, sizeof line, "-----END %s-----", name);
	end = strstr(at, line);
	if (!end || end - at >= PEM_MAX)
		return NULL;
	for (; at < end; at++)
		if (*at != '\n' && *at != '\r')
			body[length++] = *at;
	body[length] = '\0';
	return base64_decode(body, n);
}

size_t pem_encode(char out[PEM_MAX], const char *name, const uint8_t *bytes, size_t n)
{
	char *body = base64_encode(bytes, n);
	size_t length = 0, total = body ? strlen(body) : 0;

	if (total == 0 || total + total / 64 + 2 * strlen(name) + 64 > PEM_MAX) {
		free(body);
		return 0;
	}
	length = (size_t)snprintf(out, PEM_MAX, "-----BEGIN %s-----\n", name);
	for (size_t at = 0; at < total; at += 64)
		length += (size_t)snprintf(out + length, PEM_MAX - length, "%.64s\n", body + at);
	length += (size_t)snprintf(out + length, PEM_MAX - length, "-----END %s-----\n", name);
	explicit_bzero(body, total);
	free(body);
	return length;
}
