/* Buffers of the OpenCL back end: device memory, and the kinds of host memory that the runtime knows. */
#include <stdlib.h>
#include <string.h>

#include "backend/opencl.h"
#include "backend/opencl_private.h"
#include "base/place.h"
#include "base/record.h"
#include "kernel/host_kernel.h"
#include "kernel/host_pattern.h"

/* Device memory is filled and compared in pieces of this size through the host. */
#define STAGING_BYTES (8u << 20)

/* Kinds of host memory by name. Pageable memory is no buffer: copies take its address. */
static const struct {
	const char *name;
	enum opencl_kind kind;
} host_kinds[] = {
	{"pinned", OPENCL_PINNED},
	{"mapped", OPENCL_MAPPED},
	{"svm", OPENCL_SVM},
};

int opencl_give_to_host(struct opencl *opencl, struct opencl_buffer *buffer, struct ws_error *error)
{
	struct opencl_device *device = buffer->device;
	cl_event event = NULL;
	cl_int code = 0;
	void *mapped;

	if (buffer->mapped || buffer->kind == OPENCL_DEVICE)
		return WS_OK;
	mapped = opencl->cl.map_buffer(buffer->queue, buffer->memory, 0, CL_MAP_READ | CL_MAP_WRITE, 0,
				       buffer->size_bytes, 0, NULL, &event, &code);
	if (!mapped)
		return opencl_fail(error, "clEnqueueMapBuffer", code);
	buffer->mapped = mapped;
	return opencl_wait(opencl, device, buffer->queue, event, "clEnqueueMapBuffer", "getting host memory", error);
}

int opencl_give_to_device(struct opencl *opencl, struct opencl_buffer *buffer, struct ws_error *error)
{
	struct opencl_device *device = buffer->device;
	cl_event event = NULL;
	cl_int code;

	if (!buffer->mapped)
		return WS_OK;
	code = opencl->cl.unmap_buffer(buffer->queue, buffer->memory, buffer->mapped, 0, NULL, &event);
	if (code != 0)
		return opencl_fail(error, "clEnqueueUnmapMemObject", code);
	buffer->mapped = NULL;
	return opencl_wait(opencl, device, buffer->queue, event, "clEnqueueUnmapMemObject", "giving host memory back",
			   error);
}

/* What belongs to a device that is lost goes with the process. */
static void free_handle(struct opencl *opencl, struct opencl_buffer *buffer)
{
	if (buffer->device->lost)
		return;
	opencl_give_to_device(opencl, buffer, NULL);
	if (buffer->device->lost)
		return;
	if (buffer->memory)
		opencl->cl.release_buffer(buffer->memory);
	if (buffer->kind == OPENCL_SVM && buffer->host)
		opencl->cl.svm_free(buffer->context, buffer->host);
	free(buffer);
}

static int alloc_svm(struct opencl *opencl, struct opencl_buffer *buffer, struct ws_error *error)
{
	const struct opencl_device *device = buffer->device;
	cl_bits offered = 0;
	cl_int code = 0;

	if (opencl->cl.svm_alloc && opencl->cl.svm_free)
		code = opencl->cl.device_info(device->device, CL_DEVICE_SVM_CAPABILITIES, sizeof(offered), &offered,
					      NULL);
	/* Before OpenCL 2.0 the question is not known. */
	if (code != 0 && code != CL_INVALID_VALUE)
		return opencl_fail(error, "clGetDeviceInfo", code);
	if (!(offered & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER))
		return ws_fail(error, WS_EUNSUPPORTED, "ocl%d offers no shared virtual memory", device->index);
	buffer->host = opencl->cl.svm_alloc(device->context, CL_MEM_READ_WRITE, buffer->size_bytes, 0);
	return buffer->host ? WS_OK
			    : ws_fail(error, WS_ENOMEM, "clSVMAlloc gives ocl%d no %llu bytes", device->index,
				      (unsigned long long)buffer->size_bytes);
}

/* buffer has its device, kind and size, and of memory that was there before its address. */
static int create(struct opencl *opencl, struct opencl_buffer *buffer, struct ws_error *error)
{
	static const cl_bits flags[] = {
		[OPENCL_DEVICE] = CL_MEM_READ_WRITE,
		[OPENCL_PINNED] = CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
		[OPENCL_MAPPED] = CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
		[OPENCL_SVM] = CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
	};
	struct opencl_device *device = buffer->device;
	cl_int code = 0;
	int rc = opencl_device_start(opencl, device, error);

	if (rc == WS_OK && device->most_bytes && buffer->size_bytes > device->most_bytes)
		rc = ws_fail(error, WS_ENOMEM, "%llu bytes are more than the %llu that OpenCL gives in one buffer",
			     (unsigned long long)buffer->size_bytes, (unsigned long long)device->most_bytes);
	buffer->context = device->context;
	buffer->queue = device->queue;
	if (rc == WS_OK && buffer->kind == OPENCL_SVM)
		rc = alloc_svm(opencl, buffer, error);
	if (rc != WS_OK)
		return rc;
	buffer->memory =
		opencl->cl.create_buffer(device->context, flags[buffer->kind], buffer->size_bytes, buffer->host, &code);
	if (!buffer->memory)
		return opencl_fail(error, "clCreateBuffer", code);
	return opencl_give_to_host(opencl, buffer, error);
}

int opencl_bind(struct opencl *opencl, struct opencl_buffer *buffer, cl_context context, cl_queue queue,
		struct ws_error *error)
{
	cl_int code = 0;

	if (buffer->memory && buffer->context == context)
		return WS_OK;
	if (buffer->memory)
		opencl->cl.release_buffer(buffer->memory);
	buffer->context = context;
	buffer->queue = queue;
	buffer->memory = opencl->cl.create_buffer(context, CL_MEM_READ_WRITE, buffer->size_bytes, NULL, &code);
	return buffer->memory ? WS_OK : opencl_fail(error, "clCreateBuffer", code);
}

static int make(struct opencl *opencl, struct opencl_device *device, enum opencl_kind kind, uint64_t size_bytes,
		void *host, struct opencl_buffer **out, struct ws_error *error)
{
	struct opencl_buffer *buffer = calloc(1, sizeof(*buffer));
	int rc;

	if (!buffer)
		return ws_fail(error, WS_ENOMEM, "no memory for a buffer");
	/* Items that move no bytes come with places all the same. */
	*buffer = (struct opencl_buffer){
		.device = device, .kind = kind, .size_bytes = size_bytes ? size_bytes : 1, .host = host};
	rc = create(opencl, buffer, error);
	if (rc == WS_OK)
		*out = buffer;
	else
		free_handle(opencl, buffer);
	return rc;
}

/* WS_EUNSUPPORTED: memory of the host back end is what is meant, or there is no such kind. */
static int host_kind(const struct ws_place *place, enum opencl_kind *kind, struct ws_error *error)
{
	for (size_t i = 0; i < sizeof(host_kinds) / sizeof(host_kinds[0]); i++) {
		if (strcmp(place->memory, host_kinds[i].name) != 0)
			continue;
		*kind = host_kinds[i].kind;
		if (*kind != OPENCL_MAPPED && place->pages[0])
			return ws_fail(error, WS_EUNSUPPORTED,
				       "OpenCL does not let the page size of %s memory be chosen", place->memory);
		return WS_OK;
	}
	return ws_fail(error, WS_EUNSUPPORTED, "OpenCL offers no host memory of kind %s", place->memory);
}

int opencl_alloc(struct ws_backend *backend, const struct ws_place *place, const struct ws_place *near,
		 uint64_t size_bytes, struct ws_buffer *out, struct ws_error *error)
{
	struct opencl *opencl = backend->state;
	const bool of_host = ws_place_is_host(place);
	enum opencl_kind kind = OPENCL_DEVICE;
	struct opencl_device *device = NULL;
	struct opencl_buffer *buffer = NULL;
	int rc = of_host ? host_kind(place, &kind, error) : WS_OK;

	if (rc == WS_OK && kind == OPENCL_MAPPED)
		rc = ws_fail(error, WS_EUNSUPPORTED, "OpenCL uses the host's own memory in place");
	if (rc == WS_OK && !of_host && ((place->memory[0] && strcmp(place->memory, "plain") != 0) || place->pages[0]))
		rc = ws_fail(error, WS_EUNSUPPORTED,
			     "OpenCL lets neither kind nor page size of a device's memory be chosen");
	if (rc == WS_OK)
		rc = opencl_find(opencl, of_host ? near : place, &device, error);
	if (rc == WS_OK)
		rc = make(opencl, device, kind, size_bytes, NULL, &buffer, error);
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

/* The link to the attachment of a piece of memory to a device. */
static struct opencl_buffer **find_attached(struct opencl *opencl, const struct opencl_device *device, const void *host)
{
	struct opencl_buffer **at = &opencl->attached;

	while (*at && ((*at)->host != host || (*at)->device != device))
		at = &(*at)->next;
	return at;
}

int opencl_attach(struct ws_backend *backend, struct ws_buffer *buffer, const struct ws_place *place,
		  struct ws_error *error)
{
	struct opencl *opencl = backend->state;
	struct opencl_device *device = NULL;
	struct opencl_buffer *attached = NULL;
	enum opencl_kind kind = OPENCL_MAPPED;
	char text[WS_PLACE_TEXT];
	int rc = opencl_find(opencl, place, &device, error);

	if (rc == WS_OK && (!ws_place_is_host(&buffer->place) || !buffer->host))
		rc = ws_fail(error, WS_EUNSUPPORTED, "ocl%d does not reach %s", device->index,
			     ws_place_format(&buffer->place, text, sizeof(text)));
	if (rc != WS_OK || !buffer->place.memory[0] || strcmp(buffer->place.memory, "pageable") == 0)
		return rc;
	rc = host_kind(&buffer->place, &kind, error);
	if (rc == WS_OK && kind != OPENCL_MAPPED)
		rc = ws_fail(error, WS_EUNSUPPORTED, "ocl%d does not reach %s of the host", device->index,
			     ws_place_format(&buffer->place, text, sizeof(text)));
	if (rc == WS_OK)
		rc = make(opencl, device, OPENCL_MAPPED, buffer->size_bytes, buffer->host, &attached, error);
	if (rc != WS_OK)
		return rc;
	attached->next = opencl->attached;
	opencl->attached = attached;
	return WS_OK;
}

void opencl_detach(struct ws_backend *backend, struct ws_buffer *buffer, const struct ws_place *place)
{
	struct opencl *opencl = backend->state;
	struct opencl_buffer **at, *attached;

	if (place->index >= opencl->count)
		return;
	at = find_attached(opencl, &opencl->devices[place->index], buffer->host);
	attached = *at;
	if (!attached)
		return;
	*at = attached->next;
	free_handle(opencl, attached);
}

struct opencl_buffer *opencl_buffer_of(struct opencl *opencl, const struct opencl_device *device,
				       const struct ws_buffer *buffer)
{
	if (!buffer)
		return NULL;
	if (buffer->owner->ops == &ws_opencl_backend)
		return buffer->handle;
	return *find_attached(opencl, device, buffer->host);
}

void *opencl_staging(struct opencl_device *device)
{
	if (!device->staging)
		device->staging = malloc(STAGING_BYTES);
	return device->staging;
}

int opencl_move(struct opencl *opencl, const struct opencl_buffer *buffer, uint64_t offset, uint64_t size,
		bool to_device, struct ws_error *error)
{
	const char *call = to_device ? "clEnqueueWriteBuffer" : "clEnqueueReadBuffer";
	struct opencl_device *device = buffer->device;
	cl_event event;
	cl_int code;

	if (device->lost)
		return ws_fail(error, WS_ELOST, "ocl%d does not answer any more", device->index);
	if (to_device)
		code = opencl->cl.write_buffer(buffer->queue, buffer->memory, 0, offset, size, device->staging, 0, NULL,
					       &event);
	else
		code = opencl->cl.read_buffer(buffer->queue, buffer->memory, 0, offset, size, device->staging, 0, NULL,
					      &event);
	if (code != 0)
		return opencl_fail(error, call, code);
	return opencl_wait(opencl, device, buffer->queue, event, call,
			   to_device ? "filling its memory" : "reading its memory back", error);
}

int opencl_fill(struct ws_backend *backend, struct ws_buffer *buffer, uint64_t size_bytes, uint64_t seed,
		struct ws_error *error)
{
	struct opencl_buffer *handle = buffer->handle;
	int rc = opencl_give_to_host(backend->state, handle, error);

	if (rc != WS_OK)
		return rc;
	if (handle->kind != OPENCL_DEVICE) {
		ws_host_kernels()->fill(handle->mapped, size_bytes, 0, seed);
		return WS_OK;
	}
	if (!opencl_staging(handle->device))
		return ws_fail(error, WS_ENOMEM, "no memory to fill a buffer through");
	for (uint64_t at = 0; at < size_bytes && rc == WS_OK; at += STAGING_BYTES) {
		const uint64_t piece = size_bytes - at < STAGING_BYTES ? size_bytes - at : STAGING_BYTES;

		ws_host_kernels()->fill(handle->device->staging, piece, at, seed);
		rc = opencl_move(backend->state, handle, at, piece, true, error);
	}
	return rc;
}

/* Compares bytes that stand at an offset with what they must be. */
typedef uint64_t compare_with(const void *bytes, size_t size, uint64_t offset, uint64_t number,
			      struct ws_mismatch *out);

static uint64_t value_check(const void *bytes, size_t size, uint64_t offset, uint64_t value, struct ws_mismatch *out)
{
	*out = (struct ws_mismatch){0};
	for (size_t at = 0; at < size; at += 8) {
		const size_t length = size - at < 8 ? size - at : 8;
		uint64_t found = 0, expected = 0;

		memcpy(&found, (const char *)bytes + at, length);
		memcpy(&expected, &value, length);
		if (found == expected)
			continue;
		if (out->wrong_count++ == 0) {
			out->first_offset = offset + at;
			out->expected = expected;
			out->found = found;
		}
	}
	return out->wrong_count;
}

static int check_pieces(struct opencl *opencl, const struct opencl_buffer *buffer, uint64_t size_bytes,
			compare_with *compare, uint64_t number, struct ws_check *check, struct ws_error *error)
{
	const bool of_host = buffer->kind != OPENCL_DEVICE;
	struct ws_mismatch sum = {0}, part;
	int rc = WS_OK;

	if (of_host)
		compare(buffer->mapped, size_bytes, 0, number, &sum);
	else if (!opencl_staging(buffer->device))
		return ws_fail(error, WS_ENOMEM, "no memory to check a buffer through");
	for (uint64_t at = 0; !of_host && at < size_bytes && rc == WS_OK; at += STAGING_BYTES) {
		const uint64_t piece = size_bytes - at < STAGING_BYTES ? size_bytes - at : STAGING_BYTES;

		/* What a failed read leaves here must not look right. */
		memset(buffer->device->staging, 0, piece);
		rc = opencl_move(opencl, buffer, at, piece, false, error);
		if (rc == WS_OK && compare(buffer->device->staging, piece, at, number, &part))
			ws_mismatch_add(&sum, &part);
	}
	if (rc == WS_OK)
		ws_check_add(check, sum.wrong_count, sum.first_offset, sum.expected, sum.found, check->item,
			     check->rank);
	return rc;
}

int opencl_check_pattern(struct opencl *opencl, const struct opencl_buffer *buffer, uint64_t size_bytes, uint64_t seed,
			 struct ws_check *check, struct ws_error *error)
{
	return check_pieces(opencl, buffer, size_bytes, ws_pattern_check, seed, check, error);
}

int opencl_check_value(struct opencl *opencl, const struct opencl_buffer *buffer, uint64_t size_bytes, uint64_t value,
		       struct ws_check *check, struct ws_error *error)
{
	return check_pieces(opencl, buffer, size_bytes, value_check, value, check, error);
}

int opencl_check(struct ws_backend *backend, struct ws_buffer *buffer, uint64_t size_bytes, uint64_t seed,
		 struct ws_check *check, struct ws_error *error)
{
	const int rc = opencl_give_to_host(backend->state, buffer->handle, error);

	return rc == WS_OK ? opencl_check_pattern(backend->state, buffer->handle, size_bytes, seed, check, error) : rc;
}
