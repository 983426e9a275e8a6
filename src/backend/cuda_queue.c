/* Queues of the CUDA back end: streams, the gate in front of them, and events as marks. */
#include "backend/cuda_private.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backend/cuda.h"
#include "backend/cuda_feeder.h"
#include "base/item.h"
#include "base/place.h"
#include "base/record.h"

/* What work under way gets to end when a sample is cancelled, at most. */
#define CANCEL_NS 5000000000
#define NAP_NS 50000
#define MARKS_AT_ONCE 16

/* "normal" is what the driver gives who does not ask: 0. A greater priority is a lower number. */
int cuda_stream_new(struct cuda_gpu *gpu, const struct ws_item *item, struct cuda_stream **out, struct ws_error *error)
{
	const char *wanted = ws_item_word(item, "priority", "normal");
	const struct cuda_library *api = &gpu->cuda->api;
	int least = 0, greatest = 0, rc;

	if (strcmp(wanted, "normal") == 0)
		return cuda_result(gpu, api->stream_create(out, CUDA_STREAM_NON_BLOCKING), "cuStreamCreate", error);
	if (!api->stream_create_with_priority || !api->priority_range)
		return ws_fail(error, WS_EUNSUPPORTED, "this driver has no priorities of streams");
	rc = cuda_result(gpu, api->priority_range(&least, &greatest), "cuCtxGetStreamPriorityRange", error);
	if (rc != WS_OK)
		return rc;
	return cuda_result(gpu,
			   api->stream_create_with_priority(out, CUDA_STREAM_NON_BLOCKING,
							    strcmp(wanted, "low") == 0 ? least : greatest),
			   "cuStreamCreateWithPriority", error);
}

static int choose_engine(const struct ws_item *item, struct ws_queue *queue, struct ws_error *error)
{
	if (strcmp(item->engine.name, "ce") == 0) {
		queue->engine = CUDA_CE;
	} else if (strcmp(item->engine.name, "sm") == 0) {
		queue->engine = CUDA_SM;
	} else if (strcmp(item->engine.name, "tma") == 0 && queue->gpu->major >= 9) {
		queue->engine = CUDA_TMA;
	} else {
		return ws_fail(error, WS_EUNSUPPORTED, "cuda%d has no engine \"%s\"", queue->gpu->index,
			       item->engine.name);
	}
	return WS_OK;
}

/* A two-way copy by a kernel: the queue of the other way, if that has come. */
static void find_mate(struct ws_queue *queue, const struct ws_item *item)
{
	struct cuda_gpu *gpu = queue->gpu;

	if (item->verb != WS_COPY2 || queue->engine != CUDA_SM)
		return;
	if (!gpu->half_pair) {
		gpu->half_pair = queue;
		return;
	}
	queue->mate = gpu->half_pair;
	queue->mate->mate = queue;
	queue->follows = true;
	gpu->half_pair = NULL;
}

/* The queue whose stream does the work. */
static struct ws_queue *leader(struct ws_queue *queue)
{
	return queue->follows && queue->mate ? queue->mate : queue;
}

static void free_marks(struct ws_queue *queue)
{
	for (unsigned i = 0; i < queue->mark_capacity; i++)
		queue->gpu->cuda->api.event_destroy(queue->marks[i]);
	free(queue->marks);
}

void cuda_queue_free(struct ws_backend *backend, struct ws_queue *queue)
{
	const struct cuda *cuda = backend->state;

	if (!queue || queue->lost)
		return;
	if (queue->gpu->half_pair == queue)
		queue->gpu->half_pair = NULL;
	if (queue->mate)
		queue->mate->mate = NULL;
	cuda_feeder_free(queue->feeder);
	/* What belongs to a GPU that is of no use any more goes with the process. */
	if (cuda_enter(queue->gpu, NULL) == WS_OK) {
		for (struct cuda_op *state = queue->ops; state; state = state->next)
			cuda_op_free(queue, state);
		free_marks(queue);
		if (queue->stream)
			cuda->api.stream_destroy(queue->stream);
	} else {
		free(queue->marks);
	}
	for (struct cuda_op *next, *state = queue->ops; state; state = next) {
		next = state->next;
		free(state->calls.each_ns);
		free(state->chase);
		free(state->pingpong);
		free(state);
	}
	free(queue);
}

static int add_marks(struct ws_queue *queue, struct ws_error *error)
{
	const size_t wanted = queue->mark_capacity + MARKS_AT_ONCE;
	struct cuda_event **marks = realloc(queue->marks, wanted * sizeof(struct cuda_event *));
	int rc = WS_OK;

	if (!marks)
		return ws_fail(error, WS_ENOMEM, "no memory for %zu events", wanted);
	queue->marks = marks;
	while (rc == WS_OK && queue->mark_capacity < wanted) {
		rc = cuda_result(queue->gpu,
				 queue->gpu->cuda->api.event_create(&marks[queue->mark_capacity], CUDA_EVENT_DEFAULT),
				 "cuEventCreate", error);
		queue->mark_capacity += rc == WS_OK;
	}
	return rc;
}

int cuda_queue(struct ws_backend *backend, const struct ws_item *item, struct ws_queue **out, struct ws_error *error)
{
	struct cuda_gpu *gpu = NULL;
	struct ws_queue *queue;
	int rc = cuda_gpu_of(backend->state, &item->engine.place, &gpu, error);

	if (rc == WS_OK)
		rc = cuda_enter(gpu, error);
	if (rc != WS_OK)
		return rc;
	queue = calloc(1, sizeof(*queue));
	if (!queue)
		return ws_fail(error, WS_ENOMEM, "no memory for a queue");
	queue->gpu = gpu;
	rc = choose_engine(item, queue, error);
	if (rc == WS_OK)
		rc = cuda_stream_new(gpu, item, &queue->stream, error);
	if (rc == WS_OK)
		rc = add_marks(queue, error);
	if (rc != WS_OK) {
		cuda_queue_free(backend, queue);
		return rc;
	}
	find_mate(queue, item);
	*out = queue;
	return WS_OK;
}

int cuda_prepare(struct ws_queue *queue, struct ws_op *op, int64_t deadline_ns, struct ws_error *error)
{
	struct cuda_op *state = calloc(1, sizeof(*state));
	int rc;

	if (!state)
		return ws_fail(error, WS_ENOMEM, "no memory for an item");
	state->op = op;
	state->next = queue->ops;
	queue->ops = state;
	op->state = state;
	rc = cuda_enter(queue->gpu, error);
	return rc == WS_OK ? cuda_op_prepare(queue, state, deadline_ns, error) : rc;
}

int cuda_refilled(struct ws_queue *queue, struct ws_op *op, struct ws_error *error)
{
	const int rc = cuda_enter(queue->gpu, error);

	return rc == WS_OK ? cuda_op_refilled(queue, op->state, error) : rc;
}

/* The first order of a run. */
static int begin(struct ws_queue *queue, struct ws_error *error)
{
	struct cuda_gpu *gpu = queue->gpu;
	int rc = cuda_enter(gpu, error);

	if (rc != WS_OK || queue->building)
		return rc;
	queue->building = true;
	queue->gated = queue->timed = queue->endless = queue->fed = false;
	queue->mark_count = 0;
	queue->queued = 0;
	/* Times of events are floats: the shorter ago their origin is, the finer they are. */
	if (atomic_exchange_explicit(&gpu->base_epoch, gpu->cuda->epoch, memory_order_relaxed) != gpu->cuda->epoch)
		rc = cuda_result(gpu, gpu->cuda->api.event_record(gpu->base, queue->stream), "cuEventRecord", error);
	for (struct cuda_op *state = queue->ops; state && rc == WS_OK; state = state->next)
		rc = cuda_op_begin(queue, state, error);
	return rc;
}

static int wait_for_gate(struct cuda_gpu *gpu, struct cuda_stream *stream, struct ws_error *error)
{
	struct cuda *cuda = gpu->cuda;
	uint32_t value = cuda->epoch;
	uint64_t address = cuda->gate_address, time_ns = 2 * (uint64_t)cuda->timeout_ns;
	void *parameters[] = {&address, &value, &time_ns};

	if (cuda->gate_by_kernel)
		return cuda_launch(gpu, stream, CUDA_KERNEL_GATE, (struct cuda_grid){.blocks = 1, .threads = 1}, parameters, error);
	return cuda_result(gpu, cuda->api.stream_wait_value(stream, address, value, CUDA_WAIT_GREATER_OR_EQUAL),
			   "cuStreamWaitValue32", error);
}

int cuda_gate(struct ws_queue *queue, struct ws_error *error)
{
	int rc = begin(queue, error);

	queue->gated = true;
	if (rc == WS_OK && !queue->follows)
		rc = wait_for_gate(queue->gpu, queue->stream, error);
	if (rc == WS_OK && queue->far_stream)
		rc = cuda_enter(queue->far_gpu, error);
	if (rc == WS_OK && queue->far_stream)
		rc = wait_for_gate(queue->far_gpu, queue->far_stream, error);
	return rc;
}

/* What has an end of its own for each order, or one for two queues, does not go on. */
static int begin_endless(struct ws_queue *queue, struct cuda_op *state, struct ws_error *error)
{
	int rc = WS_OK;

	if (state->chase || state->pingpong || queue->mate || cuda_is_called(queue) ||
	    state->op->item->verb == WS_NOOP)
		return ws_fail(error, WS_EUNSUPPORTED, "\"%s\" by a GPU cannot run until it is stopped",
			       ws_verb_row(state->op->item->verb)->name);
	if (!queue->feeder)
		rc = cuda_feeder_new(queue, state, &queue->feeder, error);
	queue->endless = rc == WS_OK;
	return rc;
}

int cuda_submit(struct ws_queue *queue, struct ws_op *op, int size_index, uint32_t loops, struct ws_error *error)
{
	struct cuda_op *state = op->state;
	int rc = begin(queue, error);

	if (rc != WS_OK)
		return rc;
	if (loops == WS_LOOPS_UNTIL_STOPPED) {
		rc = begin_endless(queue, state, error);
		loops = CUDA_FEEDER_FIRST;
	}
	if (rc != WS_OK)
		return rc;
	if (queue->gated && loops > WS_CUDA_LOOPS_MAX - queue->queued)
		return ws_fail(error, WS_EINVAL, "%llu loops behind a gate, but the driver's queue holds %d",
			       (unsigned long long)queue->queued + loops, WS_CUDA_LOOPS_MAX);
	queue->queued += loops;
	state->size_bytes = op->item->size_bytes[size_index];
	state->loops += loops;
	return cuda_op_submit(queue, state, loops, error);
}

int cuda_mark(struct ws_queue *queue, int mark, struct ws_error *error)
{
	int rc = begin(queue, error);

	queue->timed = mark != 1;
	while (rc == WS_OK && (unsigned)mark >= queue->mark_capacity)
		rc = add_marks(queue, error);
	if (rc != WS_OK)
		return rc;
	if ((unsigned)mark >= queue->mark_count)
		queue->mark_count = (unsigned)mark + 1;
	if (cuda_is_called(queue))
		return mark == 0 ? cuda_calls_start(queue, error) : WS_OK;
	/* The end comes when it is stopped. */
	if (queue->follows || (queue->endless && mark == 1))
		return WS_OK;
	return cuda_result(queue->gpu, queue->gpu->cuda->api.event_record(queue->marks[mark], queue->stream),
			   "cuEventRecord", error);
}

int cuda_join(struct ws_queue *queue, struct ws_queue *other, int mark, struct ws_error *error)
{
	const int rc = begin(queue, error);

	if (rc != WS_OK || queue->follows)
		return rc;
	return cuda_result(queue->gpu,
			   queue->gpu->cuda->api.stream_wait_event(queue->stream, leader(other)->marks[mark], 0),
			   "cuStreamWaitEvent", error);
}

int cuda_flush(struct ws_queue *queue, struct ws_error *error)
{
	(void)error;
	queue->building = false;
	queue->fed = queue->endless;
	if (queue->fed)
		cuda_feeder_order(queue->feeder);
	atomic_fetch_add_explicit(&queue->runs, 1, memory_order_release);
	return WS_OK;
}

void cuda_release(struct ws_backend *backend)
{
	struct cuda *cuda = backend->state;

	cuda->released_ns = cuda_after_ns(0);
	if (cuda->gate)
		atomic_store_explicit(cuda->gate, cuda->epoch, memory_order_release);
	cuda->epoch++;
}

void cuda_stop(struct ws_queue *queue)
{
	if (queue->fed)
		cuda_feeder_stop(queue->feeder);
}

/* Nothing is left in the streams of a queue. */
static int is_empty(struct ws_queue *queue, bool *empty, struct ws_error *error)
{
	const struct ws_queue *first = leader(queue);
	int result, rc = cuda_enter(queue->gpu, error);

	*empty = false;
	if (rc == WS_OK && queue->fed && !cuda_feeder_ended(queue->feeder, &rc, error))
		return WS_OK;
	/* Of a pair the leader may not have begun. */
	if (rc != WS_OK || (first != queue && atomic_load_explicit(&first->runs, memory_order_acquire) !=
						      atomic_load_explicit(&queue->runs, memory_order_acquire)))
		return rc;
	result = queue->gpu->cuda->api.stream_query(first->stream);
	if (result == CUDA_NOT_READY)
		return WS_OK;
	rc = cuda_result(queue->gpu, result, "work of a queue (cuStreamQuery)", error);
	if (rc == WS_OK && queue->far_stream) {
		result = queue->gpu->cuda->api.stream_query(queue->far_stream);
		if (result == CUDA_NOT_READY)
			return WS_OK;
		rc = cuda_result(queue->far_gpu, result, "work of a queue (cuStreamQuery)", error);
	}
	*empty = rc == WS_OK;
	return rc;
}

int cuda_poll(struct ws_queue *queue, int64_t wait_until_ns, bool *done, struct ws_error *error)
{
	const struct timespec nap = {.tv_nsec = NAP_NS};

	for (;;) {
		const int rc = is_empty(queue, done, error);

		if (rc != WS_OK || *done || cuda_after_ns(0) >= wait_until_ns)
			return rc;
		nanosleep(&nap, NULL);
	}
}

static int elapsed_ns(struct ws_queue *queue, struct cuda_event *from, struct cuda_event *to, int64_t *time_ns,
		      struct ws_error *error)
{
	float milliseconds = 0;
	const int rc = cuda_result(queue->gpu, queue->gpu->cuda->api.event_elapsed(&milliseconds, from, to),
				   "cuEventElapsedTime", error);

	*time_ns = (int64_t)((double)milliseconds * 1e6 + 0.5);
	return rc;
}

/* Marks from 2 on lie between the loops: from each mark to the next one is a loop's time. */
static int read_loop_times(struct ws_queue *queue, struct ws_lane *lane, struct ws_error *error)
{
	const unsigned count = queue->mark_count - 1;
	int rc = ws_lane_hold_times(lane, count, "loops", error);

	for (unsigned i = 0; i < count && rc == WS_OK; i++) {
		struct cuda_event *from = queue->marks[i == 0 ? 0 : i + 1];
		struct cuda_event *to = queue->marks[i + 1 < count ? i + 2 : 1];
		int64_t time_ns = 0;

		rc = elapsed_ns(queue, from, to, &time_ns, error);
		ws_lane_add_time(lane, (double)time_ns);
	}
	return rc;
}

/* A stand-in's work takes no time of the host's clock that would mean anything: its own clock tells how much it took. */
static void read_simulated_times(struct ws_queue *queue, struct ws_lane *lane)
{
	const struct cuda *cuda = queue->gpu->cuda;
	const double marked_loops = (double)lane->lead_loops + lane->loops;
	int64_t released_ns = 0, passed_ns = 0;
	double time_ns;

	if (!cuda->api.event_times)
		return;
	cuda->api.event_times(queue->marks[1], &released_ns, &passed_ns);
	time_ns = (double)(passed_ns - released_ns);
	/* The host sees the end of what trails behind the mark, too. */
	if (lane->trail_loops > 0)
		time_ns *= (marked_loops + lane->trail_loops) / marked_loops;
	lane->host_start_ns = cuda->released_ns;
	lane->host_end_ns = cuda->released_ns + (int64_t)(time_ns + 0.5);
}

int cuda_read(struct ws_queue *queue, struct ws_op *op, struct ws_lane *lane, struct ws_error *error)
{
	const struct cuda_op *state = op->state;
	struct ws_queue *first = leader(queue);
	int64_t time_ns = 0;
	int rc = cuda_enter(queue->gpu, error);

	if (rc == WS_OK && cuda_is_called(queue)) {
		ws_calls_put_sum(&state->calls, lane, "cuda", queue->gpu->index);
		return ws_calls_put_each(&state->calls, lane, error);
	}
	if (rc == WS_OK)
		rc = elapsed_ns(queue, queue->gpu->base, first->marks[0], &lane->start_ns, error);
	if (rc == WS_OK)
		rc = elapsed_ns(queue, first->marks[0], first->marks[1], &time_ns, error);
	if (rc != WS_OK)
		return rc;
	lane->end_ns = lane->start_ns + time_ns;
	read_simulated_times(first, lane);
	if (queue->endless) {
		lane->loops = state->loops < UINT32_MAX ? (uint32_t)state->loops : UINT32_MAX;
		lane->bytes = state->loops * state->size_bytes;
	}
	/* With confidential computing events are emulated: they are not when the GPU passed them. */
	lane->has_device = !queue->gpu->cuda->confidential;
	ws_place_format(&op->item->engine.place, lane->clock, sizeof(lane->clock));
	strcat(lane->clock, ":event");
	rc = cuda_op_read(queue, op->state, lane, error);
	if (rc == WS_OK && !lane->values && queue->mark_count > 2 && lane->has_device)
		rc = read_loop_times(first, lane, error);
	return rc;
}

int cuda_verify(struct ws_queue *queue, struct ws_op *op, struct ws_check *check, struct ws_error *error)
{
	const int rc = cuda_enter(queue->gpu, error);

	return rc == WS_OK ? cuda_op_verify(queue, op->state, check, error) : rc;
}

/* The thread uses the queue until it has ended; what stopped it is told already. */
static void end_feeding(struct ws_queue *queue, int64_t until_ns)
{
	const struct timespec nap = {.tv_nsec = NAP_NS};
	int status;

	cuda_stop(queue);
	while (queue->fed && !cuda_feeder_ended(queue->feeder, &status, NULL) && cuda_after_ns(0) < until_ns)
		nanosleep(&nap, NULL);
	queue->fed = queue->fed && !cuda_feeder_ended(queue->feeder, &status, NULL);
}

/* Queues behind the same gate are let go as well; their samples are cancelled like this one's. */
int cuda_cancel(struct ws_queue *queue)
{
	struct cuda *cuda = queue->gpu->cuda;
	const int64_t until_ns = cuda_after_ns(cuda->timeout_ns < CANCEL_NS ? cuda->timeout_ns : CANCEL_NS);
	struct ws_queue *first = leader(queue);
	bool empty = false;

	atomic_store_explicit(cuda->gate, cuda->epoch, memory_order_release);
	cuda->epoch++;
	queue->building = false;
	if (first != queue)
		atomic_store_explicit(&queue->runs, atomic_load_explicit(&first->runs, memory_order_acquire),
				      memory_order_release);
	end_feeding(queue, until_ns);
	/* A GPU that failed has nothing under way; it refuses whatever follows. */
	if (queue->gpu->failed != WS_OK)
		return WS_OK;
	while (is_empty(queue, &empty, NULL) == WS_OK && !empty && cuda_after_ns(0) < until_ns) {
		const struct timespec nap = {.tv_nsec = NAP_NS};

		nanosleep(&nap, NULL);
	}
	if (empty || (queue->gpu->failed != WS_OK && !queue->gpu->lost))
		return WS_OK;
	queue->gpu->lost = true;
	queue->lost = true;
	return WS_ELOST;
}
