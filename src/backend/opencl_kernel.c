/* Kernels of the OpenCL back end: compiled once for each device, launched over a buffer's elements. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/opencl_private.h"

extern const char ws_kernel_opencl[];

#define ELEMENT_BYTES 16

static const char *const names[] = {
	[OPENCL_KERNEL_COPY] = "ws_copy",
	[OPENCL_KERNEL_READ] = "ws_read",
	[OPENCL_KERNEL_WRITE] = "ws_write",
	[OPENCL_KERNEL_NOOP] = "ws_noop",
};

/*
 * A work-item of a device with many lanes takes one element, or four where it adds them up, since loads under way are
 * what hides their latency; one of a processor takes 256 KiB.
 */
static size_t each_of(const struct opencl_device *device, enum opencl_kernel kernel)
{
	if (device->type & CL_DEVICE_TYPE_CPU)
		return 16384;
	return kernel == OPENCL_KERNEL_READ ? 4 : 1;
}

/* What the compiler says, as one line that fits. */
static int build_failed(const struct opencl *opencl, const struct opencl_device *device, cl_program program,
			cl_int code, struct ws_error *error)
{
	size_t size = 0, used = 0;
	char *log = NULL, line[200] = "";

	if (opencl->cl.build_info(program, device->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) == 0 && size > 0)
		log = calloc(1, size + 1);
	if (log && opencl->cl.build_info(program, device->device, CL_PROGRAM_BUILD_LOG, size, log, NULL) != 0)
		log[0] = '\0';
	for (const char *at = log ? log : ""; *at && used + 1 < sizeof(line); at++)
		if (isgraph((unsigned char)*at) || (used > 0 && line[used - 1] != ' '))
			line[used++] = (char)(isgraph((unsigned char)*at) ? *at : ' ');
	free(log);
	line[used > 0 && line[used - 1] == ' ' ? used - 1 : used] = '\0';
	return ws_fail(error, WS_EDRIVER, "ocl%d: clBuildProgram: error %d: the runtime cannot compile a kernel%s%s",
		       device->index, code, line[0] ? ": " : "", line);
}

/* The program whose kernels take so many elements; compiled when first needed. */
static int program_of(const struct opencl *opencl, struct opencl_device *device, size_t each, cl_program *out,
		      struct ws_error *error)
{
	cl_program *program = &device->programs[each > 1];
	const char *text = ws_kernel_opencl;
	cl_program made;
	char options[60];
	cl_int code = 0;

	if (*program) {
		*out = *program;
		return WS_OK;
	}
	made = opencl->cl.create_program(device->context, 1, &text, NULL, &code);
	if (!made)
		return opencl_fail(error, "clCreateProgramWithSource", code);
	snprintf(options, sizeof(options), "-DLOCAL=%zu -DEACH=%zu", device->local, each);
	code = opencl->cl.build_program(made, 1, &device->device, options, NULL, NULL);
	if (code != 0) {
		build_failed(opencl, device, made, code, error);
		opencl->cl.release_program(made);
		return WS_EDRIVER;
	}
	*program = *out = made;
	return WS_OK;
}

int opencl_kernel_new(const struct opencl *opencl, struct opencl_device *device, enum opencl_kernel kernel,
		      cl_kernel *out, struct ws_error *error)
{
	cl_program program = NULL;
	cl_kernel made;
	cl_int code = 0;
	int rc = program_of(opencl, device, each_of(device, kernel), &program, error);

	if (rc != WS_OK)
		return rc;
	made = opencl->cl.create_kernel(program, names[kernel], &code);
	if (!made)
		return opencl_fail(error, "clCreateKernel", code);
	*out = made;
	return WS_OK;
}

void opencl_kernels_release(const struct opencl *opencl, struct opencl_device *device)
{
	for (int i = 0; i < 2; i++)
		if (device->programs[i])
			opencl->cl.release_program(device->programs[i]);
}

size_t opencl_kernel_groups(const struct opencl_device *device, enum opencl_kernel kernel, uint64_t size_bytes)
{
	const size_t elements = device->local * each_of(device, kernel);
	const size_t groups = (size_t)(size_bytes / ELEMENT_BYTES + elements - 1) / elements;

	return groups ? groups : 1;
}

cl_int opencl_kernel_launch(const struct opencl *opencl, struct ws_queue *queue, enum opencl_kernel kernel,
			    cl_kernel with, uint64_t size_bytes, const struct opencl_argument *arguments, cl_uint count,
			    cl_event *event)
{
	const size_t local = queue->device->local;
	const size_t global = local * opencl_kernel_groups(queue->device, kernel, size_bytes);

	for (cl_uint i = 0; i < count; i++) {
		const cl_int code = opencl->cl.set_argument(with, i, arguments[i].size, arguments[i].value);

		if (code != 0)
			return code;
	}
	return opencl->cl.launch(queue->queue, with, 1, NULL, &global, &local, 0, NULL, event);
}
