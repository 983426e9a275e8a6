/*
 * Copies between two devices of the OpenCL back end, which take buffers and a queue in one context of both. In such a
 * context a buffer is wherever it was used last, so that the way is the runtime's choice, and a second copy of what did
 * not change might go nowhere: each copy begins with a source that its device has just changed, and ends when the
 * destination is on its own.
 */
#include <stdlib.h>
#include <string.h>

#include "backend/opencl_private.h"
#include "base/clock.h"
#include "kernel/host_pattern.h"

static void release(const struct opencl *opencl, struct opencl_pair *pair)
{
	for (int i = 0; i < 2; i++)
		if (pair->queues[i])
			opencl->cl.release_queue(pair->queues[i]);
	if (pair->context)
		opencl->cl.release_context(pair->context);
	free(pair);
}

/* What belongs to a device that is lost goes with the process. */
void opencl_pairs_release(struct opencl *opencl)
{
	for (struct opencl_pair *next, *pair = opencl->pairs; pair; pair = next) {
		next = pair->next;
		if (!pair->devices[0]->lost && !pair->devices[1]->lost)
			release(opencl, pair);
	}
	opencl->pairs = NULL;
}

static int create(struct opencl *opencl, struct opencl_device *a, struct opencl_device *b, struct opencl_pair **out,
		  struct ws_error *error)
{
	const cl_device both[] = {a->device, b->device};
	struct opencl_pair *pair = calloc(1, sizeof(*pair));
	cl_int code = 0;

	if (!pair)
		return ws_fail(error, WS_ENOMEM, "no memory for a pair of devices");
	*pair = (struct opencl_pair){.next = opencl->pairs, .devices = {a, b}};
	pair->context = opencl->cl.create_context(NULL, 2, both, NULL, NULL, &code);
	if (!pair->context) {
		opencl_fail(error, "clCreateContext", code);
		release(opencl, pair);
		return WS_EDRIVER;
	}
	for (int i = 0; i < 2; i++) {
		pair->queues[i] = opencl->cl.create_queue(pair->context, both[i], CL_QUEUE_PROFILING_ENABLE, &code);
		if (!pair->queues[i]) {
			opencl_fail(error, "clCreateCommandQueue", code);
			release(opencl, pair);
			return WS_EDRIVER;
		}
	}
	opencl->pairs = *out = pair;
	return WS_OK;
}

static int find(struct opencl *opencl, struct opencl_device *a, struct opencl_device *b, struct opencl_pair **out,
		struct ws_error *error)
{
	if (a->platform != b->platform)
		return ws_fail(error, WS_EUNSUPPORTED, "ocl%d and ocl%d are of two platforms, and share no context",
			       a->index, b->index);
	for (struct opencl_pair *pair = opencl->pairs; pair; pair = pair->next)
		if ((pair->devices[0] == a && pair->devices[1] == b) ||
		    (pair->devices[0] == b && pair->devices[1] == a)) {
			*out = pair;
			return WS_OK;
		}
	return create(opencl, a, b, out, error);
}

static int pair_up(struct ws_queue *queue, struct opencl_op *state, struct ws_error *error)
{
	struct opencl *opencl = queue->opencl;
	struct opencl_buffer *const buffers[] = {state->source, state->destination};
	struct opencl_pair *pair = NULL;
	cl_queue own;
	cl_int code = 0;
	int rc;

	if (state->source->device != queue->device && state->destination->device != queue->device)
		return ws_fail(error, WS_EUNSUPPORTED, "ocl%d copies from or to its own memory only",
			       queue->device->index);
	rc = find(opencl, state->source->device, state->destination->device, &pair, error);
	for (int i = 0; i < 2 && rc == WS_OK; i++)
		rc = opencl_bind(opencl, buffers[i], pair->context,
				 pair->queues[buffers[i]->device == pair->devices[1]], error);
	if (rc != WS_OK)
		return rc;
	own = opencl->cl.create_queue(pair->context, queue->device->device, CL_QUEUE_PROFILING_ENABLE, &code);
	if (!own)
		return opencl_fail(error, "clCreateCommandQueue", code);
	opencl->cl.release_queue(queue->queue);
	queue->queue = own;
	return WS_OK;
}

/* The source's device changes it, to what it was. */
static int touch(struct opencl *opencl, struct opencl_op *state, struct ws_error *error)
{
	const struct opencl_buffer *source = state->source;
	const uint64_t size = state->size_bytes < sizeof(state->touched) ? state->size_bytes : sizeof(state->touched);
	cl_event event = NULL;
	cl_int code;
	int rc;

	state->touched = ws_pattern_word(state->op->seed, 0);
	code = opencl->cl.write_buffer(source->queue, source->memory, 0, 0, size, &state->touched, 0, NULL, &event);
	if (code != 0)
		return opencl_fail(error, "clEnqueueWriteBuffer", code);
	rc = opencl_wait_awake(opencl, source->device, source->queue, event, "clEnqueueWriteBuffer", error);
	if (rc != WS_ELOST)
		opencl->cl.release_event(event);
	return rc;
}

/* The destination is where it belongs. */
static int bring_home(struct opencl *opencl, const struct opencl_buffer *buffer, int64_t *end_ns,
		      struct ws_error *error)
{
	cl_event event = NULL;
	const cl_int code = opencl->cl.migrate(buffer->queue, 1, &buffer->memory, 0, 0, NULL, &event);
	int rc;

	if (code != 0)
		return opencl_fail(error, "clEnqueueMigrateMemObjects", code);
	rc = opencl_wait_awake(opencl, buffer->device, buffer->queue, event, "clEnqueueMigrateMemObjects", error);
	*end_ns = ws_clock_now_ns(ws_clock_monotonic());
	if (rc != WS_ELOST)
		opencl->cl.release_event(event);
	return rc;
}

static int call_between(struct ws_queue *queue, struct opencl_op *state, int64_t *time_ns, struct ws_error *error)
{
	const struct ws_clock *clock = ws_clock_monotonic();
	cl_event event = NULL;
	int64_t start_ns, end_ns = 0;
	cl_int code;
	int rc = touch(queue->opencl, state, error);

	if (rc != WS_OK)
		return rc;
	start_ns = ws_clock_now_ns(clock);
	code = queue->opencl->cl.copy_buffer(queue->queue, state->source->memory, state->destination->memory, 0, 0,
					     state->size_bytes, 0, NULL, &event);
	if (code != 0)
		return opencl_fail(error, "clEnqueueCopyBuffer", code);
	rc = opencl_end(queue, event, "clEnqueueCopyBuffer", NULL, error);
	if (rc == WS_OK)
		rc = bring_home(queue->opencl, state->destination, &end_ns, error);
	*time_ns = end_ns - start_ns;
	return rc;
}

const struct opencl_verb opencl_between = {WS_COPY, "ce", .prepare = pair_up, .call = call_between};
