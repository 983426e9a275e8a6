/* The loops with AVX2. */
#include "kernel/host_isa.h"

#include <immintrin.h>

#define WS_VEC 32
#define WS_STREAM(p, v) _mm256_stream_si256((__m256i *)(void *)(p), (__m256i)(v))
#define WS_FENCE() _mm_sfence()
#define WS_PAST_CACHES 1
#include "kernel/host_loops.h"

const struct ws_host_kernels ws_host_avx2 = WS_HOST_KERNELS("avx2");
