/* The times of calls, or of an item's loops, that are taken one by one. */
#ifndef WS_BASE_CALLS_H
#define WS_BASE_CALLS_H

#include "base/error.h"
#include "seam/record.h"

struct ws_calls {
	int64_t first_ns, sum_ns; /* of all since begin: when the first one started, and how long they took together */
	double *each_ns;	  /* of the first ones; NULL = only the sum is wanted; freed by the owner */
	uint32_t count, most;	  /* of each_ns */
};

/* Room for so many; calls is all zero. */
int ws_calls_hold(struct ws_calls *calls, uint32_t most, struct ws_error *error);
void ws_calls_begin(struct ws_calls *calls);
void ws_calls_add(struct ws_calls *calls, int64_t start_ns, int64_t time_ns);
/* Makes their time together the lane's, by the clock "cuda0:calls". */
void ws_calls_put_sum(const struct ws_calls *calls, struct ws_lane *lane, const char *family, int index);
/* Makes the time of each one a value of the lane. */
int ws_calls_put_each(const struct ws_calls *calls, struct ws_lane *lane, struct ws_error *error);

#endif
