/* Sizes of flows. */
#ifndef WS_PROBE_SHAPE_FLOW_SIZE_H
#define WS_PROBE_SHAPE_FLOW_SIZE_H

#include "probe/shape_flow.h"

/*
 * The sizes of a step of these flows, before they are multiplied for a flow, as ws_flows_add says; returns how many. The
 * second one is 0 if there is one. Those that the user wished are never shrunk.
 */
int ws_flows_sizes(const struct ws_flows *flows, const struct ws_flow *list, int count, uint64_t sizes_bytes[2]);

/*
 * A processor that stands in for a device, whose usual buffer would fit into the host's caches, as large as it can be:
 * its figures would be the caches'.
 */
bool ws_flows_in_cache(const struct ws_flows *flows, const struct ws_flow *list, int count, uint64_t size_bytes);

#endif
