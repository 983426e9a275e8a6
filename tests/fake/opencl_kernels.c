/* Programs and kernels of the fake libOpenCL: what src/kernel/opencl.cl says, done in C. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake/opencl_objects.h"

#define WS_DL WS_DL_PROTOTYPE
#include "backend/opencl.def"

enum { BUILD_FAILURE = -11, NAME_UNKNOWN = -46 };

static const struct {
	const char *name;
	enum fake_kernel kernel;
	int arguments;
} kernels[] = {
	{"ws_copy", FAKE_COPY, 4},
	{"ws_read", FAKE_READ, 4},
	{"ws_write", FAKE_WRITE, 4},
	{"ws_noop", FAKE_NOOP, 1},
};

cl_program fake_create_program(cl_context context, cl_uint count, const char **texts, const size_t *lengths,
			       cl_int *code)
{
	cl_program program = NULL;

	fake_lock();
	context = fake_live(context, CONTEXT, "clCreateProgramWithSource");
	*code = opencl_call("clCreateProgramWithSource", context->device->index, 0);
	if (count != 1 || lengths || !strstr(texts[0], "ws_copy"))
		opencl_misuse("clCreateProgramWithSource");
	if (*code == 0) {
		program = fake_make(PROGRAM, sizeof(*program));
		program->context = context;
		context->object.references++;
	}
	fake_leave(0);
	return program;
}

cl_int fake_build_program(cl_program program, cl_uint count, const cl_device *devices, const char *options,
			  cl_built *notify, void *data)
{
	int code;

	fake_lock();
	program = fake_live(program, PROGRAM, "clBuildProgram");
	code = opencl_call("clBuildProgram", program->context->device->index, 0);
	if (count != 1 || devices[0] != program->context->device || notify || data ||
	    sscanf(options, "-DLOCAL=%zu -DEACH=%zu", &program->local, &program->each) != 2)
		opencl_misuse("clBuildProgram %s", options);
	return fake_leave(code == 0 && program->context->device->model->no_build ? BUILD_FAILURE : code);
}

cl_int fake_build_info(cl_program program, cl_device device, cl_uint name, size_t size, void *value, size_t *needed)
{
	static const char log[] = "made up:1:\terror:\n\n  this compiler compiles nothing\n";
	int code;

	fake_lock();
	program = fake_live(program, PROGRAM, "clGetProgramBuildInfo");
	code = opencl_call("clGetProgramBuildInfo", device->index, name);
	if (name != CL_PROGRAM_BUILD_LOG)
		opencl_misuse("clGetProgramBuildInfo of 0x%x", (unsigned)name);
	return fake_leave(code ? code : fake_answer(log, sizeof(log), size, value, needed));
}

static void drop_program(cl_program program)
{
	if (!fake_drop(&program->object))
		return;
	fake_drop_context(program->context);
	free(program);
}

cl_int fake_release_program(cl_program program)
{
	int code;

	fake_lock();
	program = fake_live(program, PROGRAM, "clReleaseProgram");
	code = opencl_call("clReleaseProgram", program->context->device->index, 0);
	drop_program(program);
	return fake_leave(code);
}

cl_kernel fake_create_kernel(cl_program program, const char *name, cl_int *code)
{
	cl_kernel kernel = NULL;

	fake_lock();
	program = fake_live(program, PROGRAM, "clCreateKernel");
	*code = opencl_call("clCreateKernel", program->context->device->index, 0);
	for (size_t i = 0; *code == 0 && i < sizeof(kernels) / sizeof(kernels[0]); i++) {
		if (strcmp(kernels[i].name, name) != 0)
			continue;
		kernel = fake_make(KERNEL, sizeof(*kernel));
		kernel->program = program;
		kernel->kernel = kernels[i].kernel;
		kernel->argument_count = kernels[i].arguments;
		program->object.references++;
	}
	if (*code == 0 && !kernel)
		*code = NAME_UNKNOWN;
	fake_leave(0);
	return kernel;
}

cl_int fake_release_kernel(cl_kernel kernel)
{
	int code;

	fake_lock();
	kernel = fake_live(kernel, KERNEL, "clReleaseKernel");
	code = opencl_call("clReleaseKernel", kernel->program->context->device->index, 0);
	if (fake_drop(&kernel->object)) {
		drop_program(kernel->program);
		free(kernel);
	}
	return fake_leave(code);
}

cl_int fake_set_argument(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
	int code;

	fake_lock();
	kernel = fake_live(kernel, KERNEL, "clSetKernelArg");
	code = opencl_call("clSetKernelArg", kernel->program->context->device->index, size);
	if (index >= (cl_uint)kernel->argument_count || size > sizeof(kernel->arguments[0]) || !value)
		opencl_misuse("clSetKernelArg %u", (unsigned)index);
	if (code == 0) {
		kernel->arguments[index] = 0;
		memcpy(&kernel->arguments[index], value, size);
		kernel->set |= 1u << index;
	}
	return fake_leave(code);
}

/* The buffer that an argument is. */
static cl_mem buffer_at(const struct _cl_kernel *kernel, int index, size_t least)
{
	cl_mem buffer;

	memcpy(&buffer, &kernel->arguments[index], sizeof(buffer));
	buffer = fake_live(buffer, BUFFER, "clEnqueueNDRangeKernel");
	if (buffer->mapped || buffer->size < least || buffer->context != kernel->program->context)
		opencl_misuse("clEnqueueNDRangeKernel: a buffer that is mapped, too small or of another context");
	return buffer;
}

/* Work-groups that cover the buffer, each with its sum. */
static struct command command_of(const struct _cl_kernel *kernel, size_t groups)
{
	const int counts = kernel->kernel == FAKE_COPY ? 2 : 1;
	struct command command = {.action = COMPUTE, .direction = INSIDE, .kernel = kernel->kernel};

	if (kernel->kernel == FAKE_NOOP)
		return command;
	command.size = (size_t)(16 * kernel->arguments[counts] + kernel->arguments[counts + 1]);
	if (groups * kernel->program->local * kernel->program->each < kernel->arguments[counts])
		opencl_misuse("clEnqueueNDRangeKernel: %zu work-groups for %zu bytes", groups, command.size);
	command.buffer = buffer_at(kernel, 0, command.size);
	command.to = fake_worked_on(command.buffer);
	command.from = fake_worked_on(command.buffer);
	command.value = kernel->arguments[3];
	if (kernel->kernel == FAKE_COPY) {
		command.action = COPY;
		command.pinned = true;
		command.from_buffer = buffer_at(kernel, 1, command.size);
		command.from = fake_worked_on(command.from_buffer);
		command.direction = command.from_buffer->of_host ? TO_DEVICE
				    : command.buffer->of_host	 ? FROM_DEVICE
								 : INSIDE;
	} else if (kernel->kernel == FAKE_READ) {
		command.from_buffer = buffer_at(kernel, 3, groups * sizeof(uint64_t));
		command.to = fake_worked_on(command.from_buffer);
	}
	return command;
}

cl_int fake_launch(cl_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset, const size_t *global,
		   const size_t *local, cl_uint wait_count, const cl_event *wait, cl_event *event)
{
	int code;

	fake_lock();
	queue = fake_live(queue, QUEUE, "clEnqueueNDRangeKernel");
	kernel = fake_live(kernel, KERNEL, "clEnqueueNDRangeKernel");
	code = opencl_call("clEnqueueNDRangeKernel", queue->device->index, 0);
	if (dimensions != 1 || offset || *local != kernel->program->local || *global % *local || *global == 0 ||
	    kernel->set != (1u << kernel->argument_count) - 1)
		opencl_misuse("clEnqueueNDRangeKernel");
	if (code == 0)
		fake_append(queue, command_of(kernel, *global / *local), wait_count ? wait : NULL, event);
	return fake_leave(code);
}

/* Copies go the way of other copies. */
void fake_compute(const struct command *command)
{
	uint64_t sum = 0, word;

	if (command->kernel == FAKE_WRITE)
		for (size_t i = 0; i < command->size; i++)
			command->to[i] = (unsigned char)(command->value >> (8 * (i & 7)));
	if (command->kernel != FAKE_READ)
		return;
	for (size_t i = 0; i < command->size; i += 8) {
		const size_t left = command->size - i;

		word = 0;
		memcpy(&word, command->from + i, left < 8 ? left : 8);
		sum += word;
	}
	memcpy(&word, command->to, sizeof(word));
	word += sum;
	memcpy(command->to, &word, sizeof(word));
}
