/* Buffers of the OpenCL back end: device memory, and host memory that the runtime gives and keeps mapped. */
#include <stdlib.h>
#include <string.h>

#include "backend/opencl_private.h"
#include "base/record.h"
#include "kernel/host_kernel.h"
#include "kernel/host_pattern.h"

/* Device memory is filled and compared in pieces of this size through the host. */
#define STAGING_BYTES (8u << 20)

static void free_handle(struct opencl *opencl, struct opencl_buffer *buffer)
{
	struct opencl_device *device = buffer->device;
	cl_event event;

	if (device->lost)
		return;
	if (buffer->mapped &&
	    opencl->cl.unmap_buffer(device->queue, buffer->memory, buffer->mapped, 0, NULL, &event) == 0)
		opencl_wait(opencl, device, event, "clEnqueueUnmapMemObject", "giving host memory back", NULL);
	if (device->lost)
		return;
	if (buffer->memory)
		opencl->cl.release_buffer(buffer->memory);
	free(buffer);
}

static int map_buffer(struct opencl *opencl, struct opencl_buffer *buffer, uint64_t size_bytes, struct ws_error *error)
{
	cl_event event;
	cl_int code = 0;

	buffer->mapped = opencl->cl.map_buffer(buffer->device->queue, buffer->memory, 0, CL_MAP_READ | CL_MAP_WRITE, 0,
					       size_bytes, 0, NULL, &event, &code);
	if (!buffer->mapped)
		return opencl_fail(error, "clEnqueueMapBuffer", code);
	return opencl_wait(opencl, buffer->device, event, "clEnqueueMapBuffer", "getting host memory", error);
}

/* Host memory of the runtime belongs to a device's context: the place is the host's, `near` the engine's device. */
static int allocate(struct opencl *opencl, struct opencl_device *device, bool of_host, uint64_t size_bytes,
		    struct opencl_buffer **out, struct ws_error *error)
{
	struct opencl_buffer *buffer = calloc(1, sizeof(*buffer));
	cl_int code = 0;
	int rc = buffer ? opencl_device_start(opencl, device, error)
			: ws_fail(error, WS_ENOMEM, "no memory for a buffer");

	if (buffer)
		buffer->device = device;
	if (rc == WS_OK && device->most_bytes && size_bytes > device->most_bytes)
		rc = ws_fail(error, WS_ENOMEM, "%llu bytes are more than the %llu that OpenCL gives in one buffer",
			     (unsigned long long)size_bytes, (unsigned long long)device->most_bytes);
	if (rc == WS_OK) {
		buffer->memory = opencl->cl.create_buffer(device->context,
							  CL_MEM_READ_WRITE | (of_host ? CL_MEM_ALLOC_HOST_PTR : 0u),
							  size_bytes, NULL, &code);
		if (!buffer->memory)
			rc = opencl_fail(error, "clCreateBuffer", code);
	}
	if (rc == WS_OK && of_host)
		rc = map_buffer(opencl, buffer, size_bytes, error);
	if (rc != WS_OK) {
		if (buffer)
			free_handle(opencl, buffer);
		return rc;
	}
	*out = buffer;
	return WS_OK;
}

int opencl_alloc(struct ws_backend *backend, const struct ws_place *place, const struct ws_place *near,
		 uint64_t size_bytes, struct ws_buffer *out, struct ws_error *error)
{
	struct opencl *opencl = backend->state;
	const bool of_host = strcmp(place->family, "host") == 0;
	struct opencl_device *device = NULL;
	struct opencl_buffer *buffer = NULL;
	int rc;

	/* Of the host, only what belongs to a context of this library. */
	if (of_host && strcmp(place->memory, "pinned") != 0)
		return ws_fail(error, WS_EUNSUPPORTED, "OpenCL offers host memory of kind pinned only");
	if (of_host && place->pages[0])
		return ws_fail(error, WS_EUNSUPPORTED, "OpenCL does not let the page size of pinned memory be chosen");
	rc = opencl_find(opencl, of_host ? near : place, &device, error);
	if (rc == WS_OK)
		rc = allocate(opencl, device, of_host, size_bytes, &buffer, error);
	if (rc != WS_OK)
		return rc;
	*out = (struct ws_buffer){
		.owner = backend, .place = *place, .size_bytes = size_bytes, .host = buffer->mapped, .handle = buffer};
	return WS_OK;
}

void opencl_free(struct ws_backend *backend, struct ws_buffer *buffer)
{
	free_handle(backend->state, buffer->handle);
}

/* The device's staging area; NULL when out of memory. */
static void *staging_of(struct opencl_device *device)
{
	if (!device->staging)
		device->staging = malloc(STAGING_BYTES);
	return device->staging;
}

/* Moves one piece between the staging area and device memory. */
static int move_piece(struct opencl *opencl, const struct opencl_buffer *buffer, uint64_t offset, uint64_t size,
		      bool to_device, struct ws_error *error)
{
	const char *call = to_device ? "clEnqueueWriteBuffer" : "clEnqueueReadBuffer";
	struct opencl_device *device = buffer->device;
	cl_event event;
	cl_int code;

	if (device->lost)
		return ws_fail(error, WS_ELOST, "ocl%d does not answer any more", device->index);
	if (to_device)
		code = opencl->cl.write_buffer(device->queue, buffer->memory, 0, offset, size, device->staging, 0, NULL,
					       &event);
	else
		code = opencl->cl.read_buffer(device->queue, buffer->memory, 0, offset, size, device->staging, 0, NULL,
					      &event);
	if (code != 0)
		return opencl_fail(error, call, code);
	return opencl_wait(opencl, device, event, call, to_device ? "filling its memory" : "reading its memory back",
			   error);
}

int opencl_fill(struct ws_backend *backend, struct ws_buffer *buffer, uint64_t size_bytes, uint64_t seed,
		struct ws_error *error)
{
	const struct opencl_buffer *handle = buffer->handle;
	int rc = WS_OK;

	if (handle->mapped) {
		ws_host_kernels()->fill(handle->mapped, size_bytes, 0, seed);
		return WS_OK;
	}
	if (!staging_of(handle->device))
		return ws_fail(error, WS_ENOMEM, "no memory to fill a buffer through");
	for (uint64_t at = 0; at < size_bytes && rc == WS_OK; at += STAGING_BYTES) {
		const uint64_t piece = size_bytes - at < STAGING_BYTES ? size_bytes - at : STAGING_BYTES;

		ws_host_kernels()->fill(handle->device->staging, piece, at, seed);
		rc = move_piece(backend->state, handle, at, piece, true, error);
	}
	return rc;
}

int opencl_check(struct ws_backend *backend, struct ws_buffer *buffer, uint64_t size_bytes, uint64_t seed,
		 struct ws_check *check, struct ws_error *error)
{
	const struct opencl_buffer *handle = buffer->handle;
	struct ws_mismatch sum = {0}, part;
	int rc = WS_OK;

	if (handle->mapped)
		ws_pattern_check(handle->mapped, size_bytes, 0, seed, &sum);
	else if (!staging_of(handle->device))
		return ws_fail(error, WS_ENOMEM, "no memory to check a buffer through");
	for (uint64_t at = 0; !handle->mapped && at < size_bytes && rc == WS_OK; at += STAGING_BYTES) {
		const uint64_t piece = size_bytes - at < STAGING_BYTES ? size_bytes - at : STAGING_BYTES;

		/* What a failed read leaves here must not look right. */
		memset(handle->device->staging, 0, piece);
		rc = move_piece(backend->state, handle, at, piece, false, error);
		if (rc == WS_OK && ws_pattern_check(handle->device->staging, piece, at, seed, &part))
			ws_mismatch_add(&sum, &part);
	}
	if (rc == WS_OK)
		ws_check_add(check, sum.wrong_count, sum.first_offset, sum.expected, sum.found, check->item,
			     check->rank);
	return rc;
}
