/* The rows of each file, for probe.c. */
#ifndef WS_PROBE_ROWS_H
#define WS_PROBE_ROWS_H

#include "seam/probe.h"

/* Each list is ended by a row without a name. */
extern const struct ws_probe ws_memory_probes[];
extern const struct ws_probe ws_copy_probes[];
extern const struct ws_probe ws_latency_probes[];
extern const struct ws_probe ws_device_host_probes[];
extern const struct ws_probe ws_device_copy_probes[];
extern const struct ws_probe ws_fan_probes[];
extern const struct ws_probe ws_device_local_probes[];
extern const struct ws_probe ws_device_latency_probes[];
extern const struct ws_probe ws_device_call_probes[];
extern const struct ws_probe ws_device_series_probes[];

extern const struct ws_probe ws_probe_custom;

#endif
