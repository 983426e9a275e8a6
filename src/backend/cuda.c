/* The CUDA back end: opening the driver, and the table of what it offers. */
#include "backend/cuda.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "backend/cuda_private.h"
#include "base/place.h"

static const char *const sonames[] = {"libcuda.so.1", NULL};

static const struct ws_dl_symbol symbols[] = {
#define WS_DL_TABLE struct cuda_library
#define WS_DL WS_DL_ROW
#include "backend/cuda.def"
#undef WS_DL_TABLE
};

/* What often is behind a driver that does not start, where that can be seen. */
static const char *hint(int result)
{
	const char *visible = getenv("CUDA_VISIBLE_DEVICES");

	if (result == CUDA_SYSTEM_DRIVER_MISMATCH)
		return "; libcuda and the kernel's driver are of different versions";
	if (result == CUDA_STUB_LIBRARY)
		return "; this libcuda is the toolkit's stub, not a driver";
	if (result == CUDA_NO_DEVICE && visible)
		return "; CUDA_VISIBLE_DEVICES is set";
	if (access("/dev/nvidiactl", F_OK) != 0)
		return "; there is no /dev/nvidiactl";
	if (access("/dev/nvidiactl", R_OK | W_OK) != 0)
		return "; no permission for /dev/nvidiactl";
	return "";
}

static int start_driver(struct cuda *cuda, struct ws_backend *backend, struct ws_error *error)
{
	int version = 0, result = cuda->api.init(0), rc;
	struct ws_error first = {0};

	rc = cuda_library_result(cuda, result, "cuInit", &first);
	if (rc != WS_OK)
		return ws_fail(error, rc, "%s%s", first.text, cuda->simulated ? "" : hint(result));
	rc = cuda_library_result(cuda, cuda->api.driver_version(&version), "cuDriverGetVersion", error);
	if (rc != WS_OK)
		return rc;
	if (version < 11000)
		return ws_fail(error, WS_EUNSUPPORTED, "the driver speaks CUDA %d.%d; 11.0 is the least that will do",
			       version / 1000, version % 1000 / 10);
	snprintf(backend->version, sizeof(backend->version), "CUDA %d.%d", version / 1000, version % 1000 / 10);
	return WS_OK;
}

static void match_nvml(struct cuda *cuda, struct ws_backend *backend)
{
	struct ws_error error = {0};
	const char *driver;
	size_t length = strlen(backend->version);

	if (ws_nvml_open(&cuda->nvml, &error) != WS_OK) {
		snprintf(cuda->nvml_absent, sizeof(cuda->nvml_absent), "%.199s", error.text);
		return;
	}
	driver = ws_nvml_driver_version(cuda->nvml);
	if (driver[0])
		snprintf(backend->version + length, sizeof(backend->version) - length, ", driver %s", driver);
	cuda->confidential = ws_nvml_is_confidential(cuda->nvml);
	for (int i = 0; i < cuda->gpu_count; i++) {
		struct cuda_gpu *gpu = &cuda->gpus[i];

		gpu->nvml = ws_nvml_device(cuda->nvml, gpu->pci);
		/* CUDA's UUID is the instance's then, but does not say so. */
		if (gpu->nvml && ws_nvml_is_mig(cuda->nvml, gpu->nvml) && strncmp(gpu->uuid, "GPU", 3) == 0)
			memcpy(gpu->uuid, "MIG", 3);
	}
}

static void cuda_close(struct ws_backend *backend)
{
	struct cuda *cuda = backend->state;

	if (!cuda)
		return;
	/* A GPU that hangs may still look at the gate, and the driver may hang with it: all of it stays. */
	for (int i = 0; i < cuda->gpu_count; i++) {
		backend->lost = backend->lost || cuda->gpus[i].lost;
		if (backend->lost)
			return;
	}
	for (struct cuda_registration *next, *at = cuda->registrations; at; at = next) {
		next = at->next;
		free(at);
	}
	if (cuda->gate && cuda->api.context_set(cuda->gate_gpu->context) == CUDA_SUCCESS)
		cuda->api.host_free((void *)cuda->gate);
	for (int i = 0; i < cuda->gpu_count; i++)
		cuda_gpu_close(&cuda->gpus[i]);
	ws_nvml_close(cuda->nvml);
	free(cuda->gpus);
	pthread_mutex_destroy(&cuda->peer_lock);
	free(cuda);
	backend->state = NULL;
}

static int cuda_open(struct ws_backend *backend, const struct ws_backend_options *options, struct ws_error *error)
{
	struct cuda *cuda = calloc(1, sizeof(*cuda));
	struct ws_dl_info info;
	int rc;

	if (!cuda)
		return ws_fail(error, WS_ENOMEM, "no memory for the CUDA back end");
	cuda->topology = options->topology;
	cuda->timeout_ns = options->timeout_ns;
	cuda->epoch = 1;
	pthread_mutex_init(&cuda->peer_lock, NULL);
	rc = ws_dl_open(sonames, "WIRESPEED_CUDA_LIB", symbols, sizeof(symbols) / sizeof(symbols[0]), &cuda->api, &info,
			error);
	if (rc == WS_OK) {
		backend->simulated = cuda->simulated = info.simulated;
		snprintf(backend->library_path, sizeof(backend->library_path), "%.199s", info.path);
		rc = start_driver(cuda, backend, error);
	}
	if (rc == WS_OK)
		rc = cuda_find_gpus(cuda, error);
	backend->state = cuda;
	if (rc != WS_OK) {
		cuda_close(backend);
		return rc;
	}
	match_nvml(cuda, backend);
	return WS_OK;
}

/* Whose memory its engines reach, and to whom it has NVLink; of the GPUs with numbers below 64. */
static void find_peers(const struct cuda *cuda, const struct cuda_gpu *gpu, struct ws_place_facts *facts)
{
	for (int i = 0; i < cuda->gpu_count; i++) {
		const struct cuda_gpu *other = &cuda->gpus[i];
		int can = 0;

		if (other == gpu || other->absent[0] || gpu->absent[0] ||
		    cuda->api.can_access_peer(&can, gpu->device, other->device) != CUDA_SUCCESS || !can)
			continue;
		facts->peers |= UINT64_C(1) << i;
		if (gpu->nvml && other->nvml && ws_nvml_is_linked(cuda->nvml, gpu->nvml, other->nvml))
			facts->linked_peers |= UINT64_C(1) << i;
	}
}

static int cuda_places(struct ws_backend *backend, struct ws_places *places, struct ws_error *error)
{
	const struct cuda *cuda = backend->state;
	int rc = WS_OK;

	for (int i = 0; i < cuda->gpu_count && rc == WS_OK; i++) {
		const struct cuda_gpu *gpu = &cuda->gpus[i];
		struct ws_place_facts facts = {
			.place = {.rank = WS_RANK_NONE, .family = "cuda", .index = i},
			.memory_bytes = gpu->memory_bytes,
			.cache_bytes = gpu->l2_bytes,
			.numa_node = gpu->numa_node,
			.ordinal = gpu->ordinal,
			.linked_host = gpu->host_page_tables,
			.simulated = cuda->simulated,
		};

		snprintf(facts.name, sizeof(facts.name), "%s", gpu->name);
		snprintf(facts.pci, sizeof(facts.pci), "%s", gpu->pci);
		snprintf(facts.uuid, sizeof(facts.uuid), "%s", gpu->uuid);
		snprintf(facts.engines, sizeof(facts.engines), "ce%s%s", gpu->major >= 6 ? " sm" : "",
			 gpu->major >= 9 ? " tma" : "");
		snprintf(facts.absent, sizeof(facts.absent), "%.159s",
			 gpu->failed != WS_OK ? gpu->failed_text : gpu->absent);
		find_peers(cuda, gpu, &facts);
		rc = ws_places_add(places, &facts, error);
	}
	return rc;
}

static int cuda_state(struct ws_backend *backend, const struct ws_place *place, struct json_t *into,
		      struct ws_error *error)
{
	const struct cuda *cuda = backend->state;
	struct cuda_gpu *gpu = NULL;
	int failed = 0, rc;

	/* Host memory that came from the driver: its node is the host back end's. */
	if (strcmp(place->family, "cuda") != 0)
		return WS_OK;
	rc = cuda_gpu_of(backend->state, place, &gpu, error);
	if (rc != WS_OK)
		return rc;
	failed |= json_object_set_new(into, "compute_capability", json_sprintf("%d.%d", gpu->major, gpu->minor));
	failed |= json_object_set_new(into, "multiprocessors", json_integer(gpu->processors));
	if (gpu->l2_bytes)
		failed |= json_object_set_new(into, "cache_bytes", json_integer((json_int_t)gpu->l2_bytes));
	if (gpu->host_page_tables)
		failed |= json_object_set_new(into, "host_page_tables", json_true());
	failed |= json_object_set_new(into, "gate", json_string(cuda->gate_by_kernel ? "kernel" : "stream wait"));
	if (failed)
		return ws_fail(error, WS_ENOMEM, "no memory for a place's state");
	if (gpu->nvml)
		return ws_nvml_state(cuda->nvml, gpu->nvml, into, error);
	if (json_object_set_new(into, "nvml", json_string(cuda->nvml ? "does not know this GPU" : cuda->nvml_absent)) !=
	    0)
		return ws_fail(error, WS_ENOMEM, "no memory for a place's state");
	return WS_OK;
}

static int cuda_counters(struct ws_backend *backend, const struct ws_place *place, struct ws_counter *counters, int max,
			 int *count, struct ws_error *error)
{
	const struct cuda *cuda = backend->state;
	struct cuda_gpu *gpu = NULL;
	int rc = cuda_gpu_of(backend->state, place, &gpu, error);

	*count = 0;
	if (rc != WS_OK || !gpu->nvml)
		return rc;
	return ws_nvml_counters(cuda->nvml, gpu->nvml, gpu->index, counters, max, count, error);
}

static int cuda_peer(struct ws_backend *backend, const struct ws_place *a, const struct ws_place *b, bool on,
		     struct ws_error *error)
{
	struct cuda_gpu *gpu = NULL, *memory = NULL;
	int rc = cuda_gpu_of(backend->state, a, &gpu, error);

	if (rc == WS_OK)
		rc = cuda_gpu_of(backend->state, b, &memory, error);
	return rc == WS_OK ? cuda_peer_set(gpu, memory, on, error) : rc;
}

static void *cuda_native(struct ws_backend *backend, const struct ws_place *place)
{
	struct cuda_gpu *gpu = NULL;

	if (cuda_gpu_of(backend->state, place, &gpu, NULL) != WS_OK || cuda_enter(gpu, NULL) != WS_OK)
		return NULL;
	return gpu->context;
}

const struct ws_backend_ops ws_cuda_backend = {
	.name = "cuda",
	.family = "cuda",
	.engines = "ce sm tma",
	.options = "peer order fused priority",
	.library = "libcuda.so.1",
	.queue_depth = WS_CUDA_LOOPS_MAX,
	.open = cuda_open,
	.close = cuda_close,
	.places = cuda_places,
	.ready = cuda_ready,
	.state = cuda_state,
	.counters = cuda_counters,
	.alloc = cuda_alloc,
	.free = cuda_free,
	.attach = cuda_attach,
	.detach = cuda_detach,
	.fill = cuda_fill,
	.check = cuda_check,
	.queue = cuda_queue,
	.queue_free = cuda_queue_free,
	.prepare = cuda_prepare,
	.refilled = cuda_refilled,
	.gate = cuda_gate,
	.submit = cuda_submit,
	.mark = cuda_mark,
	.join = cuda_join,
	.flush = cuda_flush,
	.release = cuda_release,
	.stop = cuda_stop,
	.poll = cuda_poll,
	.read = cuda_read,
	.verify = cuda_verify,
	.cancel = cuda_cancel,
	.peer = cuda_peer,
	.native = cuda_native,
};
