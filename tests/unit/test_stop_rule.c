/*
 * How often the interval holds the truth at the moment the stop rule ends a series, whether by precision or by budget:
 * looking again and again, and correlated samples, both make it hold less often than 95 %.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "measure/stats.h"
#include "measure/stats_interval.h"

#define STREAMS 600
#define BUDGET_MAX 400
#define WANTED 0.005
#define TRUE_TIME 2.0 /* at size 1; 10 at size 5: rate 0.5, cost 0 */

/* What the rule did over all streams of one kind. */
struct tally {
	int converged, held, claimed_wrongly;
};

struct random {
	uint64_t state;
};

/* The stop rule, from the interval that its precision comes from. */
static enum ws_stop decide(size_t count, const struct ws_interval *interval, double figure, double wanted, double used)
{
	double precision = 0;
	const bool known = ws_interval_precision(interval, figure, &precision);

	return ws_stop_decide(count, known, precision, wanted, used);
}

static double uniform(struct random *random)
{
	/* Marsaglia (2003), xorshift64. */
	random->state ^= random->state << 13;
	random->state ^= random->state >> 7;
	random->state ^= random->state << 17;
	return ((double)(random->state >> 11) + 0.5) / 9007199254740992.0;
}

static double gauss(struct random *random)
{
	const double radius = sqrt(-2 * log(uniform(random)));

	return radius * cos(6.283185307179586 * uniform(random));
}

/* A stationary AR(1) stream of standard deviation 1. */
static void make_stream(struct random *random, double rho, double *values)
{
	values[0] = gauss(random);
	for (size_t i = 1; i < BUDGET_MAX; i++)
		values[i] = rho * values[i - 1] + sqrt(1 - rho * rho) * gauss(random);
}

static void count_in(struct tally *tally, enum ws_stop stop, const struct ws_interval *interval, double truth)
{
	const bool holds = interval->low <= truth && truth <= interval->high;

	tally->converged += stop == WS_STOP_CONVERGED;
	tally->held += holds;
	tally->claimed_wrongly += interval->known && !holds;
}

static struct ws_slope_point make_point(double size, const double *noise, double spread, size_t count)
{
	struct ws_slope_point point = {.size = size};
	double values[BUDGET_MAX], sorted[BUDGET_MAX];

	for (size_t i = 0; i < count; i++)
		values[i] = TRUE_TIME * size * (1 + spread * noise[i]);
	ws_stats_sort(values, count, sorted);
	point.time = ws_stats_median(sorted, count);
	point.interval = ws_interval_median(values, sorted, count);
	return point;
}

static void run_median(const double *noise, double spread, size_t budget, struct tally *tally)
{
	for (size_t count = 1;; count++) {
		struct ws_slope_point point;
		enum ws_stop stop;

		if (!ws_stop_look(count) && count < budget)
			continue;
		point = make_point(1, noise, spread, count);
		stop = decide(count, &point.interval, point.time, WANTED, (double)count / (double)budget);
		if (stop != WS_STOP_GO_ON) {
			count_in(tally, stop, &point.interval, TRUE_TIME);
			return;
		}
	}
}

static void run_slope(const double *noise_small, const double *noise_large, double spread, size_t budget,
		      struct tally *tally)
{
	for (size_t count = 1;; count++) {
		struct ws_slope_point small, large;
		struct ws_slope slope;
		enum ws_stop stop;

		if (!ws_stop_look(count) && count < budget)
			continue;
		small = make_point(1, noise_small, spread, count);
		large = make_point(5, noise_large, spread, count);
		assert_true(ws_slope_make(&small, &large, &slope));
		stop = decide(count, &slope.rate_interval, slope.rate, WANTED, (double)count / (double)budget);
		if (stop != WS_STOP_GO_ON) {
			count_in(tally, stop, &slope.rate_interval, 1 / TRUE_TIME);
			return;
		}
	}
}

static void check(const char *figure, double rho, double spread, size_t budget, const struct tally *tally, double least)
{
	const double held = (double)tally->held / STREAMS, wrong = (double)tally->claimed_wrongly / STREAMS;

	print_message("%s rho %.1f spread %4.1f %% budget %3zu: holds %.3f, claimed but wrong %.3f, converged %.3f\n",
		      figure, rho, 100 * spread, budget, held, wrong, (double)tally->converged / STREAMS);
	assert_true(held >= least);
	assert_true(wrong <= 1 - least);
}

static void run_all(double rho, uint64_t seed)
{
	static const size_t budgets[] = {20, 100, BUDGET_MAX};
	static const double spreads[] = {0.003, 0.01, 0.03};
	struct random random = {seed};
	int converged = 0, exhausted = 0;

	for (size_t b = 0; b < 3; b++) {
		for (size_t s = 0; s < 3; s++) {
			struct tally median = {0}, slope = {0};

			for (int i = 0; i < STREAMS; i++) {
				double first[BUDGET_MAX], second[BUDGET_MAX];

				make_stream(&random, rho, first);
				make_stream(&random, rho, second);
				run_median(first, spreads[s], budgets[b], &median);
				run_slope(first, second, spreads[s], budgets[b], &slope);
			}
			check("median", rho, spreads[s], budgets[b], &median, 0.90);
			check("slope ", rho, spreads[s], budgets[b], &slope, rho < 0.9 ? 0.95 : 0.90);
			converged += median.converged + slope.converged;
			exhausted += 2 * STREAMS - median.converged - slope.converged;
		}
	}
	/* Both ways to end took place often, or the figures above say nothing. */
	assert_true(converged > 5 * STREAMS / 3);
	assert_true(exhausted > 5 * STREAMS / 3);
}

static void independent_samples(void **state)
{
	(void)state;
	run_all(0, 11);
}

static void correlated_samples(void **state)
{
	(void)state;
	run_all(0.5, 12);
}

static void strongly_correlated_samples(void **state)
{
	(void)state;
	run_all(0.9, 13);
}

/* The widening is what makes it hold: without it, the plain ranks fail on correlated streams. */
static void plain_ranks_would_not_do(void **state)
{
	struct random random = {14};
	int held = 0;

	(void)state;
	for (int i = 0; i < STREAMS; i++) {
		double values[BUDGET_MAX], sorted[BUDGET_MAX];
		const size_t rank = ws_interval_rank(100);

		make_stream(&random, 0.9, values);
		ws_stats_sort(values, 100, sorted);
		held += sorted[rank - 1] <= 0 && sorted[100 - rank] >= 0;
	}
	assert_true(held < STREAMS * 6 / 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(independent_samples),
		cmocka_unit_test(correlated_samples),
		cmocka_unit_test(strongly_correlated_samples),
		cmocka_unit_test(plain_ranks_would_not_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
