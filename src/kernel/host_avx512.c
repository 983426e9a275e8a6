/* The loops with AVX-512. */
#include "kernel/host_isa.h"

#include <immintrin.h>

#define WS_VEC 64
#define WS_STREAM(p, v) _mm512_stream_si512((__m512i *)(void *)(p), (__m512i)(v))
#define WS_FENCE() _mm_sfence()
#define WS_PAST_CACHES 1
#include "kernel/host_loops.h"

const struct ws_host_kernels ws_host_avx512 = WS_HOST_KERNELS("avx512");
