/* Maps of the OpenCL back end, and what a runtime does for them: it does not tell, but it can be seen. */
#include <string.h>

#include "backend/opencl_private.h"

/* What is written and read to see it. */
#define PROBE_BYTES 64

int opencl_map(struct ws_queue *queue, struct opencl_buffer *buffer, cl_bits how, uint64_t size_bytes, void **out,
	       struct ws_error *error)
{
	cl_event event = NULL;
	cl_int code = 0;
	int rc;

	*out = queue->opencl->cl.map_buffer(queue->queue, buffer->memory, 0, how, 0, size_bytes, 0, NULL, &event,
					    &code);
	if (!*out)
		return opencl_fail(error, "clEnqueueMapBuffer", code);
	rc = opencl_end(queue, event, "clEnqueueMapBuffer", NULL, error);
	if (rc != WS_OK)
		buffer->mapped = *out;
	return rc;
}

int opencl_map_blocking(struct ws_queue *queue, const struct opencl_buffer *buffer, cl_bits how, uint64_t size_bytes,
			void **out, struct ws_error *error)
{
	cl_int code = 0;

	*out = queue->opencl->cl.map_buffer(queue->queue, buffer->memory, 1, how, 0, size_bytes, 0, NULL, NULL, &code);
	return *out ? WS_OK : opencl_fail(error, "clEnqueueMapBuffer", code);
}

int opencl_unmap(struct ws_queue *queue, struct opencl_buffer *buffer, void *mapped, int64_t *end_ns,
		 struct ws_error *error)
{
	cl_event event = NULL;
	const cl_int code = queue->opencl->cl.unmap_buffer(queue->queue, buffer->memory, mapped, 0, NULL, &event);

	if (code != 0) {
		buffer->mapped = mapped;
		return opencl_fail(error, "clEnqueueUnmapMemObject", code);
	}
	return opencl_end(queue, event, "clEnqueueUnmapMemObject", end_ns, error);
}

/* Looks whether a device's memory changes while the host writes to what it got by a map. */
int opencl_see_maps(struct ws_queue *queue, struct opencl_buffer *buffer, struct ws_error *error)
{
	const uint64_t size_bytes = buffer->size_bytes < PROBE_BYTES ? buffer->size_bytes : PROBE_BYTES;
	unsigned char before[PROBE_BYTES], *staging = opencl_staging(queue->device);
	struct ws_error why = {0};
	void *mapped = NULL;
	int rc, seen;

	if (!staging)
		return ws_fail(error, WS_ENOMEM, "no memory to see what a map does");
	memset(before, 0xa5, sizeof(before));
	memcpy(staging, before, size_bytes);
	rc = opencl_move(queue->opencl, buffer, 0, size_bytes, true, error);
	if (rc != WS_OK)
		return rc;
	rc = opencl_map(queue, buffer, CL_MAP_READ | CL_MAP_WRITE, size_bytes, &mapped, error);
	if (rc != WS_OK)
		return rc;
	memset(mapped, 0x5a, size_bytes);
	memset(staging, 0, size_bytes);
	/* A runtime may refuse to read what is mapped: it is not shared then. */
	seen = opencl_move(queue->opencl, buffer, 0, size_bytes, false, &why);
	if (seen == WS_ELOST)
		return ws_fail(error, seen, "%s", why.text);
	rc = opencl_unmap(queue, buffer, mapped, NULL, error);
	if (rc == WS_OK)
		queue->device->maps = seen != WS_OK || memcmp(staging, before, size_bytes) == 0 ? OPENCL_MAPS_MOVE
												: OPENCL_MAPS_SHARE;
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
	struct opencl_device *device = queue->device;
	struct opencl_buffer there = {.device = device, .queue = device->queue};
	unsigned char before[PROBE_BYTES], *staging = opencl_staging(device);
	struct ws_error why = {0};
	cl_event event = NULL;
	cl_int code = 0;
	int rc;

	if (!staging)
		return ws_fail(error, WS_ENOMEM, "no memory to see where a device works");
	memset(before, 0xa5, sizeof(before));
	memset(staging, 0, size);
	rc = hand_over(queue, buffer, before, size, error);
	if (rc != WS_OK)
		return rc;
	there.memory = cl->create_buffer(device->context, CL_MEM_READ_WRITE, size, NULL, &code);
	if (!there.memory)
		return opencl_fail(error, "clCreateBuffer", code);
	memset(buffer->mapped, 0x5a, size);
	code = cl->copy_buffer(queue->queue, buffer->memory, there.memory, 0, 0, size, 0, NULL, &event);
	rc = code == 0 ? opencl_end(queue, event, "clEnqueueCopyBuffer", NULL, &why) : WS_EDRIVER;
	if (rc == WS_OK)
		rc = opencl_move(queue->opencl, &there, 0, size, false, &why);
	if (rc == WS_ELOST)
		return ws_fail(error, rc, "%s", why.text);
	/* A runtime may refuse to touch what is mapped; then nothing speaks against the memory's being the host's. */
	device->homes[buffer->kind] =
		rc == WS_OK && memcmp(staging, before, size) == 0 ? OPENCL_HOME_DEVICE : OPENCL_HOME_HOST;
	cl->release_buffer(there.memory);
	return WS_OK;
}
