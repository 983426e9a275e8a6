/* NVML: state and counters of NVIDIA GPUs. Optional: containers and Jetsons have none. */
#ifndef WS_BACKEND_NVML_H
#define WS_BACKEND_NVML_H

#include <stdbool.h>

#include "base/error.h"
#include "seam/record.h"

struct json_t;
struct nvml_device;
struct ws_nvml;

/* WS_EABSENT without the library, WS_EDRIVER with its answer. WIRESPEED_NVML_LIB overrides its name. */
int ws_nvml_open(struct ws_nvml **out, struct ws_error *error);
/* NULL is let through. */
void ws_nvml_close(struct ws_nvml *nvml);

/* "" if NVML does not say. */
const char *ws_nvml_driver_version(const struct ws_nvml *nvml);
/* Confidential computing is on: the driver encrypts transfers, and emulates events. */
bool ws_nvml_is_confidential(const struct ws_nvml *nvml);

/* The GPU at a PCI address, or NULL if NVML does not know it. */
struct nvml_device *ws_nvml_device(const struct ws_nvml *nvml, const char *pci);

/* The GPU is split into instances, and what CUDA shows is one of them. */
bool ws_nvml_is_mig(const struct ws_nvml *nvml, struct nvml_device *device);

/* Two GPUs reach each other by NVLink. */
bool ws_nvml_is_linked(const struct ws_nvml *nvml, struct nvml_device *device, struct nvml_device *other);

/* Adds what NVML says to a JSON object; what it does not say is left out. NVLinks are looked up once. */
int ws_nvml_state(struct ws_nvml *nvml, struct nvml_device *device, struct json_t *into, struct ws_error *error);

/*
 * NVLink's counters over all links of cuda<index>, in bytes since some time: payload ("data") and payload with headers
 * ("raw"), sent ("tx") and received ("rx"). At most max; a GPU without such counters has none.
 */
int ws_nvml_counters(const struct ws_nvml *nvml, struct nvml_device *device, int index, struct ws_counter *counters,
		     int max, int *count, struct ws_error *error);

#endif
