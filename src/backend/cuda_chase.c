/* Latency of memory as a GPU's processors see it: dependent loads, by each of its multiprocessors in turn. */
#include "backend/cuda_private.h"

#include <stdlib.h>
#include <string.h>

#include "backend/cuda.h"
#include "base/record.h"
#include "kernel/host_chase.h"

/* More than any GPU has; their numbers may have gaps. */
#define PROCESSORS_MAX 1024

/* Loads of freshly written lines take another time: so many are made once, or all, before any is measured. */
#define LAP_STEPS_MAX 65536

/* In device memory; as ws_chase counts. */
struct chase_count {
	uint64_t cycles, time_ns, steps, launch;
};

struct chase_results {
	uint64_t node; /* to go on from */
	uint32_t turns[2];
	struct chase_count lead[PROCESSORS_MAX], timed[PROCESSORS_MAX];
};

struct cuda_chase {
	struct ws_chase order;
	uint64_t start, end; /* nodes; end 0 = not known */
	uint32_t launches;
	bool linked;
	struct chase_results seen; /* after the last run */
};

static enum cuda_kernel kernel_of(const struct ws_queue *queue)
{
	return queue->engine == CUDA_TMA ? CUDA_KERNEL_CHASE_BULK : CUDA_KERNEL_CHASE;
}

static int copy_in(struct ws_queue *queue, uint64_t to, const void *from, size_t size_bytes, struct ws_error *error)
{
	struct cuda_gpu *gpu = queue->gpu;
	int rc = cuda_result(gpu, gpu->cuda->api.copy(to, (uint64_t)(uintptr_t)from, size_bytes, queue->stream),
			     "cuMemcpyAsync", error);

	return rc == WS_OK ? cuda_wait(gpu, queue->stream, cuda_after_ns(gpu->cuda->timeout_ns), "setting a chase up",
				       error)
			   : rc;
}

/* Twice as many blocks as multiprocessors, so that each gets one although others may have to wait. */
static int launch(struct ws_queue *queue, struct cuda_op *state, uint32_t steps, struct ws_error *error)
{
	struct cuda_chase *chase = state->chase;
	uint64_t node = state->results + offsetof(struct chase_results, node);
	uint64_t turns = state->results + offsetof(struct chase_results, turns);
	uint64_t counts = state->results +
			  (queue->timed ? offsetof(struct chase_results, timed) : offsetof(struct chase_results, lead));
	uint32_t number = ++chase->launches, capacity = PROCESSORS_MAX;
	void *parameters[] = {&node, &steps, &number, &turns, &counts, &capacity};
	const struct cuda_grid grid = {.blocks = 2 * (unsigned)queue->gpu->processors, .threads = 1};

	chase->end = 0;
	return cuda_launch(queue->gpu, queue->stream, kernel_of(queue), grid, parameters, error);
}

static int read_results(struct ws_queue *queue, struct cuda_op *state, struct ws_error *error)
{
	struct cuda_chase *chase = state->chase;
	int rc = cuda_read_back(queue->gpu, queue->stream, state->results, &chase->seen, sizeof(chase->seen),
				cuda_after_ns(queue->gpu->cuda->timeout_ns), error);

	if (rc == WS_OK)
		chase->end = chase->seen.node;
	return rc;
}

int cuda_chase_prepare(struct ws_queue *queue, struct cuda_op *state, struct ws_error *error)
{
	const struct ws_item *item = state->op->item;
	struct cuda_gpu *gpu = queue->gpu;
	struct cuda_function *function = NULL;
	int rc;

	if (item->size_count > 1)
		return ws_fail(error, WS_EUNSUPPORTED,
			       "a chase takes one size: its time per load does not depend on a second");
	if (item->size_bytes[0] < WS_CUDA_CHASE_STRIDE)
		return ws_fail(error, WS_EINVAL, "a chase needs a buffer of at least %d bytes", WS_CUDA_CHASE_STRIDE);
	state->chase = calloc(1, sizeof(*state->chase));
	if (!state->chase)
		return ws_fail(error, WS_ENOMEM, "no memory for a chase");
	rc = cuda_result(gpu, gpu->cuda->api.memory_alloc(&state->results, sizeof(struct chase_results)),
			 "cuMemAlloc of results", error);
	if (rc == WS_OK)
		rc = cuda_result(
			gpu, gpu->cuda->api.set_bytes(state->results, 0, sizeof(struct chase_results), queue->stream),
			"cuMemsetD8Async", error);
	if (rc == WS_OK)
		rc = cuda_kernel_get(gpu, CUDA_KERNEL_CHASE_LINK, &function, error);
	return rc == WS_OK ? cuda_kernel_get(gpu, kernel_of(queue), &function, error) : rc;
}

static int link_nodes(struct ws_queue *queue, struct cuda_op *state, struct ws_error *error)
{
	struct ws_chase *order = &state->chase->order;
	uint64_t stride = order->stride_bytes;
	void *parameters[] = {&state->source,	 &order->count,	 &stride,	 &order->low_bits, &order->low_mask,
			      &order->high_mask, &order->key[0], &order->key[1], &order->key[2],   &order->key[3]};

	_Static_assert(sizeof(order->key) == 4 * sizeof(uint32_t), "ws_chase_link makes four rounds");

	return cuda_launch(queue->gpu, queue->stream, CUDA_KERNEL_CHASE_LINK, cuda_grid_any(queue->gpu->processors),
			   parameters, error);
}

/* Rounded up to what the kernel does at a time. */
static uint32_t lap_steps(const struct ws_queue *queue, const struct ws_chase *order)
{
	const uint64_t nodes = order->count < LAP_STEPS_MAX ? order->count : LAP_STEPS_MAX;
	const uint64_t each = nodes / (uint64_t)queue->gpu->processors + 1;

	return (uint32_t)((each + 3) / 4 * 4);
}

int cuda_chase_refilled(struct ws_queue *queue, struct cuda_op *state, struct ws_error *error)
{
	struct cuda_chase *chase = state->chase;
	int rc = ws_chase_init(&chase->order, state->op->item->size_bytes[0], WS_CUDA_CHASE_STRIDE, state->op->seed);

	if (rc != WS_OK)
		return ws_fail(error, rc, "a chase does not fit in %llu bytes",
			       (unsigned long long)state->op->item->size_bytes[0]);
	queue->timed = false;
	chase->linked = false;
	rc = link_nodes(queue, state, error);
	if (rc == WS_OK)
		rc = copy_in(queue, state->results + offsetof(struct chase_results, node), &state->source,
			     sizeof(state->source), error);
	if (rc == WS_OK)
		rc = launch(queue, state, lap_steps(queue, &chase->order), error);
	if (rc == WS_OK)
		rc = read_results(queue, state, error);
	chase->linked = rc == WS_OK;
	return rc;
}

int cuda_chase_begin(struct ws_queue *queue, struct cuda_op *state, struct ws_error *error)
{
	struct cuda_chase *chase = state->chase;
	const size_t counts = offsetof(struct chase_results, lead);
	int rc = WS_OK;

	if (!chase->linked)
		return ws_fail(error, WS_EINVAL, "a chase was begun before its buffer was filled");
	if (chase->end == 0)
		rc = read_results(queue, state, error);
	chase->start = chase->end;
	if (rc == WS_OK)
		rc = cuda_result(queue->gpu,
				 queue->gpu->cuda->api.set_bytes(state->results + counts, 0,
								 sizeof(struct chase_results) - counts, queue->stream),
				 "cuMemsetD8Async", error);
	return rc;
}

int cuda_chase_submit(struct ws_queue *queue, struct cuda_op *state, struct ws_error *error)
{
	return launch(queue, state, WS_CUDA_CHASE_STEPS, error);
}

int cuda_chase_read(struct ws_queue *queue, struct cuda_op *state, struct ws_lane *lane, struct ws_error *error)
{
	const struct chase_count *timed = state->chase->seen.timed;
	uint64_t cycles = 0, time_ns = 0, steps = 0;
	int count = 0, rc = read_results(queue, state, error);

	if (rc != WS_OK)
		return rc;
	for (int i = 0; i < PROCESSORS_MAX; i++) {
		count += timed[i].steps > 0;
		cycles += timed[i].cycles;
		time_ns += timed[i].time_ns;
		steps += timed[i].steps;
	}
	lane->bytes = steps * WS_CUDA_CHASE_STRIDE;
	if (cycles == 0 || count == 0)
		return WS_OK;
	rc = ws_lane_hold_times(lane, (size_t)count, "multiprocessors", error);
	/* Cycles are exact and the timer is coarse: over all loads together it tells how long a cycle is. */
	for (int i = 0; i < PROCESSORS_MAX && rc == WS_OK; i++)
		if (timed[i].steps > 0)
			ws_lane_add_time(lane, (double)timed[i].cycles / (double)timed[i].steps *
						       ((double)time_ns / (double)cycles));
	return rc;
}

int cuda_chase_verify(struct ws_queue *queue, struct cuda_op *state, struct ws_check *check, struct ws_error *error)
{
	const struct cuda_chase *chase = state->chase;
	const void *base = (const void *)(uintptr_t)state->source;
	uint64_t steps = 0, expected;

	(void)queue;
	(void)error;
	for (int i = 0; i < PROCESSORS_MAX; i++)
		steps += chase->seen.lead[i].steps + chase->seen.timed[i].steps;
	expected = (uint64_t)(uintptr_t)ws_chase_expected(&chase->order, base, (const void *)(uintptr_t)chase->start,
							  steps);
	ws_check_add(check, expected != chase->end || steps == 0, expected - state->source, expected, chase->end,
		     check->item, check->rank);
	return WS_OK;
}
