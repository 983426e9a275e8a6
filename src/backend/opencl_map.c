/* Maps of the OpenCL back end, and what a runtime does for them: it does not tell, but it can be seen. */
#include <string.h>

#include "backend/opencl_private.h"

/* What is written and read to see it. */
#define PROBE_BYTES 64

int opencl_map(struct ws_queue *queue, const struct opencl_buffer *buffer, cl_bits how, uint64_t size_bytes, void **out,
	       struct ws_error *error)
{
	cl_int code = 0;

	*out = queue->opencl->cl.map_buffer(queue->queue, buffer->memory, 1, how, 0, size_bytes, 0, NULL, NULL, &code);
	return *out ? WS_OK : opencl_fail(error, "clEnqueueMapBuffer", code);
}

int opencl_unmap(struct ws_queue *queue, struct opencl_buffer *buffer, void *mapped, struct ws_error *error)
{
	cl_event event = NULL;
	const cl_int code = queue->opencl->cl.unmap_buffer(queue->queue, buffer->memory, mapped, 0, NULL, &event);

	if (code != 0) {
		buffer->mapped = mapped;
		return opencl_fail(error, "clEnqueueUnmapMemObject", code);
	}
	/* If waiting for it fails, it is still to be waited for. */
	opencl_keep_event(queue, event);
	return opencl_finish(queue, error);
}

/* Looks whether a device's memory changes while the host writes to what it got by a map. */
int opencl_see_maps(struct ws_queue *queue, struct opencl_buffer *buffer, struct ws_error *error)
{
	const struct opencl_library *cl = &queue->opencl->cl;
	const uint64_t size_bytes = buffer->size_bytes < PROBE_BYTES ? buffer->size_bytes : PROBE_BYTES;
	unsigned char before[PROBE_BYTES], seen[PROBE_BYTES];
	void *mapped = NULL;
	cl_int code;
	int rc;

	memset(before, 0xa5, sizeof(before));
	memset(seen, 0, sizeof(seen));
	code = cl->write_buffer(queue->queue, buffer->memory, 1, 0, size_bytes, before, 0, NULL, NULL);
	if (code != 0)
		return opencl_fail(error, "clEnqueueWriteBuffer", code);
	rc = opencl_map(queue, buffer, CL_MAP_READ | CL_MAP_WRITE, size_bytes, &mapped, error);
	if (rc != WS_OK)
		return rc;
	memset(mapped, 0x5a, size_bytes);
	code = cl->read_buffer(queue->queue, buffer->memory, 1, 0, size_bytes, seen, 0, NULL, NULL);
	/* A runtime may refuse to read what is mapped: it is not shared then. */
	rc = opencl_unmap(queue, buffer, mapped, error);
	if (rc == WS_OK)
		queue->device->maps =
			code != 0 || memcmp(seen, before, size_bytes) == 0 ? OPENCL_MAPS_MOVE : OPENCL_MAPS_SHARE;
	return rc;
}

/* One round of handing memory to the device and back: what the host writes after it the device must not know of. */
static int hand_over(struct ws_queue *queue, struct opencl_buffer *buffer, const void *bytes, size_t size,
		     struct ws_error *error)
{
	int rc = opencl_give_to_host(queue->opencl, buffer, error);

	if (rc != WS_OK)
		return rc;
	memcpy(buffer->mapped, bytes, size);
	rc = opencl_give_to_device(queue->opencl, buffer, error);
	return rc == WS_OK ? opencl_give_to_host(queue->opencl, buffer, error) : rc;
}

int opencl_see_home(struct ws_queue *queue, struct opencl_buffer *buffer, struct ws_error *error)
{
	const struct opencl_library *cl = &queue->opencl->cl;
	const size_t size = buffer->size_bytes < PROBE_BYTES ? buffer->size_bytes : PROBE_BYTES;
	unsigned char before[PROBE_BYTES], seen[PROBE_BYTES];
	cl_event event = NULL;
	cl_int code = 0;
	cl_mem there;
	int rc;

	memset(before, 0xa5, sizeof(before));
	memset(seen, 0, sizeof(seen));
	rc = hand_over(queue, buffer, before, size, error);
	if (rc != WS_OK)
		return rc;
	there = cl->create_buffer(queue->device->context, CL_MEM_READ_WRITE, size, NULL, &code);
	if (!there)
		return opencl_fail(error, "clCreateBuffer", code);
	memset(buffer->mapped, 0x5a, size);
	code = cl->copy_buffer(queue->queue, buffer->memory, there, 0, 0, size, 0, NULL, &event);
	if (code == 0)
		opencl_keep_event(queue, event);
	if (code == 0)
		code = cl->read_buffer(queue->queue, there, 1, 0, size, seen, 0, NULL, NULL);
	/* A runtime may refuse to touch what is mapped; then nothing speaks against the memory's being the host's. */
	queue->device->homes[buffer->kind] =
		code == 0 && memcmp(seen, before, size) == 0 ? OPENCL_HOME_DEVICE : OPENCL_HOME_HOST;
	/* The read came back last; what a command may still need is not released. */
	rc = code == 0 ? WS_OK : opencl_finish(queue, error);
	if (rc == WS_OK)
		cl->release_buffer(there);
	return rc;
}
