/* What the CUDA driver answers, as errors; and waiting with a deadline. */
#include "backend/cuda_private.h"

#include <stdio.h>
#include <time.h>

#include "base/clock.h"

/* A stream is looked at without pause for so long, then now and then. */
#define SPIN_NS 200000
#define NAP_NS 50000

int64_t cuda_after_ns(int64_t time_ns)
{
	return ws_clock_now_ns(ws_clock_monotonic()) + time_ns;
}

/* After these a context is of no use any more; the process cannot make another one. */
static bool is_sticky(int result)
{
	switch (result) {
	case CUDA_ECC_UNCORRECTABLE:
	case CUDA_NVLINK_UNCORRECTABLE:
	case CUDA_CONTAINED:
	case CUDA_ILLEGAL_ADDRESS:
	case CUDA_LAUNCH_TIMEOUT:
	case CUDA_CONTEXT_IS_DESTROYED:
	case CUDA_HARDWARE_STACK_ERROR:
	case CUDA_ILLEGAL_INSTRUCTION:
	case CUDA_MISALIGNED_ADDRESS:
	case CUDA_INVALID_ADDRESS_SPACE:
	case CUDA_INVALID_PC:
	case CUDA_LAUNCH_FAILED:
		return true;
	default:
		return false;
	}
}

static int status_of(int result)
{
	switch (result) {
	case CUDA_OUT_OF_MEMORY:
		return WS_ENOMEM;
	case CUDA_NO_DEVICE:
		return WS_EABSENT;
	case CUDA_NOT_SUPPORTED:
	case CUDA_NOT_PERMITTED:
	case CUDA_PEER_ACCESS_UNSUPPORTED:
		return WS_EUNSUPPORTED;
	default:
		return WS_EDRIVER;
	}
}

int cuda_library_result(const struct cuda *cuda, int result, const char *call, struct ws_error *error)
{
	const char *name = NULL;

	if (result == CUDA_SUCCESS)
		return WS_OK;
	if (cuda->api.error_name(result, &name) != CUDA_SUCCESS || !name)
		name = "a result that this driver has no name for";
	return ws_fail(error, status_of(result), "%s: %d %s", call, result, name);
}

int cuda_result(struct cuda_gpu *gpu, int result, const char *call, struct ws_error *error)
{
	const struct cuda_library *api = &gpu->cuda->api;
	const char *name = NULL;
	int rc;

	if (result == CUDA_SUCCESS)
		return WS_OK;
	if (api->error_name(result, &name) != CUDA_SUCCESS || !name)
		name = "a result that this driver has no name for";
	rc = ws_fail(error, status_of(result), "cuda%d: %s: %d %s", gpu->index, call, result, name);
	if (is_sticky(result) && !atomic_exchange(&gpu->failing, true)) {
		snprintf(gpu->failed_text, sizeof(gpu->failed_text),
			 "cuda%d is of no use to this process since %s answered %d %s", gpu->index, call, result, name);
		atomic_store(&gpu->failed, WS_EDRIVER);
	}
	return rc;
}

static int wait_for(struct cuda_gpu *gpu, struct cuda_stream *stream, int64_t deadline_ns, int64_t spin_ns,
		    const char *what, struct ws_error *error)
{
	const struct timespec nap = {.tv_nsec = NAP_NS};
	const int64_t begun_ns = cuda_after_ns(0);

	for (;;) {
		const int result = gpu->cuda->api.stream_query(stream);
		const int64_t now_ns = cuda_after_ns(0);

		if (result != CUDA_NOT_READY)
			return cuda_result(gpu, result, what, error);
		if (now_ns >= deadline_ns) {
			gpu->lost = true;
			return ws_fail(error, WS_ETIMEOUT, "cuda%d: %s did not end within %.3g s", gpu->index, what,
				       (double)(now_ns - begun_ns) / 1e9);
		}
		if (now_ns - begun_ns > spin_ns)
			nanosleep(&nap, NULL);
	}
}

int cuda_wait(struct cuda_gpu *gpu, struct cuda_stream *stream, int64_t deadline_ns, const char *what,
	      struct ws_error *error)
{
	return wait_for(gpu, stream, deadline_ns, SPIN_NS, what, error);
}

int cuda_wait_awake(struct cuda_gpu *gpu, struct cuda_stream *stream, int64_t deadline_ns, const char *what,
		    struct ws_error *error)
{
	return wait_for(gpu, stream, deadline_ns, INT64_MAX, what, error);
}
