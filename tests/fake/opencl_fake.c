/*
 * A libOpenCL of made-up devices in host memory, on a clock of their own: event times follow from the description in
 * FAKE_OPENCL and nothing else. Here: platforms, devices, contexts, queues and buffers.
 */
#include <stdlib.h>
#include <string.h>

#include "fake/opencl_objects.h"

#define WS_DL WS_DL_PROTOTYPE
#include "backend/opencl.def"

/* By this symbol the program knows that nothing here is real. */
__attribute__((visibility("default"))) extern const int wirespeed_simulated;
const int wirespeed_simulated = 1;

static struct _cl_platform_id the_platforms[OPENCL_PLATFORMS_MAX];
/* All devices are of the first platform. */
static struct _cl_device_id the_devices[OPENCL_DEVICES_MAX];

cl_int fake_platforms(cl_uint count, cl_platform *platforms, cl_uint *found)
{
	const int code = fake_enter("clGetPlatformIDs", -1, 0);

	if (code)
		return fake_leave(code);
	for (cl_uint i = 0; i < count && i < opencl_machine()->platforms; i++)
		platforms[i] = &the_platforms[i];
	*found = (cl_uint)opencl_machine()->platforms;
	return fake_leave(*found ? 0 : CL_PLATFORM_NOT_FOUND_KHR);
}

static bool is_platform(cl_platform platform)
{
	for (int i = 0; i < OPENCL_PLATFORMS_MAX; i++)
		if (platform == &the_platforms[i])
			return true;
	return false;
}

cl_int fake_platform_info(cl_platform platform, cl_uint name, size_t size, void *value, size_t *needed)
{
	const char *text = name == CL_PLATFORM_VERSION ? "OpenCL 1.2 made up" : "Made up";
	const int code = fake_enter("clGetPlatformInfo", -1, name);

	if (code)
		return fake_leave(code);
	if (!is_platform(platform) || (name != CL_PLATFORM_VERSION && name != CL_PLATFORM_NAME))
		opencl_misuse("clGetPlatformInfo of 0x%x", (unsigned)name);
	return fake_leave(fake_answer(text, strlen(text) + 1, size, value, needed));
}

cl_int fake_devices(cl_platform platform, cl_bits type, cl_uint count, cl_device *devices, cl_uint *found)
{
	struct opencl_machine *machine = opencl_machine();
	const int code = fake_enter("clGetDeviceIDs", -1, 0);

	if (code)
		return fake_leave(code);
	if (!is_platform(platform) || type != CL_DEVICE_TYPE_ALL)
		opencl_misuse("clGetDeviceIDs");
	if (platform != &the_platforms[0])
		return fake_leave(CL_DEVICE_NOT_FOUND);
	for (int i = 0; i < (int)machine->devices; i++) {
		if (!the_devices[i].model)
			the_devices[i] = (struct _cl_device_id){
				.index = i, .model = &machine->models[i], .last_ns = (uint64_t)(i + 1) * 1000000000};
		if ((cl_uint)i < count)
			devices[i] = &the_devices[i];
	}
	*found = (cl_uint)machine->devices;
	return fake_leave(machine->devices ? 0 : CL_DEVICE_NOT_FOUND);
}

cl_int fake_device_info(cl_device device, cl_uint name, size_t size, void *value, size_t *needed)
{
	const struct opencl_model *model = device->model;
	const cl_bits type = model->processor ? CL_DEVICE_TYPE_CPU : 1 << 2;
	const cl_bits svm = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
	const cl_bool available = model->available, no = 0;
	const char *text = name == CL_DEVICE_NAME ? "Made-up device" : "1.0";
	const int code = fake_enter("clGetDeviceInfo", device->index, name);

	if (code)
		return fake_leave(code);
	switch (name) {
	case CL_DEVICE_TYPE:
		return fake_leave(fake_answer(&type, sizeof(type), size, value, needed));
	case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
		return fake_leave(fake_answer(&model->most_bytes, sizeof(model->most_bytes), size, value, needed));
	case CL_DEVICE_GLOBAL_MEM_SIZE:
		return fake_leave(fake_answer(&model->memory_bytes, sizeof(model->memory_bytes), size, value, needed));
	case CL_DEVICE_AVAILABLE:
		return fake_leave(fake_answer(&available, sizeof(available), size, value, needed));
	case CL_DEVICE_HOST_UNIFIED_MEMORY:
		return fake_leave(fake_answer(&no, sizeof(no), size, value, needed));
	case CL_DEVICE_NAME:
	case CL_DRIVER_VERSION:
		return fake_leave(fake_answer(text, strlen(text) + 1, size, value, needed));
	case CL_DEVICE_SVM_CAPABILITIES:
		return fake_leave(model->svm ? fake_answer(&svm, sizeof(svm), size, value, needed) : INVALID_VALUE);
	case CL_DEVICE_PCI_BUS_INFO_KHR:
	case CL_DEVICE_PCI_BUS_ID_NV:
		return fake_leave(-30); /* it has neither extension */
	default:
		opencl_misuse("clGetDeviceInfo of 0x%x", (unsigned)name);
	}
}

cl_context fake_create_context(const intptr_t *properties, cl_uint count, const cl_device *devices, cl_notify *notify,
			       void *data, cl_int *code)
{
	cl_context context = NULL;

	*code = fake_enter("clCreateContext", devices[0]->index, 0);
	if (properties || count != 1 || notify || data)
		opencl_misuse("clCreateContext");
	if (*code == 0 && !devices[0]->model->available)
		*code = NOT_AVAILABLE;
	if (*code == 0) {
		context = fake_make(CONTEXT, sizeof(*context));
		context->device = devices[0];
	}
	fake_leave(0);
	return context;
}

cl_int fake_release_context(cl_context context)
{
	int code;

	fake_lock();
	context = fake_live(context, CONTEXT, "clReleaseContext");
	/* What fails to be released is so nevertheless: nobody can try again. */
	code = opencl_call("clReleaseContext", context->device->index, 0);
	fake_drop_context(context);
	return fake_leave(code);
}

cl_queue fake_create_queue(cl_context context, cl_device device, cl_bits properties, cl_int *code)
{
	cl_queue queue = NULL;

	*code = fake_enter("clCreateCommandQueue", device->index, 0);
	context = fake_live(context, CONTEXT, "clCreateCommandQueue");
	if (context->device != device || properties != CL_QUEUE_PROFILING_ENABLE)
		opencl_misuse("clCreateCommandQueue");
	if (*code == 0) {
		queue = fake_make(QUEUE, sizeof(*queue));
		queue->context = context;
		queue->end_ns = device->last_ns;
		context->object.references++;
	}
	fake_leave(0);
	return queue;
}

cl_int fake_release_queue(cl_queue queue)
{
	int code;

	fake_lock();
	queue = fake_live(queue, QUEUE, "clReleaseCommandQueue");
	code = opencl_call("clReleaseCommandQueue", queue->context->device->index, 0);
	if (queue->first)
		opencl_misuse("a queue is released that is not empty");
	fake_drop_context(queue->context);
	if (fake_drop(&queue->object))
		free(queue);
	return fake_leave(code);
}

cl_mem fake_create_buffer(cl_context context, cl_bits flags, size_t size, void *host, cl_int *code)
{
	const bool of_host = (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_USE_HOST_PTR)) != 0;
	cl_device device;
	cl_mem buffer = NULL;

	fake_lock();
	context = fake_live(context, CONTEXT, "clCreateBuffer");
	device = context->device;
	*code = opencl_call("clCreateBuffer", device->index, size);
	if (size == 0 || (host != NULL) != ((flags & CL_MEM_USE_HOST_PTR) != 0))
		opencl_misuse("clCreateBuffer");
	if (*code == 0 && !of_host && device->used_bytes + size > device->model->memory_bytes)
		*code = MEM_ALLOCATION_FAILURE;
	if (*code == 0) {
		buffer = fake_make(BUFFER, sizeof(*buffer));
		buffer->context = context;
		buffer->size = size;
		buffer->of_host = of_host;
		buffer->is_users = host != NULL;
		device->used_bytes += of_host ? 0 : size;
		buffer->bytes = host ? host : calloc(1, size);
		if (!buffer->bytes)
			opencl_misuse("no memory for a buffer of %zu bytes", size);
		context->object.references++;
	}
	fake_leave(0);
	return buffer;
}

cl_int fake_release_buffer(cl_mem buffer)
{
	int code;

	fake_lock();
	buffer = fake_live(buffer, BUFFER, "clReleaseMemObject");
	code = opencl_call("clReleaseMemObject", buffer->context->device->index, buffer->size);
	if (fake_in_use(buffer))
		opencl_misuse("a buffer is released while a command needs it");
	if (fake_drop(&buffer->object)) {
		buffer->context->device->used_bytes -= buffer->of_host ? 0 : buffer->size;
		fake_drop_context(buffer->context);
		if (!buffer->is_users)
			free(buffer->bytes);
		free(buffer->window);
		free(buffer);
	}
	return fake_leave(code);
}

void *fake_svm_alloc(cl_context context, cl_bits flags, size_t size, cl_uint alignment)
{
	struct svm *svm = NULL;
	void *bytes = NULL;

	fake_lock();
	context = fake_live(context, CONTEXT, "clSVMAlloc");
	if (size == 0 || flags != CL_MEM_READ_WRITE || alignment || !context->device->model->svm)
		opencl_misuse("clSVMAlloc");
	if (opencl_call("clSVMAlloc", context->device->index, size) == 0) {
		svm = fake_make(SVM, sizeof(*svm));
		svm->context = context;
		context->object.references++;
		bytes = svm->bytes = calloc(1, size);
	}
	fake_leave(0);
	return bytes;
}

static struct svm *find_svm(const void *bytes)
{
	for (struct object *at = fake_objects(); at; at = at->next)
		if (at->kind == SVM && ((struct svm *)(void *)at)->bytes == bytes)
			return (struct svm *)(void *)at;
	opencl_misuse("clSVMFree: this piece is none, or not any more");
}

void fake_svm_free(cl_context context, void *bytes)
{
	struct svm *svm;

	fake_lock();
	context = fake_live(context, CONTEXT, "clSVMFree");
	svm = find_svm(bytes);
	for (struct object *at = fake_objects(); at; at = at->next)
		if (at->kind == BUFFER && ((cl_mem)(void *)at)->bytes == bytes)
			opencl_misuse("clSVMFree of what a buffer uses");
	fake_drop(&svm->object);
	fake_drop_context(svm->context);
	free(svm->bytes);
	free(svm);
	fake_leave(0);
}
