/* Drift, two modes and stalls in a series of samples. */
#include "measure/stats_flags.h"

#include <math.h>

#include "measure/stats.h"

#define FLAGS_COUNT 10 /* shorter series are not tested for drift and modes */
#define STALL_COUNT 4
#define BLOCKS 64

/* Reduces values to at most BLOCKS medians and returns how many. */
static size_t reduce(const double *values, size_t count, double *scratch, double *blocks)
{
	const size_t block_count = count < BLOCKS ? count : BLOCKS;

	for (size_t i = 0; i < block_count; i++) {
		const size_t begin = i * count / block_count, end = (i + 1) * count / block_count;

		ws_stats_sort(values + begin, end - begin, scratch);
		blocks[i] = ws_stats_median(scratch, end - begin);
	}
	return block_count;
}

/* Mann (1945), Kendall (1975): p of as many rises over falls among all pairs, if the order were random. */
static double mann_kendall(const double *values, size_t count)
{
	const double n = (double)count;
	double sorted[BLOCKS], variance = n * (n - 1) * (2 * n + 5);
	long rises = 0;

	for (size_t i = 0; i < count; i++) {
		for (size_t j = i + 1; j < count; j++)
			rises += (values[j] > values[i]) - (values[j] < values[i]);
	}
	ws_stats_sort(values, count, sorted);
	for (size_t i = 0, ties; i < count; i += ties) {
		for (ties = 1; i + ties < count && sorted[i + ties] <= sorted[i]; ties++)
			continue;
		variance -= (double)ties * ((double)ties - 1) * (2 * (double)ties + 5);
	}
	rises = rises < 0 ? -rises : rises;
	if (rises < 1 || variance <= 0)
		return 1;
	return erfc(((double)rises - 1) / sqrt(variance / 18) / sqrt(2));
}

/* Theil (1950), Sen (1968): the median of the slopes of all pairs, per step. */
static double theil_sen(const double *values, size_t count)
{
	double slopes[BLOCKS * (BLOCKS - 1) / 2];
	size_t pairs = 0;

	for (size_t i = 0; i < count; i++) {
		for (size_t j = i + 1; j < count; j++)
			slopes[pairs++] = (values[j] - values[i]) / (double)(j - i);
	}
	ws_stats_sort(slopes, pairs, slopes);
	return ws_stats_median(slopes, pairs);
}

struct ws_drift ws_stats_drift(const double *values, size_t count, double *scratch)
{
	struct ws_drift drift = {.chance = 1};
	double blocks[BLOCKS], median, first, second;
	size_t block_count;

	if (count < FLAGS_COUNT)
		return drift;
	ws_stats_sort(values, count, scratch);
	median = fabs(ws_stats_median(scratch, count));
	if (median <= 0)
		return drift;
	ws_stats_sort(values, count / 2, scratch);
	first = ws_stats_median(scratch, count / 2);
	ws_stats_sort(values + count / 2, count - count / 2, scratch);
	second = ws_stats_median(scratch, count - count / 2);
	block_count = reduce(values, count, scratch, blocks);
	drift.halves = (second - first) / median;
	drift.change =
		theil_sen(blocks, block_count) * (double)block_count / (double)count * (double)(count - 1) / median;
	drift.chance = mann_kendall(blocks, block_count);
	drift.found = fabs(drift.halves) > WS_DRIFT_HALVES && drift.chance < WS_DRIFT_CHANCE;
	return drift;
}

static double middle_half(const double *sorted, size_t count)
{
	return ws_stats_percentile(sorted, count, 75) - ws_stats_percentile(sorted, count, 25);
}

struct ws_modes ws_stats_modes(const double *sorted, size_t count)
{
	const size_t margin = (size_t)ceil(WS_MODES_SHARE * (double)count);
	struct ws_modes modes = {0};
	double widest = 0;
	size_t split = 0;

	if (count < FLAGS_COUNT)
		return modes;
	for (size_t i = margin; i <= count - margin; i++) {
		if (sorted[i] - sorted[i - 1] > widest) {
			widest = sorted[i] - sorted[i - 1];
			split = i;
		}
	}
	if (widest <= WS_MODES_GAP * fabs(ws_stats_median(sorted, count)) ||
	    widest <= 2 * (middle_half(sorted, split) + middle_half(sorted + split, count - split)))
		return modes;
	modes.found = true;
	modes.low = ws_stats_median(sorted, split);
	modes.high = ws_stats_median(sorted + split, count - split);
	modes.high_share = (double)(count - split) / (double)count;
	return modes;
}

struct ws_stalls ws_stats_stalls(const double *sorted, size_t count)
{
	const double median = ws_stats_median(sorted, count), mean = ws_stats_mean(sorted, count);
	const double excess = fmax(WS_STALL_EXCESS * median, WS_STALL_SIGMAS * ws_stats_sigma(sorted, count));
	struct ws_stalls stalls = {0};

	if (count < STALL_COUNT || median <= 0)
		return stalls;
	for (size_t i = count; i > 0 && sorted[i - 1] > median + excess; i--) {
		stalls.count++;
		stalls.lost += (sorted[i - 1] - median) / mean / (double)count;
	}
	if (stalls.count > 0)
		stalls.worst = sorted[count - 1] / median;
	stalls.gap = mean / median - 1;
	stalls.intermittent = stalls.gap > WS_STALL_GAP;
	return stalls;
}
