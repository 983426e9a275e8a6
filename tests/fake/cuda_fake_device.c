/* A fake libcuda: devices, their contexts, and access to each other's memory. */
#include "fake/cuda_fake.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define WS_DL WS_DL_PROTOTYPE
#include "backend/cuda.def"

/* The most contexts that were being made or released at the same time since it was last asked. */
__attribute__((visibility("default"))) int fake_cuda_most_at_once(void);

static _Atomic int under_way, most_at_once;

/* Contexts take their time, and keep no other GPU waiting meanwhile. */
static void take_ms(int time_ms)
{
	const struct timespec time = {.tv_sec = time_ms / 1000, .tv_nsec = time_ms % 1000 * 1000000L};
	const int now = atomic_fetch_add(&under_way, 1) + 1;
	int most = atomic_load(&most_at_once);

	while (most < now && !atomic_compare_exchange_weak(&most_at_once, &most, now))
		;
	if (time_ms > 0)
		nanosleep(&time, NULL);
	atomic_fetch_sub(&under_way, 1);
}

int fake_cuda_most_at_once(void)
{
	return atomic_exchange(&most_at_once, 0);
}

int fake_device_count(int *count)
{
	ENTER;
	*count = fake_state.visible_count;
	return fake_leave(CUDA_SUCCESS);
}

int fake_device_get(int *device, int ordinal)
{
	ENTER;
	if (ordinal < 0 || ordinal >= fake_state.visible_count)
		return fake_leave(CUDA_INVALID_DEVICE);
	*device = fake_state.visible[ordinal];
	return fake_leave(CUDA_SUCCESS);
}

int fake_device_name(char *name, int size, int device)
{
	ENTER;
	snprintf(name, (size_t)size, "%s", fake_gpu(device)->name);
	return fake_leave(CUDA_SUCCESS);
}

int fake_device_uuid(struct cuda_uuid *uuid, int device)
{
	static const char hex[] = "0123456789abcdef";
	int digits = 0;

	ENTER;
	*uuid = (struct cuda_uuid){0};
	for (const char *at = fake_gpu(device)->uuid + 4; *at && digits < 32; at++) {
		const char *digit = *at == '-' ? NULL : strchr(hex, *at);

		if (digit)
			uuid->bytes[digits / 2] |= (unsigned char)((digit - hex) << (digits % 2 ? 0 : 4));
		digits += digit != NULL;
	}
	return fake_leave(CUDA_SUCCESS);
}

int fake_device_uuid_mig(struct cuda_uuid *uuid, int device)
{
	return fake_device_uuid(uuid, device);
}

int fake_device_memory(size_t *bytes, int device)
{
	ENTER;
	*bytes = fake_gpu(device)->memory_bytes;
	return fake_leave(CUDA_SUCCESS);
}

int fake_device_attribute(int *value, int attribute, int device)
{
	const struct fake_gpu *gpu = fake_gpu(device);
	const struct {
		int attribute, value;
	} rows[] = {
		{CUDA_ATTRIBUTE_MULTIPROCESSORS, gpu->processors},
		{CUDA_ATTRIBUTE_COMPUTE_MODE, gpu->mode},
		{CUDA_ATTRIBUTE_ECC_ENABLED, gpu->ecc},
		{CUDA_ATTRIBUTE_MEMORY_CLOCK_KHZ, gpu->memory_clock * 1000},
		{CUDA_ATTRIBUTE_MEMORY_BUS_BITS, gpu->bus_bits},
		{CUDA_ATTRIBUTE_L2_BYTES, (int)gpu->cache_bytes},
		{CUDA_ATTRIBUTE_COPY_ENGINES, 3},
		{CUDA_ATTRIBUTE_MAJOR, gpu->major},
		{CUDA_ATTRIBUTE_MINOR, gpu->minor},
		{CUDA_ATTRIBUTE_PAGEABLE_ACCESS, gpu->pageable},
		{CUDA_ATTRIBUTE_HOST_PAGE_TABLES, gpu->host_tables},
		{CUDA_ATTRIBUTE_HOST_NUMA_NODE, gpu->numa},
	};

	ENTER;
	*value = 0;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].attribute == attribute)
			*value = rows[i].value;
	/* A driver that knows no node refuses the question. */
	return fake_leave(attribute == CUDA_ATTRIBUTE_HOST_NUMA_NODE && *value < 0 ? CUDA_INVALID_VALUE : CUDA_SUCCESS);
}

int fake_device_pci(char *address, int size, int device)
{
	ENTER;
	snprintf(address, (size_t)size, "%s", fake_gpu(device)->pci);
	return fake_leave(CUDA_SUCCESS);
}

int fake_can_access_peer(int *can, int device, int peer)
{
	ENTER;
	*can = device != peer && fake_state.machine.peer;
	return fake_leave(CUDA_SUCCESS);
}

int fake_context_retain(struct cuda_context **context, int device)
{
	take_ms(fake_gpu(device)->make_ms);
	ENTER_DEVICE(device);
	*context = &fake_state.contexts[device];
	(*context)->device = device;
	(*context)->users++;
	(*context)->alive = true;
	return fake_leave(CUDA_SUCCESS);
}

int fake_context_release(int device)
{
	ENTER_DEVICE(device);
	if (--fake_state.contexts[device].users == 0)
		fake_state.contexts[device].alive = false;
	return fake_leave(CUDA_SUCCESS);
}

int fake_context_set(struct cuda_context *context)
{
	ENTER_DEVICE(context ? context->device : fake_current_device());
	fake_current = context;
	return fake_leave(CUDA_SUCCESS);
}

int fake_peer_enable(struct cuda_context *peer, unsigned flags)
{
	uint32_t *peers;

	(void)flags;
	ENTER_CONTEXT;
	peers = &fake_state.peers[fake_current->device];
	if (!fake_state.machine.peer)
		return fake_leave(CUDA_PEER_ACCESS_UNSUPPORTED);
	if (*peers & 1u << peer->device)
		return fake_leave(CUDA_PEER_ACCESS_ALREADY_ENABLED);
	*peers |= 1u << peer->device;
	return fake_leave(CUDA_SUCCESS);
}

int fake_peer_disable(struct cuda_context *peer)
{
	ENTER_CONTEXT;
	fake_state.peers[fake_current->device] &= ~(1u << peer->device);
	return fake_leave(CUDA_SUCCESS);
}
