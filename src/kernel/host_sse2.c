/* The loops with SSE2. */
#include "kernel/host_isa.h"

#include <immintrin.h>

#define WS_VEC 16
#define WS_STREAM(p, v) _mm_stream_si128((__m128i *)(void *)(p), (__m128i)(v))
#define WS_FENCE() _mm_sfence()
#define WS_PAST_CACHES 1
#include "kernel/host_loops.h"

const struct ws_host_kernels ws_host_sse2 = WS_HOST_KERNELS("sse2");
