/* Commands and events of the fake libOpenCL. */
#include <stdlib.h>
#include <string.h>

#include "fake/opencl_objects.h"

/* So much of what is mapped may be copied, by who wants to see where it is. */
#define SEEN_MOST 64

#define WS_DL WS_DL_PROTOTYPE
#include "backend/opencl.def"

/* What a map hands out: host memory itself, else a window on device memory. NULL: no memory. */
static unsigned char *window_of(cl_mem buffer)
{
	if (buffer->of_host || buffer->context->device->model->zero_copy)
		return buffer->bytes;
	if (!buffer->window)
		buffer->window = malloc(buffer->size);
	if (!buffer->window)
		opencl_misuse("no memory for a window of %zu bytes", buffer->size);
	/* Nothing that was not brought there may look right. */
	memset(buffer->window, 0xee, buffer->size);
	return buffer->window;
}

void *fake_map_buffer(cl_queue queue, cl_mem buffer, cl_bool blocking, cl_bits flags, size_t offset, size_t size,
		      cl_uint wait_count, const cl_event *wait, cl_event *event, cl_int *code)
{
	unsigned char *window = NULL;

	fake_lock();
	queue = fake_live(queue, QUEUE, "clEnqueueMapBuffer");
	buffer = fake_live(buffer, BUFFER, "clEnqueueMapBuffer");
	*code = opencl_call("clEnqueueMapBuffer", queue->device->index, size);
	if (!(flags & (CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) || offset + size > buffer->size ||
	    (buffer->mapped && buffer->of_host))
		opencl_misuse("clEnqueueMapBuffer");
	if (*code == 0) {
		window = window_of(buffer);
		fake_append(queue,
			    (struct command){.action = flags & CL_MAP_WRITE_INVALIDATE_REGION ? MARK : MAP,
					     .buffer = buffer},
			    wait_count ? wait : NULL, event);
		buffer->mapped++;
		buffer->written = (flags & CL_MAP_READ) != flags;
	}
	if (*code == 0 && blocking)
		fake_drain(queue);
	fake_leave(0);
	return window ? window + offset : NULL;
}

cl_int fake_unmap_buffer(cl_queue queue, cl_mem buffer, void *mapped, cl_uint wait_count, const cl_event *wait,
			 cl_event *event)
{
	int code;

	fake_lock();
	queue = fake_live(queue, QUEUE, "clEnqueueUnmapMemObject");
	buffer = fake_live(buffer, BUFFER, "clEnqueueUnmapMemObject");
	code = opencl_call("clEnqueueUnmapMemObject", queue->device->index, buffer->size);
	if (!buffer->mapped || (mapped != buffer->bytes && mapped != buffer->window) || fake_in_use(buffer))
		opencl_misuse("clEnqueueUnmapMemObject");
	if (code)
		return fake_leave(code);
	fake_append(queue, (struct command){.action = UNMAP, .buffer = buffer}, wait_count ? wait : NULL, event);
	buffer->mapped--;
	return fake_leave(0);
}

cl_int fake_write_buffer(cl_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size, const void *host,
			 cl_uint wait_count, const cl_event *wait, cl_event *event)
{
	struct command command = {.action = COPY, .direction = TO_DEVICE, .buffer = buffer, .size = size};
	int code;

	fake_lock();
	queue = fake_live(queue, QUEUE, "clEnqueueWriteBuffer");
	buffer = fake_live(buffer, BUFFER, "clEnqueueWriteBuffer");
	code = opencl_call("clEnqueueWriteBuffer", queue->device->index, size);
	if (size == 0 || offset + size > buffer->size || (buffer->mapped && buffer->of_host))
		opencl_misuse("clEnqueueWriteBuffer");
	if (code)
		return fake_leave(code);
	command.from = host;
	command.to = buffer->bytes + offset;
	command.pinned = fake_mapped_at(host) != NULL;
	fake_append(queue, command, wait_count ? wait : NULL, event);
	if (blocking)
		fake_drain(queue);
	return fake_leave(0);
}

cl_int fake_read_buffer(cl_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size, void *host,
			cl_uint wait_count, const cl_event *wait, cl_event *event)
{
	struct command command = {.action = COPY, .direction = FROM_DEVICE, .buffer = buffer, .size = size};
	int code;

	fake_lock();
	queue = fake_live(queue, QUEUE, "clEnqueueReadBuffer");
	buffer = fake_live(buffer, BUFFER, "clEnqueueReadBuffer");
	code = opencl_call("clEnqueueReadBuffer", queue->device->index, size);
	if (size == 0 || offset + size > buffer->size || (buffer->mapped && buffer->of_host))
		opencl_misuse("clEnqueueReadBuffer");
	if (code)
		return fake_leave(code);
	command.from = buffer->bytes + offset;
	command.to = host;
	command.pinned = fake_mapped_at(host) != NULL;
	fake_append(queue, command, wait_count ? wait : NULL, event);
	if (blocking)
		fake_drain(queue);
	return fake_leave(0);
}

cl_int fake_copy_buffer(cl_queue queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset, size_t size,
			cl_uint wait_count, const cl_event *wait, cl_event *event)
{
	struct command command = {.action = COPY, .size = size};
	int code;

	fake_lock();
	queue = fake_live(queue, QUEUE, "clEnqueueCopyBuffer");
	from = fake_live(from, BUFFER, "clEnqueueCopyBuffer");
	to = fake_live(to, BUFFER, "clEnqueueCopyBuffer");
	code = opencl_call("clEnqueueCopyBuffer", queue->device->index, size);
	if (size == 0 || from_offset + size > from->size || to_offset + size > to->size || from == to || to->mapped ||
	    (from->mapped && size > SEEN_MOST) || from->context != queue->context || to->context != queue->context)
		opencl_misuse("clEnqueueCopyBuffer");
	if (code)
		return fake_leave(code);
	command.direction = from->of_host ? TO_DEVICE : to->of_host ? FROM_DEVICE : INSIDE;
	command.buffer = to;
	command.from_buffer = from;
	command.from = fake_worked_on(from) + from_offset;
	command.to = fake_worked_on(to) + to_offset;
	command.pinned = true;
	fake_append(queue, command, wait_count ? wait : NULL, event);
	return fake_leave(0);
}

cl_int fake_migrate(cl_queue queue, cl_uint count, const cl_mem *buffers, cl_bits flags, cl_uint wait_count,
		    const cl_event *wait, cl_event *event)
{
	int code;

	fake_lock();
	queue = fake_live(queue, QUEUE, "clEnqueueMigrateMemObjects");
	code = opencl_call("clEnqueueMigrateMemObjects", queue->device->index, 0);
	if (count != 1 || flags ||
	    ((cl_mem)fake_live(buffers[0], BUFFER, "clEnqueueMigrateMemObjects"))->context != queue->context)
		opencl_misuse("clEnqueueMigrateMemObjects");
	if (code == 0)
		fake_append(queue, (struct command){.action = MARK, .buffer = buffers[0]}, wait_count ? wait : NULL,
			    event);
	return fake_leave(code);
}

cl_int fake_marker(cl_queue queue, cl_uint wait_count, const cl_event *wait, cl_event *event)
{
	int code;

	fake_lock();
	queue = fake_live(queue, QUEUE, "clEnqueueMarkerWithWaitList");
	code = opencl_call("clEnqueueMarkerWithWaitList", queue->device->index, 0);
	if (wait_count > 1)
		opencl_misuse("clEnqueueMarkerWithWaitList waits for %u events", (unsigned)wait_count);
	if (code)
		return fake_leave(code);
	fake_append(queue, (struct command){.action = MARK}, wait_count ? wait : NULL, event);
	return fake_leave(0);
}

cl_event fake_create_user_event(cl_context context, cl_int *code)
{
	cl_event event = NULL;

	fake_lock();
	context = fake_live(context, CONTEXT, "clCreateUserEvent");
	*code = opencl_call("clCreateUserEvent", context->device->index, 0);
	if (*code == 0) {
		event = fake_make(EVENT, sizeof(*event));
		event->status = SUBMITTED;
		event->end_ns = context->device->last_ns + 1000;
	}
	fake_leave(0);
	return event;
}

cl_int fake_set_user_event(cl_event event, cl_int status)
{
	int code = fake_enter("clSetUserEventStatus", -1, 0);

	event = fake_live(event, EVENT, "clSetUserEventStatus");
	if (status > 0 || event->status != SUBMITTED)
		code = code ? code : INVALID_OPERATION;
	if (code)
		return fake_leave(code);
	event->status = status;
	fake_run_all();
	return fake_leave(0);
}

cl_int fake_event_info(cl_event event, cl_uint name, size_t size, void *value, size_t *needed)
{
	const int code = fake_enter("clGetEventInfo", -1, 0);
	cl_int status;

	event = fake_live(event, EVENT, "clGetEventInfo");
	if (name != CL_EVENT_COMMAND_EXECUTION_STATUS)
		opencl_misuse("clGetEventInfo of 0x%x", (unsigned)name);
	if (code)
		return fake_leave(code);
	status = fake_status(event);
	return fake_leave(fake_answer(&status, sizeof(status), size, value, needed));
}

cl_int fake_event_times(cl_event event, cl_uint name, size_t size, void *value, size_t *needed)
{
	const int code = fake_enter("clGetEventProfilingInfo", -1, 0);

	event = fake_live(event, EVENT, "clGetEventProfilingInfo");
	if (name != CL_PROFILING_COMMAND_START && name != CL_PROFILING_COMMAND_END)
		opencl_misuse("clGetEventProfilingInfo of 0x%x", (unsigned)name);
	if (code || event->status != CL_COMPLETE || event->end_ns > event->device->now_ns)
		return fake_leave(code ? code : NOT_AVAILABLE);
	return fake_leave(fake_answer(name == CL_PROFILING_COMMAND_START ? &event->start_ns : &event->end_ns,
				      sizeof(uint64_t), size, value, needed));
}

cl_int fake_release_event(cl_event event)
{
	const int code = fake_enter("clReleaseEvent", -1, 0);

	fake_drop_event(fake_live(event, EVENT, "clReleaseEvent"));
	return fake_leave(code);
}

cl_int fake_flush(cl_queue queue)
{
	int code;

	fake_lock();
	queue = fake_live(queue, QUEUE, "clFlush");
	code = opencl_call("clFlush", queue->device->index, 0);
	if (code)
		return fake_leave(code);
	for (struct command *command = queue->first; command; command = command->next) {
		command->flushed = true;
		if (command->event && command->event->status == QUEUED)
			command->event->status = SUBMITTED;
	}
	fake_run_all();
	return fake_leave(0);
}
