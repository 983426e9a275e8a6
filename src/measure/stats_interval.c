/* Intervals of medians and slopes, and the rule when to stop measuring. */
#include "measure/stats_interval.h"

#include <math.h>

#include "measure/stats.h"

#define EXACT_COUNT 1000 /* 2^-n is still a normal double */
#define TAIL 0.025
#define NORMAL_975 1.959963984540054

size_t ws_interval_rank(size_t count)
{
	const double n = (double)count;
	double term, sum;
	size_t rank = 0;

	if (count > EXACT_COUNT)
		return (size_t)((n - NORMAL_975 * sqrt(n)) / 2);
	term = ldexp(1, -(int)count);
	for (sum = term; sum <= TAIL && rank < count; sum += term) {
		rank++;
		term *= (n - (double)rank + 1) / (double)rank;
	}
	return rank;
}

double ws_interval_correlation(double lag1, size_t count)
{
	const double n = (double)count;
	double estimate;

	if (count == 0)
		return 0;
	estimate = lag1 + (1 + 3 * lag1) / n + sqrt(fmax(0, 1 - lag1 * lag1) / n);
	return fmax(0, fmin((n - 1) / (n + 1), estimate));
}

double ws_interval_effective(double correlation, size_t count)
{
	return (double)count * (1 - correlation) / (1 + correlation);
}

struct ws_interval ws_interval_median(const double *values, const double *sorted, size_t count)
{
	const double middle = ((double)count + 1) / 2, median = ws_stats_median(sorted, count);
	const size_t rank = ws_interval_rank(count);
	double correlation, reach, stretch;

	if (count < 2)
		return (struct ws_interval){.low = median, .high = median};
	correlation = ws_interval_correlation(ws_stats_lag1(values, sorted, count), count);
	reach = (middle - (double)rank) * sqrt((1 + correlation) / (1 - correlation));
	if (rank > 0 && reach <= middle - 1) {
		const size_t place = (size_t)(middle - reach);

		return (struct ws_interval){.low = sorted[place - 1], .high = sorted[count - place], .known = true};
	}
	stretch = fmax(1, reach / (middle - 1));
	return (struct ws_interval){
		.low = median - stretch * (median - sorted[0]),
		.high = median + stretch * (sorted[count - 1] - median),
	};
}

bool ws_interval_precision(const struct ws_interval *interval, double figure, double *precision)
{
	const double distance = fmax(fmax(figure - interval->low, interval->high - figure), 0);

	if (!interval->known)
		return false;
	if (distance <= 0) {
		*precision = 0;
		return true;
	}
	if (fabs(figure) <= distance * 1e-9)
		return false;
	*precision = distance / fabs(figure);
	return true;
}

bool ws_slope_make(const struct ws_slope_point *small, const struct ws_slope_point *large, struct ws_slope *slope)
{
	const struct ws_interval *a = &small->interval, *b = &large->interval;
	const double bytes = large->size - small->size, time = large->time - small->time;
	const double cost = (small->time * large->size - large->time * small->size) / bytes;
	/* How far each end of each time lies away. */
	const double a_low = small->time - a->low, a_high = a->high - small->time;
	const double b_low = large->time - b->low, b_high = b->high - large->time;
	const double least = time - hypot(b_low, a_high), most = time + hypot(b_high, a_low);
	const bool known = a->known && b->known;

	if (!(bytes > 0) || !(time > 0))
		return false;
	*slope = (struct ws_slope){
		.rate = bytes / time,
		.cost = cost,
		.cost_interval =
			{
				.low = cost - hypot(a_low * large->size, b_high * small->size) / bytes,
				.high = cost + hypot(a_high * large->size, b_low * small->size) / bytes,
				.known = known,
			},
	};
	slope->rate_interval = (struct ws_interval){.low = bytes / most, .high = slope->rate};
	if (least > 0) {
		slope->rate_interval.high = bytes / least;
		slope->rate_interval.known = known;
	}
	return true;
}

bool ws_stop_look(size_t count)
{
	return count >= 10 && ws_stop_next(count - 1) == count;
}

size_t ws_stop_next(size_t count)
{
	size_t first = 10, second = 14;

	while (second <= count) {
		first *= 2;
		second *= 2;
	}
	return first > count ? first : second;
}

enum ws_stop ws_stop_decide(size_t count, bool known, double precision, double wanted, double used)
{
	if ((ws_stop_look(count) || used >= 1) && known && precision <= wanted)
		return WS_STOP_CONVERGED;
	return used >= 1 ? WS_STOP_BUDGET : WS_STOP_GO_ON;
}
