/* Ranks against published tables and an independent count of their coverage; intervals, slopes and looks by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "measure/stats.h"
#include "measure/stats_interval.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The stop rule, from the interval that its precision comes from. */
static enum ws_stop decide(size_t count, const struct ws_interval *interval, double figure, double wanted, double used)
{
	double precision = 0;
	const bool known = ws_interval_precision(interval, figure, &precision);

	return ws_stop_decide(count, known, precision, wanted, used);
}

static void assert_near(double value, double expected)
{
	assert_true(fabs(value - expected) <= 1e-9 * fmax(1, fabs(expected)));
}

static void ranks_agree_with_published_tables(void **state)
{
	static const struct {
		size_t count, low, high;
	} cases[] = {
		{6, 1, 6},   {8, 1, 8},	  {9, 2, 8},	{10, 2, 9},   {12, 3, 10},  {15, 4, 12},
		{20, 6, 15}, {25, 8, 18}, {30, 10, 21}, {40, 14, 27}, {50, 18, 33}, {100, 40, 61},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		const size_t rank = ws_interval_rank(cases[i].count);

		assert_int_equal(rank, cases[i].low);
		assert_int_equal(cases[i].count + 1 - rank, cases[i].high);
	}
	for (size_t count = 0; count <= 5; count++)
		assert_int_equal(ws_interval_rank(count), 0);
}

/*
 * The median lies between two ranks if at least low and less than high of the values lie below it. The number of values
 * below it is counted here by adding one coin toss at a time, without binomial coefficients.
 */
static double coverage(size_t count, size_t low, size_t high)
{
	double below[1025] = {1}, sum = 0;

	for (size_t tosses = 1; tosses <= count; tosses++) {
		for (size_t i = tosses; i > 0; i--)
			below[i] = (below[i] + below[i - 1]) / 2;
		below[0] /= 2;
	}
	for (size_t i = low; i < high; i++)
		sum += below[i];
	return sum;
}

static void ranks_cover_and_are_the_tightest_that_do(void **state)
{
	(void)state;
	for (size_t count = 6; count <= 100; count++) {
		const size_t rank = ws_interval_rank(count);

		assert_true(rank >= 1 && rank <= count / 2);
		assert_true(coverage(count, rank, count + 1 - rank) >= 0.95);
		assert_true(coverage(count, rank + 1, count - rank) < 0.95);
	}
	for (size_t count = 1; count <= 5; count++)
		assert_true(coverage(count, 1, count) < 0.95);
	/* Beyond the exact counts the approximation may only be wider. */
	for (size_t count = 1001; count <= 1024; count++) {
		const size_t rank = ws_interval_rank(count);

		assert_true(coverage(count, rank, count + 1 - rank) >= 0.949);
		assert_true(coverage(count, rank + 2, count - rank - 1) < 0.95);
	}
}

static void correlation_is_estimated_cautiously(void **state)
{
	(void)state;
	assert_near(ws_interval_correlation(0.5, 100), 0.5 + 2.5 / 100 + sqrt(0.75 / 100));
	assert_near(ws_interval_correlation(-0.9, 100), 0);
	assert_near(ws_interval_correlation(0, 0), 0);
	/* One effective sample is always left. */
	assert_near(ws_interval_correlation(1, 10), 9.0 / 11);
	assert_near(ws_interval_effective(ws_interval_correlation(1, 10), 10), 1);
	assert_near(ws_interval_effective(0, 40), 40);
	assert_near(ws_interval_effective(0.5, 30), 10);
	assert_near(ws_interval_effective(ws_interval_correlation(0, 1), 1), 1);
}

static void uncorrelated_values_keep_their_ranks(void **state)
{
	double values[50], sorted[50];
	struct ws_interval interval;

	(void)state;
	/* Strictly alternating about 100: measured correlation near -1, so no widening: ranks 18 and 33 of 50. */
	for (size_t i = 0; i < 50; i++)
		values[i] = i % 2 ? 100.5 + (double)i / 100 : 99.5 - (double)i / 100;
	ws_stats_sort(values, 50, sorted);
	interval = ws_interval_median(values, sorted, 50);
	assert_true(interval.known);
	assert_near(interval.low, sorted[17]);
	assert_near(interval.high, sorted[32]);
}

static void correlated_values_widen_the_interval(void **state)
{
	double values[50], sorted[50];
	struct ws_interval interval;

	(void)state;
	/* The same values once in rising order: nothing independent is left, and the range is not enough. */
	for (size_t i = 0; i < 50; i++)
		values[i] = 100 + (double)i;
	ws_stats_sort(values, 50, sorted);
	interval = ws_interval_median(values, sorted, 50);
	assert_false(interval.known);
	assert_true(interval.low < 100 && interval.high > 149);
	/* Half in order, half not: wider than the plain ranks, yet known. */
	for (size_t i = 0; i < 50; i++)
		values[i] = 100 + (double)(i / 2 * 37 % 50);
	ws_stats_sort(values, 50, sorted);
	interval = ws_interval_median(values, sorted, 50);
	assert_true(interval.known);
	assert_true(interval.low < sorted[17] && interval.high > sorted[32]);
}

static void short_series_have_no_known_interval(void **state)
{
	const double values[] = {5, 1, 4, 2, 3};
	double sorted[5], precision = 9;
	struct ws_interval interval;

	(void)state;
	for (size_t count = 0; count <= 5; count++) {
		ws_stats_sort(values, count, sorted);
		interval = ws_interval_median(values, sorted, count);
		assert_false(interval.known);
		assert_true(isfinite(interval.low) && isfinite(interval.high) && interval.low <= interval.high);
		assert_false(ws_interval_precision(&interval, 3, &precision));
	}
	assert_near(precision, 9);
}

static void precision_is_the_wider_side(void **state)
{
	const struct ws_interval interval = {99, 103, true}, point = {0, 0, true}, unknown = {99, 101, false};
	double precision = 9;

	(void)state;
	assert_true(ws_interval_precision(&interval, 100, &precision));
	assert_near(precision, 0.03);
	assert_true(ws_interval_precision(&interval, -100, &precision));
	assert_near(precision, 2.03);
	assert_true(ws_interval_precision(&point, 0, &precision));
	assert_near(precision, 0);
	/* A share of nothing is not a number. */
	assert_false(ws_interval_precision(&interval, 0, &precision));
	assert_false(ws_interval_precision(&unknown, 100, &precision));
}

static void bounds_of_a_slope_are_added_at_right_angles(void **state)
{
	const struct ws_slope_point small = {1000, 30, {29, 31, true}}, large = {5000, 130, {128, 133, true}};
	struct ws_slope slope;

	(void)state;
	assert_true(ws_slope_make(&small, &large, &slope));
	assert_near(slope.rate, 40);
	assert_near(slope.rate_interval.low, 4000.0 / (100 + sqrt(3 * 3 + 1 * 1)));
	assert_near(slope.rate_interval.high, 4000.0 / (100 - sqrt(2 * 2 + 1 * 1)));
	assert_true(slope.rate_interval.known);
	assert_near(slope.cost, 5);
	assert_near(slope.cost_interval.low, 5 - sqrt(5000.0 * 5000 + 3000.0 * 3000) / 4000);
	assert_near(slope.cost_interval.high, 5 + sqrt(5000.0 * 5000 + 2000.0 * 2000) / 4000);
	assert_true(slope.cost_interval.known);
}

/* A number in (0, 1), the next of a sequence that is the same everywhere. */
static double next_number(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return ((double)(*state >> 11) + 0.5) / 9007199254740992.0;
}

/* Times around 30 or 130 with a tail to the right, as of copies that something holds up now and then. */
static struct ws_slope_point noisy_point(double size, double time, size_t count, uint64_t *state)
{
	struct ws_slope_point point = {.size = size};
	double values[64], sorted[64];

	for (size_t i = 0; i < count; i++)
		values[i] = time - log(next_number(state));
	ws_stats_sort(values, count, sorted);
	point.time = ws_stats_median(sorted, count);
	point.interval = ws_interval_median(values, sorted, count);
	return point;
}

static void slopes_cover_what_they_say(void **state)
{
	static const size_t counts[] = {20, 40, 64};
	enum { TRIALS = 4000 };

	(void)state;
	for (size_t i = 0; i < COUNT(counts); i++) {
		uint64_t sequence = 1;
		int covered = 0, known = 0;

		for (int trial = 0; trial < TRIALS; trial++) {
			const struct ws_slope_point small = noisy_point(1000, 30, counts[i], &sequence);
			const struct ws_slope_point large = noisy_point(5000, 130, counts[i], &sequence);
			struct ws_slope slope;

			assert_true(ws_slope_make(&small, &large, &slope));
			known += slope.rate_interval.known;
			covered += slope.rate_interval.low <= 40 && slope.rate_interval.high >= 40;
		}
		assert_true(known > TRIALS * 8 / 10);
		assert_true(covered >= TRIALS * 95 / 100);
	}
}

static void slopes_that_tell_nothing(void **state)
{
	struct ws_slope_point small = {1000, 30, {0, 60, true}}, large = {5000, 60, {20, 100, true}};
	struct ws_slope slope = {.rate = 77};

	(void)state;
	/* The bounds overlap widely: the rate may be anything above its low bound. */
	assert_true(ws_slope_make(&small, &large, &slope));
	assert_false(slope.rate_interval.known);
	assert_near(slope.rate_interval.low, 4000.0 / 80);
	assert_true(isfinite(slope.rate_interval.high) && slope.rate_interval.high >= slope.rate);
	small.interval = (struct ws_interval){29, 31, false};
	large.interval = (struct ws_interval){59, 61, true};
	assert_true(ws_slope_make(&small, &large, &slope));
	assert_false(slope.rate_interval.known);
	assert_false(slope.cost_interval.known);
	slope.rate = 77;
	large.time = 30;
	assert_false(ws_slope_make(&small, &large, &slope));
	large = small;
	assert_false(ws_slope_make(&small, &large, &slope));
	assert_near(slope.rate, 77);
}

static void looks_are_few(void **state)
{
	static const size_t looks[] = {10, 14, 20, 28, 40, 56, 80, 112, 160, 224, 320, 448, 640};
	size_t at = 0;

	(void)state;
	for (size_t count = 0; count <= 640; count++) {
		assert_int_equal(ws_stop_next(count), count < 640 ? looks[at + (count == looks[at])] : 896);
		assert_int_equal(ws_stop_look(count), count == looks[at]);
		at += count == looks[at];
	}
}

static void the_stop_rule_decides(void **state)
{
	const struct ws_interval tight = {99.6, 100.4, true}, wide = {98, 102, true}, unknown = {100, 100, false};

	(void)state;
	assert_int_equal(decide(20, &tight, 100, 0.005, 0.1), WS_STOP_CONVERGED);
	assert_int_equal(decide(20, &tight, 100, 0.003, 0.1), WS_STOP_GO_ON);
	assert_int_equal(decide(21, &tight, 100, 0.005, 0.1), WS_STOP_GO_ON);
	assert_int_equal(decide(20, &wide, 100, 0.005, 0.999), WS_STOP_GO_ON);
	assert_int_equal(decide(20, &wide, 100, 0.005, 1), WS_STOP_BUDGET);
	assert_int_equal(decide(21, &tight, 100, 0.005, 1.2), WS_STOP_CONVERGED);
	assert_int_equal(decide(20, &unknown, 100, 0.005, 0), WS_STOP_GO_ON);
	assert_int_equal(decide(3, &unknown, 100, 0.005, 1), WS_STOP_BUDGET);
	assert_int_equal(decide(0, &unknown, 0, 0.005, 0), WS_STOP_GO_ON);
}

static void a_constant_series_converges_early(void **state)
{
	double values[14];
	struct ws_interval interval;

	(void)state;
	for (size_t i = 0; i < 14; i++)
		values[i] = 42;
	interval = ws_interval_median(values, values, 14);
	assert_int_equal(decide(14, &interval, 42, 0.005, 0), WS_STOP_CONVERGED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranks_agree_with_published_tables),
		cmocka_unit_test(ranks_cover_and_are_the_tightest_that_do),
		cmocka_unit_test(correlation_is_estimated_cautiously),
		cmocka_unit_test(uncorrelated_values_keep_their_ranks),
		cmocka_unit_test(correlated_values_widen_the_interval),
		cmocka_unit_test(short_series_have_no_known_interval),
		cmocka_unit_test(precision_is_the_wider_side),
		cmocka_unit_test(bounds_of_a_slope_are_added_at_right_angles),
		cmocka_unit_test(slopes_cover_what_they_say),
		cmocka_unit_test(slopes_that_tell_nothing),
		cmocka_unit_test(looks_are_few),
		cmocka_unit_test(the_stop_rule_decides),
		cmocka_unit_test(a_constant_series_converges_early),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
