/* The pump. Every read is non-blocking: the candidate can reopen its pipe and take bytes away between poll and read. */
#include "watch/logs.h"

#include <errno.h>
#include <unistd.h>

#include "wire/limits.h"

/* Portions of one stream in one turn: enough for a loud stream, too few to keep the loop from its deadline. */
enum { PORTIONS = 8 };

void logs_open(struct logs *l, int output, int error, uint64_t budget, bool kill)
{
	l->stream[0].fd = output;
	l->stream[1].fd = error;
	l->kill = kill;
	for (int i = 0; i < 2; i++) {
		l->stream[i].waiting = false;
		l->stream[i].tail_sent = 0;
		logbudget_start(&l->stream[i].budget, budget, l->stream[i].tail);
	}
}

/* 1: something was read, 0: nothing there now, -1: the stream has ended, -2: no room for what would come. */
static int portion(struct logs *l, int i, const struct sink *sink, bool forced)
{
	struct log_stream *s = &l->stream[i];
	size_t want = sizeof l->portion, head = logbudget_head(&s->budget, want);
	ssize_t n;

	if (head > 0 && !forced) {
		size_t room = sink->room(sink->at, i + 1);
		if (room == 0)
			return -2;
		if (room < head)
			want = room;
	}
	n = read(s->fd, l->portion, want);
	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -1;
	if (n == 0)
		return -1;
	head = logbudget_head(&s->budget, (size_t)n);
	if (forced && head > sink->room(sink->at, i + 1)) {
		/* Counted as the middle of the stream: neither head nor tail. */
		s->budget.total += (uint64_t)n;
		return 1;
	}
	if (head > 0)
		sink->take(sink->at, i + 1, s->budget.total, l->portion, head);
	logbudget_take(&s->budget, l->portion, (size_t)n, head);
	return 1;
}

/* True when the pipe is empty or has ended. */
static bool pump(struct logs *l, int i, const struct sink *sink, bool forced)
{
	struct log_stream *s = &l->stream[i];

	s->waiting = false;
	for (int turn = 0; s->fd >= 0 && turn < PORTIONS; turn++) {
		int r = portion(l, i, sink, forced);
		if (r == -2)
			s->waiting = true;
		if (r == -1) {
			close(s->fd);
			s->fd = -1;
		}
		if (r <= 0)
			return r != -2;
	}
	return s->fd < 0;
}

bool logs_turn(struct logs *l, const struct sink *sink, const bool ready[2], struct breach *breach)
{
	bool over = false;

	for (int i = 0; i < 2; i++) {
		if (ready[i] || l->stream[i].waiting)
			pump(l, i, sink, false);
		if (!l->kill || over || !logbudget_over(&l->stream[i].budget))
			continue;
		over = true;
		breach->verdict = VERDICT_LOG_BYTES;
		breach->limit = l->stream[i].budget.budget;
		breach->observed = l->stream[i].budget.total;
		breach->unit = "bytes";
		breach->proof = i == 0 ? "bytes read from stdout" : "bytes read from stderr";
		breach->graceful = false;
	}
	return over;
}

/* True when the whole tail was passed on. */
static bool pass_tail(struct log_stream *s, int stream, const struct sink *sink)
{
	uint64_t start = logbudget_tail_offset(&s->budget);

	while (s->tail_sent < s->budget.tail.have) {
		const uint8_t *bytes, *newer;
		size_t older = ring_part(&s->budget.tail, 0, &bytes);
		size_t more = ring_part(&s->budget.tail, 1, &newer);
		size_t at = (size_t)s->tail_sent, left = older - at, room = sink->room(sink->at, stream);
		if (at >= older) {
			bytes = newer + (at - older);
			left = older + more - at;
		} else {
			bytes += at;
		}
		if (room == 0)
			return false;
		if (left > room)
			left = room;
		sink->take(sink->at, stream, start + at, bytes, left);
		s->tail_sent += left;
	}
	return true;
}

bool logs_drain(struct logs *l, const struct sink *sink, bool forced)
{
	bool done = true;

	for (int i = 0; i < 2; i++) {
		struct log_stream *s = &l->stream[i];
		/* Once the tail is on its way, the stream is closed: nothing may come between. */
		if (s->tail_sent == 0 && !pump(l, i, sink, forced)) {
			done = false;
			continue;
		}
		if (!pass_tail(s, i + 1, sink)) {
			s->waiting = true;
			done = false;
		}
	}
	return done;
}

void logs_usage(const struct logs *l, struct log_usage usage[2])
{
	for (int i = 0; i < 2; i++) {
		const struct log_stream *s = &l->stream[i];
		usage[i].bytes = s->budget.total;
		usage[i].kept = s->budget.passed + s->tail_sent;
		usage[i].dropped = usage[i].bytes - usage[i].kept;
	}
}
