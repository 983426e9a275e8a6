/* The sets of loops that this architecture's build has, one per host_<isa>.c. */
#ifndef WS_KERNEL_HOST_ISA_H
#define WS_KERNEL_HOST_ISA_H

#include "kernel/host_kernel.h"

extern const struct ws_host_kernels ws_host_plain;
#if defined(__x86_64__)
extern const struct ws_host_kernels ws_host_sse2, ws_host_avx2, ws_host_avx512;
#elif defined(__aarch64__)
extern const struct ws_host_kernels ws_host_neon;
#endif

#endif
