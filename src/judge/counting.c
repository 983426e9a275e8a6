/* How a cell's first quantity counts lanes. */
#include "judge/counting.h"

#include <string.h>

#include "probe/fold.h"

enum ws_counting ws_counting_of(const struct ws_probe *probe, double *times)
{
	static const struct {
		ws_fold *fold;
		enum ws_counting counting;
		double times; /* a byte counts so often */
	} rows[] = {
		{ws_fold_first, WS_COUNTS_FIRST_LANE, 1},
		{ws_fold_first_read_written, WS_COUNTS_FIRST_LANE, 2},
		{ws_fold_each, WS_COUNTS_FIRST_LANE, 1},
		{ws_fold_slope, WS_COUNTS_FIRST_LANE, 1},
		{ws_fold_slope_read_written, WS_COUNTS_FIRST_LANE, 2},
		{ws_fold_slope_each, WS_COUNTS_FIRST_LANE, 1},
		{ws_fold_total, WS_COUNTS_ALL_LANES, 1},
		{ws_fold_sum, WS_COUNTS_ALL_LANES, 1},
		{ws_fold_slope_total, WS_COUNTS_ALL_LANES, 1},
		{ws_fold_custom, WS_COUNTS_ALL_LANES, 1},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].fold != probe->fold || strcmp(probe->quantities[0].unit, "GB/s") != 0)
			continue;
		*times = rows[i].times;
		return rows[i].counting;
	}
	return WS_COUNTS_NOTHING;
}
