/* Probes of latency. */
#include <stdio.h>

#include "base/item.h"
#include "probe/fold.h"
#include "probe/rows.h"
#include "probe/shape.h"

/* Loads that depend on each other take a time each; between two sizes there is no slope of it. */
static int expand_chase(const struct ws_probe *probe, const struct ws_expand *expand, struct ws_plan *plan,
			char *reason, int reason_size, struct ws_error *error)
{
	struct ws_step *step;

	if (expand->size_count < 2)
		return ws_shape_host_memory(probe, expand, plan, reason, reason_size, error);
	step = ws_plan_add_step(plan, probe);
	if (!step)
		return ws_fail(error, WS_ENOMEM, "no memory for a step");
	snprintf(step->reason, sizeof(step->reason), "a latency has no slope: --size with one size measures it");
	return WS_OK;
}

const struct ws_probe ws_latency_probes[] = {
	{
		.name = "host_latency",
		.summary = "time of a load that misses the caches, from a node's CPU to a node's memory",
		.family = "latency",
		.needs = "host",
		.honours = "device pair host-node memory size",
		.quick = true,
		.expand = expand_chase,
		.verb = WS_CHASE,
		.engine = "cpu",
		.axes = {"row", "column"},
		.quantities = {{"latency", "ns", WS_LOWER, NULL}},
		.fold = ws_fold_units,
	},
	{.name = NULL},
};
