/* A fake libcuda: devices, contexts, memory, and the calls' own behaviour. */
#include "fake/cuda_fake.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WS_DL WS_DL_PROTOTYPE
#include "backend/cuda.def"

__attribute__((visibility("default"))) const int wirespeed_simulated = 1;
/* Streams, events, modules, contexts and regions that nobody has given back; for the tests. */
__attribute__((visibility("default"))) int fake_cuda_outstanding(void);
/* Calls since cuInit. */
__attribute__((visibility("default"))) uint64_t fake_cuda_calls(void);

struct fake_cuda fake_state;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
_Thread_local struct cuda_context *fake_current;

int fake_enter(bool needs_context)
{
	pthread_mutex_lock(&lock);
	if (++fake_state.calls == fake_state.fail_at)
		return fake_leave(fake_state.fail_code);
	return needs_context && (!fake_current || !fake_current->alive) ? fake_leave(201) : CUDA_SUCCESS;
}

int fake_leave(int result)
{
	pthread_mutex_unlock(&lock);
	return result;
}

static long number(const char *name, long otherwise)
{
	const char *text = getenv(name);

	return text && *text ? strtol(text, NULL, 0) : otherwise;
}

static void uuid_of(int device, char text[48])
{
	snprintf(text, 48, "GPU-00000000-0000-0000-0000-0000000000%02x", device + 1);
}

/* Stops at the first entry that is no GPU, as the driver does. */
static void read_visible(void)
{
	const char *text = getenv("CUDA_VISIBLE_DEVICES");
	char copy[256], *word, *rest = copy;

	fake_state.visible_count = 0;
	if (!text) {
		for (int i = 0; i < fake_state.gpu_count; i++)
			fake_state.visible[fake_state.visible_count++] =
				fake_state.reverse ? fake_state.gpu_count - 1 - i : i;
		return;
	}
	snprintf(copy, sizeof(copy), "%s", text);
	while ((word = strtok_r(rest, ",", &rest)) && fake_state.visible_count < FAKE_GPUS_MAX) {
		int found = -1;

		for (int i = 0; i < fake_state.gpu_count; i++) {
			char uuid[48], index[16];

			uuid_of(i, uuid);
			snprintf(index, sizeof(index), "%d", i);
			if (strcmp(word, index) == 0 || strcmp(word, uuid) == 0)
				found = i;
		}
		if (found < 0)
			return;
		fake_state.visible[fake_state.visible_count++] = found;
	}
}

int fake_init(unsigned flags)
{
	const char *fail = getenv("FAKE_CUDA_FAIL"), *order = getenv("FAKE_CUDA_ORDER");
	int result;

	(void)flags;
	pthread_mutex_lock(&lock);
	while (fake_state.streams)
		fake_drop_stream(fake_state.streams);
	while (fake_state.events)
		fake_drop_event(fake_state.events);
	while (fake_state.regions)
		fake_drop_region(fake_state.regions);
	fake_state = (struct fake_cuda){
		.gpu_count = (int)number("FAKE_CUDA_GPUS", 2),
		.peer = number("FAKE_CUDA_PEER", 1) != 0,
		.wait_value = number("FAKE_CUDA_WAIT", 1) != 0,
		.mode = (int)number("FAKE_CUDA_MODE", 0),
		.module_result = (int)number("FAKE_CUDA_PTX", 0),
		.hang_at = (uint64_t)number("FAKE_CUDA_HANG", 0),
		.corrupt_at = (uint64_t)number("FAKE_CUDA_CORRUPT", 0),
		.reverse = order && strcmp(order, "reverse") == 0,
	};
	if (fake_state.gpu_count > FAKE_GPUS_MAX)
		fake_state.gpu_count = FAKE_GPUS_MAX;
	if (fail)
		sscanf(fail, "%lu:%d", &fake_state.fail_at, &fake_state.fail_code);
	read_visible();
	result = (int)number("FAKE_CUDA_INIT", fake_state.visible_count == 0 ? CUDA_NO_DEVICE : CUDA_SUCCESS);
	return fake_leave(result);
}

uint64_t fake_cuda_calls(void)
{
	return fake_state.calls;
}

int fake_cuda_outstanding(void)
{
	int count;

	pthread_mutex_lock(&lock);
	count = fake_state.modules;
	for (struct cuda_event *at = fake_state.events; at; at = at->next)
		count++;
	for (struct cuda_stream *at = fake_state.streams; at; at = at->next)
		count++;
	for (struct fake_region *at = fake_state.regions; at; at = at->next)
		count++;
	for (int i = 0; i < FAKE_GPUS_MAX; i++)
		count += fake_state.contexts[i].users;
	return fake_leave(count);
}

int fake_driver_version(int *version)
{
	ENTER;
	*version = 13000;
	return fake_leave(CUDA_SUCCESS);
}

int fake_error_name(int result, const char **name)
{
	static const struct {
		int result;
		const char *name;
	} rows[] = {
		{1, "CUDA_ERROR_INVALID_VALUE"},       {2, "CUDA_ERROR_OUT_OF_MEMORY"},
		{46, "CUDA_ERROR_DEVICE_UNAVAILABLE"}, {100, "CUDA_ERROR_NO_DEVICE"},
		{201, "CUDA_ERROR_INVALID_CONTEXT"},   {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"},
		{700, "CUDA_ERROR_ILLEGAL_ADDRESS"},   {719, "CUDA_ERROR_LAUNCH_FAILED"},
		{801, "CUDA_ERROR_NOT_SUPPORTED"},     {803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"},
		{999, "CUDA_ERROR_UNKNOWN"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].result == result) {
			*name = rows[i].name;
			return CUDA_SUCCESS;
		}
	return CUDA_INVALID_VALUE;
}

int fake_device_count(int *count)
{
	ENTER;
	*count = fake_state.visible_count;
	return fake_leave(CUDA_SUCCESS);
}

int fake_device_get(int *device, int ordinal)
{
	ENTER;
	if (ordinal < 0 || ordinal >= fake_state.visible_count)
		return fake_leave(CUDA_INVALID_DEVICE);
	*device = fake_state.visible[ordinal];
	return fake_leave(CUDA_SUCCESS);
}

int fake_device_name(char *name, int size, int device)
{
	ENTER;
	snprintf(name, (size_t)size, "Fake GPU %d", device);
	return fake_leave(CUDA_SUCCESS);
}

int fake_device_uuid(struct cuda_uuid *uuid, int device)
{
	ENTER;
	*uuid = (struct cuda_uuid){.bytes = {[15] = (unsigned char)(device + 1)}};
	return fake_leave(CUDA_SUCCESS);
}

int fake_device_uuid_mig(struct cuda_uuid *uuid, int device)
{
	return fake_device_uuid(uuid, device);
}

int fake_device_memory(size_t *bytes, int device)
{
	(void)device;
	ENTER;
	*bytes = (size_t)1 << 30;
	return fake_leave(CUDA_SUCCESS);
}

int fake_device_attribute(int *value, int attribute, int device)
{
	ENTER;
	switch (attribute) {
	case CUDA_ATTRIBUTE_MULTIPROCESSORS:
		*value = FAKE_PROCESSORS;
		break;
	case CUDA_ATTRIBUTE_MAJOR:
		*value = 9;
		break;
	case CUDA_ATTRIBUTE_L2_BYTES:
		*value = 1 << 20;
		break;
	case CUDA_ATTRIBUTE_COMPUTE_MODE:
		*value = device == 0 ? fake_state.mode : 0;
		break;
	case CUDA_ATTRIBUTE_HOST_NUMA_NODE:
		return fake_leave(CUDA_INVALID_VALUE);
	default:
		*value = 0;
	}
	return fake_leave(CUDA_SUCCESS);
}

int fake_device_pci(char *address, int size, int device)
{
	ENTER;
	snprintf(address, (size_t)size, "0000:%02X:00.0", 0x10 + device);
	return fake_leave(CUDA_SUCCESS);
}

int fake_can_access_peer(int *can, int device, int peer)
{
	ENTER;
	*can = device != peer && fake_state.peer;
	return fake_leave(CUDA_SUCCESS);
}

int fake_context_retain(struct cuda_context **context, int device)
{
	ENTER;
	*context = &fake_state.contexts[device];
	(*context)->device = device;
	(*context)->users++;
	(*context)->alive = true;
	return fake_leave(CUDA_SUCCESS);
}

int fake_context_release(int device)
{
	ENTER;
	if (--fake_state.contexts[device].users == 0)
		fake_state.contexts[device].alive = false;
	return fake_leave(CUDA_SUCCESS);
}

int fake_context_set(struct cuda_context *context)
{
	ENTER;
	fake_current = context;
	return fake_leave(CUDA_SUCCESS);
}

int fake_peer_enable(struct cuda_context *peer, unsigned flags)
{
	uint32_t *peers;

	(void)flags;
	ENTER_CONTEXT;
	peers = &fake_state.peers[fake_current->device];
	if (!fake_state.peer)
		return fake_leave(CUDA_PEER_ACCESS_UNSUPPORTED);
	if (*peers & 1u << peer->device)
		return fake_leave(CUDA_PEER_ACCESS_ALREADY_ENABLED);
	*peers |= 1u << peer->device;
	return fake_leave(CUDA_SUCCESS);
}

int fake_peer_disable(struct cuda_context *peer)
{
	ENTER_CONTEXT;
	fake_state.peers[fake_current->device] &= ~(1u << peer->device);
	return fake_leave(CUDA_SUCCESS);
}

int fake_module_load(struct cuda_module **module, const void *image, unsigned count, int *options, void **values)
{
	ENTER_CONTEXT;
	for (unsigned i = 0; i < count && fake_state.module_result; i++)
		if (options[i] == CUDA_JIT_ERROR_LOG)
			strcpy(values[i], "ptxas application ptx input, line 1; fatal   : Unsupported .version\nmore");
	if (fake_state.module_result)
		return fake_leave(fake_state.module_result);
	if (!strstr(image, ".visible .entry"))
		return fake_leave(CUDA_INVALID_PTX);
	fake_state.modules++;
	/* A module is its text: whoever asks for a kernel must have loaded the one that holds it. */
	*module = (struct cuda_module *)(uintptr_t)image;
	return fake_leave(CUDA_SUCCESS);
}

int fake_module_unload(struct cuda_module *module)
{
	(void)module;
	ENTER_CONTEXT;
	fake_state.modules--;
	return fake_leave(CUDA_SUCCESS);
}

int fake_module_function(struct cuda_function **function, struct cuda_module *module, const char *name)
{
	static struct cuda_function functions[64];
	static int count;
	const struct fake_kernel *kernel = fake_find_kernel(name);
	char entry[80];

	ENTER_CONTEXT;
	snprintf(entry, sizeof(entry), ".visible .entry %s(", name);
	if (!kernel || !strstr((const char *)(const void *)module, entry))
		return fake_leave(CUDA_NOT_FOUND);
	for (int i = 0; i < count; i++)
		if (functions[i].kernel == kernel) {
			*function = &functions[i];
			return fake_leave(CUDA_SUCCESS);
		}
	functions[count].kernel = kernel;
	*function = &functions[count++];
	return fake_leave(CUDA_SUCCESS);
}

int fake_launch(struct cuda_function *function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z,
		unsigned threads_x, unsigned threads_y, unsigned threads_z, unsigned shared_bytes,
		struct cuda_stream *stream, void **parameters, void **extra)
{
	const struct fake_kernel *kernel = function->kernel;
	struct fake_work *work;

	ENTER_CONTEXT;
	if (blocks_x == 0 || blocks_y != 1 || blocks_z != 1 || threads_x == 0 || threads_x > 1024 || threads_y != 1 ||
	    threads_z != 1 || shared_bytes || extra || stream->device != fake_current->device)
		return fake_leave(CUDA_INVALID_VALUE);
	work = fake_add_work(stream, FAKE_KERNEL);
	work->kernel = kernel;
	work->threads = (uint64_t)blocks_x * threads_x;
	for (int i = 0; kernel->sizes[i]; i++)
		memcpy(&work->parameters[i], parameters[i], (size_t)(kernel->sizes[i] - '0'));
	if (strcmp(kernel->name, "ws_gate") == 0) {
		work->kind = FAKE_WAIT_VALUE;
		work->from = work->parameters[0];
		work->value = (uint32_t)work->parameters[1];
	}
	return fake_leave(CUDA_SUCCESS);
}
