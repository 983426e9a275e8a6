/* The times of calls, or of an item's loops, that are taken one by one. */
#include "base/calls.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/record.h"

int ws_calls_hold(struct ws_calls *calls, uint32_t most, struct ws_error *error)
{
	calls->each_ns = calloc(most, sizeof(*calls->each_ns));
	calls->most = most;
	return calls->each_ns ? WS_OK : ws_fail(error, WS_ENOMEM, "no memory for the times of loops");
}

void ws_calls_begin(struct ws_calls *calls)
{
	calls->first_ns = calls->sum_ns = 0;
	calls->count = 0;
}

void ws_calls_add(struct ws_calls *calls, int64_t start_ns, int64_t time_ns)
{
	calls->first_ns = calls->first_ns ? calls->first_ns : start_ns;
	calls->sum_ns += time_ns;
	if (calls->each_ns && calls->count < calls->most)
		calls->each_ns[calls->count++] = (double)time_ns;
}

void ws_calls_put_sum(const struct ws_calls *calls, struct ws_lane *lane, const char *family, int index)
{
	/* What lies between the calls is not theirs, so that this is no time of the host's clock. */
	lane->start_ns = calls->first_ns;
	lane->end_ns = calls->first_ns + calls->sum_ns;
	lane->has_device = calls->sum_ns > 0;
	snprintf(lane->clock, sizeof(lane->clock), "%s%d:calls", family, index);
}

int ws_calls_put_each(const struct ws_calls *calls, struct ws_lane *lane, struct ws_error *error)
{
	const int rc = calls->count ? ws_lane_hold_times(lane, calls->count, "loops", error) : WS_OK;

	for (uint32_t i = 0; i < calls->count && rc == WS_OK; i++)
		ws_lane_add_time(lane, calls->each_ns[i]);
	return rc;
}
