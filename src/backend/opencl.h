/* The OpenCL back end: every device of every platform, copies by the runtime. */
#ifndef WS_BACKEND_OPENCL_H
#define WS_BACKEND_OPENCL_H

#include "seam/backend.h"

/*
 * Places ocl0, ocl1, ... in the order of platforms and devices, engine "ce" (whatever the runtime copies with). Host
 * memory of kind "pinned" is the runtime's own (CL_MEM_ALLOC_HOST_PTR), mapped once and kept mapped.
 * WIRESPEED_OPENCL_LIB overrides the library's name.
 */
extern const struct ws_backend_ops ws_opencl_backend;

#endif
