/* Drift, modes and stalls are found where they are, and nowhere else; the summary agrees with its parts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "measure/stats.h"
#include "measure/stats_summary.h"

#define MOST 500

static void assert_near(double value, double expected, double tolerance)
{
	assert_true(fabs(value - expected) <= tolerance);
}

/* Uniform in -1..1. */
static double noise(uint64_t *random)
{
	*random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (double)(*random >> 11) / 4503599627370496.0 - 1;
}

static void fill(double *values, size_t count, double level, double spread, uint64_t seed)
{
	for (size_t i = 0; i < count; i++)
		values[i] = level * (1 + spread * noise(&seed));
}

static struct ws_modes modes_of(const double *values, size_t count)
{
	double sorted[MOST];

	ws_stats_sort(values, count, sorted);
	return ws_stats_modes(sorted, count);
}

static struct ws_stalls stalls_of(const double *values, size_t count)
{
	double sorted[MOST];

	ws_stats_sort(values, count, sorted);
	return ws_stats_stalls(sorted, count);
}

static void a_slow_slide_is_drift(void **state)
{
	static const size_t counts[] = {14, 40, 64, 65, 200, MOST};
	double values[MOST], scratch[MOST];

	(void)state;
	for (size_t i = 0; i < 6; i++) {
		struct ws_drift drift;

		fill(values, counts[i], 100, 0.004, 3 + i);
		for (size_t j = 0; j < counts[i]; j++)
			values[j] *= 1 - 0.05 * (double)j / (double)(counts[i] - 1);
		drift = ws_stats_drift(values, counts[i], scratch);
		assert_true(drift.found);
		assert_true(drift.chance < 0.001);
		assert_near(drift.change, -0.05, 0.006);
		assert_near(drift.halves, -0.025, 0.005);
	}
}

static void a_step_halfway_is_drift(void **state)
{
	double values[60], scratch[60];

	(void)state;
	fill(values, 60, 100, 0.003, 5);
	for (size_t i = 30; i < 60; i++)
		values[i] *= 1.04;
	assert_true(ws_stats_drift(values, 60, scratch).found);
}

static void what_does_not_wander_is_not_drift(void **state)
{
	double values[MOST], scratch[MOST];
	int found = 0;

	(void)state;
	/* Noise without order, of any width: at most the rate of false alarms that the test was set to, and usually
	 * less. */
	for (uint64_t seed = 1; seed <= 500; seed++) {
		fill(values, 40, 100, 0.05, seed);
		found += ws_stats_drift(values, 40, scratch).found;
	}
	assert_true(found <= 10);
	/* A certain trend of less than 1 % between the halves. */
	for (size_t i = 0; i < 100; i++)
		values[i] = 100 + (double)i / 100;
	assert_true(ws_stats_drift(values, 100, scratch).chance < 1e-6);
	assert_false(ws_stats_drift(values, 100, scratch).found);
	/* Halves that differ by one far value. */
	fill(values, 20, 100, 0.001, 9);
	values[19] = 1000;
	assert_false(ws_stats_drift(values, 20, scratch).found);
	/* Too few to tell. */
	for (size_t i = 0; i < 9; i++)
		values[i] = 100 + 10 * (double)i;
	assert_false(ws_stats_drift(values, 9, scratch).found);
}

static void the_trend_test_agrees_with_a_table(void **state)
{
	const double rising[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, tied[] = {1, 1, 2, 2, 3, 3, 4, 4, 5, 5};
	double scratch[10];

	(void)state;
	/* n = 10: all 45 pairs rise, variance 10*9*25/18 = 125, z = 44/sqrt(125) = 3.9355, p = 8.30e-5. */
	assert_near(ws_stats_drift(rising, 10, scratch).chance, 8.30e-5, 1e-6);
	assert_near(ws_stats_drift(rising, 10, scratch).change, 9 / 5.5, 1e-12);
	/* 5 ties of 2: 40 pairs rise, variance (2250 - 5*2*1*9)/18 = 120, z = 39/sqrt(120) = 3.5602, p = 3.71e-4. */
	assert_near(ws_stats_drift(tied, 10, scratch).chance, 3.71e-4, 1e-6);
}

static void two_levels_are_two_modes(void **state)
{
	double values[40];
	struct ws_modes modes;

	(void)state;
	fill(values, 40, 100, 0.01, 21);
	for (size_t i = 0; i < 40; i += 4)
		values[i] *= 1.3;
	modes = modes_of(values, 40);
	assert_true(modes.found);
	assert_near(modes.low, 100, 1);
	assert_near(modes.high, 130, 1.3);
	assert_near(modes.high_share, 0.25, 1e-12);
	/* An outlier makes a wider gap than the modes do, and must not hide them. */
	values[1] = 900;
	modes = modes_of(values, 40);
	assert_true(modes.found);
	assert_near(modes.low, 100, 1);
}

static void one_level_is_one_mode(void **state)
{
	double values[40];
	int found = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 500; seed++) {
		const size_t count = 10 + seed % 31;

		fill(values, count, 100, 0.2, seed);
		found += modes_of(values, count).found;
	}
	assert_true(found <= 10);
	/* Too few on one side: outliers, not a mode. */
	fill(values, 40, 100, 0.01, 22);
	for (size_t i = 0; i < 7; i++)
		values[i] *= 1.3;
	assert_false(modes_of(values, 40).found);
	values[7] *= 1.3;
	assert_true(modes_of(values, 40).found);
	/* Too near to each other. */
	fill(values, 40, 100, 0.001, 23);
	for (size_t i = 0; i < 20; i++)
		values[i] *= 1.045;
	assert_false(modes_of(values, 40).found);
}

static void a_stall_is_counted_and_weighed(void **state)
{
	double values[50];
	struct ws_stalls stalls;

	(void)state;
	for (size_t i = 0; i < 50; i++)
		values[i] = 10;
	values[17] = 100;
	values[33] = 20;
	stalls = stalls_of(values, 50);
	assert_int_equal(stalls.count, 2);
	assert_near(stalls.worst, 10, 1e-12);
	assert_near(stalls.lost, 100.0 / 600, 1e-12);
	assert_near(stalls.gap, 0.2, 1e-12);
	assert_true(stalls.intermittent);
}

static void no_stall_without_an_outlier(void **state)
{
	double values[50];
	struct ws_stalls stalls;

	(void)state;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		fill(values, 50, 10, 0.3, seed);
		assert_int_equal(stalls_of(values, 50).count, 0);
	}
	/* A sample that was quick is no stall, and neither is one that took 40 % longer. */
	fill(values, 50, 10, 0.001, 31);
	values[10] = 1;
	values[20] = 14;
	stalls = stalls_of(values, 50);
	assert_int_equal(stalls.count, 0);
	assert_false(stalls.intermittent);
	assert_near(stalls.worst, 0, 0);
	/* Many smaller delays: none stalls, yet together they cost more than 2 %. */
	for (size_t i = 0; i < 50; i += 10)
		values[i] = 14;
	stalls = stalls_of(values, 50);
	assert_int_equal(stalls.count, 0);
	assert_true(stalls.intermittent);
}

static void the_summary_agrees_with_its_parts(void **state)
{
	double values[100], scratch[200], sorted[100], other[100];
	struct ws_interval interval;
	struct ws_summary summary;

	(void)state;
	fill(values, 100, 50, 0.1, 41);
	ws_stats_sort(values, 100, sorted);
	interval = ws_interval_median(values, sorted, 100);
	summary = ws_summary_make(values, 100, scratch);
	assert_int_equal(summary.count, 100);
	assert_near(summary.minimum, sorted[0], 0);
	assert_near(summary.maximum, sorted[99], 0);
	assert_near(summary.median, ws_stats_percentile(sorted, 100, 50), 1e-12);
	assert_near(summary.p95, ws_stats_percentile(sorted, 100, 95), 0);
	assert_near(summary.p99, ws_stats_percentile(sorted, 100, 99), 0);
	assert_near(summary.mean, ws_stats_mean(values, 100), 0);
	assert_near(summary.interval.low, interval.low, 0);
	assert_true(summary.interval.known && summary.precision_known);
	assert_near(summary.precision,
		    fmax(summary.median - interval.low, interval.high - summary.median) / summary.median, 1e-12);
	assert_true(summary.effective >= 1 && summary.effective <= 100);
	assert_near(summary.drift.chance, ws_stats_drift(values, 100, other).chance, 0);
	for (size_t i = 0; i < 100; i++)
		assert_near(scratch[i], sorted[i], 0);
}

static void assert_finite(const struct ws_summary *summary)
{
	const double figures[] = {
		summary->minimum,
		summary->median,
		summary->mean,
		summary->maximum,
		summary->p95,
		summary->p99,
		summary->mad,
		summary->sigma,
		summary->lag1,
		summary->effective,
		summary->precision,
		summary->interval.low,
		summary->interval.high,
		summary->drift.halves,
		summary->drift.change,
		summary->drift.chance,
		summary->modes.low,
		summary->modes.high,
		summary->modes.high_share,
		summary->stalls.worst,
		summary->stalls.lost,
		summary->stalls.gap,
	};

	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++)
		assert_true(isfinite(figures[i]));
}

static void degenerate_series_have_finite_summaries(void **state)
{
	static const double levels[] = {0, 1, -3, 1e-300, 1e300};
	double values[30], scratch[60];
	struct ws_summary summary;

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		for (size_t count = 0; count <= 30; count++) {
			for (size_t j = 0; j < count; j++)
				values[j] = levels[i];
			summary = ws_summary_make(values, count, scratch);
			assert_finite(&summary);
			assert_false(summary.drift.found || summary.modes.found || summary.stalls.count);
			/* One value that differs, and a series about zero. */
			if (count > 0)
				values[count / 2] = 5;
			summary = ws_summary_make(values, count, scratch);
			assert_finite(&summary);
			for (size_t j = 0; j < count; j++)
				values[j] = j % 2 ? levels[i] : -levels[i];
			summary = ws_summary_make(values, count, scratch);
			assert_finite(&summary);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_slow_slide_is_drift),
		cmocka_unit_test(a_step_halfway_is_drift),
		cmocka_unit_test(what_does_not_wander_is_not_drift),
		cmocka_unit_test(the_trend_test_agrees_with_a_table),
		cmocka_unit_test(two_levels_are_two_modes),
		cmocka_unit_test(one_level_is_one_mode),
		cmocka_unit_test(a_stall_is_counted_and_weighed),
		cmocka_unit_test(no_stall_without_an_outlier),
		cmocka_unit_test(the_summary_agrees_with_its_parts),
		cmocka_unit_test(degenerate_series_have_finite_summaries),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
