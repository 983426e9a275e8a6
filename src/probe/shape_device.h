/*
 * Shapes over devices: how rows that copy between host and devices, between devices or inside one become steps. A new
 * probe on one of them is a row in device_host.c, device_copy.c, fan.c, device_local.c, device_latency.c or
 * device_series.c.
 *
 * Items are made of the probe's verb, engine and item flags. Coordinates name the device whose engine works (or, beside
 * a host, the host) as the row, with its rank, and the other place as the column. A probe with an axis "size" gets a
 * cell for each size of a sweep, one with an axis "memory" for each kind of host memory.
 */
#ifndef WS_PROBE_SHAPE_DEVICE_H
#define WS_PROBE_SHAPE_DEVICE_H

#include "seam/probe.h"

typedef int ws_shape(const struct ws_probe *probe, const struct ws_expand *expand, struct ws_plan *plan, char *reason,
		     int reason_size, struct ws_error *error);

/* A row for each host node that is near a device, a column for each device. Copies one way, the device executes. */
ws_shape ws_shape_host_to_device;
ws_shape ws_shape_device_to_host;
/* The same beside a copy of twice the size the other way, which is not counted. */
ws_shape ws_shape_host_to_device_beside;
ws_shape ws_shape_device_to_host_beside;
/* A device chases through host memory. */
ws_shape ws_shape_host_latency;
/* A flag between a host's processors and a device. */
ws_shape ws_shape_host_pingpong;
#define WS_SHAPE_HOST_DEVICE_WISHES "device pair host-node memory size"

/*
 * Every ordered pair of devices. Reading, the row's engine copies from the column's memory to its own; writing, from
 * its own to the column's. A pair without access has a cell with the reason.
 */
ws_shape ws_shape_pair_read;
ws_shape ws_shape_pair_write;
/*
 * Both ways at once: first the copy from column to row, then the one back, each read by the device where it ends, or
 * written by the one where it begins.
 */
ws_shape ws_shape_pair_both_read;
ws_shape ws_shape_pair_both_write;
/* The row's engine chases through the column's memory. */
ws_shape ws_shape_pair_latency;
/* A flag between the row and the column. */
ws_shape ws_shape_pair_pingpong;
#define WS_SHAPE_PAIR_WISHES "device pair size"

/*
 * The row's engine writes to the column (or each of the two to the other) with peer access off, when the driver goes by
 * way of the host, and on: two cells, measured in turns, for a probe with the axis "peer". Small: 100 copies a sample.
 */
ws_shape ws_shape_peer_write;
ws_shape ws_shape_peer_both;
ws_shape ws_shape_peer_small;

/* Inside each device; the verb may be a copy, a read, a write or a chase. */
ws_shape ws_shape_local;
#define WS_SHAPE_LOCAL_WISHES "device size"

/*
 * A cell for each device, all of them measured at the same time; or, one by one and for processors, each of them beside
 * copies of twice the size of all others. Where both, beside copies of twice the size the other way. With a two-way copy
 * as verb all devices copy both ways, and all the same size.
 */
ws_shape ws_shape_all_to_host;
ws_shape ws_shape_host_to_all;
ws_shape ws_shape_all_to_host_both;
ws_shape ws_shape_host_to_all_both;
/* One cell: all devices at once, all counted. */
ws_shape ws_shape_sum_to_host;
ws_shape ws_shape_sum_from_host;
ws_shape ws_shape_sum_both;
#define WS_SHAPE_ALL_HOST_WISHES "device host-node memory size"

/* A cell for each device as the one; the others are those with access. Who reads or writes is in the name. */
ws_shape ws_shape_all_to_one_write;
ws_shape ws_shape_all_to_one_read;
ws_shape ws_shape_one_to_all_write;
ws_shape ws_shape_one_to_all_read;
#define WS_SHAPE_FAN_WISHES "device size"

#endif
