/*
 * Fuzzes what the host reads of init and of stored evidence: record, transcript, envelope, canonical JSON. The first byte
 * chooses. What is taken must encode to the very bytes it was read from.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "evidence/canonical.h"
#include "evidence/dsse.h"
#include "judge/record.h"
#include "judge/transcript.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void record(const uint8_t *bytes, size_t n)
{
	struct fault fault = {0};
	json_t *root = payload_parse(bytes, n, &fault);
	struct record r;

	if (!root && fault.verdict != VERDICT_RECORD_INVALID)
		abort();
	if (root && record_read(root, &r, &fault) == 0) {
		if (!r.run || !r.init || r.verdict == VERDICT_SCORED || (r.exited && r.signalled))
			abort();
		(void)record_notes(&r);
	}
	json_decref(root);
}

static void transcript(const uint8_t *bytes, size_t n)
{
	static struct transcript t;
	size_t half = n / 2;

	transcript_start(&t);
	(void)transcript_feed(&t, bytes, half);
	(void)transcript_feed(&t, bytes + half, n - half);
	if (transcript_end(&t) == 0 && (t.session.frames < 4 || t.record_length > RECORD_MAX))
		abort();
}

static void envelope(const uint8_t *bytes, size_t n)
{
	static const struct signing_key key = {.point = {4}, .id = "k"};
	struct dsse d;

	if (dsse_open((const char *)bytes, n, &d) == 0) {
		if (dsse_signs(&d, &key, d.payload, d.payload_length))
			abort();
		free(d.payload);
	}
}

static void canonical(const uint8_t *bytes, size_t n)
{
	json_t *value = canonical_decode((const char *)bytes, n);
	size_t again;
	char *text = canonical_encode(value, &again);

	if (value && (!text || again != n || memcmp(text, bytes, n) != 0))
		abort();
	free(text);
	json_decref(value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const targets[])(const uint8_t *bytes, size_t n) = {
	    record, transcript, envelope, canonical};

	if (size > 0)
		targets[data[0] % 4](data + 1, size - 1);
	return 0;
}
