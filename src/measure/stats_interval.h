/*
 * How precisely a series fixes its median or a slope, and when to stop measuring. It is within-run precision: what one
 * run cannot see, such as another placement of pages, is not in it. Pure functions, finite results.
 */
#ifndef WS_MEASURE_STATS_INTERVAL_H
#define WS_MEASURE_STATS_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>

/* known = the bounds are meant to hold with 95 %; otherwise they are a guess, not to be reported as a precision. */
struct ws_interval {
	double low, high;
	bool known;
};

/*
 * The 1-based rank of the sorted value that bounds the median below with 97.5 %; the upper one is count + 1 - rank.
 * The greatest l with P(Bin(count, 1/2) < l) <= 0.025, exact up to 1000 values, from there on by the (slightly wider)
 * normal approximation floor((n - 1.96 sqrt n) / 2). 0 if 95 % cannot be reached, that is for fewer than 6 values.
 */
size_t ws_interval_rank(size_t count);

/*
 * A cautious estimate of the correlation of neighbours from the measured one, r: r + (1 + 3r) / n + sqrt((1 - r^2) /
 * n). The second term undoes the bias of r (Kendall, 1954), the third adds one standard error. Never below 0, and
 * limited so that at least one effective sample remains.
 */
double ws_interval_correlation(double lag1, size_t count);

/* The number of independent samples that fix a mean as well as count values so correlated: n (1 - rho) / (1 + rho). */
double ws_interval_effective(double correlation, size_t count);

/*
 * The interval of the median. The distance of both ranks from the middle is widened by sqrt(n / n_eff), with n_eff from
 * the cautious correlation, because the number of values below the true median scatters by about that much more. If
 * the widened ranks lie outside the series, the interval is not known, and the range from the least to the greatest
 * value is stretched about the median by as much as the ranks exceed it.
 */
struct ws_interval ws_interval_median(const double *values, const double *sorted, size_t count);

/* The greater distance of a bound from figure, as a share of it: 0.005 = within +-0.5 %. False if not known. */
bool ws_interval_precision(const struct ws_interval *interval, double figure, double *precision);

/* The same thing measured at one size. */
struct ws_slope_point {
	double size; /* bytes */
	double time; /* median */
	struct ws_interval interval;
};

/* The line through two of them. With times in ns a rate is in bytes per ns, that is GB/s. */
struct ws_slope {
	double rate; /* (size2 - size1) / (time2 - time1) */
	double cost; /* the time left at size 0; below 0 if the larger size is the less efficient one */
	struct ws_interval rate_interval, cost_interval;
};

/*
 * From two points with size1 < size2. The distances of their bounds add up as the sides of a right angle do: for two
 * independent estimates that keeps the share of the single intervals (Zou and Donner, "Construction of confidence limits
 * about effect measures", Statistics in Medicine 27 (2008) 1693). Slow changes that both sizes see make it wider than
 * need be, not narrower. False, and slope untouched, if the medians do not rise; an interval is not known if those of
 * the points are not, or if it would reach a difference of 0.
 */
bool ws_slope_make(const struct ws_slope_point *small, const struct ws_slope_point *large, struct ws_slope *slope);

/*
 * Whether the stop rule may look after so many samples: 10, 14, 20, 28, 40, 56, 80 ... (10 and 14, doubled again and
 * again). Each look is a chance to stop on a lucky interval, hence few of them.
 */
bool ws_stop_look(size_t count);

/* The number of samples at the first look after count. */
size_t ws_stop_next(size_t count);

enum ws_stop {
	WS_STOP_GO_ON,
	WS_STOP_CONVERGED, /* as precise as wanted */
	WS_STOP_BUDGET	   /* the budget is used up */
};

/*
 * Whether to stop after count samples whose figure has this precision, if one is known; wanted is the precision as a
 * share (0.005), used the share of the budget that is used up: at 1 the series ends, and is judged, wherever it stands.
 */
enum ws_stop ws_stop_decide(size_t count, bool known, double precision, double wanted, double used);

#endif
