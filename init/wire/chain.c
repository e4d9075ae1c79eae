/* The ratcheting chain of tags. Pure; old keys and contexts are wiped as soon as they are not needed. */
#include "wire/chain.h"

#include <bearssl_hmac.h>
#include <errno.h>
#include <string.h>

static const char ratchet[] = "proctor ratchet 1";

void chain_start(struct chain *c)
{
	memset(c, 0, sizeof *c);
	br_sha256_init(&c->opening);
	c->next = 1;
}

void chain_opening(struct chain *c, const uint8_t *bytes, size_t n)
{
	br_sha256_update(&c->opening, bytes, n);
}

void chain_key(struct chain *c, const uint8_t key[CHAIN_KEY])
{
	br_sha256_out(&c->opening, c->binding);
	explicit_bzero(&c->opening, sizeof c->opening); /* TICKET's key went through it */
	memcpy(c->key, key, CHAIN_KEY);
}

int chain_binds(const struct chain *c)
{
	return c->next == 1;
}

void chain_seal(struct chain *c, const uint8_t header[FRAME_HEADER], const uint8_t *payload, size_t n,
    uint8_t tag[FRAME_TAG])
{
	br_hmac_key_context key;
	br_hmac_context mac;

	br_hmac_key_init(&key, &br_sha256_vtable, c->key, CHAIN_KEY);
	br_hmac_init(&mac, &key, 0);
	br_hmac_update(&mac, header, FRAME_HEADER);
	br_hmac_update(&mac, payload, n);
	br_hmac_out(&mac, tag);
	br_hmac_init(&mac, &key, 0);
	br_hmac_update(&mac, ratchet, sizeof ratchet - 1);
	br_hmac_out(&mac, c->key);
	explicit_bzero(&key, sizeof key);
	explicit_bzero(&mac, sizeof mac);
	c->next++;
}

static int differ(const uint8_t *a, const uint8_t *b, size_t n)
{
	uint8_t d = 0;
	for (size_t i = 0; i < n; i++)
		d |= a[i] ^ b[i];
	return d != 0;
}

int chain_verify(struct chain *c, const uint8_t header[FRAME_HEADER], const uint8_t *payload, size_t n,
    const uint8_t tag[FRAME_TAG])
{
	uint8_t expected[FRAME_TAG];
	int bad = get_u64(header + 8) != c->next;

	if (chain_binds(c))
		bad |= n < BINDING || differ(payload, c->binding, BINDING);
	chain_seal(c, header, payload, n, expected);
	bad |= differ(expected, tag, FRAME_TAG);
	explicit_bzero(expected, sizeof expected); /* of a frame that was never sent, it would be a forgery */
	return bad ? -EBADMSG : 0;
}

void chain_wipe(struct chain *c)
{
	explicit_bzero(c, sizeof *c);
}
