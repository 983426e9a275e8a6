/* The OpenCL back end: every device of every platform. */
#ifndef WS_BACKEND_OPENCL_H
#define WS_BACKEND_OPENCL_H

#include "seam/backend.h"

/*
 * Places ocl0, ocl1, ... in the order of platforms and devices. Engines: "ce", whatever the runtime copies with, and
 * "sm", kernels, where the runtime can compile some. Kinds of host memory:
 *
 *	pageable  the host's own; the item must be ungated, as a runtime may copy such memory inside the call
 *	pinned    the runtime's (CL_MEM_ALLOC_HOST_PTR), mapped once and kept mapped; copies take its address
 *	mapped    the host's own, used by the runtime in place (CL_MEM_USE_HOST_PTR)
 *	svm       shared virtual memory (coarse grain)
 *
 * Copies of the last two are from buffer to buffer; between samples such memory is the host's, by a map. Kernels reach
 * all but pageable memory. Where the runtime works on a copy of its own, which is looked for, such items are refused. A
 * copy between two devices of a platform is made in a context of both, by a way that nobody tells. Such copies, the verbs
 * map, unmap and noop, and copies with access=mapped (map, copy by the CPU, unmap) are timed call by call and must be
 * ungated. A map that moves nothing, since host and device share the memory, has a cost for each call ("marks") and no
 * rate. WIRESPEED_OPENCL_LIB overrides the library's name.
 */
extern const struct ws_backend_ops ws_opencl_backend;

#endif
