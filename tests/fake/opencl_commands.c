/* Commands and events of the fake libOpenCL. */
#include "fake/opencl_objects.h"

#define WS_DL WS_DL_PROTOTYPE
#include "backend/opencl.def"

void *fake_map_buffer(cl_queue queue, cl_mem buffer, cl_bool blocking, cl_bits flags, size_t offset, size_t size,
		      cl_uint wait_count, const cl_event *wait, cl_event *event, cl_int *code)
{
	fake_lock();
	queue = fake_live(queue, QUEUE, "clEnqueueMapBuffer");
	buffer = fake_live(buffer, BUFFER, "clEnqueueMapBuffer");
	*code = opencl_call("clEnqueueMapBuffer", queue->context->device->index, size);
	if (blocking || !(flags & (CL_MAP_READ | CL_MAP_WRITE)) || offset + size > buffer->size)
		opencl_misuse("clEnqueueMapBuffer");
	if (*code == 0) {
		fake_append(queue, (struct command){.action = MAP, .buffer = buffer}, wait_count ? wait : NULL, event);
		buffer->mapped++;
	}
	fake_leave(0);
	return *code == 0 ? buffer->bytes + offset : NULL;
}

cl_int fake_unmap_buffer(cl_queue queue, cl_mem buffer, void *mapped, cl_uint wait_count, const cl_event *wait,
			 cl_event *event)
{
	int code;

	fake_lock();
	queue = fake_live(queue, QUEUE, "clEnqueueUnmapMemObject");
	buffer = fake_live(buffer, BUFFER, "clEnqueueUnmapMemObject");
	code = opencl_call("clEnqueueUnmapMemObject", queue->context->device->index, buffer->size);
	if (!buffer->mapped || mapped != buffer->bytes || fake_in_use(buffer))
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
	code = opencl_call("clEnqueueWriteBuffer", queue->context->device->index, size);
	if (blocking || size == 0 || offset + size > buffer->size)
		opencl_misuse("clEnqueueWriteBuffer");
	if (code)
		return fake_leave(code);
	command.from = host;
	command.to = buffer->bytes + offset;
	command.pinned = fake_mapped_at(host) != NULL;
	fake_append(queue, command, wait_count ? wait : NULL, event);
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
	code = opencl_call("clEnqueueReadBuffer", queue->context->device->index, size);
	if (blocking || size == 0 || offset + size > buffer->size)
		opencl_misuse("clEnqueueReadBuffer");
	if (code)
		return fake_leave(code);
	command.from = buffer->bytes + offset;
	command.to = host;
	command.pinned = fake_mapped_at(host) != NULL;
	fake_append(queue, command, wait_count ? wait : NULL, event);
	return fake_leave(0);
}

cl_int fake_marker(cl_queue queue, cl_uint wait_count, const cl_event *wait, cl_event *event)
{
	int code;

	fake_lock();
	queue = fake_live(queue, QUEUE, "clEnqueueMarkerWithWaitList");
	code = opencl_call("clEnqueueMarkerWithWaitList", queue->context->device->index, 0);
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
	code = opencl_call("clFlush", queue->context->device->index, 0);
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
