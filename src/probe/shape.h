/* Shapes: how probes of one kind become steps. A new probe on one of them is a row in memory.c, copy.c or latency.c. */
#ifndef WS_PROBE_SHAPE_H
#define WS_PROBE_SHAPE_H

#include "seam/probe.h"

/*
 * Matrices over NUMA nodes, in every rank: row = node whose CPUs work, column = node whose memory is used. Items are
 * made of the probe's verb and item flags; the wishes device, pair, host-node, memory, size and threads are obeyed.
 */

/* All of an item's buffers lie in the column's memory. */
int ws_shape_host_memory(const struct ws_probe *probe, const struct ws_expand *expand, struct ws_plan *plan,
			 char *reason, int reason_size, struct ws_error *error);

/* Copies from the row's memory to the column's. */
int ws_shape_host_to_host(const struct ws_probe *probe, const struct ws_expand *expand, struct ws_plan *plan,
			  char *reason, int reason_size, struct ws_error *error);

/* What both obey. */
#define WS_SHAPE_HOST_WISHES "device pair host-node memory size threads"

/* Sets the options that every item of a probe has. */
int ws_shape_set_flags(const struct ws_probe *probe, struct ws_item *item, struct ws_error *error);

/*
 * The usual size of a buffer that no cache may hold: at least 256 MiB and 4 times the largest cache of the rank's nodes,
 * rounded up to four significant bits, but not above the power of two in an eighth of the node's memory. Where an eighth would fit into the cache, a
 * quarter is allowed; if that would fit too, 0.
 */
uint64_t ws_shape_host_size(const struct ws_places *places, const struct ws_place_facts *node);

#endif
