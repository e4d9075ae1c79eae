/* Head, tail and count of a stream. Pure. */
#include "core/logbudget.h"

#include "wire/limits.h"

void logbudget_start(struct logbudget *b, uint64_t budget, uint8_t *tail)
{
	size_t keep = budget / 2 < LOG_TAIL ? (size_t)(budget / 2) : (size_t)LOG_TAIL;

	if (budget == LIMIT_NONE)
		keep = 0;
	b->budget = budget;
	b->head = budget == LIMIT_NONE ? LIMIT_NONE : budget - keep;
	b->total = b->passed = 0;
	ring_start(&b->tail, tail, keep);
}

size_t logbudget_head(const struct logbudget *b, size_t n)
{
	uint64_t left = b->head - b->passed;
	/* Once a byte went to the tail, the head is closed: the stream's order is kept. */
	if (b->passed < b->total)
		return 0;
	return left < n ? (size_t)left : n;
}

void logbudget_take(struct logbudget *b, const uint8_t *bytes, size_t n, size_t head)
{
	b->total += n;
	b->passed += head;
	ring_add(&b->tail, bytes + head, n - head);
}

uint64_t logbudget_tail_offset(const struct logbudget *b)
{
	return b->total - b->tail.have;
}

uint64_t logbudget_kept(const struct logbudget *b)
{
	return b->passed + b->tail.have;
}

int logbudget_over(const struct logbudget *b)
{
	return b->total > b->budget;
}
