/* Kernels of the CUDA back end: loading modules, finding and launching kernels, reading back what they leave. */
#include "backend/cuda_private.h"

#include <stdio.h>
#include <string.h>

extern const char ws_kernel_cuda_base[], ws_kernel_cuda_sync[], ws_kernel_cuda_hopper[];

/* What each module needs of a device. */
static const struct module_row {
	const char *name, *text;
	int major;
} modules[CUDA_MODULE_COUNT] = {
	[CUDA_MODULE_BASE] = {"base", ws_kernel_cuda_base, 6},
	[CUDA_MODULE_SYNC] = {"sync", ws_kernel_cuda_sync, 7},
	[CUDA_MODULE_HOPPER] = {"hopper", ws_kernel_cuda_hopper, 9},
};

static const struct kernel_row {
	const char *name;
	enum cuda_module_index module;
} kernels[CUDA_KERNEL_COUNT] = {
	[CUDA_KERNEL_COPY] = {"ws_copy", CUDA_MODULE_BASE},
	[CUDA_KERNEL_SPLIT] = {"ws_split", CUDA_MODULE_BASE},
	[CUDA_KERNEL_READ] = {"ws_read", CUDA_MODULE_BASE},
	[CUDA_KERNEL_SUM_PATTERN] = {"ws_sum_pattern", CUDA_MODULE_BASE},
	[CUDA_KERNEL_WRITE] = {"ws_write", CUDA_MODULE_BASE},
	[CUDA_KERNEL_FILL] = {"ws_fill", CUDA_MODULE_BASE},
	[CUDA_KERNEL_CHECK] = {"ws_check", CUDA_MODULE_BASE},
	[CUDA_KERNEL_CHECK_VALUE] = {"ws_check_value", CUDA_MODULE_BASE},
	[CUDA_KERNEL_CHASE_LINK] = {"ws_chase_link", CUDA_MODULE_BASE},
	[CUDA_KERNEL_CHASE] = {"ws_chase", CUDA_MODULE_BASE},
	[CUDA_KERNEL_GATE] = {"ws_gate", CUDA_MODULE_BASE},
	[CUDA_KERNEL_NOOP] = {"ws_noop", CUDA_MODULE_BASE},
	[CUDA_KERNEL_PINGPONG_RELAXED] = {"ws_pingpong_relaxed", CUDA_MODULE_SYNC},
	[CUDA_KERNEL_PINGPONG_ACQREL] = {"ws_pingpong_acqrel", CUDA_MODULE_SYNC},
	[CUDA_KERNEL_COPY_BULK] = {"ws_copy_bulk", CUDA_MODULE_HOPPER},
	[CUDA_KERNEL_CHASE_BULK] = {"ws_chase_bulk", CUDA_MODULE_HOPPER},
};

enum { EACH_THREADS = 256, ANY_THREADS = 512, ANY_BLOCKS_PER_PROCESSOR = 4, BULK_BLOCKS_PER_PROCESSOR = 4 };

/* No multiprocessor has more. */
enum { THREADS_PER_PROCESSOR = 2048 };

static unsigned blocks_for(uint64_t threads, unsigned block)
{
	return (unsigned)((threads + block - 1) / block);
}

struct cuda_grid cuda_grid_each(uint64_t size_bytes)
{
	const uint64_t elements = size_bytes / 16 + 1;

	/* The bytes behind the last element have a thread each. */
	return (struct cuda_grid){
		.blocks = blocks_for(elements > 16 ? elements : 16, EACH_THREADS), .threads = EACH_THREADS};
}

struct cuda_grid cuda_grid_split(uint64_t size_bytes)
{
	/* Half of a block's threads go either way. */
	const uint64_t elements = size_bytes / 16 + 16;

	return (struct cuda_grid){.blocks = blocks_for(elements, EACH_THREADS / 2), .threads = EACH_THREADS};
}

unsigned cuda_split_last(int processors)
{
	return 2 * (unsigned)processors * (THREADS_PER_PROCESSOR / EACH_THREADS);
}

struct cuda_grid cuda_grid_any(int processors)
{
	return (struct cuda_grid){.blocks = (unsigned)processors * ANY_BLOCKS_PER_PROCESSOR, .threads = ANY_THREADS};
}

struct cuda_grid cuda_grid_bulk(int processors)
{
	return (struct cuda_grid){.blocks = (unsigned)processors * BULK_BLOCKS_PER_PROCESSOR, .threads = 1};
}

struct cuda_grid cuda_grid_read(uint64_t size_bytes)
{
	return (struct cuda_grid){.blocks = blocks_for(size_bytes / 16 + 1, CUDA_READ_THREADS * CUDA_READ_UNROLL),
				  .threads = CUDA_READ_THREADS};
}

/* The first line of the log that says why; the driver's other lines repeat it. */
static void cut_log(char *log)
{
	log[strcspn(log, "\n")] = '\0';
}

static int load_module(struct cuda_gpu *gpu, enum cuda_module_index index, struct ws_error *error)
{
	const struct module_row *row = &modules[index];
	char log[256] = "", what[sizeof(log) + 80];
	int options[] = {CUDA_JIT_ERROR_LOG, CUDA_JIT_ERROR_LOG_BYTES};
	void *values[] = {log, (void *)(uintptr_t)(sizeof(log) - 1)};
	int result;

	if (gpu->modules[index])
		return WS_OK;
	if (gpu->major < row->major)
		return ws_fail(error, WS_EUNSUPPORTED,
			       "cuda%d has compute capability %d.%d, the kernels of module %s need %d.0", gpu->index,
			       gpu->major, gpu->minor, row->name, row->major);
	result = gpu->cuda->api.module_load(&gpu->modules[index], row->text, 2, options, values);
	if (result == CUDA_SUCCESS)
		return WS_OK;
	gpu->modules[index] = NULL;
	cut_log(log);
	snprintf(what, sizeof(what), "cuModuleLoadDataEx of module %s%s%s", row->name, log[0] ? ", " : "", log);
	return cuda_result(gpu, result, what, error);
}

int cuda_kernel_get(struct cuda_gpu *gpu, enum cuda_kernel kernel, struct cuda_function **out, struct ws_error *error)
{
	const struct kernel_row *row = &kernels[kernel];
	char what[80];
	int rc = WS_OK;

	if (!gpu->kernels[kernel]) {
		rc = load_module(gpu, row->module, error);
		if (rc == WS_OK) {
			snprintf(what, sizeof(what), "cuModuleGetFunction of %s", row->name);
			rc = cuda_result(gpu,
					 gpu->cuda->api.module_function(&gpu->kernels[kernel],
									gpu->modules[row->module], row->name),
					 what, error);
		}
	}
	if (rc == WS_OK)
		*out = gpu->kernels[kernel];
	return rc;
}

int cuda_launch(struct cuda_gpu *gpu, struct cuda_stream *stream, enum cuda_kernel kernel, struct cuda_grid grid,
		void **parameters, struct ws_error *error)
{
	struct cuda_function *function = NULL;
	char what[80];
	int result, rc = cuda_kernel_get(gpu, kernel, &function, error);

	if (rc != WS_OK)
		return rc;
	result = gpu->cuda->api.launch(function, grid.blocks, grid.passes ? grid.passes : 1, 1, grid.threads, 1, 1, 0, stream, parameters, NULL);
	if (result == CUDA_SUCCESS)
		return WS_OK;
	snprintf(what, sizeof(what), "cuLaunchKernel of %s", kernels[kernel].name);
	return cuda_result(gpu, result, what, error);
}

int cuda_read_back(struct cuda_gpu *gpu, struct cuda_stream *stream, uint64_t address, void *to, size_t size_bytes,
		   int64_t deadline_ns, struct ws_error *error)
{
	int rc = cuda_result(gpu, gpu->cuda->api.copy((uint64_t)(uintptr_t)to, address, size_bytes, stream),
			     "cuMemcpyAsync of results", error);

	return rc == WS_OK ? cuda_wait(gpu, stream, deadline_ns, "reading results", error) : rc;
}
