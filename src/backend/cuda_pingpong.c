/* A flag that goes to and fro between a GPU and another one, itself, or a CPU: one-way latency of each trip. */
#include "backend/cuda_private.h"

#include <stdlib.h>
#include <string.h>

#include "backend/cuda.h"
#include "backend/cuda_player.h"
#include "base/item.h"
#include "base/place.h"
#include "base/record.h"

/* Launches of a run whose trips are timed one by one. */
#define TIMED_LAUNCHES 4

/* Each flag has a line of its own. */
#define FLAG_BYTES ((size_t)256)

/* In device memory, as the kernels write them. */
struct trips {
	uint64_t made, cycles, time_ns;
};

struct near_results {
	struct trips trips[TIMED_LAUNCHES + 1]; /* the last one of lead loops, and of what is beyond */
	uint32_t cycles[TIMED_LAUNCHES][WS_CUDA_PINGPONG_TRIPS];
};

struct cuda_pingpong {
	enum cuda_kernel kernel;
	struct cuda_gpu *far; /* NULL = a CPU plays */
	struct cuda_player *player;
	void *host_flags;	      /* both of them, if a CPU plays */
	uint64_t near_flag, far_flag; /* where either side waits */
	uint64_t far_results;
	uint32_t trip;				 /* so far */
	unsigned timed_launches, other_launches; /* of this run */
	struct near_results seen;
};

static int alloc(struct cuda_gpu *gpu, uint64_t *address, size_t size_bytes, struct ws_error *error)
{
	int rc = cuda_enter(gpu, error);

	if (rc == WS_OK)
		rc = cuda_result(gpu, gpu->cuda->api.memory_alloc(address, size_bytes), "cuMemAlloc of flags", error);
	if (rc == WS_OK)
		rc = cuda_result(gpu, gpu->cuda->api.set_bytes(*address, 0, size_bytes, gpu->stream), "cuMemsetD8Async",
				 error);
	if (rc != WS_OK)
		return rc;
	return cuda_wait(gpu, gpu->stream, cuda_after_ns(gpu->cuda->timeout_ns), "clearing flags", error);
}

/* Each flag lies at the side that waits for it; the other one stores to it over the link. */
static int meet_gpu(struct ws_queue *queue, struct cuda_pingpong *pingpong, const struct ws_item *item,
		    struct ws_error *error)
{
	struct cuda_gpu *near = queue->gpu, *far = pingpong->far;
	struct cuda_function *function = NULL;
	int rc = cuda_peer_set(near, far, true, error);

	if (rc == WS_OK)
		rc = cuda_peer_set(far, near, true, error);
	if (rc == WS_OK)
		rc = alloc(near, &pingpong->near_flag, FLAG_BYTES, error);
	if (rc == WS_OK)
		rc = alloc(far, &pingpong->far_flag, FLAG_BYTES, error);
	if (rc == WS_OK)
		rc = alloc(far, &pingpong->far_results, sizeof(struct trips), error);
	if (rc == WS_OK)
		rc = cuda_kernel_get(far, pingpong->kernel, &function, error);
	if (rc == WS_OK)
		rc = cuda_stream_new(far, item, &queue->far_stream, error);
	if (rc == WS_OK)
		queue->far_gpu = far;
	return rc;
}

/* Both flags lie in pinned memory, where both sides reach them. */
static int meet_cpu(struct ws_queue *queue, struct cuda_pingpong *pingpong, const struct ws_place *place,
		    struct ws_error *error)
{
	struct cuda_gpu *gpu = queue->gpu;
	const struct ws_topology *topology = gpu->cuda->topology;
	const struct ws_topology_node *node = topology ? ws_topology_find_node(topology, (unsigned)place->index) : NULL;
	char *flags;
	int rc = cuda_result(
		gpu,
		gpu->cuda->api.host_alloc(&pingpong->host_flags, 2 * FLAG_BYTES, CUDA_HOST_PORTABLE | CUDA_HOST_MAPPED),
		"cuMemHostAlloc of flags", error);

	if (rc == WS_OK)
		rc = cuda_result(gpu, gpu->cuda->api.host_pointer(&pingpong->near_flag, pingpong->host_flags, 0),
				 "cuMemHostGetDevicePointer", error);
	if (rc != WS_OK)
		return rc;
	if (topology && (!node || node->cpu_count == 0))
		return ws_fail(error, WS_EUNSUPPORTED, "host%d has no CPU that could play", place->index);
	pingpong->far_flag = pingpong->near_flag + FLAG_BYTES;
	flags = pingpong->host_flags;
	memset(flags, 0, 2 * FLAG_BYTES);
	return cuda_player_new(node ? (int)node->cpus[0] : -1, (_Atomic uint32_t *)(void *)(flags + FLAG_BYTES),
			       (_Atomic uint32_t *)(void *)flags, pingpong->kernel == CUDA_KERNEL_PINGPONG_RELAXED,
			       gpu->cuda->timeout_ns, &pingpong->player, error);
}

static int find_sides(struct ws_queue *queue, const struct ws_item *item, const struct ws_place **far,
		      struct ws_error *error)
{
	const struct ws_place *near = &item->source;

	*far = &item->destination;
	if (!ws_place_same_device(near, &item->engine.place)) {
		near = &item->destination;
		*far = &item->source;
	}
	if (!ws_place_same_device(near, &item->engine.place))
		return ws_fail(error, WS_EINVAL, "one side of a ping-pong must be cuda%d, whose engine plays",
			       queue->gpu->index);
	if (strcmp((*far)->family, "cuda") != 0 && !ws_place_is_host(*far))
		return ws_fail(error, WS_EUNSUPPORTED, "a GPU plays with GPUs and CPUs, not with %s%d", (*far)->family,
			       (*far)->index);
	return WS_OK;
}

static int launch_side(struct cuda_gpu *gpu, struct cuda_stream *stream, const struct cuda_pingpong *pingpong,
		       bool near, uint32_t trips, uint64_t times, uint64_t made, struct ws_error *error)
{
	uint64_t mine = near ? pingpong->near_flag : pingpong->far_flag;
	uint64_t theirs = near ? pingpong->far_flag : pingpong->near_flag;
	uint64_t time_ns = (uint64_t)gpu->cuda->timeout_ns;
	uint32_t first = near, start = pingpong->trip;
	void *parameters[] = {&mine, &theirs, &first, &trips, &start, &times, &made, &time_ns};
	int rc = cuda_enter(gpu, error);

	return rc == WS_OK ? cuda_launch(gpu, stream, pingpong->kernel, (struct cuda_grid){.blocks = 1, .threads = 1}, parameters, error)
			   : rc;
}

/* The first launches load the kernels, each by itself: a round of no trips has neither side wait. */
static int launch_first(struct ws_queue *queue, struct cuda_op *state, struct ws_error *error)
{
	struct cuda_pingpong *pingpong = state->pingpong;
	const int64_t deadline_ns = cuda_after_ns(queue->gpu->cuda->timeout_ns);
	int rc = WS_OK;

	if (pingpong->far) {
		rc = launch_side(pingpong->far, queue->far_stream, pingpong, false, 0, 0, pingpong->far_results, error);
		if (rc == WS_OK)
			rc = cuda_wait(pingpong->far, queue->far_stream, deadline_ns, "a first ping-pong", error);
	}
	if (rc == WS_OK)
		rc = launch_side(queue->gpu, queue->stream, pingpong, true, 0, 0, state->results, error);
	return rc == WS_OK ? cuda_wait(queue->gpu, queue->stream, deadline_ns, "a first ping-pong", error) : rc;
}

int cuda_pingpong_prepare(struct ws_queue *queue, struct cuda_op *state, struct ws_error *error)
{
	const struct ws_item *item = state->op->item;
	const struct ws_place *far = NULL;
	struct cuda_pingpong *pingpong;
	struct cuda_function *function = NULL;
	int rc = find_sides(queue, item, &far, error);

	if (rc != WS_OK)
		return rc;
	pingpong = calloc(1, sizeof(*pingpong));
	if (!pingpong)
		return ws_fail(error, WS_ENOMEM, "no memory for a ping-pong");
	state->pingpong = pingpong;
	pingpong->kernel = strcmp(ws_item_word(item, "order", "relaxed"), "acqrel") == 0 ? CUDA_KERNEL_PINGPONG_ACQREL
											 : CUDA_KERNEL_PINGPONG_RELAXED;
	if (strcmp(far->family, "cuda") == 0)
		rc = cuda_gpu_of(queue->gpu->cuda, far, &pingpong->far, error);
	if (rc == WS_OK)
		rc = cuda_kernel_get(queue->gpu, pingpong->kernel, &function, error);
	if (rc == WS_OK)
		rc = pingpong->far ? meet_gpu(queue, pingpong, item, error) : meet_cpu(queue, pingpong, far, error);
	if (rc == WS_OK)
		rc = alloc(queue->gpu, &state->results, sizeof(struct near_results), error);
	return rc == WS_OK ? launch_first(queue, state, error) : rc;
}

int cuda_pingpong_begin(struct ws_queue *queue, struct cuda_op *state, struct ws_error *error)
{
	struct cuda_pingpong *pingpong = state->pingpong;

	pingpong->timed_launches = pingpong->other_launches = 0;
	return cuda_result(
		queue->gpu,
		queue->gpu->cuda->api.set_bytes(state->results, 0, sizeof(struct near_results), queue->stream),
		"cuMemsetD8Async", error);
}

int cuda_pingpong_submit(struct ws_queue *queue, struct cuda_op *state, struct ws_error *error)
{
	struct cuda_pingpong *pingpong = state->pingpong;
	const bool timed = queue->timed && pingpong->timed_launches < TIMED_LAUNCHES;
	const unsigned row = timed ? pingpong->timed_launches++ : TIMED_LAUNCHES;
	const uint64_t made = state->results + offsetof(struct near_results, trips) + row * sizeof(struct trips);
	const uint64_t times =
		timed ? state->results + offsetof(struct near_results, cycles) + row * sizeof(pingpong->seen.cycles[0])
		      : 0;
	int rc = WS_OK;

	pingpong->other_launches += !timed;
	if (pingpong->player)
		cuda_player_order(pingpong->player, WS_CUDA_PINGPONG_TRIPS);
	else
		rc = launch_side(pingpong->far, queue->far_stream, pingpong, false, WS_CUDA_PINGPONG_TRIPS, 0,
				 pingpong->far_results, error);
	if (rc == WS_OK)
		rc = launch_side(queue->gpu, queue->stream, pingpong, true, WS_CUDA_PINGPONG_TRIPS, times, made, error);
	pingpong->trip += WS_CUDA_PINGPONG_TRIPS;
	return rc;
}

int cuda_pingpong_read(struct ws_queue *queue, struct cuda_op *state, struct ws_lane *lane, struct ws_error *error)
{
	struct cuda_pingpong *pingpong = state->pingpong;
	struct near_results *seen = &pingpong->seen;
	const unsigned launches = pingpong->timed_launches;
	double ns_per_cycle;
	int rc = cuda_read_back(queue->gpu, queue->stream, state->results, seen, sizeof(*seen),
				cuda_after_ns(queue->gpu->cuda->timeout_ns), error);

	if (rc != WS_OK || launches == 0 || seen->trips[0].cycles == 0)
		return rc;
	rc = ws_lane_hold_times(lane, (size_t)launches * WS_CUDA_PINGPONG_TRIPS, "trips", error);
	for (unsigned i = 0; i < launches && rc == WS_OK; i++) {
		if (seen->trips[i].cycles == 0)
			continue;
		/* The first trip of a launch waits for the other side's kernel to begin. */
		ns_per_cycle = (double)seen->trips[i].time_ns / (double)seen->trips[i].cycles;
		for (uint64_t k = 1; k < seen->trips[i].made && k < WS_CUDA_PINGPONG_TRIPS; k++)
			ws_lane_add_time(lane, (double)seen->cycles[i][k] * ns_per_cycle / 2);
	}
	return rc;
}

/* A player that was not answered in time gives up. */
int cuda_pingpong_verify(struct ws_queue *queue, struct cuda_op *state, struct ws_check *check, struct ws_error *error)
{
	const struct cuda_pingpong *pingpong = state->pingpong;

	(void)queue;
	(void)error;
	for (unsigned i = 0; i <= TIMED_LAUNCHES; i++) {
		const bool played =
			i < pingpong->timed_launches || (i == TIMED_LAUNCHES && pingpong->other_launches > 0);

		ws_check_add(check, played && pingpong->seen.trips[i].made != WS_CUDA_PINGPONG_TRIPS, 0,
			     WS_CUDA_PINGPONG_TRIPS, pingpong->seen.trips[i].made, check->item, check->rank);
	}
	return WS_OK;
}

void cuda_pingpong_free(struct ws_queue *queue, struct cuda_op *state)
{
	struct cuda_pingpong *pingpong = state->pingpong;
	const struct cuda_library *api = &queue->gpu->cuda->api;

	cuda_player_free(pingpong->player);
	if (pingpong->host_flags) {
		api->host_free(pingpong->host_flags);
		return;
	}
	if (pingpong->near_flag)
		api->memory_free(pingpong->near_flag);
	if (!pingpong->far || cuda_enter(pingpong->far, NULL) != WS_OK)
		return;
	if (pingpong->far_flag)
		api->memory_free(pingpong->far_flag);
	if (pingpong->far_results)
		api->memory_free(pingpong->far_results);
	if (queue->far_stream)
		api->stream_destroy(queue->far_stream);
	/* What the queue frees next is of its own GPU. */
	cuda_enter(queue->gpu, NULL);
}
