/* Probes of memory bandwidth: CPUs read, write and copy inside one memory. */
#include <stddef.h>

#include "probe/fold.h"
#include "probe/rows.h"
#include "probe/shape.h"

const struct ws_probe ws_memory_probes[] = {
	{
		.name = "host_memory_read",
		.summary = "a node's CPUs read a node's memory",
		.family = "memory",
		.needs = "host",
		.honours = WS_SHAPE_HOST_WISHES,
		.quick = true,
		.expand = ws_shape_host_memory,
		.verb = WS_READ,
		.engine = "cpu",
		.axes = {"row", "column"},
		.quantities = {{"bandwidth", "GB/s", WS_HIGHER, "each byte once"}},
		.fold = ws_fold_slope,
	},
	{
		.name = "host_memory_write",
		.summary = "a node's CPUs write a node's memory by ordinary stores",
		.family = "memory",
		.needs = "host",
		.honours = WS_SHAPE_HOST_WISHES,
		.expand = ws_shape_host_memory,
		.verb = WS_WRITE,
		.engine = "cpu",
		.axes = {"row", "column"},
		.quantities = {{"bandwidth", "GB/s", WS_HIGHER, "each byte once"}},
		.fold = ws_fold_slope,
	},
	{
		.name = "host_memory_copy_nt",
		.summary = "a node's CPUs copy inside a node's memory, by stores that pass the caches by",
		.family = "memory",
		.needs = "host",
		.honours = WS_SHAPE_HOST_WISHES,
		.quick = true,
		.expand = ws_shape_host_memory,
		.verb = WS_COPY,
		.engine = "cpu",
		.item_flags = "nt",
		.axes = {"row", "column"},
		.quantities = {{"bandwidth", "GB/s", WS_HIGHER, "read + written"}},
		.fold = ws_fold_slope_read_written,
	},
	{.name = NULL},
};
