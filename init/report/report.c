/* Reports, by either way. */
#include "report/report.h"

#include <errno.h>

#include "core/json.h"
#include "report/unix.h"

/* How long the host may take to accept and to send the ticket, and to take the record, in milliseconds. */
enum { MEET = 30000, LAST_WORDS = 10000 };

int report_open(struct report *r, const struct plan *plan)
{
	int e;

	if (plan->report.kind != CARRIER_UNIX)
		return plain_open(&r->plain, &plan->record);
	e = unix_connect(&r->channel, plan->report.path, MEET);
	r->host = e == 0;
	return e;
}

int report_meet(struct report *r, const struct facts *facts, uint8_t **ticket, size_t *n)
{
	struct json j;
	size_t room;
	char *content = (char *)channel_content(&r->channel, HELLO_MAX, &room);
	long length;

	json_start(&j, content, room);
	facts_write(&j, NULL, facts);
	length = json_finish(&j);
	if (length < 0)
		return -EMSGSIZE;
	channel_send(&r->channel, FRAME_HELLO, 0, (size_t)length);
	return channel_ticket(&r->channel, MEET, ticket, n);
}

void report_key(struct report *r, const uint8_t key[CHAIN_KEY])
{
	channel_key(&r->channel, key);
	r->keyed = true;
}

struct sink report_sink(struct report *r)
{
	return r->host ? channel_sink(&r->channel) : plain_sink(&r->plain);
}

int report_wait(const struct report *r, const bool stalled[2], struct pollfd *at)
{
	int n = 0;

	if (r->host) {
		short events = r->channel.start < r->channel.end ? POLLOUT : 0;
		at[n++] = (struct pollfd){.fd = r->channel.fd, .events = events};
		return n;
	}
	for (int i = 0; i < 2; i++)
		if (stalled[i])
			at[n++] = (struct pollfd){.fd = plain_fd(&r->plain, i), .events = POLLOUT};
	return n;
}

bool report_turn(struct report *r, bool hung)
{
	if (!r->host)
		return true;
	if (hung)
		r->channel.lost = true;
	else
		channel_flush(&r->channel);
	return !r->channel.lost;
}

void report_sample(struct report *r, const struct sample *s)
{
	size_t room;
	uint8_t *content = channel_content(&r->channel, SAMPLE_BYTES, &room);

	if (room < SAMPLE_BYTES)
		return;
	sample_pack(content, s);
	channel_send(&r->channel, FRAME_SAMPLE, 0, SAMPLE_BYTES);
	channel_flush(&r->channel);
}

static int to_host(struct report *r, const struct record *record)
{
	size_t room;
	char *content;
	long length;

	if (!r->keyed || !channel_flush_within(&r->channel, LAST_WORDS))
		return -ECONNRESET;
	content = (char *)channel_content(&r->channel, RECORD_MAX, &room);
	length = record_write(record, content, room);
	if (length < 0)
		return -EMSGSIZE;
	channel_send(&r->channel, FRAME_RECORD, 0, (size_t)length);
	channel_content(&r->channel, 0, &room);
	channel_send(&r->channel, FRAME_BYE, 0, 0);
	if (!channel_flush_within(&r->channel, LAST_WORDS))
		return -ECONNRESET;
	channel_close(&r->channel);
	return 0;
}

static int plainly(struct report *r, const struct record *record)
{
	/* The channel is not in use here, and its outbox has the size of a record. */
	char *line = (char *)r->channel.outbox;
	long length;

	if (!r->plain.records)
		return 0;
	length = record_write(record, line, RECORD_MAX);
	if (length < 0)
		return -EMSGSIZE;
	line[length] = '\n';
	return plain_record(&r->plain, line, (size_t)length + 1, LAST_WORDS);
}

int report_record(struct report *r, const struct record *record)
{
	return r->host ? to_host(r, record) : plainly(r, record);
}
