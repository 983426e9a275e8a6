/* How a cell's first quantity counts lanes. */
#ifndef WS_JUDGE_COUNTING_H
#define WS_JUDGE_COUNTING_H

#include "seam/probe.h"

enum ws_counting { WS_COUNTS_NOTHING, WS_COUNTS_FIRST_LANE, WS_COUNTS_ALL_LANES };

/* Of a bandwidth; anything else counts nothing. Sets *times to how often a byte that is moved counts, if it does. */
enum ws_counting ws_counting_of(const struct ws_probe *probe, double *times);

#endif
