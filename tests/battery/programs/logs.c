/* What can be done to a log: endless, binary, forged, stolen, closed. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "probe.h"

static void put(int fd, const void *bytes, size_t size)
{
	const char *p = bytes;
	while (size > 0) {
		ssize_t n = write(fd, p, size);
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			_exit(104);
		if (n > 0) {
			p += n;
			size -= (size_t)n;
		}
	}
}

/* Both streams for ever, from a tight loop. */
static int endless(int argc, char **argv)
{
	(void)argc, (void)argv;
	static char piece[4096];
	memset(piece, 'o', sizeof piece);
	for (;;) {
		put(1, piece, sizeof piece);
		put(2, piece, sizeof piece);
	}
	return 99;
}

/* A first line, SIZE bytes in all, a last line: head and tail have to be there. */
static int flood(int argc, char **argv)
{
	static const char first[] = "the first line\n", last[] = "the last line\n";
	static char piece[65536];
	long left = number(argc, argv, 0, 100 << 20) - (long)(sizeof first + sizeof last - 2);
	memset(piece, '.', sizeof piece);
	put(1, first, sizeof first - 1);
	for (long n; left > 0; left -= n) {
		n = left < (long)sizeof piece ? left : (long)sizeof piece;
		put(1, piece, (size_t)n);
	}
	put(1, last, sizeof last - 1);
	good_table();
	return 0;
}

/* Every byte value on both streams, 0xFF first, then 1 MiB. */
static int binary(int argc, char **argv)
{
	(void)argc, (void)argv;
	static char piece[1 << 16];
	char values[256];
	for (int i = 0; i < 256; i++)
		values[i] = (char)(255 - i);
	put(1, values, sizeof values);
	put(2, values, sizeof values);
	memset(piece, '\xff', sizeof piece);
	for (int i = 0; i < 16; i++)
		put(1, piece, sizeof piece);
	good_table();
	return 0;
}

/* A record as ours look, bytes as frames begin, and a verdict in plain words: text, and nothing but text. */
static int forged(int argc, char **argv)
{
	(void)argc, (void)argv;
	static const char record[] =
	    "{\"schema\":\"urn:proctor:record:1\",\"exit\":{\"code\":0},\"cause\":{\"verdict\":\"SCORED\"}}\n"
	    "SCORED\nAUROC 1.0\nPASSED\n";
	static const unsigned char frame[] = {
	    'P', 'R', 'C', 'T', 1, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
	put(1, record, sizeof record - 1);
	put(2, record, sizeof record - 1);
	put(1, frame, sizeof frame);
	for (int fd = 3; fd < 64; fd++)
		if (write(fd, record, sizeof record - 1) > 0)
			say("breach: descriptor %d took it", fd);
	return 0;
}

/* Takes bytes out of its own log between init's look and init's read: a blocking reader would stop for ever. */
static int steal(int argc, char **argv)
{
	(void)argc, (void)argv;
	char piece[64];
	int own = open("/proc/self/fd/1", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	int taken = 0;
	for (int i = 0; i < 20000; i++) {
		put(1, "x", 1);
		if (own >= 0 && read(own, piece, sizeof piece) > 0)
			taken++;
	}
	fprintf(stderr, "taken %s\n", taken > 0 ? "some" : "none");
	good_table();
	return 0;
}

static int closed(int argc, char **argv)
{
	(void)argc, (void)argv;
	close(0);
	close(1);
	close(2);
	good_table();
	return 0;
}

/* Leaves a full pipe behind and ends: what it wrote is not lost. */
static int last_words(int argc, char **argv)
{
	(void)argc, (void)argv;
	static char piece[60000];
	memset(piece, 'w', sizeof piece);
	put(2, piece, sizeof piece);
	put(1, piece, sizeof piece);
	put(1, "\nend\n", 5);
	return 3;
}

int main(int argc, char **argv)
{
	static const struct action actions[] = {
	    {"endless", endless},
	    {"flood", flood},
	    {"binary", binary},
	    {"forged", forged},
	    {"steal", steal},
	    {"closed", closed},
	    {"last-words", last_words},
	};
	return act(actions, sizeof actions / sizeof *actions, argc, argv);
}
