/* What kernels of the OpenCL back end do: copies, reads, writes and nothing. */
#include <stdlib.h>
#include <string.h>

#include "backend/opencl_private.h"
#include "base/clock.h"
#include "base/item.h"
#include "base/record.h"
#include "kernel/host_pattern.h"

#define NO_CLOCK "OpenCL kernels have no clock to read"

static int check_reach(const struct ws_queue *queue, const struct ws_buffer *of, const struct opencl_buffer *buffer,
		       struct ws_error *error)
{
	if (of && !buffer)
		return ws_fail(error, WS_EUNSUPPORTED,
			       "kernels of ocl%d do not reach pageable host memory; pinned, mapped and svm they do",
			       queue->device->index);
	if (buffer && buffer->device != queue->device)
		return ws_fail(error, WS_EUNSUPPORTED, "kernels of ocl%d do not reach the memory of another device",
			       queue->device->index);
	return WS_OK;
}

static int make_kernel(struct ws_queue *queue, struct opencl_op *state, struct ws_error *error)
{
	return opencl_kernel_new(queue->opencl, queue->device, state->verb->kernel, &state->kernel, error);
}

/* Launches the kernel once and waits for its end. */
static int launch_alone(struct ws_queue *queue, struct opencl_op *state, uint64_t size_bytes, struct ws_error *error)
{
	const char *call = "";
	cl_event event = NULL;
	cl_int code;
	int rc = opencl_work_begin(queue, error);

	if (rc != WS_OK)
		return rc;
	state->size_bytes = size_bytes;
	code = state->verb->enqueue(queue, state, &event, &call);
	if (code != 0)
		return opencl_fail(error, call, code);
	rc = opencl_end(queue, event, call, NULL, error);
	return rc == WS_OK ? opencl_work_end(queue, error) : rc;
}

/* Where the work-groups of a reading kernel leave what they add up. */
static int make_sums(struct ws_queue *queue, struct opencl_op *state, struct ws_error *error)
{
	cl_int code = 0;

	state->sums_bytes = sizeof(uint64_t) *
			    opencl_kernel_groups(queue->device, OPENCL_KERNEL_READ, ws_item_largest_size(state->op->item));
	state->sums_here = calloc(1, state->sums_bytes);
	if (!state->sums_here)
		return ws_fail(error, WS_ENOMEM, "no memory for sums");
	state->sums = queue->opencl->cl.create_buffer(queue->device->context, CL_MEM_READ_WRITE, state->sums_bytes,
						      NULL, &code);
	return state->sums ? WS_OK : opencl_fail(error, "clCreateBuffer", code);
}

/* The first launch of a kernel may do what no later one does; it gets one over no bytes. */
static int prepare(struct ws_queue *queue, struct opencl_op *state, struct ws_error *error)
{
	int rc = check_reach(queue, state->op->source, state->source, error);

	if (rc == WS_OK)
		rc = check_reach(queue, state->op->destination, state->destination, error);
	if (rc == WS_OK)
		rc = make_kernel(queue, state, error);
	if (rc == WS_OK && state->op->item->verb == WS_READ)
		rc = make_sums(queue, state, error);
	return rc == WS_OK ? launch_alone(queue, state, 0, error) : rc;
}

static int prepare_noop(struct ws_queue *queue, struct opencl_op *state, struct ws_error *error)
{
	int64_t time_ns;
	const int rc = make_kernel(queue, state, error);

	return rc == WS_OK ? state->verb->call(queue, state, &time_ns, error) : rc;
}

static cl_int launch(struct ws_queue *queue, const struct opencl_op *state, const struct opencl_argument *arguments,
		     cl_uint count, cl_event *event, const char **call)
{
	*call = "clEnqueueNDRangeKernel";
	return opencl_kernel_launch(queue->opencl, queue, state->verb->kernel, state->kernel, state->size_bytes,
				    arguments, count, event);
}

static cl_int enqueue_copy(struct ws_queue *queue, const struct opencl_op *state, cl_event *event, const char **call)
{
	const uint64_t count = state->size_bytes / 16;
	const cl_uint tail = state->size_bytes % 16;
	const struct opencl_argument arguments[] = {
		{sizeof(cl_mem), &state->destination->memory},
		{sizeof(cl_mem), &state->source->memory},
		{sizeof(count), &count},
		{sizeof(tail), &tail},
	};

	return launch(queue, state, arguments, 4, event, call);
}

static cl_int enqueue_read(struct ws_queue *queue, const struct opencl_op *state, cl_event *event, const char **call)
{
	const uint64_t count = state->size_bytes / 16;
	const cl_uint tail = state->size_bytes % 16;
	const struct opencl_argument arguments[] = {
		{sizeof(cl_mem), &state->source->memory},
		{sizeof(count), &count},
		{sizeof(tail), &tail},
		{sizeof(cl_mem), &state->sums},
	};

	return launch(queue, state, arguments, 4, event, call);
}

static cl_int enqueue_write(struct ws_queue *queue, const struct opencl_op *state, cl_event *event, const char **call)
{
	const uint64_t count = state->size_bytes / 16;
	const cl_uint tail = state->size_bytes % 16;
	const struct opencl_argument arguments[] = {
		{sizeof(cl_mem), &state->destination->memory},
		{sizeof(count), &count},
		{sizeof(tail), &tail},
		{sizeof(state->value), &state->value},
	};

	return launch(queue, state, arguments, 4, event, call);
}

/* From the order to where the host knows that it has ended. */
static int call_noop(struct ws_queue *queue, struct opencl_op *state, int64_t *time_ns, struct ws_error *error)
{
	const struct ws_clock *clock = ws_clock_monotonic();
	const cl_uint unused = 0;
	const struct opencl_argument argument = {sizeof(unused), &unused};
	const int64_t start_ns = ws_clock_now_ns(clock);
	int64_t end_ns = 0;
	cl_event event = NULL;
	const cl_int code =
		opencl_kernel_launch(queue->opencl, queue, OPENCL_KERNEL_NOOP, state->kernel, 0, &argument, 1, &event);
	int rc;

	if (code != 0)
		return opencl_fail(error, "clEnqueueNDRangeKernel", code);
	rc = opencl_end(queue, event, "clEnqueueNDRangeKernel", &end_ns, error);
	*time_ns = end_ns - start_ns;
	return rc;
}

const struct opencl_verb opencl_sm_verbs[] = {
	{WS_COPY, "sm", .prepare = prepare, .enqueue = enqueue_copy, .kernel = OPENCL_KERNEL_COPY},
	{WS_READ, "sm", .prepare = prepare, .enqueue = enqueue_read, .kernel = OPENCL_KERNEL_READ},
	{WS_WRITE, "sm", .prepare = prepare, .enqueue = enqueue_write, .kernel = OPENCL_KERNEL_WRITE},
	{WS_NOOP, "sm", .prepare = prepare_noop, .call = call_noop, .kernel = OPENCL_KERNEL_NOOP},
	{WS_COPY2, "sm", .why_not = NO_CLOCK ", so the two ways of one kernel cannot be told apart"},
	{WS_CHASE, "sm", .why_not = NO_CLOCK ", so its loads cannot be timed"},
	{WS_PINGPONG, "sm", .why_not = "OpenCL kernels do not see what others store while they run"},
};
const size_t opencl_sm_verb_count = sizeof(opencl_sm_verbs) / sizeof(opencl_sm_verbs[0]);

/* Moves the sums to the device or from it. */
static int move_sums(struct ws_queue *queue, const struct opencl_op *state, bool to_device, struct ws_error *error)
{
	const struct opencl_library *cl = &queue->opencl->cl;
	struct opencl_device *device = queue->device;
	const char *call = to_device ? "clEnqueueWriteBuffer" : "clEnqueueReadBuffer";
	cl_event event = NULL;
	cl_int code;

	/* On the device's own queue, as this one may wait for the gate. */
	if (to_device)
		code = cl->write_buffer(device->queue, state->sums, 0, 0, state->sums_bytes, state->sums_here, 0, NULL,
					&event);
	else
		code = cl->read_buffer(device->queue, state->sums, 0, 0, state->sums_bytes, state->sums_here, 0, NULL,
				       &event);
	if (code != 0)
		return opencl_fail(error, call, code);
	return opencl_wait(queue->opencl, device, device->queue, event, call, "moving sums", error);
}

int opencl_sm_begin(struct ws_queue *queue, struct opencl_op *state, struct ws_error *error)
{
	if (!state->sums)
		return WS_OK;
	memset(state->sums_here, 0, state->sums_bytes);
	return move_sums(queue, state, true, error);
}

/* No byte of the destination is right by chance: it gets the complement of what will be written. */
int opencl_sm_refilled(struct ws_queue *queue, struct opencl_op *state, struct ws_error *error)
{
	const uint64_t seed = state->op->seed;
	int rc;

	if (state->op->item->verb != WS_WRITE)
		return WS_OK;
	state->value = ~((uint64_t)ws_pattern_word(seed, 0) << 32 | ws_pattern_word(seed, 1));
	rc = launch_alone(queue, state, ws_item_largest_size(state->op->item), error);
	state->value = ~state->value;
	return rc;
}

/* What the loops read, against what the pattern adds up to. */
static int verify_sum(struct ws_queue *queue, const struct opencl_op *state, struct ws_check *check,
		      struct ws_error *error)
{
	const uint64_t expected = ws_pattern_sum(state->size_bytes, 0, state->op->seed) * state->loops;
	uint64_t found = 0;
	const int rc = move_sums(queue, state, false, error);

	for (size_t i = 0; i < state->sums_bytes / sizeof(found) && rc == WS_OK; i++)
		found += state->sums_here[i];
	if (rc == WS_OK)
		ws_check_add(check, found != expected, 0, expected, found, check->item, check->rank);
	return rc;
}

int opencl_sm_verify(struct ws_queue *queue, const struct opencl_op *state, struct ws_check *check,
		     struct ws_error *error)
{
	if (state->op->item->verb == WS_READ)
		return verify_sum(queue, state, check, error);
	return opencl_check_value(queue->opencl, state->destination, state->size_bytes, state->value, check, error);
}

void opencl_sm_free(struct ws_queue *queue, struct opencl_op *state)
{
	if (state->kernel)
		queue->opencl->cl.release_kernel(state->kernel);
	if (state->sums)
		queue->opencl->cl.release_buffer(state->sums);
}
