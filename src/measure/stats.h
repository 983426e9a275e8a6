/*
 * Order statistics and robust spread of a series of samples. Pure functions: no allocation, no error. Values are
 * finite; results are finite for every input, also for none, one or only equal values.
 *
 * Two views of a series are asked for: `values` in the order of measuring, and `sorted` from ws_stats_sort.
 */
#ifndef WS_MEASURE_STATS_H
#define WS_MEASURE_STATS_H

#include <stddef.h>

/* Copies count values into sorted, in rising order. The two may be the same array. */
void ws_stats_sort(const double *values, size_t count, double *sorted);

/* The arithmetic mean; 0 of nothing. For sample times it stands for total bytes / total time. */
double ws_stats_mean(const double *values, size_t count);

/* The median; between the two middle values if count is even; 0 of nothing. */
double ws_stats_median(const double *sorted, size_t count);

/*
 * The percentile by linear interpolation between the values at (count - 1) * percent / 100, counted from 0 (type 7 of
 * Hyndman and Fan, 1996): 0 gives the least, 50 the median, 100 the greatest value. 0 of nothing.
 */
double ws_stats_percentile(const double *sorted, size_t count, double percent);

/* The median of the absolute deviations from the median; 0 of nothing. */
double ws_stats_mad(const double *sorted, size_t count);

/*
 * A standard deviation that outliers do not move: 1.4826 max(MAD, 0.5 % of the median). The floor keeps siblings that
 * agree to 0.1 % from calling each other outliers.
 */
double ws_stats_sigma(const double *sorted, size_t count);

/* How far out a value lies, in such deviations: the modified z score (usual cut 3.5). Limited to +-1e6. */
double ws_stats_z(double value, double median, double sigma);

/*
 * Correlation of neighbouring values about their mean, -1..1; 0 of fewer than 3 or of equal values. Values beyond 3
 * sigma are moved to that bound first: a single stall would hide any correlation of the rest.
 */
double ws_stats_lag1(const double *values, const double *sorted, size_t count);

#endif
