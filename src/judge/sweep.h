/* What a sweep over sizes says of an operation: what it costs each time, and what its bytes cost. */
#ifndef WS_JUDGE_SWEEP_H
#define WS_JUDGE_SWEEP_H

#include <stdbool.h>
#include <stddef.h>

/* time = cost + bytes / rate. */
struct ws_sweep_fit {
	double rate;	     /* GB/s that ever larger sizes come close to */
	double cost_us;	     /* of each operation, whatever its size */
	double half_bytes;   /* the size that reaches 50 % of the rate, */
	double ninety_bytes; /* and 90 % */
	double deviation;    /* greatest distance of a time from the fit, as a share of it */
};

/*
 * The line with the least sum of squared relative distances, so that small sizes count as much as large ones; a cost
 * below 0 is taken as 0. False, and fit untouched, for fewer than three sizes, or times that do not rise with them.
 * Times and sizes are above 0.
 */
bool ws_sweep_fit(const double *bytes, const double *times_us, size_t count, struct ws_sweep_fit *fit);

#endif
