/*
 * Probes of a device's latency. 2 MiB lie in the second-level cache of the memory's home, 256 MiB in none. Each of a
 * device's processors has a latency of its own, for its way is its own: the mean over them, the least and the greatest.
 */
#include <stddef.h>

#include "probe/quantities.h"
#include "probe/rows.h"
#include "probe/shape_device.h"

const struct ws_probe ws_device_latency_probes[] = {
	{
		.name = "host_device_latency_sm",
		.summary = "time of a device's load from host memory",
		.family = "latency",
		.needs = "host cuda",
		.honours = WS_SHAPE_HOST_DEVICE_WISHES,
		.quick = true,
		.expand = ws_shape_host_latency,
		.verb = WS_CHASE,
		.engine = "sm",
		.axes = {"row", "column"},
		WS_ROW_LATENCY,
		.size_bytes = {(uint64_t)2 << 20},
	},
	{
		.name = "device_to_device_latency_sm",
		.summary = "time of the row's load from the column's memory",
		.family = "latency",
		.needs = "cuda",
		.honours = WS_SHAPE_PAIR_WISHES,
		.quick = true,
		.expand = ws_shape_pair_latency,
		.verb = WS_CHASE,
		.engine = "sm",
		.axes = {"row", "column"},
		WS_ROW_LATENCY,
		.size_bytes = {(uint64_t)2 << 20},
	},
	{
		.name = "device_to_device_latency_tma",
		.summary = "time in which the row's bulk-copy unit fetches from the column's memory",
		.family = "latency",
		.needs = "cuda",
		.honours = WS_SHAPE_PAIR_WISHES,
		.expand = ws_shape_pair_latency,
		.verb = WS_CHASE,
		.engine = "tma",
		.axes = {"row", "column"},
		WS_ROW_LATENCY,
		.size_bytes = {(uint64_t)2 << 20},
	},
	{
		.name = "device_local_latency_sm",
		.summary = "time of a device's load from its own memory, past its caches",
		.family = "latency",
		.needs = "cuda",
		.honours = WS_SHAPE_LOCAL_WISHES,
		.expand = ws_shape_local,
		.verb = WS_CHASE,
		.engine = "sm",
		.axes = {"row"},
		WS_ROW_LATENCY,
		.size_bytes = {(uint64_t)256 << 20},
	},
	{.name = NULL},
};
