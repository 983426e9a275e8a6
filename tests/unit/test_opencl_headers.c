/*
 * Our own declarations of OpenCL against those of Khronos (Debian: opencl-headers). It is the compiler that compares:
 * types, because both spell the same typedefs of the same structs; values and functions by the assertions below, which
 * CMake lists from opencl_private.h and opencl.def. CL_DEVICE_TYPE_ALL is a macro with either's text.
 */
#include <stdio.h>

#include "backend/opencl_private.h"

/* Kept before CL/cl.h hides our names by macros. */
enum {
#define VALUE(name) ours_##name = name,
#include "opencl_values.inc"
#undef VALUE
};

#define CL_TARGET_OPENCL_VERSION 200
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>

#define VALUE(name) _Static_assert((long long)(name) == (long long)ours_##name, #name " has another value");
#include "opencl_values.inc"

#define FUNCTION(ours, theirs)                                                                                         \
	_Static_assert(__builtin_types_compatible_p(__typeof__(&(theirs)),                                             \
						    __typeof__(((struct opencl_library *)NULL)->ours)),                \
		       #theirs " has other parameters");
#include "opencl_functions.inc"
#undef FUNCTION

int main(void)
{
	size_t values = 0, functions = 0;

#undef VALUE
#define VALUE(name) values++;
#include "opencl_values.inc"
#define FUNCTION(ours, theirs) functions++;
#include "opencl_functions.inc"
	printf("%zu values and %zu functions agree with CL/cl.h\n", values, functions);
	return values < 20 || functions * sizeof(void *) != sizeof(struct opencl_library);
}
