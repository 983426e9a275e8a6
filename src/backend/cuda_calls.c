/* Work of GPUs that is ordered and waited for one by one: the host's clock tells what each order costs. */
#include "backend/cuda_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cuda.h"
#include "base/item.h"
#include "base/record.h"

/* As many as a sample of marked loops has. */
#define CALLS_MAX 16384

struct cuda_calls {
	int64_t first_ns, sum_ns; /* of the timed ones */
	uint32_t count;
	double each_ns[CALLS_MAX];
};

int cuda_calls_prepare(struct cuda_op *state, struct ws_error *error)
{
	const struct ws_item *item = state->op->item;

	if (item->verb != WS_NOOP && (item->verb != WS_COPY || !ws_item_flag(item, "marks")))
		return WS_OK;
	state->calls = calloc(1, sizeof(*state->calls));
	return state->calls ? WS_OK : ws_fail(error, WS_ENOMEM, "no memory for the times of calls");
}

bool cuda_is_called(const struct ws_queue *queue)
{
	return queue->ops && queue->ops->calls && !queue->gated;
}

void cuda_calls_begin(struct cuda_op *state)
{
	state->calls->first_ns = state->calls->sum_ns = 0;
	state->calls->count = 0;
}

int cuda_calls_start(struct ws_queue *queue, struct ws_error *error)
{
	return cuda_wait(queue->gpu, queue->stream, cuda_after_ns(queue->gpu->cuda->timeout_ns),
			 "what precedes the first call", error);
}

int cuda_calls_submit(struct ws_queue *queue, struct cuda_op *state, uint32_t loops, struct ws_error *error)
{
	struct cuda_calls *calls = state->calls;
	const int64_t timeout_ns = queue->gpu->cuda->timeout_ns;

	if (loops > CALLS_MAX - calls->count)
		return ws_fail(error, WS_EINVAL, "calls that are timed one by one are at most %d in a sample",
			       CALLS_MAX);
	for (uint32_t loop = 0; loop < loops; loop++) {
		const int64_t start_ns = cuda_after_ns(0);
		int64_t time_ns;
		int rc = cuda_op_submit_one(queue, state, state->size_bytes, error);

		if (rc == WS_OK)
			rc = cuda_wait_awake(queue->gpu, queue->stream, start_ns + timeout_ns, "a call", error);
		time_ns = cuda_after_ns(0) - start_ns;
		if (rc != WS_OK)
			return rc;
		if (!queue->timed)
			continue;
		calls->first_ns = calls->count ? calls->first_ns : start_ns;
		calls->sum_ns += time_ns;
		calls->each_ns[calls->count++] = (double)time_ns;
	}
	return WS_OK;
}

int cuda_calls_read(struct ws_queue *queue, struct cuda_op *state, struct ws_lane *lane, struct ws_error *error)
{
	const struct cuda_calls *calls = state->calls;
	int rc;

	if (calls->count == 0)
		return WS_OK;
	rc = ws_lane_hold_times(lane, calls->count, "calls", error);
	for (uint32_t i = 0; i < calls->count && rc == WS_OK; i++)
		ws_lane_add_time(lane, calls->each_ns[i]);
	/* What lies between the calls is not theirs, so that this is no time of the host's clock. */
	lane->start_ns = calls->first_ns;
	lane->end_ns = calls->first_ns + calls->sum_ns;
	lane->has_device = true;
	snprintf(lane->clock, sizeof(lane->clock), "cuda%d:calls", queue->gpu->index);
	return rc;
}
