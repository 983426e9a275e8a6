/* A fake NVML beside the fake libcuda: what its machine (machine.h) says of itself. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "backend/nvml_library.h"
#include "fake/machine.h"

#define WS_DL WS_DL_PROTOTYPE
#include "backend/nvml.def"

__attribute__((visibility("default"))) const int wirespeed_simulated = 1;

struct nvml_device {
	int index;
};

static struct nvml_device devices[FAKE_GPUS_MAX];
static struct fake_machine machine;

static const struct fake_gpu *gpu_of(const struct nvml_device *device)
{
	return &machine.gpu[device->index];
}

int fake_init(void)
{
	return fake_machine_read(&machine) ? machine.nvml_init : 999;
}

int fake_shutdown(void)
{
	return NVML_SUCCESS;
}

const char *fake_error_string(int result)
{
	return result == NVML_LIB_RM_VERSION_MISMATCH ? "RM has detected an NVML/RM version mismatch."
						      : "Unknown Error";
}

int fake_driver_version(char *version, unsigned size)
{
	snprintf(version, size, "%s", machine.driver);
	return NVML_SUCCESS;
}

int fake_library_version(char *version, unsigned size)
{
	snprintf(version, size, "%s", machine.nvml);
	return NVML_SUCCESS;
}

int fake_confidential(struct nvml_confidential *state)
{
	*state = (struct nvml_confidential){.enabled = (unsigned)machine.confidential};
	return NVML_SUCCESS;
}

/* Of an address only what follows the domain is compared as text; domains come with 4 digits or 8. */
static bool is_same_address(const char *a, const char *b)
{
	const char *a_rest = strchr(a, ':'), *b_rest = strchr(b, ':');

	return a_rest && b_rest && strtoul(a, NULL, 16) == strtoul(b, NULL, 16) && strcasecmp(a_rest, b_rest) == 0;
}

int fake_device_by_pci(const char *address, struct nvml_device **device)
{
	for (int i = 0; i < machine.gpus; i++) {
		if (!is_same_address(address, machine.gpu[i].pci))
			continue;
		devices[i].index = i;
		*device = &devices[i];
		return NVML_SUCCESS;
	}
	return 6;
}

/* What the fake libcuda in this process has sent by NVLink, in KiB. */
static unsigned long long sent_kib(const struct nvml_device *device, int which)
{
	const char *path = getenv("WIRESPEED_CUDA_LIB");
	void *library = path ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL;
	void *symbol = library ? dlsym(library, "fake_cuda_sent_bytes") : NULL;
	uint64_t (*ask)(const char *pci, int which) = NULL;
	unsigned long long kib;

	memcpy(&ask, &symbol, sizeof(ask));
	kib = ask ? ask(gpu_of(device)->pci, which) / 1024 : 0;
	if (library)
		dlclose(library);
	return kib;
}

/* A counter as the machine has it: rising, standing still, or falling. */
static unsigned long long counter(unsigned long long kib)
{
	return machine.link_counters > 0 ? kib : machine.link_counters < 0 ? (1ull << 40) - kib : 7;
}

static int read_field(const struct nvml_device *device, struct nvml_field *field)
{
	const struct fake_gpu *gpu = gpu_of(device);

	field->type = NVML_UINT;
	switch (field->field) {
	case NVML_FIELD_NVLINK_DATA_TX:
	case NVML_FIELD_NVLINK_DATA_RX:
	case NVML_FIELD_NVLINK_RAW_TX:
	case NVML_FIELD_NVLINK_RAW_RX:
		field->type = NVML_ULONG_LONG;
		field->value.natural_long_long =
			counter(sent_kib(device, (int)(field->field - NVML_FIELD_NVLINK_DATA_TX)));
		return gpu->links && machine.link_counters > -2 ? NVML_SUCCESS : NVML_NOT_SUPPORTED;
	case NVML_FIELD_NVLINK_COUNT:
		field->value.natural = (unsigned)gpu->links;
		return gpu->links ? NVML_SUCCESS : NVML_NOT_SUPPORTED;
	case NVML_FIELD_NVLINK_SPEED:
		field->value.natural = (unsigned)gpu->link_mb;
		return field->scope < (unsigned)gpu->links_active ? NVML_SUCCESS : NVML_NOT_SUPPORTED;
	default:
		return NVML_NOT_SUPPORTED;
	}
}

int fake_field_values(struct nvml_device *device, int count, struct nvml_field *fields)
{
	for (int i = 0; i < count; i++)
		fields[i].result = machine.bare ? NVML_NOT_SUPPORTED : read_field(device, &fields[i]);
	return NVML_SUCCESS;
}

static int answer(unsigned *to, unsigned value)
{
	if (machine.bare)
		return NVML_NOT_SUPPORTED;
	*to = value;
	return NVML_SUCCESS;
}

static int answer_int(int *to, int value)
{
	if (machine.bare)
		return NVML_NOT_SUPPORTED;
	*to = value;
	return NVML_SUCCESS;
}

int fake_pcie_generation(struct nvml_device *device, unsigned *value)
{
	return answer(value, (unsigned)gpu_of(device)->pcie_gen);
}

int fake_pcie_generation_max(struct nvml_device *device, unsigned *value)
{
	return answer(value, (unsigned)gpu_of(device)->pcie_gen_max);
}

int fake_pcie_width(struct nvml_device *device, unsigned *value)
{
	return answer(value, (unsigned)gpu_of(device)->pcie_width);
}

int fake_pcie_width_max(struct nvml_device *device, unsigned *value)
{
	return answer(value, (unsigned)gpu_of(device)->pcie_width_max);
}

int fake_nvlink_state(struct nvml_device *device, unsigned link, int *active)
{
	const struct fake_gpu *gpu = gpu_of(device);

	if (link >= (unsigned)gpu->links)
		return NVML_NOT_SUPPORTED;
	return answer_int(active, link < (unsigned)gpu->links_active);
}

int fake_nvlink_version(struct nvml_device *device, unsigned link, unsigned *version)
{
	(void)link;
	return answer(version, (unsigned)gpu_of(device)->nvlink_version);
}

int fake_nvlink_remote_type(struct nvml_device *device, unsigned link, int *type)
{
	return answer_int(type, fake_link_end(&machine, device->index, (int)link) < 0 ? 2 : 0);
}

/* The address has a domain of 8 digits here. */
int fake_nvlink_remote_pci(struct nvml_device *device, unsigned link, struct nvml_pci *pci)
{
	const int end = fake_link_end(&machine, device->index, (int)link);

	*pci = (struct nvml_pci){0};
	snprintf(pci->address, sizeof(pci->address), "0000%s", end < 0 ? "ffff:ff:ff.0" : machine.gpu[end].pci);
	return machine.bare ? NVML_NOT_SUPPORTED : NVML_SUCCESS;
}

int fake_clock(struct nvml_device *device, int type, unsigned *mhz)
{
	return answer(mhz, (unsigned)(type == NVML_CLOCK_SM ? gpu_of(device)->sm_clock : gpu_of(device)->memory_clock));
}

int fake_clock_max(struct nvml_device *device, int type, unsigned *mhz)
{
	const struct fake_gpu *gpu = gpu_of(device);

	return answer(mhz, (unsigned)(type == NVML_CLOCK_SM ? gpu->sm_clock_max : gpu->memory_clock_max));
}

int fake_memory_bus_width(struct nvml_device *device, unsigned *bits)
{
	return answer(bits, (unsigned)gpu_of(device)->bus_bits);
}

int fake_power_limit(struct nvml_device *device, unsigned *milliwatts)
{
	return answer(milliwatts, 1000 * (unsigned)gpu_of(device)->power);
}

int fake_power_limit_default(struct nvml_device *device, unsigned *milliwatts)
{
	return answer(milliwatts, 1000 * (unsigned)gpu_of(device)->power_default);
}

int fake_clock_reasons(struct nvml_device *device, unsigned long long *bits)
{
	*bits = (unsigned long long)gpu_of(device)->clock_reasons;
	return machine.bare ? NVML_NOT_SUPPORTED : NVML_SUCCESS;
}

int fake_clock_reasons_old(struct nvml_device *device, unsigned long long *bits)
{
	return fake_clock_reasons(device, bits);
}

int fake_ecc_mode(struct nvml_device *device, int *now, int *pending)
{
	*pending = gpu_of(device)->ecc;
	return answer_int(now, gpu_of(device)->ecc);
}

int fake_mig_mode(struct nvml_device *device, unsigned *now, unsigned *pending)
{
	*pending = (unsigned)gpu_of(device)->mig;
	return answer(now, (unsigned)gpu_of(device)->mig);
}

int fake_compute_mode(struct nvml_device *device, int *mode)
{
	return answer_int(mode, gpu_of(device)->mode);
}

int fake_persistence_mode(struct nvml_device *device, int *mode)
{
	return answer_int(mode, gpu_of(device)->persistence);
}

int fake_processes(struct nvml_device *device, unsigned *count, struct nvml_process *processes)
{
	const unsigned others = (unsigned)gpu_of(device)->processes, room = *count;

	if (room < others)
		return answer(count, others) == NVML_SUCCESS ? NVML_INSUFFICIENT_SIZE : NVML_NOT_SUPPORTED;
	for (unsigned i = 0; i < others; i++)
		processes[i] = (struct nvml_process){.pid = i + 1, .memory_bytes = 1 << 20};
	return answer(count, others);
}

int fake_p2p_status(struct nvml_device *device, struct nvml_device *other, int index, int *status)
{
	const bool linked = index == NVML_P2P_NVLINK && machine.peer &&
			    fake_links_between(&machine, device->index, other->index) > 0;

	return answer_int(status, linked ? NVML_P2P_OK : 5);
}
