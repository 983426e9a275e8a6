/* What rows of one kind have in common: their quantities, and the fold that makes them. */
#ifndef WS_PROBE_QUANTITIES_H
#define WS_PROBE_QUANTITIES_H

#include <stddef.h>

#include "probe/fold.h"

#define WS_QUANTITY_RATE(name, bytes)                                                                                  \
	{                                                                                                              \
		name, "GB/s", WS_HIGHER, bytes                                                                         \
	}
#define WS_QUANTITY_TIME(name, unit)                                                                                   \
	{                                                                                                              \
		name, unit, WS_LOWER, NULL                                                                             \
	}

/* One copy, by two sizes. */
#define WS_ROW_SLOPE                                                                                                   \
	.quantities = {WS_QUANTITY_RATE("bandwidth", "each byte once"), WS_QUANTITY_TIME("fixed_cost", "us")},         \
	.fold = ws_fold_slope

/* The same inside one memory. */
#define WS_ROW_SLOPE_READ_WRITTEN                                                                                      \
	.quantities = {WS_QUANTITY_RATE("bandwidth", "read + written"), WS_QUANTITY_TIME("fixed_cost", "us")},         \
	.fold = ws_fold_slope_read_written

/* Two at once, each under the load of the other. */
#define WS_ROW_EACH                                                                                                    \
	.quantities = {WS_QUANTITY_RATE("first", "each byte once"), WS_QUANTITY_RATE("second", "each byte once"),      \
		       WS_QUANTITY_RATE("total", "each byte once")},                                                   \
	.fold = ws_fold_slope_each

/* Many at once: all of them, the slowest and the fastest. */
#define WS_ROW_TOTAL                                                                                                   \
	.quantities = {WS_QUANTITY_RATE("total", "each byte once"), WS_QUANTITY_RATE("least", "each byte once"),       \
		       WS_QUANTITY_RATE("most", "each byte once")},                                                    \
	.fold = ws_fold_slope_total

/* Mean, least and greatest over the processors of a device. */
#define WS_ROW_LATENCY                                                                                                 \
	.quantities = {WS_QUANTITY_TIME("latency", "ns"), WS_QUANTITY_TIME("min", "ns"),                               \
		       WS_QUANTITY_TIME("max", "ns")},                                                                 \
	.fold = ws_fold_units

/* Over all trips of all samples. */
#define WS_ROW_PERCENTILES                                                                                             \
	.quantities = {WS_QUANTITY_TIME("p50", "ns"), WS_QUANTITY_TIME("p99", "ns"), WS_QUANTITY_TIME("min", "ns"),    \
		       WS_QUANTITY_TIME("max", "ns")},                                                                 \
	.fold = ws_fold_percentiles

/* One of many small copies in a row: its time on the device, and the host's time to issue it. */
#define WS_ROW_SMALL                                                                                                   \
	.quantities = {WS_QUANTITY_TIME("latency", "us"), WS_QUANTITY_TIME("issue", "us")}, .fold = ws_fold_small

/* One copy of one size: size over time, and the time of a copy. */
#define WS_ROW_SWEEP                                                                                                   \
	.quantities = {WS_QUANTITY_RATE("bandwidth", "each byte once"), WS_QUANTITY_TIME("time", "us")},               \
	.fold = ws_fold_custom

#endif
