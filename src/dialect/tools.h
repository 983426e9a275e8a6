/* What each tool's row in dialect.c runs. */
#ifndef WS_DIALECT_TOOLS_H
#define WS_DIALECT_TOOLS_H

#include "dialect/dialect.h"

/* As struct ws_dialect has it. */
int ws_dialect_nvbandwidth(const struct ws_dialect_call *call);
int ws_dialect_bandwidth_test(const struct ws_dialect_call *call);
int ws_dialect_ocl_bandwidth_test(const struct ws_dialect_call *call);
int ws_dialect_p2p(const struct ws_dialect_call *call);
int ws_dialect_rbln(const struct ws_dialect_call *call);

#endif
