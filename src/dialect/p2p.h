/* The dialect of p2pBandwidthLatencyTest, one of the CUDA samples. */
#ifndef WS_DIALECT_P2P_H
#define WS_DIALECT_P2P_H

#include "dialect/dialect.h"

int p2p_run(const struct ws_dialect_call *call);

#endif
