/*
 * Why a copy by NVLink is slower than its links: what they carry for each byte copied, and how much of them that is.
 * Pure functions over a result, so that a saved one can be judged again; there is no table of products.
 */
#ifndef WS_JUDGE_WIRE_H
#define WS_JUDGE_WIRE_H

#include "base/error.h"
#include "seam/result.h"

/*
 * Sets wire of every cell with a bandwidth whose first measured item goes by NVLink, as limit.h sees its path. Of
 * others it is all zero.
 *
 *	bytes = raw / data	by NVML's counters NVLINK_THROUGHPUT_RAW_* and _DATA_* (fields 138 to 141: KiB over all
 *				links of a GPU, payload with headers and payload alone) at the engine's GPU, TX if the bytes
 *				leave it and RX if they arrive: raw holds what packets cost, and the answers and
 *				acknowledgements of traffic the other way where there is some
 *	used = rate x bytes	rate being what the figure says of the bytes that pass the links at one end of the way in
 *				one direction: all of it, or of a sum over copies of one size as large a part as that of the
 *				copies is; of the two ends the one that more of them pass
 *	raw = links x rate	of one link, as the path's facts nvlink.links and nvlink.link_mb_per_s tell
 *
 * The counts are those of the step's samples if they were counted (settings.counters), else of the shot that the path's
 * facts know: step->path, "cuda0": {"counters": {"nvlink.raw_tx_bytes": ...}}, null where one ran backwards.
 */
int ws_wire_result(struct ws_result *result, struct ws_error *error);

#endif
