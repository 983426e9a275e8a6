/* The loops with NEON. Its store past the caches takes a pair of registers and is only a hint. */
#include "kernel/host_isa.h"

#define WS_VEC 16
#define WS_STREAM(p, v) stream((p), (v))
#define WS_FENCE() __asm__ volatile("dmb ishst" ::: "memory")
#define WS_PAST_CACHES 0

typedef uint64_t pair_t __attribute__((vector_size(WS_VEC)));

static inline __attribute__((always_inline)) void stream(unsigned char *p, pair_t v)
{
	__asm__ volatile("stnp %d1, %d2, %0" : "=Q"(*(pair_t *)(void *)p) : "w"(v[0]), "w"(v[1]));
}

#include "kernel/host_loops.h"

const struct ws_host_kernels ws_host_neon = WS_HOST_KERNELS("neon");
