/* The CUDA back end: memory of NVIDIA GPUs, moved by their copy engines and their processors. */
#ifndef WS_BACKEND_CUDA_H
#define WS_BACKEND_CUDA_H

#include "seam/backend.h"

/*
 * Places cuda<N> in PCI order; engines "ce" (copy), "sm" (copies, reads, writes, chases, ping-pong) and from Hopper on
 * "tma" (copies, chases). Host memory of a GPU's items: "pageable" is left as it is, "wc" and "mapped" come from the
 * driver, any other kind is memory of the host back end that attach registers.
 *
 * Two-way copies by "sm" are one kernel for the two queues; their lanes carry the GPU's global timer, all others its
 * events. One loop of a chase is WS_CUDA_CHASE_STEPS loads by each multiprocessor in turn, and one of a ping-pong
 * WS_CUDA_PINGPONG_TRIPS round trips; values are ns per load of each multiprocessor, and ns one way of each trip.
 */
extern const struct ws_backend_ops ws_cuda_backend;

#define WS_CUDA_CHASE_STEPS 32
#define WS_CUDA_CHASE_STRIDE 128
#define WS_CUDA_PINGPONG_TRIPS 250

/* Most loops, lead loops included, that go behind a gate: the driver's own queue holds about 1000 launches. */
#define WS_CUDA_LOOPS_MAX 512

#endif
