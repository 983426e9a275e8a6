/* The kernels of the CUDA back end: their names, the modules they are in, and how they are laid out over a GPU. */
#ifndef WS_BACKEND_CUDA_KERNEL_H
#define WS_BACKEND_CUDA_KERNEL_H

#include <stdint.h>

enum cuda_module_index { CUDA_MODULE_BASE, CUDA_MODULE_SYNC, CUDA_MODULE_HOPPER, CUDA_MODULE_COUNT };

/* Rows of cuda_kernel.c; parameters stand in src/kernel/cuda_*.cl. */
enum cuda_kernel {
	CUDA_KERNEL_COPY,
	CUDA_KERNEL_SPLIT,
	CUDA_KERNEL_READ,
	CUDA_KERNEL_SUM_PATTERN,
	CUDA_KERNEL_WRITE,
	CUDA_KERNEL_FILL,
	CUDA_KERNEL_CHECK,
	CUDA_KERNEL_CHECK_VALUE,
	CUDA_KERNEL_CHASE_LINK,
	CUDA_KERNEL_CHASE,
	CUDA_KERNEL_GATE,
	CUDA_KERNEL_NOOP,
	CUDA_KERNEL_PINGPONG_RELAXED,
	CUDA_KERNEL_PINGPONG_ACQREL,
	CUDA_KERNEL_COPY_BULK,
	CUDA_KERNEL_CHASE_BULK,
	CUDA_KERNEL_COUNT
};

/* As in src/kernel/cuda_device.clh. */
#define CUDA_READ_THREADS 256
#define CUDA_READ_UNROLL 4
#define CUDA_READ_SLOTS 1024

/* passes: the whole grid so many times over, one pass behind the other; 0 counts as 1. */
struct cuda_grid {
	unsigned blocks, threads, passes;
};

/* A thread for each 16-byte element of a buffer, and one more. */
struct cuda_grid cuda_grid_each(uint64_t size_bytes);
/* The same for both ways of CUDA_KERNEL_SPLIT, and how many of its blocks can be under way at the end. */
struct cuda_grid cuda_grid_split(uint64_t size_bytes);
unsigned cuda_split_last(int processors);
/* For kernels that take any grid. */
struct cuda_grid cuda_grid_any(int processors);
/* Of CUDA_KERNEL_COPY_BULK: blocks of one thread, as many as the shared memory for their stages leaves room for. */
struct cuda_grid cuda_grid_bulk(int processors);
/* Of CUDA_KERNEL_READ. */
struct cuda_grid cuda_grid_read(uint64_t size_bytes);

#endif
