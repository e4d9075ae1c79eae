/* The container's side of the channel as tests play it: peers that speak well, badly or not at all. */
#ifndef PROCTOR_TESTS_HOST_PEER_H
#define PROCTOR_TESTS_HOST_PEER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "intake/peer.h"
#include "intake/session.h"
#include "judge/transcript.h"
#include "sys/files.h"
#include "wire/session.h"

static const uint8_t key[CHAIN_KEY] = {1, 2, 3};
static const char facts[] = "{\"pid1\":true}", record[] = "{\"run\":\"r-1\"}";

static char top[] = "/tmp/test_host_session.XXXXXX";

/* ---- the peer ---- */

struct peer {
	int fd;
	struct chain chain;
};

static void send_bytes(int fd, const uint8_t *bytes, size_t n)
{
	while (n > 0) {
		ssize_t w = write(fd, bytes, n);
		if (w <= 0)
			_exit(9);
		bytes += w;
		n -= (size_t)w;
	}
}

static void send_frame(struct peer *p, uint8_t type, uint8_t stream, const void *payload, size_t n)
{
	static uint8_t frame[FRAME_FROM_INIT_MAX];
	size_t skip = type != FRAME_HELLO && chain_binds(&p->chain) ? BINDING : 0;
	struct frame_header h = {.type = type,
	    .stream = stream,
	    .sequence = type == FRAME_HELLO ? 0 : p->chain.next,
	    .length = (uint32_t)(n + skip)};

	memset(frame, 0, sizeof frame);
	frame_pack(frame, &h);
	if (skip)
		memcpy(frame + FRAME_HEADER, p->chain.binding, BINDING);
	if (n)
		memcpy(frame + FRAME_HEADER + skip, payload, n);
	if (type == FRAME_HELLO)
		chain_opening(&p->chain, frame, n + FRAME_OVERHEAD);
	else
		chain_seal(&p->chain, frame, frame + FRAME_HEADER, h.length, frame + FRAME_HEADER + h.length);
	send_bytes(p->fd, frame, h.length + FRAME_OVERHEAD);
}

static void peer_connect(struct peer *p)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	(void)snprintf(a.sun_path, sizeof a.sun_path, "%s/s", top);
	p->fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (connect(p->fd, (struct sockaddr *)&a, sizeof a) < 0)
		_exit(8);
	chain_start(&p->chain);
}

/* HELLO, and the ticket read to its end. */
static void peer_greet(struct peer *p)
{
	static uint8_t buffer[FRAME_MAX], in[4096];
	struct deframer d;
	struct frame f;
	uint8_t got[CHAIN_KEY];

	peer_connect(p);
	send_frame(p, FRAME_HELLO, 0, facts, sizeof facts - 1);
	deframe_start(&d, buffer, sizeof buffer);
	for (;;) {
		size_t used;
		ssize_t n = read(p->fd, in, sizeof in);
		if (n <= 0)
			_exit(7);
		if (deframe_feed(&d, in, (size_t)n, &used, &f) == 1)
			break;
	}
	chain_opening(&p->chain, f.bytes, f.size);
	if (ticket_key(f.payload, f.header.length, got) < 0)
		_exit(6);
	chain_key(&p->chain, got);
}

static void peer_log(struct peer *p, uint8_t stream, uint64_t offset, const char *text)
{
	uint8_t payload[256];
	put_u64(payload, offset);
	memcpy(payload + LOG_OFFSET, text, strlen(text));
	send_frame(p, FRAME_LOG, stream, payload, LOG_OFFSET + strlen(text));
}

static void speaks_well(void)
{
	struct peer p;
	uint8_t sample[SAMPLE_BYTES] = {0};
	peer_greet(&p);
	peer_log(&p, 1, 0, "hello ");
	send_frame(&p, FRAME_SAMPLE, 0, sample, sizeof sample);
	peer_log(&p, 2, 0, "oh");
	peer_log(&p, 1, 100, "tail");
	send_frame(&p, FRAME_RECORD, 0, record, sizeof record - 1);
	send_frame(&p, FRAME_BYE, 0, NULL, 0);
	_exit(5);
}

static void dies_after_the_ticket(void)
{
	struct peer p;
	peer_greet(&p);
	peer_log(&p, 1, 0, "so far");
	(void)raise(SIGKILL); /* as process 1 it cannot */
	_exit(137);
}

static void says_nothing_more(void)
{
	struct peer p;
	peer_greet(&p);
	for (;;)
		(void)pause();
}

static void babbles(void)
{
	struct peer p;
	peer_greet(&p);
	send_bytes(p.fd, (const uint8_t *)"{\"verdict\":\"SCORED\"}        ", 28);
	for (;;)
		(void)pause();
}

static void logs_beyond_its_budget(void)
{
	struct peer p;
	peer_greet(&p);
	for (uint64_t at = 0;; at += 100) {
		char text[101];
		memset(text, 'x', 100);
		text[100] = '\0';
		peer_log(&p, 1, at, text);
	}
}

static void logs_backwards(void)
{
	struct peer p;
	peer_greet(&p);
	peer_log(&p, 1, 50, "abc");
	peer_log(&p, 1, 52, "abc");
	for (;;)
		(void)pause();
}

static void samples_without_end(void)
{
	struct peer p;
	uint8_t sample[SAMPLE_BYTES] = {0};
	peer_greet(&p);
	for (;;)
		send_frame(&p, FRAME_SAMPLE, 0, sample, sizeof sample);
}

static void never_comes(void)
{
	_exit(125);
}

#endif
