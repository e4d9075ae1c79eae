/*
 * One frame on the wire: header, payload, tag. Explicit big-endian offsets; no struct is ever copied to or from the
 * wire. The layout is written out in PROTOCOL.md; golden files under tests/ freeze it.
 *
 *   0  magic "PRCT"    4  version (1)    5  type    6  stream    7  zero
 *   8  sequence (8)   16  payload length (4)       20  payload   20+length  tag (32)
 */
#ifndef PROCTOR_WIRE_FRAME_H
#define PROCTOR_WIRE_FRAME_H

#include <stddef.h>
#include <stdint.h>

enum { FRAME_VERSION = 1, FRAME_HEADER = 20, FRAME_TAG = 32, FRAME_OVERHEAD = FRAME_HEADER + FRAME_TAG };

enum frame_type {
	FRAME_HELLO = 1,  /* init: the facts, JSON; zero tag */
	FRAME_TICKET = 2, /* host: the argv of the run; zero tag */
	FRAME_LOG = 3,	  /* init: u64 offset in the stream, then bytes of it */
	FRAME_SAMPLE = 4, /* init: struct sample, see sample.h */
	FRAME_DENIAL = 5, /* reserved: SAMPLE has the count, RECORD the ledger */
	FRAME_FILE = 6,	  /* reserved */
	FRAME_RECORD = 7, /* init: the record, JSON */
	FRAME_BYE = 8,	  /* init: nothing more will come */
	FRAME_TYPE_END
};

/* Caps of the payload by type, in bytes. The first keyed frame may be 32 longer: it carries the binding. */
enum {
	HELLO_MAX = 16 << 10,
	TICKET_MAX = 128 << 10,
	LOG_MAX = 32 << 10,
	RECORD_MAX = 64 << 10,
	BINDING = 32,
	LOG_OFFSET = 8,
	/* The longest frame that a host receives, and the longest that init receives. */
	FRAME_FROM_INIT_MAX = RECORD_MAX + BINDING + FRAME_OVERHEAD,
	FRAME_MAX = TICKET_MAX + FRAME_OVERHEAD
};

struct frame_header {
	uint8_t type;	/* enum frame_type */
	uint8_t stream; /* 1 stdout, 2 stderr in LOG; 0 in all others */
	uint64_t sequence;
	uint32_t length;
};

/* Big-endian stores and loads. */
void put_u32(uint8_t *out, uint32_t v);
void put_u64(uint8_t *out, uint64_t v);
uint32_t get_u32(const uint8_t *in);
uint64_t get_u64(const uint8_t *in);

/* The largest payload of that type; 0 for types that may not appear (reserved ones too), and BYE's is 0 as well. */
uint32_t frame_cap(uint8_t type);

void frame_pack(uint8_t out[FRAME_HEADER], const struct frame_header *h);

/*
 * Reads a header. 0, or -EBADMSG: wrong magic or version, a type that may not appear, a stream that does not go with
 * the type, a non-zero reserved byte, or a length above the type's cap plus BINDING. Refused before any payload.
 */
int frame_unpack(const uint8_t in[FRAME_HEADER], struct frame_header *h);

#endif
