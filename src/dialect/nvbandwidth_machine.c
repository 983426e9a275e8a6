/* The GPUs as nvbandwidth shows them: by the driver's numbers, which need not be the order on the bus. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <jansson.h>

#include "base/pci_address.h"
#include "base/place.h"
#include "base/sysfs.h"
#include "dialect/nvbandwidth.h"

/* What CUDA says to results that a program without GPU sees; theirs are the names and words. */
static const struct {
	const char *name, *words;
} results[] = {
	{"CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
	{"CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", "system has unsupported display driver / cuda driver combination"},
	{"CUDA_ERROR_SYSTEM_NOT_READY", "system not yet initialized"},
	{"CUDA_ERROR_STUB_LIBRARY", "CUDA driver is a stub library"},
	{"CUDA_ERROR_UNKNOWN", "unknown error"},
	{"CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
	{"CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
};

/* In the words of what the user would see: the loader's without a library, else the check of the call. */
static int say_absent(const struct ws_error *why, struct ws_error *error)
{
	for (size_t i = 0; i < sizeof(results) / sizeof(results[0]); i++) {
		const char *name = strstr(why->text, results[i].name);
		const char *hint = name ? name + strlen(results[i].name) : "";

		if (name)
			return ws_fail(error, WS_EABSENT, "[%s] %s in expression cuInit(0)%s", results[i].name,
				       results[i].words, hint);
	}
	if (strstr(why->text, "shows no GPU"))
		return ws_fail(error, WS_EABSENT, "[%s] %s in expression cuInit(0)", results[0].name, results[0].words);
	if (why->code == WS_EABSENT)
		return ws_fail(error, WS_EABSENT, "nvbandwidth: error while loading shared libraries: %s", why->text);
	return ws_fail(error, WS_EABSENT, "%s", why->text);
}

static void read_versions(struct ws_stage *stage, const struct ws_backend *backend, struct nvb_machine *machine)
{
	const char *root = ws_topology_root(ws_session_topology(stage->session));
	const char *driver = strstr(backend->version, ", driver ");
	int major = 0, minor = 0;

	if (sscanf(backend->version, "CUDA %d.%d", &major, &minor) == 2)
		machine->cuda_version = 1000 * major + 10 * minor;
	if (driver)
		snprintf(machine->driver_version, sizeof(machine->driver_version), "%s", driver + strlen(", driver "));
	else if (!root || ws_sysfs_read_text(root, "/sys/module/nvidia/version", machine->driver_version,
					     sizeof(machine->driver_version), NULL) != WS_OK)
		strcpy(machine->driver_version, "unknown");
	if (gethostname(machine->hostname, sizeof(machine->hostname) - 1) != 0)
		strcpy(machine->hostname, "unknown");
}

/* How many multiprocessors a GPU has decides how much its kernels copy. */
static uint64_t processors_of(const struct ws_session_backend *cuda, const struct ws_place *place)
{
	struct ws_backend backend = cuda->backend;
	json_t *state = json_object();
	uint64_t processors = 0;

	if (state && backend.ops->state && backend.ops->state(&backend, place, state, NULL) == WS_OK)
		processors = (uint64_t)json_integer_value(json_object_get(state, "multiprocessors"));
	json_decref(state);
	return processors;
}

int nvb_machine_open(struct ws_stage *stage, struct nvb_machine *out, struct ws_error *error)
{
	const struct ws_session_backend *cuda = ws_stage_backend(stage, "cuda");
	const struct ws_place_facts **list;
	int count;

	*out = (struct nvb_machine){.devices = NULL};
	if (!cuda->open)
		return say_absent(&cuda->why, error);
	list = ws_stage_devices(stage, "cuda", &count);
	out->devices = list ? calloc((size_t)count + 1, sizeof(*out->devices)) : NULL;
	for (int i = 0; out->devices && i < count; i++) {
		out->devices[i].facts = list[i];
		out->devices[i].processors = processors_of(cuda, &list[i]->place);
		out->count++;
	}
	free(list);
	if (!out->devices)
		return ws_fail(error, WS_ENOMEM, "no memory for the list of GPUs");
	read_versions(stage, &cuda->backend, out);
	return WS_OK;
}

void nvb_machine_release(struct nvb_machine *machine)
{
	free(machine->devices);
	machine->devices = NULL;
	machine->count = 0;
}

int nvb_machine_index(const struct nvb_machine *machine, const char *place)
{
	struct ws_place parsed;

	if (!place || ws_place_parse(place, &parsed, NULL) != WS_OK)
		return -1;
	for (int i = 0; i < machine->count; i++) {
		if (ws_place_same_device(&machine->devices[i].facts->place, &parsed))
			return i;
	}
	return -1;
}

const char *nvb_device_text(const struct nvb_device *device, char *text, size_t size)
{
	struct ws_pci_address address = {0};

	if (ws_pci_address_parse(device->facts->pci, &address, NULL) != WS_OK)
		snprintf(text, size, "%s", device->facts->name);
	else
		snprintf(text, size, "%s (%08x:%02x:%02x)", device->facts->name, (unsigned)address.domain,
			 (unsigned)address.bus, (unsigned)address.device);
	return text;
}

int nvb_machine_pair(const struct nvb_machine *machine, const char *const uuids[2], int pair[2], struct ws_error *error)
{
	if (strcasecmp(uuids[0], uuids[1]) == 0)
		return ws_fail(error, WS_EINVAL, "ERROR: --pair names %s twice; allowed: two different GPUs", uuids[0]);
	for (int k = 0; k < 2; k++) {
		pair[k] = -1;
		for (int i = 0; i < machine->count; i++) {
			if (strcasecmp(machine->devices[i].facts->uuid, uuids[k]) == 0)
				pair[k] = i;
		}
		if (pair[k] < 0)
			return ws_fail(
				error, WS_EINVAL,
				"ERROR: --pair: there is no GPU %s among the %d that CUDA shows to this process%s",
				uuids[k], machine->count,
				getenv("CUDA_VISIBLE_DEVICES") ? "; CUDA_VISIBLE_DEVICES is set" : "");
	}
	return WS_OK;
}
