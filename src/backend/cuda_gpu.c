/* GPUs of the CUDA back end: finding them, their contexts, and access to each other's memory. */
#include "backend/cuda_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pci_address.h"
#include "base/place.h"
#include "base/uuid.h"

static int attribute(const struct cuda_gpu *gpu, enum cuda_attribute which, int otherwise)
{
	int value = otherwise;

	return gpu->cuda->api.device_attribute(&value, (int)which, gpu->device) == CUDA_SUCCESS ? value : otherwise;
}

static void read_uuid(struct cuda_gpu *gpu)
{
	const struct cuda_library *api = &gpu->cuda->api;
	struct cuda_uuid uuid;
	const bool mig = api->device_uuid_mig && api->device_uuid_mig(&uuid, gpu->device) == CUDA_SUCCESS;

	if (mig || api->device_uuid(&uuid, gpu->device) == CUDA_SUCCESS)
		ws_uuid_format("GPU-", uuid.bytes, gpu->uuid, sizeof(gpu->uuid));
}

/* The node that memory for this GPU should be on: the driver's word, else the topology's. */
static int near_node(const struct cuda_gpu *gpu)
{
	const int node = attribute(gpu, CUDA_ATTRIBUTE_HOST_NUMA_NODE, -1);
	unsigned nearest = 0;

	if (node >= 0 && gpu->cuda->topology && ws_topology_find_node(gpu->cuda->topology, (unsigned)node))
		return node;
	if (gpu->cuda->topology && ws_topology_pci_node(gpu->cuda->topology, gpu->pci, &nearest, NULL) == WS_OK)
		return (int)nearest;
	return -1;
}

static void read_pci(struct cuda_gpu *gpu)
{
	struct ws_pci_address address;
	char text[WS_PCI_ADDRESS_TEXT] = "";

	if (gpu->cuda->api.device_pci(text, sizeof(text), gpu->device) != CUDA_SUCCESS ||
	    ws_pci_address_parse(text, &address, NULL) != WS_OK)
		return;
	ws_pci_address_format(&address, text);
	snprintf(gpu->pci, sizeof(gpu->pci), "%.15s", text);
}

/* What can be known without a context. A GPU that answers nothing is listed with the reason. */
static void describe(struct cuda_gpu *gpu, int ordinal)
{
	const struct cuda_library *api = &gpu->cuda->api;
	struct ws_error error = {0};
	size_t bytes = 0;

	gpu->numa_node = -1;
	if (cuda_library_result(gpu->cuda, api->device_get(&gpu->device, ordinal), "cuDeviceGet", &error) != WS_OK) {
		snprintf(gpu->absent, sizeof(gpu->absent), "%.150s", error.text);
		return;
	}
	read_pci(gpu);
	read_uuid(gpu);
	if (api->device_name(gpu->name, sizeof(gpu->name), gpu->device) != CUDA_SUCCESS)
		gpu->name[0] = '\0';
	if (cuda_library_result(gpu->cuda, api->device_memory(&bytes, gpu->device), "cuDeviceTotalMem", &error) !=
		    WS_OK ||
	    cuda_library_result(gpu->cuda,
				api->device_attribute(&gpu->major, CUDA_ATTRIBUTE_MAJOR, gpu->device),
				"cuDeviceGetAttribute", &error) != WS_OK)
		snprintf(gpu->absent, sizeof(gpu->absent), "%.150s", error.text);
	gpu->memory_bytes = bytes;
	gpu->l2_bytes = (uint64_t)attribute(gpu, CUDA_ATTRIBUTE_L2_BYTES, 0);
	gpu->processors = attribute(gpu, CUDA_ATTRIBUTE_MULTIPROCESSORS, 1);
	gpu->minor = attribute(gpu, CUDA_ATTRIBUTE_MINOR, 0);
	gpu->pageable_access = attribute(gpu, CUDA_ATTRIBUTE_PAGEABLE_ACCESS, 0) != 0;
	/* Address translation by the host's tables comes with NVLink to the host, as on Grace and POWER9. */
	gpu->host_page_tables = attribute(gpu, CUDA_ATTRIBUTE_HOST_PAGE_TABLES, 0) != 0;
	gpu->numa_node = near_node(gpu);
	if (attribute(gpu, CUDA_ATTRIBUTE_COMPUTE_MODE, CUDA_COMPUTE_DEFAULT) == CUDA_COMPUTE_PROHIBITED)
		snprintf(gpu->absent, sizeof(gpu->absent), "its compute mode is \"prohibited\": nobody may use it");
}

/* PCI order; parts of one GPU, and GPUs without an address, in the driver's order. */
static int compare_gpus(const void *a, const void *b)
{
	const struct cuda_gpu *left = a, *right = b;
	struct ws_pci_address at = {0}, other = {0};
	int order = 0;

	if (ws_pci_address_parse(left->pci, &at, NULL) == WS_OK &&
	    ws_pci_address_parse(right->pci, &other, NULL) == WS_OK)
		order = ws_pci_address_compare(&at, &other);
	return order ? order : left->index - right->index;
}

int cuda_find_gpus(struct cuda *cuda, struct ws_error *error)
{
	int count = 0, rc = cuda_library_result(cuda, cuda->api.device_count(&count), "cuDeviceGetCount", error);

	if (rc != WS_OK)
		return rc;
	if (count < 1)
		return ws_fail(error, WS_EABSENT, "the CUDA driver shows no GPU to this process");
	if (count > CUDA_GPUS_MAX)
		count = CUDA_GPUS_MAX;
	cuda->gpus = calloc((size_t)count, sizeof(*cuda->gpus));
	if (!cuda->gpus)
		return ws_fail(error, WS_ENOMEM, "no memory for %d GPUs", count);
	cuda->gpu_count = count;
	for (int i = 0; i < count; i++) {
		cuda->gpus[i].cuda = cuda;
		cuda->gpus[i].index = cuda->gpus[i].ordinal = i;
		describe(&cuda->gpus[i], i);
	}
	qsort(cuda->gpus, (size_t)count, sizeof(*cuda->gpus), compare_gpus);
	for (int i = 0; i < count; i++)
		cuda->gpus[i].index = i;
	return WS_OK;
}

int cuda_gpu_of(struct cuda *cuda, const struct ws_place *place, struct cuda_gpu **out, struct ws_error *error)
{
	if (strcmp(place->family, "cuda") != 0)
		return ws_fail(error, WS_EINVAL, "%s%d is no GPU of CUDA", place->family, place->index);
	if (place->index >= cuda->gpu_count)
		return ws_fail(error, WS_EABSENT, "there is no cuda%d: the CUDA driver shows %d GPU%s", place->index,
			       cuda->gpu_count, cuda->gpu_count == 1 ? "" : "s");
	if (cuda->gpus[place->index].absent[0])
		return ws_fail(error, WS_EABSENT, "cuda%d: %s", place->index, cuda->gpus[place->index].absent);
	*out = &cuda->gpus[place->index];
	return WS_OK;
}

/* One word for the queues of all GPUs. */
static int make_gate(struct cuda_gpu *gpu, struct ws_error *error)
{
	struct cuda *cuda = gpu->cuda;
	void *word = NULL;
	int rc = cuda_result(gpu, cuda->api.host_alloc(&word, sizeof(uint32_t), CUDA_HOST_PORTABLE | CUDA_HOST_MAPPED),
			     "cuMemHostAlloc of the gate", error);

	if (rc != WS_OK)
		return rc;
	rc = cuda_result(gpu, cuda->api.host_pointer(&cuda->gate_address, word, 0), "cuMemHostGetDevicePointer", error);
	if (rc != WS_OK) {
		cuda->api.host_free(word);
		return rc;
	}
	cuda->gate = word;
	cuda->gate_gpu = gpu;
	atomic_store_explicit(cuda->gate, cuda->epoch - 1, memory_order_relaxed);
	return WS_OK;
}

/* Whether a stream can wait for a word is not always said right: it is tried, on a gate that is open. */
static int try_gate(struct cuda_gpu *gpu, struct ws_error *error)
{
	struct cuda *cuda = gpu->cuda;
	int result = CUDA_NOT_SUPPORTED, rc = cuda->gate ? WS_OK : make_gate(gpu, error);

	if (rc != WS_OK || cuda->gate_by_kernel)
		return rc;
	if (cuda->api.stream_wait_value)
		result = cuda->api.stream_wait_value(gpu->stream, cuda->gate_address,
						     atomic_load_explicit(cuda->gate, memory_order_relaxed),
						     CUDA_WAIT_GREATER_OR_EQUAL);
	cuda->gate_by_kernel = result != CUDA_SUCCESS;
	return cuda_wait(gpu, gpu->stream, cuda_after_ns(cuda->timeout_ns), "passing an open gate", error);
}

/* What is the GPU's alone. Several threads may do this at the same time, each for a GPU of its own. */
static int make_context(struct cuda_gpu *gpu, struct ws_error *error)
{
	const struct cuda_library *api = &gpu->cuda->api;
	int rc = cuda_result(gpu, api->context_retain(&gpu->context, gpu->device), "cuDevicePrimaryCtxRetain", error);

	if (rc != WS_OK) {
		gpu->context = NULL;
		return rc;
	}
	rc = cuda_result(gpu, api->context_set(gpu->context), "cuCtxSetCurrent", error);
	if (rc == WS_OK)
		rc = cuda_result(gpu, api->stream_create(&gpu->stream, CUDA_STREAM_NON_BLOCKING), "cuStreamCreate",
				 error);
	if (rc == WS_OK)
		rc = cuda_result(gpu, api->event_create(&gpu->base, CUDA_EVENT_DEFAULT), "cuEventCreate", error);
	if (rc == WS_OK)
		rc = cuda_result(gpu, api->memory_alloc(&gpu->scratch, CUDA_SCRATCH_BYTES), "cuMemAlloc", error);
	gpu->made = rc == WS_OK;
	return rc;
}

static int enter_made(struct cuda_gpu *gpu, struct ws_error *error)
{
	return cuda_result(gpu, gpu->cuda->api.context_set(gpu->context), "cuCtxSetCurrent", error);
}

/* Tried once: a GPU that is broken, or in exclusive use by others, costs time whenever it is asked. */
static void give_up(struct cuda_gpu *gpu, int rc, const struct ws_error *why)
{
	atomic_store(&gpu->failing, true);
	snprintf(gpu->failed_text, sizeof(gpu->failed_text), "%s", why->text);
	atomic_store(&gpu->failed, rc);
}

void cuda_gpu_make(struct cuda_gpu *gpu)
{
	struct cuda_function *fill = NULL;
	struct ws_error why = {0};
	const int rc = make_context(gpu, &why);

	/* Every plan on it fills memory. A kernel that cannot be loaded now says so when it is wanted. */
	if (rc == WS_OK)
		cuda_kernel_get(gpu, CUDA_KERNEL_FILL, &fill, NULL);
	else
		give_up(gpu, rc, &why);
}

int cuda_enter(struct cuda_gpu *gpu, struct ws_error *error)
{
	struct ws_error first = {0};
	int rc;

	if (gpu->failed != WS_OK)
		return ws_fail(error, gpu->lost ? WS_ELOST : gpu->failed, "%s", gpu->failed_text);
	if (gpu->lost)
		return ws_fail(error, WS_ELOST, "cuda%d does not answer any more", gpu->index);
	if (gpu->open)
		return enter_made(gpu, error);
	rc = gpu->made ? enter_made(gpu, &first) : make_context(gpu, &first);
	if (rc == WS_OK)
		rc = try_gate(gpu, &first);
	gpu->open = rc == WS_OK;
	if (rc == WS_OK)
		return WS_OK;
	give_up(gpu, rc, &first);
	return ws_fail(error, rc, "%s", first.text);
}

void cuda_gpu_close(struct cuda_gpu *gpu)
{
	const struct cuda_library *api = &gpu->cuda->api;

	if (!gpu->context || gpu->lost)
		return;
	if (api->context_set(gpu->context) == CUDA_SUCCESS) {
		for (int i = 0; i < CUDA_MODULE_COUNT; i++)
			if (gpu->modules[i])
				api->module_unload(gpu->modules[i]);
		if (gpu->scratch)
			api->memory_free(gpu->scratch);
		if (gpu->base)
			api->event_destroy(gpu->base);
		if (gpu->stream)
			api->stream_destroy(gpu->stream);
		api->context_set(NULL);
	}
	api->context_release(gpu->device);
	gpu->context = NULL;
}

static int peer_set(struct cuda_gpu *gpu, struct cuda_gpu *memory, bool on, struct ws_error *error)
{
	const struct cuda_library *api = &gpu->cuda->api;
	const uint64_t bit = UINT64_C(1) << memory->index;
	int can = 0, rc, result;

	/* Another library of this process may have turned it on, but none turns off what was turned on here. */
	if (gpu == memory || (on && (gpu->peers & bit)))
		return WS_OK;
	rc = cuda_enter(memory, error);
	if (rc == WS_OK)
		rc = cuda_enter(gpu, error);
	if (rc == WS_OK)
		rc = cuda_result(gpu, api->can_access_peer(&can, gpu->device, memory->device), "cuDeviceCanAccessPeer",
				 error);
	if (rc != WS_OK)
		return rc;
	if (!can && !on)
		return WS_OK;
	if (!can)
		return ws_fail(error, WS_EUNSUPPORTED, "no peer access cuda%d -> cuda%d", gpu->index, memory->index);
	result = on ? api->peer_enable(memory->context, 0) : api->peer_disable(memory->context);
	if (result == CUDA_PEER_ACCESS_ALREADY_ENABLED || result == CUDA_PEER_ACCESS_NOT_ENABLED)
		result = CUDA_SUCCESS;
	rc = cuda_result(gpu, result, on ? "cuCtxEnablePeerAccess" : "cuCtxDisablePeerAccess", error);
	if (rc == WS_OK)
		gpu->peers = on ? gpu->peers | bit : gpu->peers & ~bit;
	return rc;
}

int cuda_peer_set(struct cuda_gpu *gpu, struct cuda_gpu *memory, bool on, struct ws_error *error)
{
	int rc;

	pthread_mutex_lock(&gpu->cuda->peer_lock);
	rc = peer_set(gpu, memory, on, error);
	pthread_mutex_unlock(&gpu->cuda->peer_lock);
	return rc;
}
