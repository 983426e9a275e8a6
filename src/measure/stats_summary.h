/* All that is said of one series of samples, from one call. */
#ifndef WS_MEASURE_STATS_SUMMARY_H
#define WS_MEASURE_STATS_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>

#include "measure/stats_flags.h"
#include "measure/stats_interval.h"

/* Values in the unit of the series. All zero and unknown for an empty series. */
struct ws_summary {
	size_t count;
	double minimum, median, mean, maximum;
	double p95, p99;	     /* of few samples these are close to the maximum */
	double mad, sigma;	     /* sigma with its floor, see ws_stats_sigma */
	double lag1;		     /* correlation of neighbours as measured */
	double effective;	     /* independent samples that this series is worth, from the cautious estimate */
	struct ws_interval interval; /* of the median */
	bool precision_known;
	double precision; /* of the median as a share of it */
	struct ws_drift drift;
	struct ws_modes modes;
	struct ws_stalls stalls; /* means something for times only */
};

/*
 * From count values in the order of measuring. scratch has room for 2 * count values and holds the sorted values in its
 * first half afterwards.
 */
struct ws_summary ws_summary_make(const double *values, size_t count, double *scratch);

#endif
