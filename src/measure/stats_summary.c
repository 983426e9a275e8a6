/* All that is said of one series of samples, from one call. */
#include "measure/stats_summary.h"

#include "measure/stats.h"

struct ws_summary ws_summary_make(const double *values, size_t count, double *scratch)
{
	struct ws_summary summary = {.count = count, .drift.chance = 1};
	const double *sorted = scratch;

	if (count == 0)
		return summary;
	ws_stats_sort(values, count, scratch);
	summary.minimum = sorted[0];
	summary.median = ws_stats_median(sorted, count);
	summary.mean = ws_stats_mean(values, count);
	summary.maximum = sorted[count - 1];
	summary.p95 = ws_stats_percentile(sorted, count, 95);
	summary.p99 = ws_stats_percentile(sorted, count, 99);
	summary.mad = ws_stats_mad(sorted, count);
	summary.sigma = ws_stats_sigma(sorted, count);
	summary.lag1 = ws_stats_lag1(values, sorted, count);
	summary.effective = ws_interval_effective(ws_interval_correlation(summary.lag1, count), count);
	summary.interval = ws_interval_median(values, sorted, count);
	summary.precision_known = ws_interval_precision(&summary.interval, summary.median, &summary.precision);
	summary.drift = ws_stats_drift(values, count, scratch + count);
	summary.modes = ws_stats_modes(sorted, count);
	summary.stalls = ws_stats_stalls(sorted, count);
	return summary;
}
