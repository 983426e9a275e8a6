/* Queues of the OpenCL back end: copies behind a user event, timed by the events of the first and last timed copy. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/opencl_private.h"
#include "base/clock.h"

#define POLL_NS 50000
#define CANCEL_NS 5000000000
#define EVENTS_MAX (2 * OPENCL_QUEUE_DEPTH) /* timed copies and as many before them */

struct ws_queue {
	struct opencl *opencl;
	struct opencl_device *device;
	int index; /* of the device, for the clock's name */
	cl_queue queue;
	cl_event first;	 /* of the timed copies */
	cl_event newest; /* of all copies; one of the others */
	cl_event
		others[EVENTS_MAX]; /* of the copies beside the first, the latest ones: number n is at n % EVENTS_MAX */
	uint32_t other_count;
	bool timed;	  /* what is submitted now is timed */
	bool has_pending; /* newest has not been seen to end */
};

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
	*queue = (struct ws_queue){.opencl = opencl, .device = device, .index = item->engine.place.index};
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
	return queue->other_count < EVENTS_MAX ? queue->other_count : EVENTS_MAX;
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
	queue->timed = false;
	queue->has_pending = false;
}

static void keep_event(struct ws_queue *queue, cl_event event)
{
	queue->newest = event;
	/* From the first one on: if the next one fails, this one must be waited for. */
	queue->has_pending = true;
	if (queue->timed && !queue->first) {
		queue->first = event;
		return;
	}
	if (queue->other_count >= EVENTS_MAX)
		queue->opencl->cl.release_event(queue->others[queue->other_count % EVENTS_MAX]);
	queue->others[queue->other_count++ % EVENTS_MAX] = event;
}

void opencl_queue_free(struct ws_backend *backend, struct ws_queue *queue)
{
	(void)backend;
	if (!queue->device->lost) {
		forget_events(queue);
		queue->opencl->cl.release_queue(queue->queue);
	}
	free(queue);
}

int opencl_prepare(struct ws_queue *queue, struct ws_op *op, int64_t deadline_ns, struct ws_error *error)
{
	(void)queue;
	(void)deadline_ns;
	if (op->item->verb != WS_COPY || strcmp(op->item->engine.name, "ce") != 0)
		return ws_fail(error, WS_EUNSUPPORTED, "OpenCL places offer copies by the runtime (ce) only");
	if (!op->source->host == !op->destination->host)
		return ws_fail(error, WS_EUNSUPPORTED, "OpenCL copies are between host memory and a device");
	return WS_OK;
}

int opencl_gate(struct ws_queue *queue, struct ws_error *error)
{
	struct opencl_device *device = queue->device;
	cl_int code = 0;

	forget_events(queue);
	if (!device->gate)
		device->gate = queue->opencl->cl.create_user_event(device->context, &code);
	if (!device->gate)
		return opencl_fail(error, "clCreateUserEvent", code);
	code = queue->opencl->cl.marker(queue->queue, 1, &device->gate, NULL);
	return code == 0 ? WS_OK : opencl_fail(error, "clEnqueueMarkerWithWaitList", code);
}

static cl_int copy_once(struct ws_queue *queue, const struct ws_op *op, uint64_t size_bytes, cl_event *event)
{
	const struct opencl_library *cl = &queue->opencl->cl;
	const struct opencl_buffer *buffer = op->source->host ? op->destination->handle : op->source->handle;

	if (op->source->host)
		return cl->write_buffer(queue->queue, buffer->memory, 0, 0, size_bytes, op->source->host, 0, NULL,
					event);
	return cl->read_buffer(queue->queue, buffer->memory, 0, 0, size_bytes, op->destination->host, 0, NULL, event);
}

int opencl_submit(struct ws_queue *queue, struct ws_op *op, int size_index, uint32_t loops, struct ws_error *error)
{
	const uint64_t size_bytes = op->item->size_bytes[op->item->size_count == 2 ? size_index : 0];

	if (!queue->has_pending && !queue->timed)
		forget_events(queue);
	for (uint32_t i = 0; i < loops; i++) {
		cl_event event = NULL;
		cl_int code = copy_once(queue, op, size_bytes, &event);

		if (code != 0)
			return opencl_fail(error, op->source->host ? "clEnqueueWriteBuffer" : "clEnqueueReadBuffer",
					   code);
		keep_event(queue, event);
	}
	return WS_OK;
}

int opencl_mark(struct ws_queue *queue, int mark, struct ws_error *error)
{
	(void)error;
	if (mark == 0 && !queue->has_pending)
		forget_events(queue);
	queue->timed = mark == 0;
	return WS_OK;
}

int opencl_flush(struct ws_queue *queue, struct ws_error *error)
{
	const cl_int code = queue->opencl->cl.flush(queue->queue);

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
			return opencl_fail(error, "a queued copy", code ? code : status);
		*done = status == CL_COMPLETE;
		if (*done || ws_clock_now_ns(clock) + POLL_NS >= wait_until_ns)
			break;
		ws_clock_sleep_until_ns(clock, ws_clock_now_ns(clock) + POLL_NS);
	}
	queue->has_pending = !*done;
	return WS_OK;
}

/* Copies before the newest one may have failed, although it has not. */
static int check_events(const struct ws_queue *queue, struct ws_error *error)
{
	for (uint32_t i = 0; i <= others_kept(queue); i++) {
		cl_event event = i < others_kept(queue) ? queue->others[i] : queue->first;
		cl_int status = CL_COMPLETE, code;

		code = queue->opencl->cl.event_info(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status,
						    NULL);
		if (code != 0)
			return opencl_fail(error, "clGetEventInfo", code);
		if (status < 0)
			return opencl_fail(error, "a queued copy", status);
	}
	return WS_OK;
}

int opencl_read(struct ws_queue *queue, struct ws_op *op, struct ws_lane *lane, struct ws_error *error)
{
	const struct opencl_library *cl = &queue->opencl->cl;
	uint64_t start_ns = 0, end_ns = 0;
	cl_int code;
	int rc = check_events(queue, error);

	(void)op;
	if (rc != WS_OK)
		return rc;
	code = cl->event_times(queue->first, CL_PROFILING_COMMAND_START, sizeof(start_ns), &start_ns, NULL);
	if (code == 0)
		code = cl->event_times(queue->newest, CL_PROFILING_COMMAND_END, sizeof(end_ns), &end_ns, NULL);
	if (code != 0)
		return opencl_fail(error, "clGetEventProfilingInfo", code);
	lane->start_ns = (int64_t)start_ns;
	lane->end_ns = (int64_t)end_ns;
	lane->has_device = end_ns > start_ns;
	snprintf(lane->clock, sizeof(lane->clock), "ocl%d:event", queue->index);
	return WS_OK;
}

int opencl_cancel(struct ws_queue *queue)
{
	const struct opencl_library *cl = &queue->opencl->cl;
	const struct ws_clock *clock = ws_clock_monotonic();
	const int64_t patience_ns = queue->opencl->timeout_ns < CANCEL_NS ? queue->opencl->timeout_ns : CANCEL_NS;
	const int64_t until_ns = ws_clock_now_ns(clock) + patience_ns;
	cl_int status = 1, flushed = -1;

	/* An error would spare the copies behind the gate, but PoCL 3.1 aborts the process on one: let them run. */
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
	if (queue->device->lost)
		return WS_ELOST;
	forget_events(queue);
	return WS_OK;
}
