/* A fake libcuda: modules, and launches of their kernels. */
#include "fake/cuda_fake.h"

#include <stdio.h>
#include <string.h>

#define WS_DL WS_DL_PROTOTYPE
#include "backend/cuda.def"

int fake_module_load(struct cuda_module **module, const void *image, unsigned count, int *options, void **values)
{
	ENTER_CONTEXT;
	for (unsigned i = 0; i < count && fake_state.machine.ptx; i++)
		if (options[i] == CUDA_JIT_ERROR_LOG)
			strcpy(values[i], "ptxas application ptx input, line 1; fatal   : Unsupported .version\nmore");
	if (fake_state.machine.ptx)
		return fake_leave(fake_state.machine.ptx);
	if (!strstr(image, ".visible .entry"))
		return fake_leave(CUDA_INVALID_PTX);
	fake_state.modules++;
	/* A module is its text: whoever asks for a kernel must have loaded the one that holds it. */
	*module = (struct cuda_module *)(uintptr_t)image;
	return fake_leave(CUDA_SUCCESS);
}

int fake_module_unload(struct cuda_module *module)
{
	(void)module;
	ENTER_CONTEXT;
	fake_state.modules--;
	return fake_leave(CUDA_SUCCESS);
}

int fake_module_function(struct cuda_function **function, struct cuda_module *module, const char *name)
{
	static struct cuda_function functions[64];
	static int count;
	const struct fake_kernel *kernel = fake_find_kernel(name);
	char entry[80];

	ENTER_CONTEXT;
	snprintf(entry, sizeof(entry), ".visible .entry %s(", name);
	if (!kernel || !strstr((const char *)(const void *)module, entry))
		return fake_leave(CUDA_NOT_FOUND);
	for (int i = 0; i < count; i++)
		if (functions[i].kernel == kernel) {
			*function = &functions[i];
			return fake_leave(CUDA_SUCCESS);
		}
	functions[count].kernel = kernel;
	*function = &functions[count++];
	return fake_leave(CUDA_SUCCESS);
}

int fake_launch(struct cuda_function *function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z,
		unsigned threads_x, unsigned threads_y, unsigned threads_z, unsigned shared_bytes,
		struct cuda_stream *stream, void **parameters, void **extra)
{
	const struct fake_kernel *kernel = function->kernel;
	struct fake_work *work = NULL;

	ENTER_CONTEXT;
	if (blocks_x == 0 || blocks_y == 0 || blocks_z != 1 || threads_x == 0 || threads_x > 1024 || threads_y != 1 ||
	    threads_z != 1 || shared_bytes || extra || stream->device != fake_current->device)
		return fake_leave(CUDA_INVALID_VALUE);
	/* Kernels look at one dimension; along the other one the same is done again. */
	for (unsigned pass = 0; pass < blocks_y; pass++) {
		work = fake_add_work(stream, FAKE_KERNEL);
		work->kernel = kernel;
		work->threads = (uint64_t)blocks_x * threads_x;
		for (int i = 0; kernel->sizes[i]; i++)
			memcpy(&work->parameters[i], parameters[i], (size_t)(kernel->sizes[i] - '0'));
	}
	if (strcmp(kernel->name, "ws_gate") == 0) {
		work->kind = FAKE_WAIT_VALUE;
		work->from = work->parameters[0];
		work->value = (uint32_t)work->parameters[1];
	}
	return fake_leave(CUDA_SUCCESS);
}
