/* Memory of the CUDA back end: the GPUs' own, the driver's host memory, and registered memory of the host back end. */
#include "backend/cuda_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/place.h"
#include "base/record.h"
#include "kernel/host_pattern.h"

static struct cuda *cuda_of(struct ws_backend *backend)
{
	return backend->state;
}

/* Says how much there was, which the driver does not. */
static int alloc_failed(struct cuda_gpu *gpu, int result, uint64_t size_bytes, struct ws_error *error)
{
	size_t free_bytes = 0, total_bytes = 0;
	char what[120];

	if (result != CUDA_OUT_OF_MEMORY || gpu->cuda->api.memory_info(&free_bytes, &total_bytes) != CUDA_SUCCESS)
		return cuda_result(gpu, result, "cuMemAlloc", error);
	snprintf(what, sizeof(what), "cuMemAlloc of %llu MiB, with %zu of %zu MiB free",
		 (unsigned long long)(size_bytes >> 20), free_bytes >> 20, total_bytes >> 20);
	return cuda_result(gpu, result, what, error);
}

static int alloc_device(struct cuda *cuda, const struct ws_place *place, uint64_t size_bytes, struct ws_buffer *out,
			struct ws_error *error)
{
	struct cuda_gpu *gpu = NULL;
	uint64_t address = 0;
	int result, rc = cuda_gpu_of(cuda, place, &gpu, error);

	if (rc == WS_OK && place->pages[0])
		rc = ws_fail(error, WS_EUNSUPPORTED, "the page size of a GPU's memory cannot be chosen");
	if (rc == WS_OK && place->memory[0] && strcmp(place->memory, "plain") != 0)
		rc = ws_fail(error, WS_EUNSUPPORTED, "memory kind \"%s\" of a GPU is not available in this build",
			     place->memory);
	if (rc == WS_OK)
		rc = cuda_enter(gpu, error);
	if (rc != WS_OK)
		return rc;
	/* Items that move no bytes come with places all the same. */
	result = cuda->api.memory_alloc(&address, size_bytes ? size_bytes : 1);
	if (result != CUDA_SUCCESS)
		return alloc_failed(gpu, result, size_bytes, error);
	*out = (struct ws_buffer){.place = *place, .size_bytes = size_bytes, .address = address, .handle = gpu};
	return WS_OK;
}

/* Write-combined or mapped memory; where it lies is the driver's choice, as a rule the calling thread's node. */
static int alloc_host(struct cuda *cuda, const struct ws_place *place, const struct ws_place *near, uint64_t size_bytes,
		      struct ws_buffer *out, struct ws_error *error)
{
	struct cuda_gpu *gpu = NULL;
	const bool write_combined = strcmp(place->memory, "wc") == 0;
	void *host = NULL;
	uint64_t address = 0;
	int rc;

	if ((!write_combined && strcmp(place->memory, "mapped") != 0) || !near)
		return ws_fail(error, WS_EUNSUPPORTED, "the CUDA driver gives no host memory of kind \"%s\"",
			       place->memory);
	if (place->pages[0])
		return ws_fail(error, WS_EINVAL, "the page size of the driver's host memory cannot be chosen");
	rc = cuda_gpu_of(cuda, near, &gpu, error);
	if (rc == WS_OK)
		rc = cuda_enter(gpu, error);
	if (rc == WS_OK)
		rc = cuda_result(gpu,
				 cuda->api.host_alloc(&host, size_bytes,
						      CUDA_HOST_PORTABLE | CUDA_HOST_MAPPED |
							      (write_combined ? CUDA_HOST_WRITE_COMBINED : 0)),
				 "cuMemHostAlloc", error);
	if (rc != WS_OK)
		return rc;
	rc = cuda_result(gpu, cuda->api.host_pointer(&address, host, 0), "cuMemHostGetDevicePointer", error);
	if (rc != WS_OK) {
		cuda->api.host_free(host);
		return rc;
	}
	*out = (struct ws_buffer){
		.place = *place, .size_bytes = size_bytes, .host = host, .address = address, .handle = gpu};
	return WS_OK;
}

int cuda_alloc(struct ws_backend *backend, const struct ws_place *place, const struct ws_place *near,
	       uint64_t size_bytes, struct ws_buffer *out, struct ws_error *error)
{
	struct ws_buffer buffer = {0};
	int rc;

	if (ws_place_is_host(place))
		rc = alloc_host(cuda_of(backend), place, near, size_bytes, &buffer, error);
	else
		rc = alloc_device(cuda_of(backend), place, size_bytes, &buffer, error);
	if (rc != WS_OK)
		return rc;
	buffer.owner = backend;
	*out = buffer;
	return WS_OK;
}

void cuda_free(struct ws_backend *backend, struct ws_buffer *buffer)
{
	struct cuda_gpu *gpu = buffer->handle;

	if (!gpu || cuda_enter(gpu, NULL) != WS_OK)
		return;
	if (buffer->host)
		cuda_of(backend)->api.host_free(buffer->host);
	else
		cuda_of(backend)->api.memory_free(buffer->address);
	*buffer = (struct ws_buffer){0};
}

static struct cuda_registration **find_registration(struct cuda *cuda, const void *host)
{
	struct cuda_registration **at = &cuda->registrations;

	while (*at && (*at)->host != host)
		at = &(*at)->next;
	return at;
}

/* Once for all GPUs: the registration is portable. */
static int register_memory(struct cuda_gpu *gpu, struct ws_buffer *buffer, struct ws_error *error)
{
	struct cuda *cuda = gpu->cuda;
	struct cuda_registration *registration = *find_registration(cuda, buffer->host);
	uint64_t address = 0;
	int rc;

	if (registration) {
		registration->uses++;
		return WS_OK;
	}
	registration = calloc(1, sizeof(*registration));
	if (!registration)
		return ws_fail(error, WS_ENOMEM, "no memory to keep a registration");
	rc = cuda_result(
		gpu, cuda->api.host_register(buffer->host, buffer->size_bytes, CUDA_HOST_PORTABLE | CUDA_HOST_MAPPED),
		"cuMemHostRegister", error);
	if (rc != WS_OK) {
		free(registration);
		return rc;
	}
	rc = cuda_result(gpu, cuda->api.host_pointer(&address, buffer->host, 0), "cuMemHostGetDevicePointer", error);
	if (rc != WS_OK) {
		cuda->api.host_unregister(buffer->host);
		free(registration);
		return rc;
	}
	*registration = (struct cuda_registration){.next = cuda->registrations, .host = buffer->host, .uses = 1};
	cuda->registrations = registration;
	buffer->address = address;
	return WS_OK;
}

int cuda_attach(struct ws_backend *backend, struct ws_buffer *buffer, const struct ws_place *place,
		struct ws_error *error)
{
	struct cuda_gpu *gpu = NULL;
	char text[WS_PLACE_TEXT];
	int rc;

	if (!buffer->host)
		return ws_fail(error, WS_EUNSUPPORTED, "%s has no address that the CUDA driver could register",
			       ws_place_format(&buffer->place, text, sizeof(text)));
	rc = cuda_gpu_of(cuda_of(backend), place, &gpu, error);
	if (rc == WS_OK)
		rc = cuda_enter(gpu, error);
	if (rc != WS_OK)
		return rc;
	if (strcmp(buffer->place.memory, "pageable") != 0)
		return register_memory(gpu, buffer, error);
	/* The copy engine takes pageable memory by way of the driver's own buffers. */
	buffer->address = (uint64_t)(uintptr_t)buffer->host;
	return WS_OK;
}

void cuda_detach(struct ws_backend *backend, struct ws_buffer *buffer, const struct ws_place *place)
{
	struct cuda *cuda = cuda_of(backend);
	struct cuda_registration **at = find_registration(cuda, buffer->host), *registration = *at;
	struct cuda_gpu *gpu = NULL;

	if (!registration || --registration->uses > 0)
		return;
	if (cuda_gpu_of(cuda, place, &gpu, NULL) != WS_OK || cuda_enter(gpu, NULL) != WS_OK)
		return;
	cuda->api.host_unregister(buffer->host);
	*at = registration->next;
	free(registration);
	buffer->address = 0;
}

/* A kernel over a buffer with a thread for each element, which takes one more number; waited for. */
static int run_over(struct cuda_gpu *gpu, enum cuda_kernel kernel, uint64_t address, uint64_t size_bytes,
		    uint64_t number, const char *what, struct ws_error *error)
{
	uint64_t count = size_bytes / 16;
	uint32_t tail = size_bytes % 16;
	void *parameters[] = {&address, &count, &tail, &number, &gpu->scratch};
	int rc = cuda_launch(gpu, gpu->stream, kernel, cuda_grid_each(size_bytes), parameters, error);

	return rc == WS_OK ? cuda_wait(gpu, gpu->stream, cuda_after_ns(gpu->cuda->timeout_ns), what, error) : rc;
}

int cuda_fill(struct ws_backend *backend, struct ws_buffer *buffer, uint64_t size_bytes, uint64_t seed,
	      struct ws_error *error)
{
	struct cuda_gpu *gpu = buffer->handle;
	int rc = cuda_enter(gpu, error);

	(void)backend;
	return rc == WS_OK ? run_over(gpu, CUDA_KERNEL_FILL, buffer->address, size_bytes, seed, "filling memory", error)
			   : rc;
}

/* found: how many are wrong, and the complement of the first one's offset. */
static int count_wrong(struct cuda_gpu *gpu, enum cuda_kernel kernel, uint64_t address, uint64_t size_bytes,
		       uint64_t number, uint64_t found[2], struct ws_error *error)
{
	const int64_t deadline_ns = cuda_after_ns(gpu->cuda->timeout_ns);
	int rc = cuda_enter(gpu, error);

	if (rc == WS_OK)
		rc = cuda_result(gpu, gpu->cuda->api.set_bytes(gpu->scratch, 0, 2 * sizeof(*found), gpu->stream),
				 "cuMemsetD8Async", error);
	if (rc == WS_OK)
		rc = run_over(gpu, kernel, address, size_bytes, number, "checking memory", error);
	if (rc == WS_OK)
		rc = cuda_read_back(gpu, gpu->stream, gpu->scratch, found, 2 * sizeof(*found), deadline_ns, error);
	return rc;
}

/* The bytes of the word at offset, as far as the buffer goes. */
static int word_at(struct cuda_gpu *gpu, uint64_t address, uint64_t size_bytes, uint64_t offset, uint32_t *word,
		   uint32_t *mask, struct ws_error *error)
{
	const uint64_t left = size_bytes - offset;
	const size_t bytes = left < 4 ? (size_t)left : 4;

	*word = 0;
	*mask = bytes == 4 ? UINT32_MAX : (UINT32_C(1) << (8 * bytes)) - 1;
	return cuda_read_back(gpu, gpu->stream, address + offset, word, bytes, cuda_after_ns(gpu->cuda->timeout_ns),
			      error);
}

static int add_finding(struct cuda_gpu *gpu, uint64_t address, uint64_t size_bytes, const uint64_t found[2],
		       uint32_t expected, struct ws_check *check, struct ws_error *error)
{
	uint32_t word, mask;
	int rc = word_at(gpu, address, size_bytes, ~found[1], &word, &mask, error);

	if (rc == WS_OK)
		ws_check_add(check, found[0], ~found[1], expected & mask, word & mask, check->item, check->rank);
	return rc;
}

int cuda_check(struct ws_backend *backend, struct ws_buffer *buffer, uint64_t size_bytes, uint64_t seed,
	       struct ws_check *check, struct ws_error *error)
{
	struct cuda_gpu *gpu = buffer->handle;
	uint64_t found[2] = {0};
	int rc = count_wrong(gpu, CUDA_KERNEL_CHECK, buffer->address, size_bytes, seed, found, error);

	(void)backend;
	if (rc != WS_OK || found[0] == 0)
		return rc;
	return add_finding(gpu, buffer->address, size_bytes, found, ws_pattern_word(seed, ~found[1] / 4), check, error);
}

int cuda_check_value(struct cuda_gpu *gpu, uint64_t address, uint64_t size_bytes, uint64_t value,
		     struct ws_check *check, struct ws_error *error)
{
	uint64_t found[2] = {0};
	int rc = count_wrong(gpu, CUDA_KERNEL_CHECK_VALUE, address, size_bytes, value, found, error);

	if (rc != WS_OK || found[0] == 0)
		return rc;
	return add_finding(gpu, address, size_bytes, found, (uint32_t)(value >> (~found[1] % 8 ? 32 : 0)), check,
			   error);
}
