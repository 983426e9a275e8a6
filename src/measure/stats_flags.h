/*
 * What a median hides: drift, two modes, stalls. Each finding is a flag on a cell, never a failure. Pure functions,
 * finite results; series too short to tell are not flagged.
 */
#ifndef WS_MEASURE_STATS_FLAGS_H
#define WS_MEASURE_STATS_FLAGS_H

#include <stdbool.h>
#include <stddef.h>

#define WS_DRIFT_HALVES 0.01 /* drift: the halves' medians differ by more than this share of the median ... */
#define WS_DRIFT_CHANCE 0.01 /* ... and the Mann-Kendall test finds a trend at this level */
#define WS_MODES_GAP 0.05    /* two modes: a gap of more than this share of the median ... */
#define WS_MODES_SHARE 0.2   /* ... with at least this share of the samples on each side */
#define WS_STALL_EXCESS 0.5  /* a stall: longer than the median by more than this share of it ... */
#define WS_STALL_SIGMAS 10   /* ... and by more than so many robust standard deviations */
#define WS_STALL_GAP 0.02    /* intermittent: mean above median by more than this share of it */

/* Shares of the median of the whole series. */
struct ws_drift {
	bool found;
	double halves; /* median of the second half - median of the first half */
	double change; /* Theil-Sen slope from the first to the last sample; divided by its duration: per second */
	double chance; /* p of the two-sided Mann-Kendall test, normal approximation with ties; 1 if not tested */
};

/*
 * Whether values, in the order of measuring, wander. Needs 10 values. Beyond 64 they are replaced by the medians of 64
 * blocks, which bounds the cost and leaves slow changes. scratch has room for count values.
 */
struct ws_drift ws_stats_drift(const double *values, size_t count, double *scratch);

struct ws_modes {
	bool found;
	double low, high;  /* the medians of both sides */
	double high_share; /* of the samples on the high side */
};

/*
 * Whether sorted values fall into two groups (a path that flips, a link that retrains). Of the gaps between neighbours
 * with enough values on both sides the widest counts, so that a lone outlier cannot hide the modes. It must also be
 * twice as wide as the middle halves of both sides together, or wide noise would have modes by chance (simulated: then
 * 3 % of 10 and 0.4 % of 14 normal values do, whatever their spread). Needs 10 values.
 */
struct ws_modes ws_stats_modes(const double *sorted, size_t count);

/* Stalled samples: the copies of a sample stood still for a while. */
struct ws_stalls {
	size_t count;
	double worst; /* the longest time / the median, if any */
	double lost;  /* the time beyond the median of all stalls / the total time */
	double gap;   /* mean / median - 1: bandwidth from total time falls below that of the median by about this */
	bool intermittent; /* gap is large: report both bandwidths */
};

/* From sorted times (not rates). Needs 4 values, so that a stall cannot move the median. */
struct ws_stalls ws_stats_stalls(const double *sorted, size_t count);

#endif
