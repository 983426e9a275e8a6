/* What GPUs do for an item of each verb, what they need for it, and how its result is checked. */
#include "backend/cuda_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cuda.h"
#include "base/item.h"
#include "base/place.h"
#include "base/record.h"
#include "kernel/host_pattern.h"

/* Times of a two-way copy's kernel: the complement of the first start, then the last end of either way. */
enum { SPLIT_START, SPLIT_END, SPLIT_TIMES = 3 };

/* The GPU whose memory a buffer is, or -1 for memory of the host. */
static int gpu_of_buffer(const struct ws_buffer *buffer)
{
	return buffer && strcmp(buffer->place.family, "cuda") == 0 ? buffer->place.index : -1;
}

static bool is_pageable(const struct ws_buffer *buffer)
{
	return buffer && ws_place_is_host(&buffer->place) && strcmp(buffer->place.memory, "pageable") == 0;
}

static bool peer_is_off(const struct ws_item *item)
{
	return strcmp(ws_item_word(item, "peer", "on"), "off") == 0;
}

/* Direct access to another GPU's memory, as the item asks for. */
static int set_peer(struct ws_queue *queue, const struct ws_item *item, int other, struct ws_error *error)
{
	struct cuda_gpu *gpu = queue->gpu;
	int rc;

	if (other < 0 || other == gpu->index)
		return WS_OK;
	/* Without direct access the driver copies by way of the host; only what was asked for may do so. */
	rc = cuda_peer_set(gpu, &gpu->cuda->gpus[other], !peer_is_off(item), error);
	/* The copy engine takes the direct way if either of the two has access to the other. */
	return rc == WS_OK ? cuda_peer_set(&gpu->cuda->gpus[other], gpu, !peer_is_off(item), error) : rc;
}

static int check_buffer(const struct ws_queue *queue, const struct ws_item *item, const struct ws_buffer *buffer,
			struct ws_error *error)
{
	const int other = gpu_of_buffer(buffer);
	char text[WS_PLACE_TEXT];

	if (!buffer)
		return WS_OK;
	ws_place_format(&buffer->place, text, sizeof(text));
	if (!buffer->address)
		return ws_fail(error, WS_EUNSUPPORTED, "cuda%d does not reach %s", queue->gpu->index, text);
	if (queue->engine != CUDA_CE && is_pageable(buffer) && !queue->gpu->pageable_access)
		return ws_fail(error, WS_EUNSUPPORTED, "processors of cuda%d do not reach %s, which is not registered",
			       queue->gpu->index, text);
	if (queue->engine != CUDA_CE && other >= 0 && other != queue->gpu->index && peer_is_off(item))
		return ws_fail(error, WS_EUNSUPPORTED, "processors of cuda%d do not reach %s without peer access",
			       queue->gpu->index, text);
	return WS_OK;
}

/* A grid that makes all of a launch's loops. */
static struct cuda_grid all_passes(const struct cuda_op *state, struct cuda_grid grid)
{
	grid.passes = state->passes;
	return grid;
}

static int alloc_results(struct ws_queue *queue, struct cuda_op *state, size_t size_bytes, struct ws_error *error)
{
	const struct cuda_library *api = &queue->gpu->cuda->api;
	int rc =
		cuda_result(queue->gpu, api->memory_alloc(&state->results, size_bytes), "cuMemAlloc of results", error);

	if (rc != WS_OK)
		return rc;
	state->results_bytes = size_bytes;
	return cuda_result(queue->gpu, api->set_bytes(state->results, 0, size_bytes, queue->stream), "cuMemsetD8Async",
			   error);
}

static int submit_copy(struct ws_queue *queue, struct cuda_op *state, uint64_t size_bytes, struct ws_error *error)
{
	uint64_t count = size_bytes / 16;
	uint32_t tail = size_bytes % 16;
	void *parameters[] = {&state->destination, &state->source, &count, &tail};

	if (queue->engine == CUDA_CE)
		return cuda_result(
			queue->gpu,
			queue->gpu->cuda->api.copy(state->destination, state->source, size_bytes, queue->stream),
			"cuMemcpyAsync", error);
	if (queue->engine == CUDA_TMA)
		return cuda_launch(queue->gpu, queue->stream, CUDA_KERNEL_COPY_BULK,
				   cuda_grid_bulk(queue->gpu->processors), parameters, error);
	return cuda_launch(queue->gpu, queue->stream, CUDA_KERNEL_COPY, all_passes(state, cuda_grid_each(size_bytes)),
			   parameters, error);
}

/* The other way's op; NULL until it is ready. */
static struct cuda_op *other_way(const struct ws_queue *queue)
{
	return queue->mate ? queue->mate->ops : NULL;
}

static int submit_split(struct ws_queue *queue, struct cuda_op *state, uint64_t size_bytes, struct ws_error *error)
{
	struct cuda_op *back = other_way(queue);
	uint64_t count = size_bytes / 16, times = queue->timed ? state->results : 0;
	uint32_t tail = size_bytes % 16, last = cuda_split_last(queue->gpu->processors);
	void *parameters[] = {&state->destination, &state->source, NULL, NULL, &count, &tail, &last, &times, &state->passes};

	if (!back)
		return ws_fail(error, WS_EINVAL, "a two-way copy by one kernel needs both its queues");
	parameters[2] = &back->destination;
	parameters[3] = &back->source;
	return cuda_launch(queue->gpu, queue->stream, CUDA_KERNEL_SPLIT, cuda_grid_split(size_bytes), parameters,
			   error);
}

static int submit_read(struct ws_queue *queue, struct cuda_op *state, uint64_t size_bytes, struct ws_error *error)
{
	uint64_t count = size_bytes / 16;
	uint32_t tail = size_bytes % 16;
	void *parameters[] = {&state->source, &count, &tail, &state->results};

	return cuda_launch(queue->gpu, queue->stream, CUDA_KERNEL_READ, all_passes(state, cuda_grid_read(size_bytes)),
			   parameters, error);
}

static int submit_write(struct ws_queue *queue, struct cuda_op *state, uint64_t size_bytes, uint64_t value,
			struct ws_error *error)
{
	uint64_t count = size_bytes / 16;
	uint32_t tail = size_bytes % 16;
	void *parameters[] = {&state->destination, &count, &tail, &value};

	return cuda_launch(queue->gpu, queue->stream, CUDA_KERNEL_WRITE, all_passes(state, cuda_grid_each(size_bytes)),
			   parameters, error);
}

/* Rows of what the engines offer. */
#define BY(engine) (1u << (engine))
static const struct verb_row {
	enum ws_verb verb;
	unsigned engines;
	size_t results_bytes;
} verbs[] = {
	{WS_COPY, BY(CUDA_CE) | BY(CUDA_SM) | BY(CUDA_TMA), 0},
	{WS_COPY2, BY(CUDA_CE), 0},
	{WS_COPY2, BY(CUDA_SM), SPLIT_TIMES * sizeof(uint64_t)},
	{WS_READ, BY(CUDA_SM), CUDA_READ_SLOTS * sizeof(uint64_t)},
	{WS_WRITE, BY(CUDA_SM), 0},
	{WS_CHASE, BY(CUDA_SM) | BY(CUDA_TMA), 0},
	{WS_PINGPONG, BY(CUDA_SM), 0},
	{WS_NOOP, BY(CUDA_SM), 0},
};

static const struct verb_row *find_verb(enum ws_verb verb, enum cuda_engine engine)
{
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (verbs[i].verb == verb && (verbs[i].engines & BY(engine)))
			return &verbs[i];
	return NULL;
}

static bool is_split(const struct ws_queue *queue, const struct cuda_op *state)
{
	return state->op->item->verb == WS_COPY2 && queue->engine == CUDA_SM;
}

static int submit_noop(struct ws_queue *queue, struct ws_error *error)
{
	return cuda_launch(queue->gpu, queue->stream, CUDA_KERNEL_NOOP,
			   (struct cuda_grid){.blocks = 1, .threads = 1}, NULL, error);
}

/* For the caller's own use, or as a first launch that loads the kernel. */
int cuda_op_submit_one(struct ws_queue *queue, struct cuda_op *state, uint64_t size_bytes, struct ws_error *error)
{
	if (is_split(queue, state))
		return submit_split(queue, state, size_bytes, error);
	switch (state->op->item->verb) {
	case WS_READ:
		return submit_read(queue, state, size_bytes, error);
	case WS_WRITE:
		return submit_write(queue, state, size_bytes, state->value, error);
	case WS_CHASE:
		return cuda_chase_submit(queue, state, error);
	case WS_PINGPONG:
		return cuda_pingpong_submit(queue, state, error);
	case WS_NOOP:
		return submit_noop(queue, error);
	default:
		return submit_copy(queue, state, size_bytes, error);
	}
}

/*
 * Kernels are loaded at their first launch, which waits for the GPU: they get one here, over no bytes. The copy engine
 * gets one for what the driver sets up at a pair's first copy.
 */
static int launch_first(struct ws_queue *queue, struct cuda_op *state, int64_t deadline_ns, struct ws_error *error)
{
	const struct ws_item *item = state->op->item;
	int rc = WS_OK;

	if (is_split(queue, state)) {
		if (!other_way(queue))
			return WS_OK;
		if (queue->follows)
			return launch_first(queue->mate, queue->mate->ops, deadline_ns, error);
		rc = submit_split(queue, state, 0, error);
	} else if (queue->engine == CUDA_CE) {
		rc = submit_copy(queue, state, item->size_bytes[0] < 16 ? item->size_bytes[0] : 16, error);
	} else {
		rc = cuda_op_submit_one(queue, state, 0, error);
	}
	return rc == WS_OK ? cuda_wait(queue->gpu, queue->stream, deadline_ns, "a first launch", error) : rc;
}

int cuda_op_prepare(struct ws_queue *queue, struct cuda_op *state, int64_t deadline_ns, struct ws_error *error)
{
	const struct ws_op *op = state->op;
	const struct ws_item *item = op->item;
	const struct verb_row *row = find_verb(item->verb, queue->engine);
	int rc;

	if (!row)
		return ws_fail(error, WS_EUNSUPPORTED, "engine \"%s\" of a GPU does not offer \"%s\"",
			       item->engine.name, ws_verb_row(item->verb)->name);
	state->source_gpu = state->destination_gpu = -1;
	state->fused = ws_item_flag(item, "fused");
	state->passes = 1;
	if (state->fused && queue->engine != CUDA_SM)
		return ws_fail(error, WS_EUNSUPPORTED, "only kernels can be fused, not copies by \"%s\"",
			       item->engine.name);
	if (state->fused && ws_item_flag(item, "marks"))
		return ws_fail(error, WS_EUNSUPPORTED, "loops of one launch (fused) cannot be marked one by one");
	if (item->verb == WS_PINGPONG)
		return cuda_pingpong_prepare(queue, state, error);
	state->source = op->source ? op->source->address : 0;
	state->destination = op->destination ? op->destination->address : 0;
	state->source_gpu = gpu_of_buffer(op->source);
	state->destination_gpu = gpu_of_buffer(op->destination);
	rc = check_buffer(queue, item, op->source, error);
	if (rc == WS_OK)
		rc = check_buffer(queue, item, op->destination, error);
	if (rc == WS_OK)
		rc = set_peer(queue, item, state->source_gpu, error);
	if (rc == WS_OK)
		rc = set_peer(queue, item, state->destination_gpu, error);
	/* The peer's context may have become the thread's. */
	if (rc == WS_OK)
		rc = cuda_enter(queue->gpu, error);
	if (rc == WS_OK)
		rc = cuda_calls_prepare(state, error);
	if (rc == WS_OK && row->results_bytes)
		rc = alloc_results(queue, state, row->results_bytes, error);
	if (rc == WS_OK && item->verb == WS_CHASE)
		return cuda_chase_prepare(queue, state, error);
	return rc == WS_OK ? launch_first(queue, state, deadline_ns, error) : rc;
}

int cuda_op_refilled(struct ws_queue *queue, struct cuda_op *state, struct ws_error *error)
{
	const struct ws_item *item = state->op->item;
	const uint64_t size_bytes = ws_item_largest_size(item);
	int rc;

	if (item->verb == WS_CHASE)
		return cuda_chase_refilled(queue, state, error);
	if (item->verb != WS_WRITE)
		return WS_OK;
	state->value = (uint64_t)ws_pattern_word(state->op->seed, 0) << 32 | ws_pattern_word(state->op->seed, 1);
	/* No byte of the destination is right by chance. */
	rc = submit_write(queue, state, size_bytes, ~state->value, error);
	return rc == WS_OK ? cuda_wait(queue->gpu, queue->stream, cuda_after_ns(queue->gpu->cuda->timeout_ns),
				       "writing memory", error)
			   : rc;
}

int cuda_op_begin(struct ws_queue *queue, struct cuda_op *state, struct ws_error *error)
{
	int rc = WS_OK;

	state->loops = 0;
	/* Steps of one group take turns, and may differ in just this. */
	if (state->source_gpu >= 0)
		rc = set_peer(queue, state->op->item, state->source_gpu, error);
	if (rc == WS_OK && state->destination_gpu >= 0)
		rc = set_peer(queue, state->op->item, state->destination_gpu, error);
	if (rc == WS_OK)
		rc = cuda_enter(queue->gpu, error);
	if (rc != WS_OK)
		return rc;
	ws_calls_begin(&state->calls);
	if (state->chase)
		return cuda_chase_begin(queue, state, error);
	if (state->pingpong)
		return cuda_pingpong_begin(queue, state, error);
	if (!state->results)
		return WS_OK;
	return cuda_result(queue->gpu,
			   queue->gpu->cuda->api.set_bytes(state->results, 0, state->results_bytes, queue->stream),
			   "cuMemsetD8Async", error);
}

int cuda_op_submit(struct ws_queue *queue, struct cuda_op *state, uint32_t loops, struct ws_error *error)
{
	const struct ws_op *op = state->op;
	int rc = WS_OK;

	if (queue->gated && (is_pageable(op->source) || is_pageable(op->destination)))
		return ws_fail(error, WS_EUNSUPPORTED,
			       "copies of pageable memory cannot wait behind a gate; the item must say \"ungated\"");
	if (queue->gated && op->item->verb == WS_NOOP)
		return ws_fail(error, WS_EUNSUPPORTED,
			       "launches that are timed one by one cannot wait behind a gate; the item must say "
			       "\"ungated\"");
	if (cuda_is_called(queue))
		return cuda_calls_submit(queue, state, loops, error);
	if (queue->follows)
		return WS_OK;
	state->passes = state->fused ? loops : 1;
	for (uint32_t loop = 0; loop < loops && rc == WS_OK; loop += state->passes)
		rc = cuda_op_submit_one(queue, state, state->size_bytes, error);
	state->passes = 1;
	return rc;
}

/* Each way of a two-way copy has its own end, on the GPU's timer. */
static int read_split(struct ws_queue *queue, struct ws_lane *lane, struct ws_error *error)
{
	struct ws_queue *first = queue->follows ? queue->mate : queue;
	struct cuda_gpu *gpu = queue->gpu;
	uint64_t times[SPLIT_TIMES] = {0};
	int rc;

	if (!first || !first->ops)
		return ws_fail(error, WS_EINVAL, "a two-way copy by one kernel needs both its queues");
	rc = cuda_read_back(gpu, first->stream, first->ops->results, times, sizeof(times),
			    cuda_after_ns(gpu->cuda->timeout_ns), error);
	if (rc != WS_OK)
		return rc;
	if (gpu->timer_origin == 0)
		gpu->timer_origin = ~times[SPLIT_START];
	lane->start_ns = (int64_t)(~times[SPLIT_START] - gpu->timer_origin);
	lane->end_ns = (int64_t)(times[SPLIT_END + (queue->follows ? 1 : 0)] - gpu->timer_origin);
	lane->has_device = times[SPLIT_END] != 0 && lane->end_ns > lane->start_ns;
	snprintf(lane->clock, sizeof(lane->clock), "cuda%d:timer", gpu->index);
	return WS_OK;
}

int cuda_op_read(struct ws_queue *queue, struct cuda_op *state, struct ws_lane *lane, struct ws_error *error)
{
	if (is_split(queue, state))
		return read_split(queue, lane, error);
	if (state->chase)
		return cuda_chase_read(queue, state, lane, error);
	if (state->pingpong)
		return cuda_pingpong_read(queue, state, lane, error);
	return WS_OK;
}

static int read_sum(struct ws_queue *queue, uint64_t address, uint64_t *sum, struct ws_error *error)
{
	uint64_t sums[CUDA_READ_SLOTS];
	int rc = cuda_read_back(queue->gpu, queue->stream, address, sums, sizeof(sums),
				cuda_after_ns(queue->gpu->cuda->timeout_ns), error);

	*sum = 0;
	for (int i = 0; i < CUDA_READ_SLOTS && rc == WS_OK; i++)
		*sum += sums[i];
	return rc;
}

/* What the loops read, against what the pattern adds up to. */
static int verify_sum(struct ws_queue *queue, struct cuda_op *state, struct ws_check *check, struct ws_error *error)
{
	struct cuda_gpu *gpu = queue->gpu;
	uint64_t count = state->size_bytes / 16, seed = state->op->seed, expected = 0, found = 0;
	uint32_t tail = state->size_bytes % 16;
	void *parameters[] = {&count, &tail, &seed, &gpu->scratch};
	int rc = cuda_result(gpu, gpu->cuda->api.set_bytes(gpu->scratch, 0, CUDA_SCRATCH_BYTES, queue->stream),
			     "cuMemsetD8Async", error);

	if (rc == WS_OK)
		rc = cuda_launch(gpu, queue->stream, CUDA_KERNEL_SUM_PATTERN, cuda_grid_any(gpu->processors),
				 parameters, error);
	if (rc == WS_OK)
		rc = read_sum(queue, gpu->scratch, &expected, error);
	if (rc == WS_OK)
		rc = read_sum(queue, state->results, &found, error);
	if (rc == WS_OK)
		ws_check_add(check, found != expected * state->loops, 0, expected * state->loops, found, check->item,
			     check->rank);
	return rc;
}

int cuda_op_verify(struct ws_queue *queue, struct cuda_op *state, struct ws_check *check, struct ws_error *error)
{
	switch (state->op->item->verb) {
	case WS_READ:
		return verify_sum(queue, state, check, error);
	case WS_WRITE:
		return cuda_check_value(queue->gpu, state->destination, state->size_bytes, state->value, check, error);
	case WS_CHASE:
		return cuda_chase_verify(queue, state, check, error);
	case WS_PINGPONG:
		return cuda_pingpong_verify(queue, state, check, error);
	default:
		return ws_fail(error, WS_EUNSUPPORTED, "\"%s\" leaves nothing that the engine could check",
			       ws_verb_row(state->op->item->verb)->name);
	}
}

void cuda_op_free(struct ws_queue *queue, struct cuda_op *state)
{
	if (state->pingpong)
		cuda_pingpong_free(queue, state);
	if (state->results)
		queue->gpu->cuda->api.memory_free(state->results);
}
