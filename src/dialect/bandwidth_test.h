/* The dialects of the bandwidth tests that came with CUDA and with NVIDIA's OpenCL SDK. */
#ifndef WS_DIALECT_BANDWIDTH_TEST_H
#define WS_DIALECT_BANDWIDTH_TEST_H

#include "dialect/dialect.h"

/* bandwidthTest of 12.8 and 7.5. */
int ws_bandwidth_test(const struct ws_dialect_call *call);

/* oclBandwidthTest of the SDK 4.2. */
int ws_ocl_bandwidth_test(const struct ws_dialect_call *call);

#endif
