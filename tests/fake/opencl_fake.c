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
static struct _cl_device_id the_devices[OPENCL_DEVICES_MAX];

cl_int fake_platforms(cl_uint count, cl_platform *platforms, cl_uint *found)
{
	const int code = fake_enter("clGetPlatformIDs", -1, 0);

	if (code)
		return fake_leave(code);
	for (cl_uint i = 0; i < count && i < opencl_machine()->platforms; i++) {
		the_platforms[i].index = (int)i;
		platforms[i] = &the_platforms[i];
	}
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
	const char *text = "OpenCL 1.2 made up";
	const int code = fake_enter("clGetPlatformInfo", -1, name);

	if (code)
		return fake_leave(code);
	if (!is_platform(platform) || (name != CL_PLATFORM_VERSION && name != CL_PLATFORM_NAME))
		opencl_misuse("clGetPlatformInfo of 0x%x", (unsigned)name);
	if (name == CL_PLATFORM_NAME)
		text = (uint64_t)platform->index + 1 == opencl_machine()->nvidia ? "NVIDIA CUDA"
		       : platform->index					 ? "Made up, too"
										 : "Made up";
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
	*found = 0;
	for (int i = 0; i < (int)machine->devices; i++) {
		if (machine->models[i].platform != (uint64_t)platform->index)
			continue;
		if (!the_devices[i].model)
			the_devices[i] = (struct _cl_device_id){
				.index = i, .model = &machine->models[i], .last_ns = (uint64_t)(i + 1) * 1000000000};
		if (*found < count)
			devices[*found] = &the_devices[i];
		++*found;
	}
	return fake_leave(*found ? 0 : CL_DEVICE_NOT_FOUND);
}

/* What only some devices answer. */
static cl_int answer_extension(const struct opencl_model *model, cl_uint name, size_t size, void *value, size_t *needed)
{
	const cl_bits svm = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
	const cl_uint address[4] = {0, (cl_uint)model->bus, 0, 0}, nv_bus = (cl_uint)model->nv_bus, zero = 0;
	unsigned char uuid[16];

	memset(uuid, (int)model->uuid, sizeof(uuid));
	if (name == CL_DEVICE_SVM_CAPABILITIES && model->svm)
		return fake_answer(&svm, sizeof(svm), size, value, needed);
	if (name == CL_DEVICE_PCI_BUS_INFO_KHR && model->bus)
		return fake_answer(address, sizeof(address), size, value, needed);
	if (name == CL_DEVICE_PCI_BUS_ID_NV && model->nv_bus)
		return fake_answer(&nv_bus, sizeof(nv_bus), size, value, needed);
	if ((name == CL_DEVICE_PCI_SLOT_ID_NV || name == CL_DEVICE_PCI_DOMAIN_ID_NV) && model->nv_bus)
		return fake_answer(&zero, sizeof(zero), size, value, needed);
	if (name == CL_DEVICE_UUID_KHR && model->uuid)
		return fake_answer(uuid, sizeof(uuid), size, value, needed);
	return INVALID_VALUE;
}

cl_int fake_device_info(cl_device device, cl_uint name, size_t size, void *value, size_t *needed)
{
	const struct opencl_model *model = device->model;
	const cl_bits type = model->processor ? CL_DEVICE_TYPE_CPU : 1 << 2;
	const cl_bool available = model->available, compiler = model->compiler, no = 0;
	const char *text = name == CL_DEVICE_NAME ? "Made-up device" : "1.0";
	const size_t group = 1024;
	const struct {
		cl_uint name;
		const void *fact;
		size_t size;
	} facts[] = {
		{CL_DEVICE_TYPE, &type, sizeof(type)},
		{CL_DEVICE_MAX_WORK_GROUP_SIZE, &group, sizeof(group)},
		{CL_DEVICE_MAX_MEM_ALLOC_SIZE, &model->most_bytes, sizeof(model->most_bytes)},
		{CL_DEVICE_GLOBAL_MEM_SIZE, &model->memory_bytes, sizeof(model->memory_bytes)},
		{CL_DEVICE_AVAILABLE, &available, sizeof(available)},
		{CL_DEVICE_COMPILER_AVAILABLE, &compiler, sizeof(compiler)},
		{CL_DEVICE_HOST_UNIFIED_MEMORY, &no, sizeof(no)},
		{CL_DEVICE_NAME, text, strlen(text) + 1},
		{CL_DRIVER_VERSION, text, strlen(text) + 1},
	};
	static const cl_uint extensions[] = {CL_DEVICE_SVM_CAPABILITIES, CL_DEVICE_PCI_BUS_INFO_KHR,
					     CL_DEVICE_PCI_BUS_ID_NV,	 CL_DEVICE_PCI_SLOT_ID_NV,
					     CL_DEVICE_PCI_DOMAIN_ID_NV, CL_DEVICE_UUID_KHR};
	const int code = fake_enter("clGetDeviceInfo", device->index, name);

	if (code)
		return fake_leave(code);
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		if (facts[i].name == name)
			return fake_leave(fake_answer(facts[i].fact, facts[i].size, size, value, needed));
	for (size_t i = 0; i < sizeof(extensions) / sizeof(extensions[0]); i++)
		if (extensions[i] == name)
			return fake_leave(answer_extension(model, name, size, value, needed));
	opencl_misuse("clGetDeviceInfo of 0x%x", (unsigned)name);
}

cl_context fake_create_context(const intptr_t *properties, cl_uint count, const cl_device *devices, cl_notify *notify,
			       void *data, cl_int *code)
{
	cl_context context = NULL;

	*code = fake_enter("clCreateContext", devices[0]->index, 0);
	if (properties || count > 2 || (count == 2 && devices[0]->model->platform != devices[1]->model->platform) ||
	    notify || data)
		opencl_misuse("clCreateContext");
	if (*code == 0 && !devices[0]->model->available)
		*code = NOT_AVAILABLE;
	if (*code == 0) {
		context = fake_make(CONTEXT, sizeof(*context));
		context->device = devices[0];
		context->other = count > 1 ? devices[1] : NULL;
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
	if ((context->device != device && context->other != device) || properties != CL_QUEUE_PROFILING_ENABLE)
		opencl_misuse("clCreateCommandQueue");
	if (*code == 0) {
		queue = fake_make(QUEUE, sizeof(*queue));
		queue->context = context;
		queue->device = device;
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
	code = opencl_call("clReleaseCommandQueue", queue->device->index, 0);
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
		buffer->copy = of_host && device->model->copies_host ? calloc(1, size) : NULL;
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
		free(buffer->copy);
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
