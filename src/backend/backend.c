/* The back ends that this build has: a new one is a line here. */
#include "backend/backend.h"

#include "backend/cuda.h"
#include "backend/host.h"
#include "backend/opencl.h"

static const struct ws_backend_ops *const backends[] = {
	&ws_host_backend,
	&ws_cuda_backend,
	&ws_opencl_backend,
};

const struct ws_backend_ops *const *ws_backends(size_t *count)
{
	*count = sizeof(backends) / sizeof(backends[0]);
	return backends;
}
