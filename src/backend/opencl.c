/* The OpenCL back end: devices and buffers. */
#include "backend/opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "backend/opencl_private.h"
#include "base/clock.h"
#include "base/dl.h"
#include "base/place.h"
#include "base/record.h"
#include "kernel/host_kernel.h"
#include "kernel/host_pattern.h"

/* Device memory is filled and compared in pieces of this size through the host. */
#define STAGING_BYTES (8u << 20)
#define POLL_NS 50000

static const struct ws_dl_symbol symbols[] = {
#define WS_DL_TABLE struct opencl_library
#define WS_DL WS_DL_ROW
#include "backend/opencl.def"
};

int opencl_fail(struct ws_error *error, const char *call, cl_int code)
{
	static const struct {
		cl_int code;
		const char *name;
	} names[] = {
		{-1, "device not found"}, {-2, "device not available"}, {-4, "memory object allocation failure"},
		{-5, "out of resources"}, {-6, "out of host memory"}, {-14, "execution of an event waited for failed"},
		{-30, "invalid value"}, {-33, "invalid device"}, {-34, "invalid context"}, {-36, "invalid command queue"},
		{-38, "invalid memory object"}, {-61, "invalid buffer size"}, {-1001, "no platform"},
	};
	const char *name = "see CL/cl.h";

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		name = names[i].code == code ? names[i].name : name;
	return ws_fail(error, code == -4 || code == -5 || code == -6 || code == -61 ? WS_ENOMEM : WS_EDRIVER,
		       "%s: error %d (%s)", call, code, name);
}

int opencl_wait(struct opencl *opencl, cl_event event, const char *call, struct ws_error *error)
{
	const struct ws_clock *clock = ws_clock_monotonic();
	const int64_t until_ns = ws_clock_now_ns(clock) + opencl->timeout_ns;
	cl_int status = 1, code = 0;
	int rc = WS_OK;

	for (;;) {
		code = opencl->cl.event_info(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL);
		if (code != 0 || status <= CL_COMPLETE)
			break;
		if (ws_clock_now_ns(clock) >= until_ns) {
			rc = ws_fail(error, WS_ETIMEOUT, "%s did not end within %g s", call, (double)opencl->timeout_ns / 1e9);
			break;
		}
		ws_clock_sleep_until_ns(clock, ws_clock_now_ns(clock) + POLL_NS);
	}
	opencl->cl.release_event(event);
	if (rc == WS_OK && (code != 0 || status < 0))
		rc = opencl_fail(error, call, code ? code : status);
	return rc;
}

/* A text of a device, or of its platform if device is NULL, cut to fit; the runtime refuses to cut it itself. */
static void read_text(const struct opencl *opencl, cl_platform platform, cl_device device, cl_uint what, char *text,
		      size_t size)
{
	char whole[1024] = "";

	if (device)
		opencl->cl.device_info(device, what, sizeof(whole) - 1, whole, NULL);
	else
		opencl->cl.platform_info(platform, what, sizeof(whole) - 1, whole, NULL);
	snprintf(text, size, "%.*s", (int)size - 1, whole);
}

static int add_devices(struct opencl *opencl, cl_platform platform, struct ws_error *error)
{
	cl_device found[64];
	cl_uint count = 0;
	cl_int code = opencl->cl.devices(platform, CL_DEVICE_TYPE_ALL, 64, found, &count);
	struct opencl_device *devices;

	if (code == CL_DEVICE_NOT_FOUND || count == 0)
		return WS_OK;
	if (code != 0)
		return opencl_fail(error, "clGetDeviceIDs", code);
	count = count > 64 ? 64 : count;
	devices = realloc(opencl->devices, ((size_t)opencl->count + count) * sizeof(*devices));
	if (!devices)
		return ws_fail(error, WS_ENOMEM, "no memory for OpenCL devices");
	opencl->devices = devices;
	for (cl_uint i = 0; i < count; i++) {
		struct opencl_device *device = &devices[opencl->count++];

		*device = (struct opencl_device){.platform = platform, .device = found[i]};
		opencl->cl.device_info(found[i], CL_DEVICE_TYPE, sizeof(device->type), &device->type, NULL);
		opencl->cl.device_info(found[i], CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(device->most_bytes),
				       &device->most_bytes, NULL);
	}
	return WS_OK;
}

static void close_library(struct ws_backend *backend)
{
	struct opencl *opencl = backend->state;

	for (int i = 0; i < opencl->count; i++) {
		struct opencl_device *device = &opencl->devices[i];

		if (device->lost)
			continue;
		if (device->queue)
			opencl->cl.release_queue(device->queue);
		if (device->context)
			opencl->cl.release_context(device->context);
	}
	free(opencl->devices);
	free(opencl);
	backend->state = NULL;
}

static int open_library(struct ws_backend *backend, const struct ws_backend_options *options, struct ws_error *error)
{
	static const char *const sonames[] = {"libOpenCL.so.1", NULL};
	struct opencl *opencl = calloc(1, sizeof(*opencl));
	struct ws_dl_info info;
	cl_platform platforms[16];
	cl_uint count = 0;
	cl_int code;
	int rc;

	if (!opencl)
		return ws_fail(error, WS_ENOMEM, "no memory for the OpenCL back end");
	opencl->timeout_ns = options->timeout_ns;
	rc = ws_dl_open(sonames, "WIRESPEED_OPENCL_LIB", symbols, sizeof(symbols) / sizeof(symbols[0]), &opencl->cl, &info,
			error);
	if (rc != WS_OK) {
		free(opencl);
		return rc;
	}
	backend->state = opencl;
	backend->simulated = info.simulated;
	snprintf(backend->library_path, sizeof(backend->library_path), "%.199s", info.path);
	code = opencl->cl.platforms(16, platforms, &count);
	if (code == CL_PLATFORM_NOT_FOUND_KHR || (code == 0 && count == 0))
		rc = ws_fail(error, WS_EABSENT, "%.200s finds no platform: no OpenCL driver is installed", info.path);
	else if (code != 0)
		rc = opencl_fail(error, "clGetPlatformIDs", code);
	count = count > 16 ? 16 : count;
	if (rc == WS_OK)
		read_text(opencl, platforms[0], NULL, CL_PLATFORM_VERSION, backend->version, sizeof(backend->version));
	for (cl_uint i = 0; i < count && rc == WS_OK; i++)
		rc = add_devices(opencl, platforms[i], error);
	if (rc == WS_OK && opencl->count == 0)
		rc = ws_fail(error, WS_EABSENT, "%.200s finds no device", info.path);
	if (rc != WS_OK)
		close_library(backend);
	return rc;
}

static int list_places(struct ws_backend *backend, struct ws_places *places, struct ws_error *error)
{
	const struct opencl *opencl = backend->state;
	int rc = WS_OK;

	for (int i = 0; i < opencl->count && rc == WS_OK; i++) {
		const struct opencl_device *device = &opencl->devices[i];
		struct ws_place_facts facts = {
			.place = {.rank = WS_RANK_NONE, .family = "ocl", .index = i},
			.engines = "ce",
			.numa_node = -1,
			.on_cpu = (device->type & CL_DEVICE_TYPE_CPU) != 0,
			.simulated = backend->simulated,
		};
		char name[56], platform[36];
		cl_bool available = 1;

		read_text(opencl, device->platform, device->device, CL_DEVICE_NAME, name, sizeof(name));
		read_text(opencl, device->platform, NULL, CL_PLATFORM_NAME, platform, sizeof(platform));
		snprintf(facts.name, sizeof(facts.name), "%s (%s)", name, platform);
		opencl->cl.device_info(device->device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(facts.memory_bytes),
				       &facts.memory_bytes, NULL);
		opencl->cl.device_info(device->device, CL_DEVICE_AVAILABLE, sizeof(available), &available, NULL);
		if (!available)
			strcpy(facts.absent, "the OpenCL runtime says that the device is not available");
		rc = ws_places_add(places, &facts, error);
	}
	return rc;
}

int opencl_find(struct opencl *opencl, const struct ws_place *place, struct opencl_device **out, struct ws_error *error)
{
	if (place->index >= opencl->count)
		return ws_fail(error, WS_EINVAL, "there is no place ocl%d: OpenCL has %d device%s", place->index, opencl->count,
			       opencl->count == 1 ? "" : "s");
	*out = &opencl->devices[place->index];
	return WS_OK;
}

int opencl_device_start(struct opencl *opencl, struct opencl_device *device, struct ws_error *error)
{
	cl_int code = 0;

	if (!device->context)
		device->context = opencl->cl.create_context(NULL, 1, &device->device, NULL, NULL, &code);
	if (!device->context)
		return opencl_fail(error, "clCreateContext", code);
	if (!device->queue)
		device->queue = opencl->cl.create_queue(device->context, device->device, CL_QUEUE_PROFILING_ENABLE, &code);
	return device->queue ? WS_OK : opencl_fail(error, "clCreateCommandQueue", code);
}

static int device_state(struct ws_backend *backend, const struct ws_place *place, struct json_t *into,
			struct ws_error *error)
{
	struct opencl *opencl = backend->state;
	struct opencl_device *device = NULL;
	cl_bool unified = 0;
	char driver[64];
	int rc = opencl_find(opencl, place, &device, error), failed = 0;

	if (rc != WS_OK)
		return rc;
	read_text(opencl, device->platform, device->device, CL_DRIVER_VERSION, driver, sizeof(driver));
	opencl->cl.device_info(device->device, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof(unified), &unified, NULL);
	failed |= json_object_set_new(into, "driver", json_string(driver));
	failed |= json_object_set_new(into, "kind", json_string(device->type & CL_DEVICE_TYPE_CPU
									   ? "processor: host memory through OpenCL"
									   : "device"));
	failed |= json_object_set_new(into, "host_unified_memory", json_boolean(unified));
	return failed ? ws_fail(error, WS_ENOMEM, "no memory for a place's state") : WS_OK;
}

static void free_handle(struct opencl *opencl, struct opencl_buffer *buffer)
{
	cl_event event;

	if (buffer->device->lost)
		return;
	if (buffer->mapped &&
	    opencl->cl.unmap_buffer(buffer->device->queue, buffer->memory, buffer->mapped, 0, NULL, &event) == 0)
		opencl_wait(opencl, event, "clEnqueueUnmapMemObject", NULL);
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
	return opencl_wait(opencl, event, "clEnqueueMapBuffer", error);
}

/* Host memory of the runtime belongs to a device's context: the place is the host's, `near` the engine's device. */
static int allocate(struct opencl *opencl, struct opencl_device *device, bool of_host, uint64_t size_bytes,
		    struct opencl_buffer **out, struct ws_error *error)
{
	struct opencl_buffer *buffer = calloc(1, sizeof(*buffer));
	cl_int code = 0;
	int rc = buffer ? opencl_device_start(opencl, device, error) : ws_fail(error, WS_ENOMEM, "no memory for a buffer");

	if (rc == WS_OK && device->most_bytes && size_bytes > device->most_bytes)
		rc = ws_fail(error, WS_ENOMEM, "%llu bytes are more than the %llu that OpenCL gives in one buffer",
			     (unsigned long long)size_bytes, (unsigned long long)device->most_bytes);
	if (rc == WS_OK) {
		buffer->device = device;
		buffer->memory = opencl->cl.create_buffer(device->context,
							  CL_MEM_READ_WRITE | (of_host ? CL_MEM_ALLOC_HOST_PTR : 0u),
							  size_bytes, NULL, &code);
		if (!buffer->memory)
			rc = opencl_fail(error, "clCreateBuffer", code);
	}
	if (rc == WS_OK && of_host) {
		rc = map_buffer(opencl, buffer, size_bytes, error);
		if (rc != WS_OK)
			opencl->cl.release_buffer(buffer->memory);
	}
	if (rc != WS_OK) {
		free(buffer);
		return rc;
	}
	*out = buffer;
	return WS_OK;
}

static int alloc_buffer(struct ws_backend *backend, const struct ws_place *place, const struct ws_place *near,
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
	*out = (struct ws_buffer){.owner = backend, .place = *place, .size_bytes = size_bytes, .host = buffer->mapped,
				  .handle = buffer};
	return WS_OK;
}

static void free_buffer(struct ws_backend *backend, struct ws_buffer *buffer)
{
	free_handle(backend->state, buffer->handle);
}

/* Moves one piece between the staging area and device memory. */
static int move_piece(struct opencl *opencl, const struct opencl_buffer *buffer, uint64_t offset, uint64_t size,
		      void *staging, bool to_device, struct ws_error *error)
{
	const cl_queue queue = buffer->device->queue;
	cl_event event;
	cl_int code;

	if (to_device)
		code = opencl->cl.write_buffer(queue, buffer->memory, 0, offset, size, staging, 0, NULL, &event);
	else
		code = opencl->cl.read_buffer(queue, buffer->memory, 0, offset, size, staging, 0, NULL, &event);
	if (code != 0)
		return opencl_fail(error, to_device ? "clEnqueueWriteBuffer" : "clEnqueueReadBuffer", code);
	return opencl_wait(opencl, event, to_device ? "clEnqueueWriteBuffer" : "clEnqueueReadBuffer", error);
}

static int fill_buffer(struct ws_backend *backend, struct ws_buffer *buffer, uint64_t size_bytes, uint64_t seed,
		       struct ws_error *error)
{
	const struct opencl_buffer *handle = buffer->handle;
	void *staging = handle->mapped ? NULL : malloc(STAGING_BYTES);
	int rc = WS_OK;

	if (handle->mapped) {
		ws_host_kernels()->fill(handle->mapped, size_bytes, 0, seed);
		return WS_OK;
	}
	if (!staging)
		return ws_fail(error, WS_ENOMEM, "no memory to fill a buffer through");
	for (uint64_t at = 0; at < size_bytes && rc == WS_OK; at += STAGING_BYTES) {
		const uint64_t piece = size_bytes - at < STAGING_BYTES ? size_bytes - at : STAGING_BYTES;

		ws_host_kernels()->fill(staging, piece, at, seed);
		rc = move_piece(backend->state, handle, at, piece, staging, true, error);
	}
	free(staging);
	return rc;
}

static int check_buffer(struct ws_backend *backend, struct ws_buffer *buffer, uint64_t size_bytes, uint64_t seed,
			struct ws_check *check, struct ws_error *error)
{
	const struct opencl_buffer *handle = buffer->handle;
	void *staging = handle->mapped ? NULL : malloc(STAGING_BYTES);
	struct ws_mismatch sum = {0}, part;
	int rc = WS_OK;

	if (handle->mapped)
		ws_pattern_check(handle->mapped, size_bytes, 0, seed, &sum);
	else if (!staging)
		return ws_fail(error, WS_ENOMEM, "no memory to check a buffer through");
	for (uint64_t at = 0; staging && at < size_bytes && rc == WS_OK; at += STAGING_BYTES) {
		const uint64_t piece = size_bytes - at < STAGING_BYTES ? size_bytes - at : STAGING_BYTES;

		/* What a failed read leaves here must not look right. */
		memset(staging, 0, piece);
		rc = move_piece(backend->state, handle, at, piece, staging, false, error);
		if (rc == WS_OK && ws_pattern_check(staging, piece, at, seed, &part))
			ws_mismatch_add(&sum, &part);
	}
	free(staging);
	if (rc == WS_OK)
		ws_check_add(check, sum.wrong_count, sum.first_offset, sum.expected, sum.found, check->item, check->rank);
	return rc;
}

const struct ws_backend_ops ws_opencl_backend = {
	.name = "opencl",
	.family = "ocl",
	.engines = "ce",
	.options = "",
	.library = "libOpenCL.so.1",
	.queue_depth = 512,
	.open = open_library,
	.close = close_library,
	.places = list_places,
	.state = device_state,
	.alloc = alloc_buffer,
	.free = free_buffer,
	.fill = fill_buffer,
	.check = check_buffer,
	.queue = opencl_queue_new,
	.queue_free = opencl_queue_free,
	.prepare = opencl_prepare,
	.gate = opencl_gate,
	.submit = opencl_submit,
	.mark = opencl_mark,
	.flush = opencl_flush,
	.release = opencl_release,
	.poll = opencl_poll,
	.read = opencl_read,
	.cancel = opencl_cancel,
};
