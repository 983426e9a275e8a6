/* The OpenCL back end: library and devices. Buffers: opencl_buffer.c, queues: opencl_queue.c, work: opencl_work.c. */
#include "backend/opencl.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "backend/opencl_private.h"
#include "base/clock.h"
#include "base/dl.h"
#include "base/pci_address.h"
#include "base/place.h"
#include "base/topology.h"
#include "base/uuid.h"

#define POLL_NS 50000
/* Of a wait that is timed, a nap is next to nothing from here on. */
#define AWAKE_NS 1000000000
#define WORK_GROUP 256

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
		{-1, "device not found"},
		{-2, "device not available"},
		{-4, "memory object allocation failure"},
		{-5, "out of resources"},
		{-6, "out of host memory"},
		{-14, "execution of an event waited for failed"},
		{-30, "invalid value"},
		{-33, "invalid device"},
		{-34, "invalid context"},
		{-36, "invalid command queue"},
		{-38, "invalid memory object"},
		{-61, "invalid buffer size"},
		{-1001, "no platform"},
	};
	const char *name = "see CL/cl.h";

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		name = names[i].code == code ? names[i].name : name;
	return ws_fail(error, code == -4 || code == -5 || code == -6 || code == -61 ? WS_ENOMEM : WS_EDRIVER,
		       "%s: error %d (%s)", call, code, name);
}

static int wait_for(struct opencl *opencl, struct opencl_device *device, cl_queue queue, cl_event event,
		    int64_t awake_ns, const char *call, const char *phase, struct ws_error *error)
{
	const struct ws_clock *clock = ws_clock_monotonic();
	const int64_t begun_ns = ws_clock_now_ns(clock);
	cl_int status = 1, flushed = opencl->cl.flush(queue), code, first = flushed;
	const char *failed = "clFlush";

	for (;;) {
		int64_t now_ns;

		code = opencl->cl.event_info(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL);
		if (code == 0 && status <= CL_COMPLETE)
			break;
		/* Whoever asked must not go on, let alone free what the command needs, before it has ended. */
		if (code != 0 && first == 0) {
			first = code;
			failed = "clGetEventInfo";
		}
		now_ns = ws_clock_now_ns(clock);
		if (now_ns - begun_ns >= opencl->timeout_ns) {
			device->lost = true;
			return ws_fail(error, WS_ELOST,
				       "ocl%d: %s, %s, did not end within %g s; it is not used any more", device->index,
				       call, phase, (double)opencl->timeout_ns / 1e9);
		}
		if (now_ns - begun_ns >= awake_ns)
			ws_clock_sleep_until_ns(clock, now_ns + POLL_NS);
		else
			sched_yield(); /* the device may be this processor */
		if (flushed != 0)
			flushed = opencl->cl.flush(queue);
	}
	if (status < 0)
		return opencl_fail(error, call, status);
	return first ? opencl_fail(error, failed, first) : WS_OK;
}

int opencl_wait(struct opencl *opencl, struct opencl_device *device, cl_queue queue, cl_event event, const char *call,
		const char *phase, struct ws_error *error)
{
	const int rc = wait_for(opencl, device, queue, event, 0, call, phase, error);

	if (rc != WS_ELOST)
		opencl->cl.release_event(event);
	return rc;
}

int opencl_wait_awake(struct opencl *opencl, struct opencl_device *device, cl_queue queue, cl_event event,
		      const char *call, struct ws_error *error)
{
	return wait_for(opencl, device, queue, event, AWAKE_NS, call, "an item's work", error);
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

/* Of a processor's work-groups one work-item does all. */
static size_t group_size(const struct opencl *opencl, cl_device device, cl_bits type)
{
	size_t most = WORK_GROUP / 4, size = WORK_GROUP;

	opencl->cl.device_info(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(most), &most, NULL);
	while (size > 1 && size > most)
		size /= 2;
	return type & CL_DEVICE_TYPE_CPU ? 1 : size;
}

static int add_devices(struct opencl *opencl, cl_platform platform, struct ws_error *error)
{
	cl_device found[64];
	cl_uint count = 0;
	cl_int code = opencl->cl.devices(platform, CL_DEVICE_TYPE_ALL, 64, found, &count);
	struct opencl_device *devices;

	if (code == CL_DEVICE_NOT_FOUND)
		return WS_OK;
	if (code != 0)
		return opencl_fail(error, "clGetDeviceIDs", code);
	count = count > 64 ? 64 : count;
	devices = realloc(opencl->devices, ((size_t)opencl->count + count) * sizeof(*devices));
	if (!devices)
		return ws_fail(error, WS_ENOMEM, "no memory for OpenCL devices");
	opencl->devices = devices;
	for (cl_uint i = 0; i < count; i++) {
		struct opencl_device *device = &devices[opencl->count];

		*device = (struct opencl_device){.index = opencl->count++, .platform = platform, .device = found[i]};
		opencl->cl.device_info(found[i], CL_DEVICE_TYPE, sizeof(device->type), &device->type, NULL);
		opencl->cl.device_info(found[i], CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(device->most_bytes),
				       &device->most_bytes, NULL);
		device->local = group_size(opencl, found[i], device->type);
	}
	return WS_OK;
}

static void close_library(struct ws_backend *backend)
{
	struct opencl *opencl = backend->state;

	opencl_pairs_release(opencl);
	for (int i = 0; i < opencl->count; i++) {
		struct opencl_device *device = &opencl->devices[i];

		if (device->lost) {
			backend->lost = true;
			continue;
		}
		free(device->staging);
		opencl_kernels_release(opencl, device);
		if (device->queue)
			opencl->cl.release_queue(device->queue);
		if (device->context)
			opencl->cl.release_context(device->context);
	}
	free(opencl->devices);
	free(opencl);
	backend->state = NULL;
}

/* A platform that fails does not keep those of others from being used; the version says that there is one. */
static int find_devices(struct ws_backend *backend, struct ws_error *error)
{
	struct opencl *opencl = backend->state;
	cl_platform platforms[16];
	struct ws_error first = {0};
	cl_uint count = 0;
	cl_int code = opencl->cl.platforms(16, platforms, &count);

	if (code == CL_PLATFORM_NOT_FOUND_KHR || (code == 0 && count == 0))
		return ws_fail(error, WS_EABSENT, "%.199s finds no platform: no OpenCL driver is installed",
			       backend->library_path);
	if (code != 0)
		return opencl_fail(error, "clGetPlatformIDs", code);
	count = count > 16 ? 16 : count;
	read_text(opencl, platforms[0], NULL, CL_PLATFORM_VERSION, backend->version, sizeof(backend->version));
	for (cl_uint i = 0; i < count; i++)
		add_devices(opencl, platforms[i], &first);
	if (opencl->count == 0 && first.code)
		return ws_fail(error, first.code, "%s", first.text);
	if (opencl->count == 0)
		return ws_fail(error, WS_EABSENT, "%.199s finds no device", backend->library_path);
	if (first.code)
		snprintf(backend->version, sizeof(backend->version), "unknown, as a platform fails: %.45s", first.text);
	return WS_OK;
}

/* Without a description of its processors PoCL 3.1 ends the process while it looks for devices. */
static int check_surroundings(const struct ws_topology *topology, struct ws_error *error)
{
	char path[200];

	snprintf(path, sizeof(path), "%.100s/sys/devices/system/cpu", ws_topology_root(topology));
	if (access(path, R_OK) == 0)
		return WS_OK;
	return ws_fail(error, WS_EABSENT,
		       "not asked: without /sys/devices/system/cpu an OpenCL driver may end the program");
}

static int open_library(struct ws_backend *backend, const struct ws_backend_options *options, struct ws_error *error)
{
	static const char *const sonames[] = {"libOpenCL.so.1", NULL};
	struct opencl *opencl;
	struct ws_dl_info info;
	int rc = check_surroundings(options->topology, error);

	if (rc != WS_OK)
		return rc;
	opencl = calloc(1, sizeof(*opencl));
	if (!opencl)
		return ws_fail(error, WS_ENOMEM, "no memory for the OpenCL back end");
	opencl->timeout_ns = options->timeout_ns;
	opencl->topology = options->topology;
	backend->state = opencl;
	rc = ws_dl_open(sonames, "WIRESPEED_OPENCL_LIB", symbols, sizeof(symbols) / sizeof(symbols[0]), &opencl->cl,
			&info, error);
	if (rc == WS_OK) {
		backend->simulated = info.simulated;
		snprintf(backend->library_path, sizeof(backend->library_path), "%.199s", info.path);
		rc = find_devices(backend, error);
	}
	if (rc != WS_OK)
		close_library(backend);
	return rc;
}

/* Where the device sits, by whichever extension tells; left empty if none does. */
static void read_pci(const struct opencl *opencl, cl_device device, struct ws_place_facts *facts)
{
	cl_uint info[4] = {0}, bus = 0, slot = 0, domain = 0;
	struct ws_pci_address address;
	char text[WS_PCI_ADDRESS_TEXT];

	if (opencl->cl.device_info(device, CL_DEVICE_PCI_BUS_INFO_KHR, sizeof(info), info, NULL) == 0) {
		address = (struct ws_pci_address){info[0], info[1], info[2], info[3]};
	} else if (opencl->cl.device_info(device, CL_DEVICE_PCI_BUS_ID_NV, sizeof(bus), &bus, NULL) == 0 &&
		   opencl->cl.device_info(device, CL_DEVICE_PCI_SLOT_ID_NV, sizeof(slot), &slot, NULL) == 0) {
		opencl->cl.device_info(device, CL_DEVICE_PCI_DOMAIN_ID_NV, sizeof(domain), &domain, NULL);
		address = (struct ws_pci_address){domain, bus, slot >> 3, slot & 7};
	} else {
		return;
	}
	ws_pci_address_format(&address, text);
	snprintf(facts->pci, sizeof(facts->pci), "%.15s", text);
}

/* As CUDA writes it, so that one wish means the device under either name. */
static void read_uuid(const struct opencl *opencl, const struct opencl_device *device, struct ws_place_facts *facts)
{
	unsigned char bytes[WS_UUID_BYTES] = {0};
	const char *prefix = device->type & CL_DEVICE_TYPE_CPU ? "" : "GPU-";

	if (opencl->cl.device_info(device->device, CL_DEVICE_UUID_KHR, sizeof(bytes), bytes, NULL) == 0)
		ws_uuid_format(prefix, bytes, facts->uuid, sizeof(facts->uuid));
}

static void read_node(const struct opencl *opencl, struct ws_place_facts *facts)
{
	unsigned node = 0;

	if (facts->pci[0] && ws_topology_pci_node(opencl->topology, facts->pci, &node, NULL) == WS_OK)
		facts->numa_node = (int)node;
}

static int list_places(struct ws_backend *backend, struct ws_places *places, struct ws_error *error)
{
	const struct opencl *opencl = backend->state;
	int rc = WS_OK;

	for (int i = 0; i < opencl->count && rc == WS_OK; i++) {
		const struct opencl_device *device = &opencl->devices[i];
		struct ws_place_facts facts = {
			.place = {.rank = WS_RANK_NONE, .family = "ocl", .index = i},
			.numa_node = -1,
			.buffer_bytes = device->most_bytes,
			.ordinal = i,
			.on_cpu = (device->type & CL_DEVICE_TYPE_CPU) != 0,
			.simulated = backend->simulated,
		};
		char name[56], platform[36];
		cl_bool available = 1, compiler = 0;

		read_text(opencl, device->platform, device->device, CL_DEVICE_NAME, name, sizeof(name));
		read_text(opencl, device->platform, NULL, CL_PLATFORM_NAME, platform, sizeof(platform));
		snprintf(facts.name, sizeof(facts.name), "%s (%s)", name, platform);
		read_pci(opencl, device->device, &facts);
		read_uuid(opencl, device, &facts);
		read_node(opencl, &facts);
		opencl->cl.device_info(device->device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(facts.memory_bytes),
				       &facts.memory_bytes, NULL);
		opencl->cl.device_info(device->device, CL_DEVICE_AVAILABLE, sizeof(available), &available, NULL);
		opencl->cl.device_info(device->device, CL_DEVICE_COMPILER_AVAILABLE, sizeof(compiler), &compiler, NULL);
		strcpy(facts.engines, compiler ? "ce sm" : "ce");
		if (!available)
			strcpy(facts.absent, "the OpenCL runtime says that the device is not available");
		rc = ws_places_add(places, &facts, error);
	}
	return rc;
}

int opencl_find(struct opencl *opencl, const struct ws_place *place, struct opencl_device **out, struct ws_error *error)
{
	if (place->index >= opencl->count)
		return ws_fail(error, WS_EINVAL, "there is no place ocl%d: OpenCL has %d device%s", place->index,
			       opencl->count, opencl->count == 1 ? "" : "s");
	if (opencl->devices[place->index].lost)
		return ws_fail(error, WS_ELOST, "ocl%d does not answer any more", place->index);
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
		device->queue =
			opencl->cl.create_queue(device->context, device->device, CL_QUEUE_PROFILING_ENABLE, &code);
	return device->queue ? WS_OK : opencl_fail(error, "clCreateCommandQueue", code);
}

static int device_state(struct ws_backend *backend, const struct ws_place *place, struct json_t *into,
			struct ws_error *error)
{
	struct opencl *opencl = backend->state;
	struct opencl_device *device = NULL;
	cl_bool unified = 0;
	char driver[64];
	int rc, failed = 0;

	/* Of the host's memory, even where it is this library's, only the system knows more. */
	if (strcmp(place->family, "ocl") != 0)
		return WS_OK;
	rc = opencl_find(opencl, place, &device, error);
	if (rc != WS_OK)
		return rc;
	read_text(opencl, device->platform, device->device, CL_DRIVER_VERSION, driver, sizeof(driver));
	opencl->cl.device_info(device->device, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof(unified), &unified, NULL);
	failed |= json_object_set_new(into, "driver", json_string(driver));
	failed |= json_object_set_new(
		into, "kind",
		json_string(device->type & CL_DEVICE_TYPE_CPU ? "processor: host memory through OpenCL" : "device"));
	failed |= json_object_set_new(into, "host_unified_memory", json_boolean(unified));
	return failed ? ws_fail(error, WS_ENOMEM, "no memory for a place's state") : WS_OK;
}

const struct ws_backend_ops ws_opencl_backend = {
	.name = "opencl",
	.family = "ocl",
	.engines = "ce sm",
	.options = "access",
	.library = "libOpenCL.so.1",
	.queue_depth = OPENCL_QUEUE_DEPTH,
	.open = open_library,
	.close = close_library,
	.places = list_places,
	.state = device_state,
	.alloc = opencl_alloc,
	.free = opencl_free,
	.attach = opencl_attach,
	.detach = opencl_detach,
	.fill = opencl_fill,
	.check = opencl_check,
	.queue = opencl_queue_new,
	.queue_free = opencl_queue_free,
	.prepare = opencl_prepare,
	.refilled = opencl_refilled,
	.gate = opencl_gate,
	.submit = opencl_submit,
	.mark = opencl_mark,
	.flush = opencl_flush,
	.release = opencl_release,
	.poll = opencl_poll,
	.read = opencl_read,
	.verify = opencl_verify,
	.cancel = opencl_cancel,
};
