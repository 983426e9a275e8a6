/* The loops in plain C: 8 bytes at a time, and ordinary stores where others stream. */
#include "kernel/host_isa.h"

#define WS_VEC 8
#define WS_STREAM(p, v) store((p), (v))
#define WS_FENCE() ((void)0)
#define WS_PAST_CACHES 0
#include "kernel/host_loops.h"

const struct ws_host_kernels ws_host_plain = WS_HOST_KERNELS("plain");
