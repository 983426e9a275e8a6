/* The built-in probe of hand-written steps. */
#include <stddef.h>

#include "probe/fold.h"
#include "probe/rows.h"

const struct ws_probe ws_probe_custom = {
	.name = "custom",
	.summary = "steps of a plan that belong to no probe",
	.family = "",
	.needs = "",
	.honours = "",
	.axes = {"step"},
	.quantities = {{"bandwidth", "GB/s", WS_HIGHER, "each byte once"},
		       {"time", "us", WS_LOWER, NULL},
		       {"latency", "ns", WS_LOWER, NULL}},
	.fold = ws_fold_custom,
};
