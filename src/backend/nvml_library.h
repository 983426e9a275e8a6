/* What is used of libnvidia-ml.so.1: its structs, the values of its enums, and the table of its functions. */
#ifndef WS_BACKEND_NVML_LIBRARY_H
#define WS_BACKEND_NVML_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

#include "base/dl.h"

struct nvml_device;

enum nvml_result {
	NVML_SUCCESS = 0,
	NVML_NOT_SUPPORTED = 3,
	NVML_INSUFFICIENT_SIZE = 7,
	NVML_LIB_RM_VERSION_MISMATCH = 18
};

enum nvml_clock { NVML_CLOCK_SM = 1, NVML_CLOCK_MEMORY = 2 };

/* What nvmlDeviceGetP2PStatus is asked about, and its answer for yes. */
enum { NVML_P2P_NVLINK = 2, NVML_P2P_OK = 0 };

enum nvml_field_id {
	NVML_FIELD_NVLINK_COUNT = 91,
	NVML_FIELD_NVLINK_DATA_TX = 138, /* KiB of payload sent, over all links with scope NVML_ALL_LINKS */
	NVML_FIELD_NVLINK_DATA_RX = 139,
	NVML_FIELD_NVLINK_RAW_TX = 140, /* KiB with headers */
	NVML_FIELD_NVLINK_RAW_RX = 141,
	NVML_FIELD_NVLINK_SPEED = 164 /* MB/s of one link, the scope being its number */
};
#define NVML_ALL_LINKS UINT32_MAX

enum nvml_value_type { NVML_DOUBLE, NVML_UINT, NVML_ULONG, NVML_ULONG_LONG, NVML_LONG_LONG, NVML_INT, NVML_USHORT };

struct nvml_field {
	unsigned field, scope;
	long long time_us, latency_us;
	int type, result;
	union {
		double number;
		int integer;
		unsigned natural;
		unsigned long natural_long;
		unsigned long long natural_long_long;
		long long integer_long_long;
		unsigned short natural_short;
	} value;
};

struct nvml_pci {
	char address_legacy[16];
	unsigned domain, bus, device, device_id, subsystem_id;
	char address[32];
};

struct nvml_process {
	unsigned pid;
	unsigned long long memory_bytes;
	unsigned gpu_instance, compute_instance;
};

struct nvml_confidential {
	unsigned environment, enabled, developer_tools;
};

struct nvml_library {
#define WS_DL WS_DL_POINTER
#include "backend/nvml.def"
};

#endif
