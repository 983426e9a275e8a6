/*
 * A fake NVML beside the fake libcuda: GPUs at 0000:10:00.0 and on, 18 NVLinks each to a switch. From the environment:
 *
 *	FAKE_NVML_INIT=code	nvmlInit answers code
 *	FAKE_NVML_CC=1		confidential computing is on
 *	FAKE_NVML_MIG=1		GPUs are split into instances
 *	FAKE_NVML_BARE=1	nothing is supported beyond what must be
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/nvml_library.h"

#define WS_DL WS_DL_PROTOTYPE
#include "backend/nvml.def"

__attribute__((visibility("default"))) const int wirespeed_simulated = 1;

#define GPUS_MAX 16

struct nvml_device {
	int index;
	unsigned long long reads; /* of its counters */
};

static struct nvml_device devices[GPUS_MAX];

static int is_set(const char *name)
{
	const char *text = getenv(name);

	return text ? atoi(text) : 0;
}

int fake_init(void)
{
	return is_set("FAKE_NVML_INIT");
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
	snprintf(version, size, "580.0.0");
	return NVML_SUCCESS;
}

int fake_library_version(char *version, unsigned size)
{
	snprintf(version, size, "13.580.0");
	return NVML_SUCCESS;
}

int fake_confidential(struct nvml_confidential *state)
{
	*state = (struct nvml_confidential){.enabled = (unsigned)is_set("FAKE_NVML_CC")};
	return NVML_SUCCESS;
}

int fake_device_by_pci(const char *address, struct nvml_device **device)
{
	unsigned bus;

	if (sscanf(address, "0000:%x:00.0", &bus) != 1 || bus < 0x10 || bus >= 0x10 + GPUS_MAX)
		return 6;
	devices[bus - 0x10].index = (int)(bus - 0x10);
	*device = &devices[bus - 0x10];
	return NVML_SUCCESS;
}

/* Every reading finds 1000 KiB more of payload, and 1129 with headers. */
int fake_field_values(struct nvml_device *device, int count, struct nvml_field *fields)
{
	device->reads += fields[0].field == NVML_FIELD_NVLINK_DATA_TX;
	for (int i = 0; i < count; i++) {
		fields[i].result = NVML_SUCCESS;
		fields[i].type = NVML_ULONG_LONG;
		switch (fields[i].field) {
		case NVML_FIELD_NVLINK_DATA_TX:
		case NVML_FIELD_NVLINK_DATA_RX:
			fields[i].value.natural_long_long = 1000 * device->reads;
			break;
		case NVML_FIELD_NVLINK_RAW_TX:
		case NVML_FIELD_NVLINK_RAW_RX:
			fields[i].value.natural_long_long = 1129 * device->reads;
			break;
		case NVML_FIELD_NVLINK_COUNT:
			fields[i].type = NVML_UINT;
			fields[i].value.natural = 18;
			break;
		case NVML_FIELD_NVLINK_SPEED:
			fields[i].type = NVML_UINT;
			fields[i].value.natural = 26562;
			break;
		default:
			fields[i].result = NVML_NOT_SUPPORTED;
		}
		if (is_set("FAKE_NVML_BARE"))
			fields[i].result = NVML_NOT_SUPPORTED;
	}
	return NVML_SUCCESS;
}

static int answer(unsigned *to, unsigned value)
{
	if (is_set("FAKE_NVML_BARE"))
		return NVML_NOT_SUPPORTED;
	*to = value;
	return NVML_SUCCESS;
}

static int answer_int(int *to, int value)
{
	if (is_set("FAKE_NVML_BARE"))
		return NVML_NOT_SUPPORTED;
	*to = value;
	return NVML_SUCCESS;
}

int fake_pcie_generation(struct nvml_device *device, unsigned *value)
{
	(void)device;
	return answer(value, 4);
}

int fake_pcie_generation_max(struct nvml_device *device, unsigned *value)
{
	(void)device;
	return answer(value, 5);
}

int fake_pcie_width(struct nvml_device *device, unsigned *value)
{
	(void)device;
	return answer(value, 8);
}

int fake_pcie_width_max(struct nvml_device *device, unsigned *value)
{
	(void)device;
	return answer(value, 16);
}

int fake_nvlink_state(struct nvml_device *device, unsigned link, int *active)
{
	(void)device;
	return answer_int(active, link < 18);
}

int fake_nvlink_version(struct nvml_device *device, unsigned link, unsigned *version)
{
	(void)device;
	(void)link;
	return answer(version, 7);
}

int fake_nvlink_remote_type(struct nvml_device *device, unsigned link, int *type)
{
	(void)device;
	return answer_int(type, link == 0 ? 0 : 2);
}

/* One link goes to a GPU, the others to a switch. */
int fake_nvlink_remote_pci(struct nvml_device *device, unsigned link, struct nvml_pci *pci)
{
	(void)device;
	(void)link;
	*pci = (struct nvml_pci){.address = "00000000:11:00.0"};
	return NVML_SUCCESS;
}

int fake_clock(struct nvml_device *device, int type, unsigned *mhz)
{
	(void)device;
	return answer(mhz, type == NVML_CLOCK_SM ? 345 : 3201);
}

int fake_clock_max(struct nvml_device *device, int type, unsigned *mhz)
{
	(void)device;
	return answer(mhz, type == NVML_CLOCK_SM ? 1980 : 3201);
}

int fake_memory_bus_width(struct nvml_device *device, unsigned *bits)
{
	(void)device;
	return answer(bits, 6016);
}

int fake_power_limit(struct nvml_device *device, unsigned *milliwatts)
{
	(void)device;
	return answer(milliwatts, 650000);
}

int fake_power_limit_default(struct nvml_device *device, unsigned *milliwatts)
{
	(void)device;
	return answer(milliwatts, 700000);
}

int fake_clock_reasons(struct nvml_device *device, unsigned long long *bits)
{
	(void)device;
	*bits = 0x1 | 0x4;
	return is_set("FAKE_NVML_BARE") ? NVML_NOT_SUPPORTED : NVML_SUCCESS;
}

int fake_clock_reasons_old(struct nvml_device *device, unsigned long long *bits)
{
	return fake_clock_reasons(device, bits);
}

int fake_ecc_mode(struct nvml_device *device, int *now, int *pending)
{
	(void)device;
	*pending = 1;
	return answer_int(now, 1);
}

int fake_mig_mode(struct nvml_device *device, unsigned *now, unsigned *pending)
{
	(void)device;
	*pending = 0;
	return answer(now, (unsigned)is_set("FAKE_NVML_MIG"));
}

int fake_compute_mode(struct nvml_device *device, int *mode)
{
	(void)device;
	return answer_int(mode, 3);
}

int fake_persistence_mode(struct nvml_device *device, int *mode)
{
	(void)device;
	return answer_int(mode, 1);
}

int fake_processes(struct nvml_device *device, unsigned *count, struct nvml_process *processes)
{
	(void)device;
	processes[0] = (struct nvml_process){.pid = 1, .memory_bytes = 1 << 20};
	return answer(count, 1);
}

int fake_p2p_status(struct nvml_device *device, struct nvml_device *other, int index, int *status)
{
	return answer_int(status, index == NVML_P2P_NVLINK && device->index / 2 == other->index / 2 ? NVML_P2P_OK : 5);
}
