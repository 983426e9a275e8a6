/* A fake libcuda: memory of devices and of the host. */
#include "fake/cuda_fake_content.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define WS_DL WS_DL_PROTOTYPE
#include "backend/cuda.def"

struct fake_region *fake_find_region(uint64_t address)
{
	for (struct fake_region *at = fake_state.regions; at; at = at->next)
		if (address - (uint64_t)(uintptr_t)at->start < at->bytes)
			return at;
	return NULL;
}

int fake_device_of(uint64_t address)
{
	const struct fake_region *region = fake_find_region(address);

	return region ? region->device : FAKE_HOST;
}

uint64_t fake_bytes_at(uint64_t address)
{
	const struct fake_region *region = fake_find_region(address);

	return region ? region->bytes - (address - (uint64_t)(uintptr_t)region->start) : 0;
}

static uint64_t free_bytes_of(int device)
{
	const struct fake_gpu *gpu = fake_gpu(device);
	uint64_t used_bytes = gpu->used_bytes;

	for (const struct fake_region *at = fake_state.regions; at; at = at->next)
		if (at->device == device)
			used_bytes += at->bytes;
	return used_bytes < gpu->memory_bytes ? gpu->memory_bytes - used_bytes : 0;
}

int fake_memory_info(size_t *free_bytes, size_t *total_bytes)
{
	ENTER_CONTEXT;
	*free_bytes = free_bytes_of(fake_current->device);
	*total_bytes = fake_gpu(fake_current->device)->memory_bytes;
	return fake_leave(CUDA_SUCCESS);
}

/* Much memory of a device takes none of the host's until its bytes are needed. */
static void *new_extents(struct fake_region *region, uint64_t bytes)
{
	void *start = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	region->extents = start == MAP_FAILED ? NULL : malloc(sizeof(*region->extents));
	if (!region->extents)
		return NULL;
	region->extents[0] = (struct fake_extent){.end = bytes, .kind = FAKE_VALUE};
	region->extent_count = 1;
	return start;
}

/* Memory of its own is set apart, so that a sanitizer sees every byte beyond. */
static void *new_region(uint64_t bytes, int device, void *existing)
{
	struct fake_region *region = calloc(1, sizeof(*region));
	void *start = existing;

	if (region && !existing && device >= 0 && bytes >= FAKE_EXTENTS_FROM)
		start = new_extents(region, bytes);
	else if (!existing && posix_memalign(&start, 4096, bytes) != 0)
		start = NULL;
	if (!region || !start) {
		free(region);
		return NULL;
	}
	region->next = fake_state.regions;
	region->start = start;
	region->bytes = bytes;
	region->device = device;
	region->owned = !existing;
	fake_state.regions = region;
	return start;
}

void fake_drop_region(struct fake_region *region)
{
	struct fake_region **at = &fake_state.regions;

	while (*at != region)
		at = &(*at)->next;
	*at = region->next;
	if (region->extents)
		munmap(region->start, region->bytes);
	else if (region->owned)
		free(region->start);
	free(region->extents);
	free(region);
}

/* Memory is given back once nothing works on it any more, as the driver does. */
static bool drop_start(const void *start, bool owned)
{
	struct fake_region *region = fake_find_region((uint64_t)(uintptr_t)start);

	fake_pump();
	if (!region || region->start != start || region->owned != owned)
		return false;
	fake_drop_region(region);
	return true;
}

int fake_memory_alloc(uint64_t *address, size_t bytes)
{
	void *memory;

	ENTER_CONTEXT;
	if (bytes == 0)
		return fake_leave(CUDA_INVALID_VALUE);
	memory = bytes > free_bytes_of(fake_current->device) ? NULL : new_region(bytes, fake_current->device, NULL);
	if (!memory)
		return fake_leave(CUDA_OUT_OF_MEMORY);
	*address = (uint64_t)(uintptr_t)memory;
	return fake_leave(CUDA_SUCCESS);
}

int fake_memory_free(uint64_t address)
{
	ENTER_CONTEXT;
	return fake_leave(drop_start((void *)(uintptr_t)address, true) ? CUDA_SUCCESS : CUDA_INVALID_VALUE);
}

int fake_host_alloc(void **address, size_t bytes, unsigned flags)
{
	(void)flags;
	ENTER_CONTEXT;
	*address = new_region(bytes, FAKE_HOST, NULL);
	return fake_leave(*address ? CUDA_SUCCESS : CUDA_OUT_OF_MEMORY);
}

int fake_host_free(void *address)
{
	ENTER_CONTEXT;
	return fake_leave(drop_start(address, true) ? CUDA_SUCCESS : CUDA_INVALID_VALUE);
}

int fake_host_register(void *address, size_t bytes, unsigned flags)
{
	(void)flags;
	ENTER_CONTEXT;
	if (fake_bytes_at((uint64_t)(uintptr_t)address) > 0)
		return fake_leave(CUDA_HOST_MEMORY_ALREADY_REGISTERED);
	return fake_leave(new_region(bytes, FAKE_HOST, address) ? CUDA_SUCCESS : CUDA_OUT_OF_MEMORY);
}

int fake_host_unregister(void *address)
{
	ENTER_CONTEXT;
	return fake_leave(drop_start(address, false) ? CUDA_SUCCESS : 713);
}

int fake_host_pointer(uint64_t *pointer, void *address, unsigned flags)
{
	(void)flags;
	ENTER_CONTEXT;
	*pointer = (uint64_t)(uintptr_t)address;
	return fake_leave(fake_bytes_at(*pointer) > 0 ? CUDA_SUCCESS : CUDA_INVALID_VALUE);
}
