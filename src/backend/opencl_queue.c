/*
 * Queues of the OpenCL back end. Behind a gate, which is a user event, commands are timed by the events of the first
 * and last timed one. Without it they are timed by the host's clock, from an empty queue to an empty queue: what a
 * runtime does inside its calls, such as copying pageable memory to where a device reaches it, no event shows.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/opencl_private.h"
#include "base/clock.h"
#include "base/record.h"

#define POLL_NS 50000
#define CANCEL_NS 5000000000
int opencl_queue_new(struct ws_backend *backend, const struct ws_item *item, struct ws_queue **out,
		     struct ws_error *error)
{
	struct opencl *opencl = backend->state;
	struct opencl_device *device = NULL;
	struct ws_queue *queue;
	cl_int code = 0;
	int rc = opencl_find(opencl, &item->engine.place, &device, error);

	if (rc == WS_OK)
		rc = opencl_device_start(opencl, device, error);
	if (rc != WS_OK)
		return rc;
	queue = calloc(1, sizeof(*queue));
	if (!queue)
		return ws_fail(error, WS_ENOMEM, "no memory for a queue");
	*queue = (struct ws_queue){.opencl = opencl, .device = device};
	queue->queue = opencl->cl.create_queue(device->context, device->device, CL_QUEUE_PROFILING_ENABLE, &code);
	if (!queue->queue) {
		free(queue);
		return opencl_fail(error, "clCreateCommandQueue", code);
	}
	*out = queue;
	return WS_OK;
}

static uint32_t others_kept(const struct ws_queue *queue)
{
	return queue->other_count < OPENCL_EVENTS ? queue->other_count : OPENCL_EVENTS;
}

static void forget_events(struct ws_queue *queue)
{
	for (uint32_t i = 0; i < others_kept(queue); i++)
		queue->opencl->cl.release_event(queue->others[i]);
	if (queue->first)
		queue->opencl->cl.release_event(queue->first);
	queue->first = NULL;
	queue->newest = NULL;
	queue->other_count = 0;
	queue->has_pending = false;
}

void opencl_keep_event(struct ws_queue *queue, cl_event event)
{
	queue->newest = event;
	/* From the first one on: if the next one fails, this one must be waited for. */
	queue->has_pending = true;
	if (queue->timed && !queue->first) {
		queue->first = event;
		return;
	}
	if (queue->other_count >= OPENCL_EVENTS)
		queue->opencl->cl.release_event(queue->others[queue->other_count % OPENCL_EVENTS]);
	queue->others[queue->other_count++ % OPENCL_EVENTS] = event;
}

int opencl_end(struct ws_queue *queue, cl_event event, const char *call, int64_t *end_ns, struct ws_error *error)
{
	const int rc = opencl_wait_awake(queue->opencl, queue->device, queue->queue, event, call, error);

	if (end_ns)
		*end_ns = ws_clock_now_ns(ws_clock_monotonic());
	opencl_keep_event(queue, event);
	queue->has_pending = rc == WS_ELOST;
	return rc;
}

int opencl_begin(struct ws_queue *queue, struct ws_error *error)
{
	if (queue->building)
		return WS_OK;
	queue->building = true;
	queue->gated = queue->timed = false;
	queue->start_ns = queue->end_ns = 0;
	forget_events(queue);
	return opencl_work_begin(queue, error);
}

int opencl_gate(struct ws_queue *queue, struct ws_error *error)
{
	struct opencl_device *device = queue->device;
	cl_int code = 0;
	int rc = opencl_begin(queue, error);

	for (const struct opencl_op *state = queue->ops; state && rc == WS_OK; state = state->next)
		rc = opencl_check_gated(state, error);
	if (rc != WS_OK)
		return rc;
	queue->gated = true;
	if (!device->gate)
		device->gate = queue->opencl->cl.create_user_event(device->context, &code);
	if (!device->gate)
		return opencl_fail(error, "clCreateUserEvent", code);
	code = queue->opencl->cl.marker(queue->queue, 1, &device->gate, NULL);
	return code == 0 ? WS_OK : opencl_fail(error, "clEnqueueMarkerWithWaitList", code);
}

/* Mark 0 is before the timed loops; any other one is behind a loop, mark 1 behind the last. */
int opencl_mark(struct ws_queue *queue, int mark, struct ws_error *error)
{
	int rc = opencl_begin(queue, error);

	queue->timed = mark != 1;
	queue->timed_count = queue->other_count;
	if (rc != WS_OK || queue->gated)
		return rc;
	if (queue->has_pending)
		rc = opencl_wait_awake(queue->opencl, queue->device, queue->queue, queue->newest, "a queued command",
				       error);
	queue->has_pending = rc == WS_ELOST;
	if (rc != WS_OK)
		return rc;
	if (mark != 0) {
		const int64_t before_ns = queue->end_ns;

		queue->end_ns = ws_clock_now_ns(ws_clock_monotonic());
		for (struct opencl_op *state = queue->ops; state; state = state->next)
			if (!opencl_is_called(state))
				ws_calls_add(&state->calls, before_ns, queue->end_ns - before_ns);
		return WS_OK;
	}
	queue->start_ns = queue->end_ns = ws_clock_now_ns(ws_clock_monotonic());
	return WS_OK;
}

int opencl_flush(struct ws_queue *queue, struct ws_error *error)
{
	const cl_int code = queue->opencl->cl.flush(queue->queue);

	queue->building = false;
	return code == 0 ? WS_OK : opencl_fail(error, "clFlush", code);
}

/* A gate that cannot be opened stays, with the reason. */
static void open_gate(struct opencl *opencl, struct opencl_device *device)
{
	if (!device->gate)
		return;
	device->gate_code = opencl->cl.set_user_event(device->gate, CL_COMPLETE);
	if (device->gate_code != 0)
		return;
	opencl->cl.release_event(device->gate);
	device->gate = NULL;
}

void opencl_release(struct ws_backend *backend)
{
	struct opencl *opencl = backend->state;

	for (int i = 0; i < opencl->count; i++)
		if (!opencl->devices[i].lost)
			open_gate(opencl, &opencl->devices[i]);
}

int opencl_poll(struct ws_queue *queue, int64_t wait_until_ns, bool *done, struct ws_error *error)
{
	const struct ws_clock *clock = ws_clock_monotonic();
	cl_int status = 1, code;

	*done = !queue->has_pending;
	if (queue->device->gate_code != 0)
		return opencl_fail(error, "clSetUserEventStatus", queue->device->gate_code);
	while (!*done) {
		code = queue->opencl->cl.event_info(queue->newest, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
						    &status, NULL);
		if (code != 0 || status < 0)
			return opencl_fail(error, "a queued command", code ? code : status);
		*done = status == CL_COMPLETE;
		if (*done || ws_clock_now_ns(clock) + POLL_NS >= wait_until_ns)
			break;
		ws_clock_sleep_until_ns(clock, ws_clock_now_ns(clock) + POLL_NS);
	}
	queue->has_pending = !*done;
	return WS_OK;
}

/* Commands before the newest one may have failed, although it has not. */
static int check_events(const struct ws_queue *queue, struct ws_error *error)
{
	for (uint32_t i = 0; i <= others_kept(queue); i++) {
		cl_event event = i < others_kept(queue) ? queue->others[i] : queue->first;
		cl_int status = CL_COMPLETE, code = 0;

		if (event)
			code = queue->opencl->cl.event_info(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
							    &status, NULL);
		if (code != 0)
			return opencl_fail(error, "clGetEventInfo", code);
		if (status < 0)
			return opencl_fail(error, "a queued command", status);
	}
	return WS_OK;
}

static int event_time(const struct ws_queue *queue, cl_event event, cl_uint which, int64_t *time_ns,
		      struct ws_error *error)
{
	uint64_t ns = 0;
	const cl_int code = queue->opencl->cl.event_times(event, which, sizeof(ns), &ns, NULL);

	if (code != 0)
		return opencl_fail(error, "clGetEventProfilingInfo", code);
	*time_ns = (int64_t)ns;
	return WS_OK;
}

/* The event of a timed loop, from 0 on; untimed ones may be behind the last. */
static cl_event timed_event(const struct ws_queue *queue, uint32_t loops, uint32_t loop)
{
	return loop == 0 ? queue->first : queue->others[(queue->timed_count - loops + loop) % OPENCL_EVENTS];
}

/* Each loop lasts from the end of the one before. */
static int read_each(const struct ws_queue *queue, struct opencl_op *state, const struct ws_lane *lane,
		     struct ws_error *error)
{
	int64_t before_ns = lane->start_ns;
	int rc = WS_OK;

	for (uint32_t i = 0; i < lane->loops && rc == WS_OK; i++) {
		int64_t end_ns = 0;

		rc = event_time(queue, timed_event(queue, lane->loops, i), CL_PROFILING_COMMAND_END, &end_ns, error);
		ws_calls_add(&state->calls, before_ns, end_ns - before_ns);
		before_ns = end_ns;
	}
	return rc;
}

static int read_events(const struct ws_queue *queue, struct opencl_op *state, struct ws_lane *lane,
		       struct ws_error *error)
{
	const cl_event last = timed_event(queue, lane->loops, lane->loops - 1);
	int rc = event_time(queue, queue->first, CL_PROFILING_COMMAND_START, &lane->start_ns, error);

	if (rc == WS_OK)
		rc = event_time(queue, last, CL_PROFILING_COMMAND_END, &lane->end_ns, error);
	if (rc == WS_OK && state->calls.each_ns)
		rc = read_each(queue, state, lane, error);
	snprintf(lane->clock, sizeof(lane->clock), "ocl%d:event", queue->device->index);
	return rc;
}

int opencl_read(struct ws_queue *queue, struct ws_op *op, struct ws_lane *lane, struct ws_error *error)
{
	struct opencl_op *state = op->state;
	int rc = check_events(queue, error);

	if (rc == WS_OK && opencl_is_called(state)) {
		ws_calls_put_sum(&state->calls, lane, "ocl", queue->device->index);
		if (!opencl_moves_bytes(queue, state))
			lane->bytes = 0;
	} else if (rc == WS_OK && queue->gated) {
		rc = read_events(queue, state, lane, error);
	} else if (rc == WS_OK) {
		lane->start_ns = queue->start_ns;
		lane->end_ns = queue->end_ns;
		strcpy(lane->clock, "host:monotonic");
	}
	lane->has_device = lane->end_ns > lane->start_ns;
	if (rc == WS_OK)
		rc = ws_calls_put_each(&state->calls, lane, error);
	return rc == WS_OK ? opencl_work_end(queue, error) : rc;
}

/* Waits until nothing is left in a queue, but not for ever: then its device is lost. */
static void empty(struct ws_queue *queue)
{
	const struct opencl_library *cl = &queue->opencl->cl;
	const struct ws_clock *clock = ws_clock_monotonic();
	const int64_t patience_ns = queue->opencl->timeout_ns < CANCEL_NS ? queue->opencl->timeout_ns : CANCEL_NS;
	const int64_t until_ns = ws_clock_now_ns(clock) + patience_ns;
	cl_int status = 1, flushed = -1;

	/* An error would spare the commands behind the gate, but PoCL 3.1 aborts the process on one: let them run. */
	while (!queue->device->lost) {
		open_gate(queue->opencl, queue->device);
		/* What was queued before something failed has not been sent off. */
		if (flushed != 0)
			flushed = cl->flush(queue->queue);
		if (queue->has_pending && cl->event_info(queue->newest, CL_EVENT_COMMAND_EXECUTION_STATUS,
							 sizeof(status), &status, NULL) != 0)
			status = 1;
		if (!queue->device->gate && flushed == 0 && (!queue->has_pending || status <= CL_COMPLETE))
			break;
		if (ws_clock_now_ns(clock) >= until_ns)
			queue->device->lost = true;
		ws_clock_sleep_until_ns(clock, ws_clock_now_ns(clock) + POLL_NS);
	}
	queue->building = queue->has_pending = false;
}

int opencl_cancel(struct ws_queue *queue)
{
	empty(queue);
	if (!queue->device->lost)
		opencl_work_end(queue, NULL);
	if (queue->device->lost)
		return WS_ELOST;
	forget_events(queue);
	return WS_OK;
}

void opencl_queue_free(struct ws_backend *backend, struct ws_queue *queue)
{
	(void)backend;
	if (queue->has_pending)
		empty(queue);
	/* Host memory goes back to the pool as the host's; where that fails the next user is told. */
	if (!queue->device->lost)
		opencl_work_end(queue, NULL);
	if (!queue->device->lost) {
		forget_events(queue);
		queue->opencl->cl.release_queue(queue->queue);
	}
	for (struct opencl_op *next, *state = queue->ops; state; state = next) {
		next = state->next;
		opencl_op_free(queue, state);
	}
	free(queue);
}
