/*
 * Fuzzes what takes in bytes of the wire: the deframer at two chunkings, the session behind it, and the ticket's cutter.
 * The first byte chooses the second chunking; the rest is the stream. Both chunkings must come to the same end.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "wire/deframe.h"
#include "wire/session.h"
#include "wire/ticket.h"

struct end {
	int error;
	enum session_state state;
	uint64_t frames;
	int partial;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ticket(const uint8_t *payload, size_t n)
{
	static const char *argv[TICKET_WORDS];
	uint8_t key[CHAIN_KEY];
	size_t total = 0;
	int words = ticket_split(payload, n, argv);

	for (int i = 0; i < words; i++)
		total += strlen(argv[i]) + 1;
	if (words >= 0 && total != n)
		abort();
	(void)ticket_key(payload, n, key);
}

static struct end run(const uint8_t *data, size_t size, size_t piece)
{
	static uint8_t buffer[FRAME_FROM_INIT_MAX];
	struct session s;
	struct deframer d;
	struct end end = {0};

	session_start(&s);
	deframe_start(&d, buffer, sizeof buffer);
	for (size_t at = 0; at < size && end.error == 0;) {
		size_t used = 0, take = piece < size - at ? piece : size - at;
		uint8_t key[CHAIN_KEY];
		struct message m;
		struct frame f;
		int r = deframe_feed(&d, data + at, take, &used, &f);

		if (used > take || (r == 0 && used != take))
			abort();
		at += used;
		if (r < 0) {
			end.error = r;
		} else if (r > 0 && s.state == SESSION_GREETED) {
			if (ticket_key(f.payload, f.header.length, key) < 0)
				memset(key, 0, sizeof key);
			ticket(f.payload, f.header.length);
			(void)session_ticket(&s, &f, key);
		} else if (r > 0 && session_accept(&s, &f, &m) == 0) {
			if (m.payload < f.payload || m.payload + m.length != f.tag)
				abort();
		}
	}
	end.state = s.state;
	end.frames = s.frames;
	end.partial = deframe_partial(&d);
	return end;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct end a, b;

	if (size == 0)
		return 0;
	ticket(data + 1, size - 1);
	a = run(data + 1, size - 1, size);
	b = run(data + 1, size - 1, data[0] % 97 + 1U);
	if (a.error != b.error || a.state != b.state || a.frames != b.frames ||
	    (a.error == 0 && a.partial != b.partial))
		abort();
	return 0;
}
