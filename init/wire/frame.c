/* Packing and unpacking of frame headers. Pure. */
#include "wire/frame.h"

#include <errno.h>
#include <string.h>

#include "wire/sample.h"

static const uint8_t magic[4] = {'P', 'R', 'C', 'T'};

void put_u32(uint8_t *out, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		out[i] = (uint8_t)(v >> (24 - 8 * i));
}

void put_u64(uint8_t *out, uint64_t v)
{
	put_u32(out, (uint32_t)(v >> 32));
	put_u32(out + 4, (uint32_t)v);
}

uint32_t get_u32(const uint8_t *in)
{
	return (uint32_t)in[0] << 24 | (uint32_t)in[1] << 16 | (uint32_t)in[2] << 8 | in[3];
}

uint64_t get_u64(const uint8_t *in)
{
	return (uint64_t)get_u32(in) << 32 | get_u32(in + 4);
}

static int appears(uint8_t type)
{
	return type >= FRAME_HELLO && type < FRAME_TYPE_END && type != FRAME_DENIAL && type != FRAME_FILE;
}

uint32_t frame_cap(uint8_t type)
{
	static const uint32_t caps[FRAME_TYPE_END] = {
	    [FRAME_HELLO] = HELLO_MAX,
	    [FRAME_TICKET] = TICKET_MAX,
	    [FRAME_LOG] = LOG_MAX,
	    [FRAME_SAMPLE] = SAMPLE_BYTES,
	    [FRAME_RECORD] = RECORD_MAX,
	};
	return type < FRAME_TYPE_END ? caps[type] : 0;
}

void frame_pack(uint8_t out[FRAME_HEADER], const struct frame_header *h)
{
	memcpy(out, magic, sizeof magic);
	out[4] = FRAME_VERSION;
	out[5] = h->type;
	out[6] = h->stream;
	out[7] = 0;
	put_u64(out + 8, h->sequence);
	put_u32(out + 16, h->length);
}

int frame_unpack(const uint8_t in[FRAME_HEADER], struct frame_header *h)
{
	h->type = in[5];
	h->stream = in[6];
	h->sequence = get_u64(in + 8);
	h->length = get_u32(in + 16);
	if (memcmp(in, magic, sizeof magic) != 0 || in[4] != FRAME_VERSION || in[7] != 0)
		return -EBADMSG;
	if (!appears(h->type) || h->length > frame_cap(h->type) + BINDING)
		return -EBADMSG;
	if (h->type == FRAME_LOG ? h->stream != 1 && h->stream != 2 : h->stream != 0)
		return -EBADMSG;
	return 0;
}
