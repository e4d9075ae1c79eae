/*
 * The chain of tags over a session: HMAC-SHA256 (RFC 2104) under a key that ratchets after every frame, so that what
 * was already sent stays protected even if init's memory is read later. HELLO and TICKET carry a zero tag (there is
 * no key yet); their SHA-256 is the binding, which the first keyed frame carries in front of its payload.
 *
 *   tag_n = HMAC(key_n, header ‖ payload)      key_n+1 = HMAC(key_n, "proctor ratchet 1")
 */
#ifndef PROCTOR_WIRE_CHAIN_H
#define PROCTOR_WIRE_CHAIN_H

#include <bearssl_hash.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/frame.h"

enum { CHAIN_KEY = 32 };

struct chain {
	br_sha256_context opening; /* over HELLO and TICKET */
	uint8_t binding[BINDING];
	uint8_t key[CHAIN_KEY];
	uint64_t next; /* sequence number of the next keyed frame; the first is 1 */
};

/* Starts a chain over nothing. */
void chain_start(struct chain *c);

/* Takes in a whole opening frame (header, payload, zero tag): first HELLO, then TICKET. */
void chain_opening(struct chain *c, const uint8_t *bytes, size_t n);

/* Ends the opening: fixes the binding and sets the first key. The caller wipes its own copy of the key. */
void chain_key(struct chain *c, const uint8_t key[CHAIN_KEY]);

/* True until the first keyed frame was sealed or verified: that frame's payload begins with c->binding. */
int chain_binds(const struct chain *c);

/* Computes the next frame's tag over header and payload, ratchets, counts. h must carry c->next as its sequence. */
void chain_seal(struct chain *c, const uint8_t header[FRAME_HEADER], const uint8_t *payload, size_t n,
    uint8_t tag[FRAME_TAG]);

/*
 * Checks sequence, tag (in constant time) and, on the first keyed frame, the binding; ratchets. 0 or -EBADMSG, after
 * which the chain is unusable.
 */
int chain_verify(struct chain *c, const uint8_t header[FRAME_HEADER], const uint8_t *payload, size_t n,
    const uint8_t tag[FRAME_TAG]);

/* Forgets the key. */
void chain_wipe(struct chain *c);

#endif
