/* Order statistics and robust spread of a series of samples. */
#include "measure/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAD_TO_SIGMA 1.4826
#define MAD_FLOOR 0.005 /* of the median */
#define Z_LIMIT 1e6
#define CLIP_SIGMAS 3

static int compare(const void *left, const void *right)
{
	const double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

void ws_stats_sort(const double *values, size_t count, double *sorted)
{
	if (count == 0)
		return;
	memmove(sorted, values, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), compare);
}

double ws_stats_mean(const double *values, size_t count)
{
	double mean = 0;

	/* A running mean does not overflow and keeps equal values exact. */
	for (size_t i = 0; i < count; i++)
		mean += (values[i] - mean) / (double)(i + 1);
	return mean;
}

double ws_stats_median(const double *sorted, size_t count)
{
	if (count == 0)
		return 0;
	return count % 2 ? sorted[count / 2] : sorted[count / 2 - 1] / 2 + sorted[count / 2] / 2;
}

double ws_stats_percentile(const double *sorted, size_t count, double percent)
{
	const double share = percent < 0 ? 0 : percent > 100 ? 1 : percent / 100;
	double place, below;
	size_t at;

	if (count == 0)
		return 0;
	place = (double)(count - 1) * share;
	below = floor(place);
	at = (size_t)below;
	if (at + 1 >= count)
		return sorted[count - 1];
	return sorted[at] + (place - below) * (sorted[at + 1] - sorted[at]);
}

double ws_stats_mad(const double *sorted, size_t count)
{
	const double median = ws_stats_median(sorted, count);
	size_t above = count / 2, below = above;
	double deviation = 0, previous = 0;

	/* From the middle outwards both sides' deviations rise: merging them up to the middle needs no second array. */
	for (size_t taken = 0; taken <= count / 2 && count; taken++) {
		previous = deviation;
		if (below == 0 || (above < count && sorted[above] - median <= median - sorted[below - 1]))
			deviation = sorted[above++] - median;
		else
			deviation = median - sorted[--below];
	}
	return count % 2 ? deviation : previous / 2 + deviation / 2;
}

double ws_stats_sigma(const double *sorted, size_t count)
{
	return MAD_TO_SIGMA * fmax(ws_stats_mad(sorted, count), MAD_FLOOR * fabs(ws_stats_median(sorted, count)));
}

double ws_stats_z(double value, double median, double sigma)
{
	const double away = value - median;

	if (fabs(away) >= Z_LIMIT * sigma)
		return away > 0 ? Z_LIMIT : away < 0 ? -Z_LIMIT : 0;
	return away / sigma;
}

double ws_stats_lag1(const double *values, const double *sorted, size_t count)
{
	const double median = ws_stats_median(sorted, count);
	const double reach = CLIP_SIGMAS * ws_stats_sigma(sorted, count);
	double mean = 0, before = 0, products = 0, squares = 0;

	/* Shares of the reach, within -1..1: their squares cannot overflow. */
	if (count < 3 || reach <= 0)
		return 0;
	for (size_t i = 0; i < count; i++)
		mean += (fmax(-1, fmin(1, (values[i] - median) / reach)) - mean) / (double)(i + 1);
	for (size_t i = 0; i < count; i++) {
		const double away = fmax(-1, fmin(1, (values[i] - median) / reach)) - mean;

		products += before * away;
		squares += away * away;
		before = away;
	}
	return squares > 0 ? fmax(-1, fmin(1, products / squares)) : 0;
}
