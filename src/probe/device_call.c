/*
 * Probes of calls that return when all is done, each timed by itself on the host's clock: a kernel's launch, a copy of
 * a few bytes, and the map of a device's memory with which OpenCL moves bytes without a copy.
 */
#include <stddef.h>

#include "probe/quantities.h"
#include "probe/rows.h"
#include "probe/shape_device.h"

#define FEW_BYTES ((uint64_t)16)
#define MIB ((uint64_t)1 << 20)

const struct ws_probe ws_device_call_probes[] = {
	{
		.name = "device_launch_latency_sm",
		.summary = "from the order of an empty kernel to the host's knowledge that it has ended",
		.family = "calls",
		.needs = "cuda ocl",
		.honours = "device",
		.expand = ws_shape_local,
		.verb = WS_NOOP,
		.engine = "sm",
		.item_flags = "ungated marks",
		.axes = {"row"},
		WS_ROW_PERCENTILES,
	},
	{
		.name = "host_to_device_latency_ce",
		.summary = "from the order of a small copy to a device to the host's knowledge of its end",
		.family = "calls",
		.needs = "host cuda ocl",
		.honours = WS_SHAPE_HOST_DEVICE_WISHES,
		.expand = ws_shape_host_to_device,
		.verb = WS_COPY,
		.engine = "ce",
		.item_flags = "ungated marks",
		.axes = {"row", "column"},
		WS_ROW_PERCENTILES,
		.size_bytes = {FEW_BYTES},
	},
	{
		.name = "device_to_host_latency_ce",
		.summary = "from the order of a small copy from a device to the host's knowledge of its end",
		.family = "calls",
		.needs = "host cuda ocl",
		.honours = WS_SHAPE_HOST_DEVICE_WISHES,
		.expand = ws_shape_device_to_host,
		.verb = WS_COPY,
		.engine = "ce",
		.item_flags = "ungated marks",
		.axes = {"row", "column"},
		WS_ROW_PERCENTILES,
		.size_bytes = {FEW_BYTES},
	},
	{
		.name = "device_map_latency_ce",
		.summary = "until a page of a device's memory is mapped for reading",
		.family = "calls",
		.needs = "ocl",
		.honours = WS_SHAPE_LOCAL_WISHES,
		.expand = ws_shape_local,
		.verb = WS_MAP,
		.engine = "ce",
		.item_flags = "ungated marks",
		.axes = {"row"},
		WS_ROW_PERCENTILES,
		.size_bytes = {4096},
	},
	{
		.name = "device_unmap_latency_ce",
		.summary = "until a page that the host has written is the device's again",
		.family = "calls",
		.needs = "ocl",
		.honours = WS_SHAPE_LOCAL_WISHES,
		.expand = ws_shape_local,
		.verb = WS_UNMAP,
		.engine = "ce",
		.item_flags = "ungated marks",
		.axes = {"row"},
		WS_ROW_PERCENTILES,
		.size_bytes = {4096},
	},
	{
		.name = "device_map_ce",
		.summary = "a map for reading brings a device's memory to the host",
		.family = "calls",
		.needs = "ocl",
		.honours = WS_SHAPE_LOCAL_WISHES,
		.expand = ws_shape_local,
		.verb = WS_MAP,
		.engine = "ce",
		.item_flags = "ungated",
		.axes = {"row"},
		WS_ROW_SLOPE,
		.size_bytes = {8 * MIB, 32 * MIB},
	},
	{
		.name = "device_unmap_ce",
		.summary = "an unmap takes what the host has written to a device's memory",
		.family = "calls",
		.needs = "ocl",
		.honours = WS_SHAPE_LOCAL_WISHES,
		.expand = ws_shape_local,
		.verb = WS_UNMAP,
		.engine = "ce",
		.item_flags = "ungated",
		.axes = {"row"},
		WS_ROW_SLOPE,
		.size_bytes = {8 * MIB, 32 * MIB},
	},
	{.name = NULL},
};
