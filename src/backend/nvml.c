/* NVML: state and counters of NVIDIA GPUs. */
#include "backend/nvml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "backend/nvml_library.h"
#include "base/pci_address.h"

#define LINKS_MAX 36
#define PROCESSES_MAX 64
#define SEEN_MAX 64

struct ws_nvml {
	struct nvml_library api;
	char path[200], driver_version[40], library_version[40];
	bool confidential;
	struct {
		struct nvml_device *device;
		json_t *fixed;
	} seen[SEEN_MAX]; /* whose fixed facts were read */
	int seen_count;
};

static const char *const sonames[] = {"libnvidia-ml.so.1", NULL};

static const struct ws_dl_symbol symbols[] = {
#define WS_DL_TABLE struct nvml_library
#define WS_DL WS_DL_ROW
#include "backend/nvml.def"
#undef WS_DL_TABLE
};

int ws_nvml_open(struct ws_nvml **out, struct ws_error *error)
{
	struct ws_nvml *nvml = calloc(1, sizeof(*nvml));
	struct nvml_confidential state = {0};
	struct ws_dl_info info;
	int result, rc;

	if (!nvml)
		return ws_fail(error, WS_ENOMEM, "no memory for NVML");
	rc = ws_dl_open(sonames, "WIRESPEED_NVML_LIB", symbols, sizeof(symbols) / sizeof(symbols[0]), &nvml->api, &info,
			error);
	if (rc == WS_OK) {
		result = nvml->api.init();
		if (result != NVML_SUCCESS)
			rc = ws_fail(error, WS_EDRIVER, "nvmlInit: %d %s", result, nvml->api.error_string(result));
	}
	if (rc != WS_OK) {
		free(nvml);
		return rc;
	}
	snprintf(nvml->path, sizeof(nvml->path), "%.199s", info.path);
	if (nvml->api.driver_version(nvml->driver_version, sizeof(nvml->driver_version)) != NVML_SUCCESS)
		nvml->driver_version[0] = '\0';
	if (!nvml->api.library_version ||
	    nvml->api.library_version(nvml->library_version, sizeof(nvml->library_version)) != NVML_SUCCESS)
		nvml->library_version[0] = '\0';
	nvml->confidential = nvml->api.confidential && nvml->api.confidential(&state) == NVML_SUCCESS && state.enabled;
	*out = nvml;
	return WS_OK;
}

void ws_nvml_close(struct ws_nvml *nvml)
{
	if (!nvml)
		return;
	for (int i = 0; i < nvml->seen_count; i++)
		json_decref(nvml->seen[i].fixed);
	nvml->api.shutdown();
	free(nvml);
}

const char *ws_nvml_driver_version(const struct ws_nvml *nvml)
{
	return nvml->driver_version;
}

bool ws_nvml_is_confidential(const struct ws_nvml *nvml)
{
	return nvml->confidential;
}

struct nvml_device *ws_nvml_device(const struct ws_nvml *nvml, const char *pci)
{
	struct nvml_device *device = NULL;

	return pci[0] && nvml->api.device_by_pci(pci, &device) == NVML_SUCCESS ? device : NULL;
}

bool ws_nvml_is_mig(const struct ws_nvml *nvml, struct nvml_device *device)
{
	unsigned now = 0, pending = 0;

	return nvml->api.mig_mode && nvml->api.mig_mode(device, &now, &pending) == NVML_SUCCESS && now;
}

bool ws_nvml_is_linked(const struct ws_nvml *nvml, struct nvml_device *device, struct nvml_device *other)
{
	int status = -1;

	return nvml->api.p2p_status && nvml->api.p2p_status(device, other, NVML_P2P_NVLINK, &status) == NVML_SUCCESS &&
	       status == NVML_P2P_OK;
}

static int out_of_memory(struct ws_error *error)
{
	return ws_fail(error, WS_ENOMEM, "no memory for a GPU's state");
}

/* Facts that are one number: how to ask, and under which name it goes into the state. */
struct number_row {
	const char *name;
	int (*ask)(struct nvml_device *device, unsigned *value);
	double unit; /* of what NVML says, in terms of the name's */
	bool changes; /* while a program runs */
};

static int add_numbers(const struct ws_nvml *nvml, struct nvml_device *device, bool changing, json_t *into,
		       struct ws_error *error)
{
	const struct nvml_library *api = &nvml->api;
	const struct number_row rows[] = {
		{"pcie_generation", api->pcie_generation, 1, true},
		{"pcie_generation_max", api->pcie_generation_max, 1, false},
		{"pcie_width", api->pcie_width, 1, true},
		{"pcie_width_max", api->pcie_width_max, 1, false},
		{"memory_bus_bits", api->memory_bus_width, 1, false},
		{"power_limit_w", api->power_limit, 1e-3, false},
		{"power_limit_default_w", api->power_limit_default, 1e-3, false},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsigned value = 0;
		json_t *number;

		if (rows[i].changes != changing || !rows[i].ask || rows[i].ask(device, &value) != NVML_SUCCESS)
			continue;
		number = rows[i].unit < 1 ? json_real(value * rows[i].unit) : json_integer(value);
		if (json_object_set_new(into, rows[i].name, number) != 0)
			return out_of_memory(error);
	}
	return WS_OK;
}

static int add_clocks(const struct ws_nvml *nvml, struct nvml_device *device, bool changing, json_t *into,
		      struct ws_error *error)
{
	const struct nvml_library *api = &nvml->api;
	const struct clock_row {
		const char *name;
		int (*ask)(struct nvml_device *device, int type, unsigned *mhz);
		int type;
		bool changes;
	} rows[] = {
		{"sm_clock_mhz", api->clock, NVML_CLOCK_SM, true},
		{"sm_clock_max_mhz", api->clock_max, NVML_CLOCK_SM, false},
		{"memory_clock_mhz", api->clock, NVML_CLOCK_MEMORY, true},
		{"memory_clock_max_mhz", api->clock_max, NVML_CLOCK_MEMORY, false},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsigned mhz = 0;

		if (rows[i].changes == changing && rows[i].ask && rows[i].ask(device, rows[i].type, &mhz) == NVML_SUCCESS &&
		    json_object_set_new(into, rows[i].name, json_integer(mhz)) != 0)
			return out_of_memory(error);
	}
	return WS_OK;
}

/* Bits of nvmlDeviceGetCurrentClocksEventReasons. */
static const struct reason_row {
	unsigned long long bit;
	const char *name;
} reasons[] = {
	{0x1, "idle"},
	{0x2, "application clocks"},
	{0x4, "software power cap"},
	{0x8, "hardware slowdown"},
	{0x10, "sync boost"},
	{0x20, "software thermal slowdown"},
	{0x40, "hardware thermal slowdown"},
	{0x80, "hardware power brake"},
	{0x100, "display clocks"},
};

static int add_reasons(const struct ws_nvml *nvml, struct nvml_device *device, json_t *into, struct ws_error *error)
{
	int (*ask)(struct nvml_device *, unsigned long long *) =
		nvml->api.clock_reasons ? nvml->api.clock_reasons : nvml->api.clock_reasons_old;
	unsigned long long bits = 0;
	json_t *list;

	if (!ask || ask(device, &bits) != NVML_SUCCESS)
		return WS_OK;
	list = json_array();
	if (json_object_set_new(into, "clock_reasons", list) != 0)
		return out_of_memory(error);
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if ((bits & reasons[i].bit) && json_array_append_new(list, json_string(reasons[i].name)) != 0)
			return out_of_memory(error);
	return WS_OK;
}

static int add_modes(const struct ws_nvml *nvml, struct nvml_device *device, json_t *into, struct ws_error *error)
{
	static const char *const compute_modes[] = {"default", "exclusive thread", "prohibited", "exclusive process"};
	const struct nvml_library *api = &nvml->api;
	unsigned mig = 0, pending = 0;
	int now = 0, later = 0, failed = 0;

	if (api->ecc_mode && api->ecc_mode(device, &now, &later) == NVML_SUCCESS)
		failed |= json_object_set_new(into, "ecc", json_boolean(now));
	if (api->mig_mode && api->mig_mode(device, &mig, &pending) == NVML_SUCCESS)
		failed |= json_object_set_new(into, "mig", json_boolean(mig));
	if (api->persistence_mode && api->persistence_mode(device, &now) == NVML_SUCCESS)
		failed |= json_object_set_new(into, "persistence", json_boolean(now));
	if (api->compute_mode && api->compute_mode(device, &now) == NVML_SUCCESS && now >= 0 && now < 4)
		failed |= json_object_set_new(into, "compute_mode", json_string(compute_modes[now]));
	failed |= json_object_set_new(into, "confidential_computing", json_boolean(nvml->confidential));
	failed |= json_object_set_new(into, "nvml", json_string(nvml->path));
	if (nvml->library_version[0])
		failed |= json_object_set_new(into, "nvml_version", json_string(nvml->library_version));
	return failed ? out_of_memory(error) : WS_OK;
}

static uint64_t value_of(const struct nvml_field *field)
{
	switch (field->type) {
	case NVML_UINT:
		return field->value.natural;
	case NVML_ULONG:
		return field->value.natural_long;
	case NVML_ULONG_LONG:
		return field->value.natural_long_long;
	case NVML_LONG_LONG:
		return (uint64_t)field->value.integer_long_long;
	case NVML_INT:
		return (uint64_t)field->value.integer;
	case NVML_USHORT:
		return field->value.natural_short;
	default:
		return (uint64_t)field->value.number;
	}
}

/* False where the GPU or its driver has no such field. */
static bool read_field(const struct ws_nvml *nvml, struct nvml_device *device, unsigned id, unsigned scope,
		       uint64_t *value)
{
	struct nvml_field field = {.field = id, .scope = scope};

	if (nvml->api.field_values(device, 1, &field) != NVML_SUCCESS || field.result != NVML_SUCCESS)
		return false;
	*value = value_of(&field);
	return true;
}

/* Who is at a link's other end: a GPU's PCI address or "switch"; false if NVML does not say. */
static bool link_peer(const struct ws_nvml *nvml, struct nvml_device *device, unsigned link,
		      char name[WS_PCI_ADDRESS_TEXT])
{
	static const char *const types[] = {"gpu", "npu", "switch"};
	const struct nvml_library *api = &nvml->api;
	struct ws_pci_address address;
	struct nvml_pci pci = {0};
	int type = -1;

	if (!api->nvlink_remote_type || api->nvlink_remote_type(device, link, &type) != NVML_SUCCESS || type < 0 ||
	    type > 2)
		return false;
	strcpy(name, types[type]);
	if (type == 0 && api->nvlink_remote_pci && api->nvlink_remote_pci(device, link, &pci) == NVML_SUCCESS) {
		pci.address[sizeof(pci.address) - 1] = '\0';
		if (ws_pci_address_parse(pci.address, &address, NULL) == WS_OK)
			ws_pci_address_format(&address, name);
	}
	return true;
}

/* One link's part of the whole; false when out of memory. */
static bool add_link(const struct ws_nvml *nvml, struct nvml_device *device, unsigned link, json_t *peers,
		     uint64_t *rate, unsigned *version)
{
	const struct nvml_library *api = &nvml->api;
	char name[WS_PCI_ADDRESS_TEXT];

	if (*rate == 0)
		read_field(nvml, device, NVML_FIELD_NVLINK_SPEED, link, rate);
	if (*version == 0 && api->nvlink_version && api->nvlink_version(device, link, version) != NVML_SUCCESS)
		*version = 0;
	if (!link_peer(nvml, device, link, name))
		return true;
	return json_object_set_new(peers, name, json_integer(json_integer_value(json_object_get(peers, name)) + 1)) == 0;
}

/* Links in use, the rate of one, and how many go to whom; NULL when out of memory, and empty without links. */
static json_t *read_nvlink(const struct ws_nvml *nvml, struct nvml_device *device)
{
	uint64_t count = LINKS_MAX, rate = 0;
	unsigned version = 0, active = 0;
	json_t *nvlink = json_object(), *peers = json_object();
	bool complete = nvlink && json_object_set(nvlink, "peers", peers) == 0;

	read_field(nvml, device, NVML_FIELD_NVLINK_COUNT, 0, &count);
	for (unsigned link = 0; complete && link < count && link < LINKS_MAX; link++) {
		int on = 0;

		if (!nvml->api.nvlink_state || nvml->api.nvlink_state(device, link, &on) != NVML_SUCCESS || !on)
			continue;
		active++;
		complete = add_link(nvml, device, link, peers, &rate, &version);
	}
	if (complete && active == 0)
		json_object_clear(nvlink);
	if (complete && active > 0)
		complete = json_object_set_new(nvlink, "links", json_integer(active)) == 0;
	if (complete && rate > 0)
		complete = json_object_set_new(nvlink, "link_mb_per_s", json_integer((json_int_t)rate)) == 0;
	if (complete && version > 0)
		complete = json_object_set_new(nvlink, "version", json_integer(version)) == 0;
	json_decref(peers);
	if (complete)
		return nvlink;
	json_decref(nvlink);
	return NULL;
}

static int add_nvlink(const struct ws_nvml *nvml, struct nvml_device *device, json_t *into, struct ws_error *error)
{
	json_t *nvlink = read_nvlink(nvml, device);
	const int failed = nvlink && json_object_size(nvlink) > 0 ? json_object_set(into, "nvlink", nvlink) : 0;
	const bool complete = nvlink && failed == 0;

	json_decref(nvlink);
	return complete ? WS_OK : out_of_memory(error);
}

/* What stays as it is while a program runs. */
static int read_fixed(const struct ws_nvml *nvml, struct nvml_device *device, json_t *into, struct ws_error *error)
{
	int rc = add_numbers(nvml, device, false, into, error);

	if (rc == WS_OK)
		rc = add_clocks(nvml, device, false, into, error);
	if (rc == WS_OK)
		rc = add_modes(nvml, device, into, error);
	return rc == WS_OK ? add_nvlink(nvml, device, into, error) : rc;
}

/* Read once: a driver takes half a millisecond for each question, there are a hundred, and every step asks them. */
static int add_fixed(struct ws_nvml *nvml, struct nvml_device *device, json_t *into, struct ws_error *error)
{
	json_t *fixed;
	int i = 0, rc;

	while (i < nvml->seen_count && nvml->seen[i].device != device)
		i++;
	if (i == SEEN_MAX)
		return read_fixed(nvml, device, into, error);
	if (i == nvml->seen_count) {
		fixed = json_object();
		rc = fixed ? read_fixed(nvml, device, fixed, error) : out_of_memory(error);
		if (rc != WS_OK) {
			json_decref(fixed);
			return rc;
		}
		nvml->seen[i].fixed = fixed;
		nvml->seen[nvml->seen_count++].device = device;
	}
	return json_object_update(into, nvml->seen[i].fixed) == 0 ? WS_OK : out_of_memory(error);
}

/* Other processes that compute on the GPU: their numbers are of their own namespace, so only how many there are. */
static int add_processes(const struct ws_nvml *nvml, struct nvml_device *device, json_t *into, struct ws_error *error)
{
	struct nvml_process processes[PROCESSES_MAX];
	unsigned count = PROCESSES_MAX, others = 0;

	if (!nvml->api.processes || nvml->api.processes(device, &count, processes) != NVML_SUCCESS)
		return WS_OK;
	for (unsigned i = 0; i < count && i < PROCESSES_MAX; i++)
		others += processes[i].pid != (unsigned)getpid();
	return json_object_set_new(into, "other_processes", json_integer(others)) == 0 ? WS_OK : out_of_memory(error);
}

int ws_nvml_state(struct ws_nvml *nvml, struct nvml_device *device, struct json_t *into, struct ws_error *error)
{
	int rc = add_fixed(nvml, device, into, error);

	if (rc == WS_OK)
		rc = add_numbers(nvml, device, true, into, error);
	if (rc == WS_OK)
		rc = add_clocks(nvml, device, true, into, error);
	if (rc == WS_OK)
		rc = add_reasons(nvml, device, into, error);
	return rc == WS_OK ? add_processes(nvml, device, into, error) : rc;
}

int ws_nvml_counters(const struct ws_nvml *nvml, struct nvml_device *device, int index, struct ws_counter *counters,
		     int max, int *count, struct ws_error *error)
{
	static const char *const names[] = {"data_tx", "data_rx", "raw_tx", "raw_rx"};
	struct nvml_field fields[4] = {
		{.field = NVML_FIELD_NVLINK_DATA_TX, .scope = NVML_ALL_LINKS},
		{.field = NVML_FIELD_NVLINK_DATA_RX, .scope = NVML_ALL_LINKS},
		{.field = NVML_FIELD_NVLINK_RAW_TX, .scope = NVML_ALL_LINKS},
		{.field = NVML_FIELD_NVLINK_RAW_RX, .scope = NVML_ALL_LINKS},
	};
	const int result = nvml->api.field_values(device, 4, fields);

	*count = 0;
	if (result != NVML_SUCCESS)
		return ws_fail(error, WS_EDRIVER, "cuda%d: nvmlDeviceGetFieldValues: %d %s", index, result,
			       nvml->api.error_string(result));
	for (int i = 0; i < 4 && *count < max; i++) {
		struct ws_counter *counter = &counters[*count];

		if (fields[i].result != NVML_SUCCESS)
			continue;
		snprintf(counter->name, sizeof(counter->name), "cuda%d.nvlink.%s_bytes", index, names[i]);
		counter->delta = value_of(&fields[i]) * 1024;
		(*count)++;
	}
	return WS_OK;
}
