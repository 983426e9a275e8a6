/* Probes of a device's own memory. */
#include <stddef.h>

#include "probe/quantities.h"
#include "probe/rows.h"
#include "probe/shape_device.h"

const struct ws_probe ws_device_local_probes[] = {
	{
		.name = "device_local_copy",
		.summary = "a device's copy engine copies inside its memory",
		.family = "memory",
		.needs = "cuda ocl",
		.honours = WS_SHAPE_LOCAL_WISHES,
		.expand = ws_shape_local,
		.verb = WS_COPY,
		.engine = "ce",
		.axes = {"row"},
		WS_ROW_SLOPE_READ_WRITTEN,
	},
	{
		.name = "device_local_copy_sm",
		.summary = "a device's kernel copies inside its memory",
		.family = "memory",
		.needs = "cuda ocl",
		.honours = WS_SHAPE_LOCAL_WISHES,
		.quick = true,
		.expand = ws_shape_local,
		.verb = WS_COPY,
		.engine = "sm",
		.axes = {"row"},
		WS_ROW_SLOPE_READ_WRITTEN,
	},
	{
		.name = "device_local_read_sm",
		.summary = "a device's kernel reads its memory",
		.family = "memory",
		.needs = "cuda ocl",
		.honours = WS_SHAPE_LOCAL_WISHES,
		.quick = true,
		.expand = ws_shape_local,
		.verb = WS_READ,
		.engine = "sm",
		.axes = {"row"},
		WS_ROW_SLOPE,
	},
	{
		.name = "device_local_write_sm",
		.summary = "a device's kernel writes its memory",
		.family = "memory",
		.needs = "cuda ocl",
		.honours = WS_SHAPE_LOCAL_WISHES,
		.quick = true,
		.expand = ws_shape_local,
		.verb = WS_WRITE,
		.engine = "sm",
		.axes = {"row"},
		WS_ROW_SLOPE,
	},
	{
		.name = "device_local_copy_tma",
		.summary = "a device's bulk-copy unit copies inside its memory",
		.family = "memory",
		.needs = "cuda",
		.honours = WS_SHAPE_LOCAL_WISHES,
		.expand = ws_shape_local,
		.verb = WS_COPY,
		.engine = "tma",
		.axes = {"row"},
		WS_ROW_SLOPE_READ_WRITTEN,
	},
	{.name = NULL},
};
