/* Work of GPUs that is ordered and waited for one by one: the host's clock tells what each order costs. */
#include "backend/cuda_private.h"

#include "base/item.h"

/* As many as a sample of marked loops has. */
#define CALLS_MAX 16384

int cuda_calls_prepare(struct cuda_op *state, struct ws_error *error)
{
	const struct ws_item *item = state->op->item;

	if (item->verb != WS_NOOP && (item->verb != WS_COPY || !ws_item_flag(item, "marks")))
		return WS_OK;
	return ws_calls_hold(&state->calls, CALLS_MAX, error);
}

bool cuda_is_called(const struct ws_queue *queue)
{
	return queue->ops && queue->ops->calls.each_ns && !queue->gated;
}

int cuda_calls_start(struct ws_queue *queue, struct ws_error *error)
{
	return cuda_wait(queue->gpu, queue->stream, cuda_after_ns(queue->gpu->cuda->timeout_ns),
			 "what precedes the first call", error);
}

int cuda_calls_submit(struct ws_queue *queue, struct cuda_op *state, uint32_t loops, struct ws_error *error)
{
	const int64_t timeout_ns = queue->gpu->cuda->timeout_ns;

	if (loops > CALLS_MAX - state->calls.count)
		return ws_fail(error, WS_EINVAL, "calls that are timed one by one are at most %d in a sample",
			       CALLS_MAX);
	for (uint32_t loop = 0; loop < loops; loop++) {
		const int64_t start_ns = cuda_after_ns(0);
		int rc = cuda_op_submit_one(queue, state, state->size_bytes, error);

		if (rc == WS_OK)
			rc = cuda_wait_awake(queue->gpu, queue->stream, start_ns + timeout_ns, "a call", error);
		if (rc != WS_OK)
			return rc;
		if (queue->timed)
			ws_calls_add(&state->calls, start_ns, cuda_after_ns(0) - start_ns);
	}
	return WS_OK;
}
