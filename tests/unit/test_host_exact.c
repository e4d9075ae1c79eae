/* Sums without an error against sums of whole numbers, order by order, and at both ends of what a double holds. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "judge/exact.h"
#include "judge/wide.h"

static uint64_t seed = 11;
static uint64_t draw(void)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return seed >> 11;
}

static double sum_of(const double *v, size_t n)
{
	struct exact e;
	exact_start(&e);
	for (size_t i = 0; i < n; i++)
		exact_add(&e, v[i]);
	return exact_value(&e);
}

static void test_known(void **state)
{
	(void)state;
	static const struct {
		double v[4], sum;
	} cases[] = {
	    {{0, 0, 0, 0}, 0}, {{1e308, 1e308, -1e308, -1e308}, 0}, {{1, 1e100, 1, -1e100}, 2},
	    {{0x1p53, 1, 0, 0}, 0x1p53},	     /* a tie, to even */
	    {{0x1p53, 1, 0x1p-1074, 0}, 0x1p53 + 2}, /* above the tie by the least there is */
	    {{0x1p53, 3, 0, 0}, 0x1p53 + 4},	     /* a tie, to even, upwards */
	    {{-0x1p53, -1, -0x1p-1074, 0}, -0x1p53 - 2}, {{0x1p-1074, 0x1p-1074, 0, 0}, 0x1p-1073},
	    {{-0x1p-1074, 0x1p-1022, 0, 0}, 0x1p-1022 - 0x1p-1074},
	    {{DBL_MAX, 0x1p969, 0, 0}, DBL_MAX}, /* below half of what DBL_MAX ends in */
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double got = sum_of(cases[i].v, 4);
		if (got != cases[i].sum)
			fail_msg("case %zu: %a, not %a", i, got, cases[i].sum);
	}
	const double over[] = {DBL_MAX, 0x1p970};
	assert_true(isinf(sum_of(over, 2)));
	const double nothing[] = {1, NAN};
	assert_true(!isfinite(sum_of(nothing, 2)));
}

/* Any order gives the same bits, and times n is n times. */
static void test_order(void **state)
{
	(void)state;
	enum { N = 300 };
	double v[N];
	for (int round = 0; round < 200; round++) {
		struct exact once, again, times;
		int spread = round % 7 * 300;
		exact_start(&times);
		exact_start(&again);
		for (int i = 0; i < N; i++) {
			v[i] = ldexp((double)draw() - 0x1p52,
			    (int)(draw() % (unsigned)(spread + 1)) - spread / 2 - 52);
			uint32_t n = (uint32_t)(draw() % 5);
			exact_add_times(&times, v[i], n);
			while (n--)
				exact_add(&again, v[i]);
		}
		assert_true(exact_value(&times) == exact_value(&again));
		double forwards = sum_of(v, N);
		exact_start(&once);
		for (int i = N; i-- > 0;)
			exact_add(&once, v[i]);
		assert_true(exact_value(&once) == forwards);
		exact_start(&once);
		for (int i = 0; i < N; i++) {
			exact_add(&once, v[i]);
			exact_add_times(&once, -v[i], 1);
		}
		assert_true(exact_value(&once) == 0);
	}
}

static void test_products_and_means(void **state)
{
	(void)state;
	struct exact e;
	exact_start(&e);
	/* (1 + 2^-30)^2 - 1 - 2^-29 is 2^-60, far below the product's own last place */
	exact_add_product(&e, 1 + 0x1p-30, 1 + 0x1p-30, 1);
	exact_add(&e, -1);
	exact_add(&e, -0x1p-29);
	assert_true(exact_value(&e) == 0x1p-60);
	exact_start(&e);
	for (int i = 0; i < 4; i++)
		exact_add(&e, DBL_MAX);
	assert_true(exact_mean(&e, 4) == DBL_MAX);
	exact_start(&e);
	exact_add_times(&e, 0x1p-1074, UINT32_MAX);
	assert_true(exact_mean(&e, UINT32_MAX) == 0x1p-1074);
}

static void test_wide(void **state)
{
	(void)state;
	assert_true(wide_double((wide)INT64_MIN) == -0x1p63);
	assert_true(wide_double(((wide)1 << 100) + 1) == 0x1p100);
	/* just above a tie, by a bit that is cut off long before it */
	assert_true(wide_double(((wide)1 << 100) + ((wide)1 << 47) + 1) == 0x1p100 + 0x1p48);
	assert_true(wide_double(((wide)1 << 100) + ((wide)1 << 47)) == 0x1p100);
	assert_true(wide_ratio(-3, 9, 9) == -3.0 / 9);
	assert_true(wide_ratio(6, 9, 4) == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_known),
	    cmocka_unit_test(test_order),
	    cmocka_unit_test(test_products_and_means),
	    cmocka_unit_test(test_wide),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
