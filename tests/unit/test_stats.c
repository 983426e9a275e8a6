/* Order statistics and robust spread, on series whose results are known, and on none, one and equal values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "measure/stats.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void assert_near(double value, double expected)
{
	assert_true(fabs(value - expected) <= 1e-12 * fmax(1, fabs(expected)));
}

static void sorting_keeps_the_original(void **state)
{
	const double values[] = {3, -1, 2, 3, 0};
	const double expected[] = {-1, 0, 2, 3, 3};
	double sorted[5], in_place[] = {2, 1};

	(void)state;
	ws_stats_sort(values, 5, sorted);
	for (size_t i = 0; i < 5; i++)
		assert_near(sorted[i], expected[i]);
	assert_near(values[0], 3);
	ws_stats_sort(in_place, 2, in_place);
	assert_near(in_place[0], 1);
	ws_stats_sort(NULL, 0, NULL);
}

static void median_and_mean(void **state)
{
	const double odd[] = {1, 2, 10}, even[] = {1, 2, 4, 100}, equal[] = {0.1, 0.1, 0.1};

	(void)state;
	assert_near(ws_stats_median(odd, 3), 2);
	assert_near(ws_stats_median(even, 4), 3);
	assert_near(ws_stats_median(odd, 1), 1);
	assert_near(ws_stats_mean(even, 4), 26.75);
	assert_true(ws_stats_mean(equal, 3) - equal[0] <= 0 && ws_stats_mean(equal, 3) - equal[0] >= 0);
}

static void percentiles_interpolate(void **state)
{
	double sorted[101];

	(void)state;
	for (size_t i = 0; i < COUNT(sorted); i++)
		sorted[i] = (double)i;
	assert_near(ws_stats_percentile(sorted, 101, 0), 0);
	assert_near(ws_stats_percentile(sorted, 101, 50), 50);
	assert_near(ws_stats_percentile(sorted, 101, 99), 99);
	assert_near(ws_stats_percentile(sorted, 101, 100), 100);
	/* 10 values 0..9: place 8.55 and 8.91. */
	assert_near(ws_stats_percentile(sorted, 10, 95), 8.55);
	assert_near(ws_stats_percentile(sorted, 10, 99), 8.91);
	assert_near(ws_stats_percentile(sorted, 10, 50), ws_stats_median(sorted, 10));
	assert_near(ws_stats_percentile(sorted, 10, -5), 0);
	assert_near(ws_stats_percentile(sorted, 10, 105), 9);
	assert_near(ws_stats_percentile(sorted + 7, 1, 95), 7);
}

/* By definition, with a second sort, as the other way to the same number. */
static double mad_by_definition(const double *sorted, size_t count)
{
	double deviations[64];

	for (size_t i = 0; i < count; i++)
		deviations[i] = fabs(sorted[i] - ws_stats_median(sorted, count));
	ws_stats_sort(deviations, count, deviations);
	return ws_stats_median(deviations, count);
}

static void mad_agrees_with_its_definition(void **state)
{
	const double known[] = {1, 1, 2, 2, 4, 6, 9};
	uint64_t random = 7;

	(void)state;
	assert_near(ws_stats_mad(known, 7), 1);
	for (size_t count = 1; count <= 64; count++) {
		double values[64];

		for (size_t i = 0; i < count; i++) {
			random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			values[i] = (double)(random >> 60) * (double)(random >> 61); /* with ties */
		}
		ws_stats_sort(values, count, values);
		assert_near(ws_stats_mad(values, count), mad_by_definition(values, count));
	}
}

static void sigma_has_a_floor(void **state)
{
	const double spread[] = {80, 90, 100, 110, 120}, tight[] = {99.9, 100, 100, 100, 100.1};

	(void)state;
	assert_near(ws_stats_sigma(spread, 5), 14.826);
	assert_near(ws_stats_sigma(tight, 5), 1.4826 * 0.5);
}

static void z_is_the_modified_z_score(void **state)
{
	const double values[] = {80, 90, 100, 110, 150};
	const double sigma = ws_stats_sigma(values, 5);

	(void)state;
	assert_true(fabs(ws_stats_z(150, 100, sigma) - 0.6745 * 50 / 10) < 1e-3);
	assert_true(ws_stats_z(80, 100, sigma) < -1.3);
	assert_near(ws_stats_z(1, 0, 0), 1e6);
	assert_near(ws_stats_z(-1, 0, 0), -1e6);
	assert_near(ws_stats_z(5, 5, 0), 0);
}

static void lag1_sees_order(void **state)
{
	double rising[40], alternating[40], sorted[40], stalled[40];

	(void)state;
	for (size_t i = 0; i < 40; i++) {
		rising[i] = 100 + (double)i;
		alternating[i] = i % 2 ? 101 : 99;
		stalled[i] = rising[i];
	}
	ws_stats_sort(rising, 40, sorted);
	assert_true(ws_stats_lag1(rising, sorted, 40) > 0.9);
	ws_stats_sort(alternating, 40, sorted);
	assert_true(ws_stats_lag1(alternating, sorted, 40) < -0.9);
	for (size_t i = 0; i < 40; i++)
		alternating[i] = i % 2 ? 1e300 : -1e300;
	ws_stats_sort(alternating, 40, sorted);
	assert_true(ws_stats_lag1(alternating, sorted, 40) < -0.9);
	/* One stall of a hundred times the median does not hide the rest's correlation. */
	stalled[25] = 10000;
	ws_stats_sort(stalled, 40, sorted);
	assert_true(ws_stats_lag1(stalled, sorted, 40) > 0.7);
}

/* 1 2 3 about their mean: products 0, squares 2; 1 1 2 2 5 4: by hand below. */
static void lag1_agrees_with_a_hand_count(void **state)
{
	const double short_series[] = {1, 2, 3}, series[] = {1, 1, 2, 2, 5, 4};
	double sorted[6];

	(void)state;
	assert_near(ws_stats_lag1(short_series, short_series, 3), 0);
	ws_stats_sort(series, 6, sorted);
	/* Mean 2.5; deviations -1.5 -1.5 -.5 -.5 2.5 1.5: products 2.25 .75 .25 -1.25 3.75, squares 13.5. */
	assert_near(ws_stats_lag1(series, sorted, 6), 5.75 / 13.5);
}

static void degenerate_series_have_results(void **state)
{
	const double zeros[8] = {0}, equal[8] = {7, 7, 7, 7, 7, 7, 7, 7};

	(void)state;
	assert_near(ws_stats_mean(NULL, 0), 0);
	assert_near(ws_stats_median(NULL, 0), 0);
	assert_near(ws_stats_percentile(NULL, 0, 50), 0);
	assert_near(ws_stats_mad(NULL, 0), 0);
	assert_near(ws_stats_sigma(NULL, 0), 0);
	assert_near(ws_stats_lag1(NULL, NULL, 0), 0);
	assert_near(ws_stats_mad(equal, 8), 0);
	assert_near(ws_stats_mad(equal, 1), 0);
	assert_near(ws_stats_sigma(zeros, 8), 0);
	assert_near(ws_stats_lag1(zeros, zeros, 8), 0);
	assert_near(ws_stats_lag1(equal, equal, 8), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sorting_keeps_the_original),
		cmocka_unit_test(median_and_mean),
		cmocka_unit_test(percentiles_interpolate),
		cmocka_unit_test(mad_agrees_with_its_definition),
		cmocka_unit_test(sigma_has_a_floor),
		cmocka_unit_test(z_is_the_modified_z_score),
		cmocka_unit_test(lag1_sees_order),
		cmocka_unit_test(lag1_agrees_with_a_hand_count),
		cmocka_unit_test(degenerate_series_have_results),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
