/* Head, tail and count of a stream, and the ring below them, against a plain model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/logbudget.h"
#include "wire/limits.h"

enum { STREAM = 200000 };
static uint8_t stream[STREAM], tail[LOG_TAIL], kept[STREAM];

static void ring_holds_the_last_bytes(void **state)
{
	uint8_t room[7];
	(void)state;
	for (size_t capacity = 0; capacity <= sizeof room; capacity++)
		for (size_t portion = 1; portion < 12; portion++) {
			struct ring r;
			ring_start(&r, room, capacity);
			for (size_t at = 0; at + portion < 60; at += portion) {
				const uint8_t *a, *b;
				ring_add(&r, stream + at, portion);
				size_t end = at + portion, have = end < capacity ? end : capacity;
				size_t n = ring_part(&r, 0, &a), m = ring_part(&r, 1, &b);
				assert_int_equal(n + m, have);
				assert_memory_equal(a, stream + end - have, n);
				assert_memory_equal(b, stream + end - m, m);
			}
		}
}

/* Feeds `total` bytes in portions; what was kept must be the first and the last bytes, in order. */
static void check(uint64_t budget, size_t total, size_t portion)
{
	struct logbudget b;
	const uint8_t *part;
	size_t passed = 0;

	logbudget_start(&b, budget, tail);
	for (size_t at = 0; at < total; at += portion) {
		size_t n = total - at < portion ? total - at : portion, head = logbudget_head(&b, n);
		assert_true(head <= n);
		memcpy(kept + passed, stream + at, head);
		passed += head;
		logbudget_take(&b, stream + at, n, head);
	}
	assert_int_equal(b.total, total);
	assert_memory_equal(kept, stream, passed);
	assert_int_equal(logbudget_kept(&b), total < budget ? total : budget);
	assert_int_equal(logbudget_over(&b), total > budget);
	assert_int_equal(logbudget_tail_offset(&b) + b.tail.have, total);
	size_t older = ring_part(&b.tail, 0, &part);
	assert_memory_equal(part, stream + logbudget_tail_offset(&b), older);
	size_t newer = ring_part(&b.tail, 1, &part);
	assert_memory_equal(part, stream + total - newer, newer);
	assert_int_equal(passed + older + newer, logbudget_kept(&b));
}

static void first_and_last_bytes_are_kept(void **state)
{
	static const uint64_t budgets[] = {4096, 5000, 65536, 65537, 100000, MIB(1)};
	static const size_t totals[] = {0, 1, 2047, 2048, 2049, 4095, 4096, 4097, 65536, 99999, STREAM};
	static const size_t portions[] = {1000, 4096, 32760, 65536};
	(void)state;
	for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++)
		for (size_t j = 0; j < sizeof totals / sizeof *totals; j++)
			for (size_t k = 0; k < sizeof portions / sizeof *portions; k++)
				check(budgets[i], totals[j], portions[k]);
}

static void no_budget_keeps_all_as_head(void **state)
{
	struct logbudget b;
	(void)state;
	logbudget_start(&b, LIMIT_NONE, tail);
	for (int i = 0; i < 10; i++) {
		assert_int_equal(logbudget_head(&b, STREAM), STREAM);
		logbudget_take(&b, stream, STREAM, STREAM);
	}
	assert_int_equal(logbudget_kept(&b), 10 * STREAM);
	assert_false(logbudget_over(&b));
}

static void the_head_closes_for_good(void **state)
{
	struct logbudget b;
	(void)state;
	logbudget_start(&b, 65536, tail);
	logbudget_take(&b, stream, 10, 5); /* a sink that took less than it could */
	assert_int_equal(logbudget_head(&b, 100), 0);
}

static int fill(void **state)
{
	(void)state;
	for (size_t i = 0; i < STREAM; i++)
		stream[i] = (uint8_t)(i * 2654435761u >> 13);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(ring_holds_the_last_bytes),
	    cmocka_unit_test(first_and_last_bytes_are_kept),
	    cmocka_unit_test(no_budget_keeps_all_as_head),
	    cmocka_unit_test(the_head_closes_for_good),
	};
	return cmocka_run_group_tests(tests, fill, NULL);
}
