/* Probes of copies from one place to another. */
#include <stddef.h>

#include "probe/fold.h"
#include "probe/rows.h"
#include "probe/shape.h"

const struct ws_probe ws_copy_probes[] = {
	{
		.name = "host_to_host_memcpy_cpu",
		.summary = "a node's CPUs copy from its memory to a node's, by the C library's memcpy",
		.family = "copy",
		.needs = "host",
		.honours = WS_SHAPE_HOST_WISHES,
		.expand = ws_shape_host_to_host,
		.verb = WS_COPY,
		.engine = "cpu",
		.axes = {"row", "column"},
		.quantities = {{"bandwidth", "GB/s", WS_HIGHER, "each byte once"}},
		.fold = ws_fold_slope,
	},
	{.name = NULL},
};
