/* A fake libcuda: its start, and its accounts. */
#include "fake/cuda_fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WS_DL WS_DL_PROTOTYPE
#include "backend/cuda.def"

__attribute__((visibility("default"))) const int wirespeed_simulated = 1;
/* Calls since cuInit. */
__attribute__((visibility("default"))) uint64_t fake_cuda_calls(void);

/* By NVLink so far: payload out of a GPU and into it, then both with headers. For the fake NVML. */
__attribute__((visibility("default"))) uint64_t fake_cuda_sent_bytes(const char *pci, int which);

/* The GPUs that have a context, a bit each. */
__attribute__((visibility("default"))) uint64_t fake_cuda_contexts(void);

struct fake_cuda fake_state;

const struct fake_gpu *fake_gpu(int device)
{
	return &fake_state.machine.gpu[device];
}

/* Stops at the first entry that is no GPU, as the driver does. */
static void read_visible(void)
{
	const char *text = getenv("CUDA_VISIBLE_DEVICES");
	char copy[256], *word, *rest = copy;

	fake_state.visible_count = 0;
	if (!text) {
		for (int i = 0; i < fake_state.machine.gpus; i++)
			fake_state.visible[fake_state.visible_count++] =
				fake_state.machine.reverse ? fake_state.machine.gpus - 1 - i : i;
		return;
	}
	snprintf(copy, sizeof(copy), "%s", text);
	while ((word = strtok_r(rest, ",", &rest)) && fake_state.visible_count < FAKE_GPUS_MAX) {
		int found = -1;

		for (int i = 0; i < fake_state.machine.gpus; i++) {
			const char *uuid = fake_state.machine.gpu[i].uuid;
			char index[16];

			snprintf(index, sizeof(index), "%d", i);
			if (strcmp(word, index) == 0 || strcmp(word, uuid) == 0)
				found = i;
		}
		if (found < 0)
			return;
		fake_state.visible[fake_state.visible_count++] = found;
	}
}

int fake_init(unsigned flags)
{
	int result;

	(void)flags;
	fake_lock();
	while (fake_state.streams)
		fake_drop_stream(fake_state.streams);
	while (fake_state.events)
		fake_drop_event(fake_state.events);
	while (fake_state.regions)
		fake_drop_region(fake_state.regions);
	fake_state = (struct fake_cuda){0};
	if (!fake_machine_read(&fake_state.machine))
		return fake_leave(CUDA_UNKNOWN);
	fake_begin_counting();
	read_visible();
	result = fake_state.visible_count == 0 ? CUDA_NO_DEVICE : CUDA_SUCCESS;
	return fake_leave(fake_state.machine.init ? fake_state.machine.init : result);
}

uint64_t fake_cuda_calls(void)
{
	uint64_t calls;

	fake_lock();
	calls = fake_state.calls;
	fake_leave(CUDA_SUCCESS);
	return calls;
}

uint64_t fake_cuda_contexts(void)
{
	uint64_t bits = 0;

	fake_lock();
	for (int i = 0; i < FAKE_GPUS_MAX; i++)
		bits |= (uint64_t)(fake_state.contexts[i].users > 0) << i;
	fake_leave(CUDA_SUCCESS);
	return bits;
}

uint64_t fake_cuda_sent_bytes(const char *pci, int which)
{
	uint64_t bytes = 0;

	fake_lock();
	for (int i = 0; i < fake_state.machine.gpus; i++)
		if (strcmp(fake_state.machine.gpu[i].pci, pci) == 0)
			bytes = fake_state.sent_bytes[i][which];
	fake_leave(CUDA_SUCCESS);
	return bytes;
}

int fake_cuda_outstanding(void)
{
	int count;

	fake_lock();
	count = fake_state.modules;
	for (struct cuda_event *at = fake_state.events; at; at = at->next)
		count++;
	for (struct cuda_stream *at = fake_state.streams; at; at = at->next)
		count++;
	for (struct fake_region *at = fake_state.regions; at; at = at->next)
		count++;
	for (int i = 0; i < FAKE_GPUS_MAX; i++)
		count += fake_state.contexts[i].users;
	return fake_leave(count);
}

int fake_driver_version(int *version)
{
	ENTER;
	*version = fake_state.machine.cuda_version;
	return fake_leave(CUDA_SUCCESS);
}

int fake_error_name(int result, const char **name)
{
	static const struct {
		int result;
		const char *name;
	} rows[] = {
		{1, "CUDA_ERROR_INVALID_VALUE"},       {2, "CUDA_ERROR_OUT_OF_MEMORY"},
		{46, "CUDA_ERROR_DEVICE_UNAVAILABLE"}, {100, "CUDA_ERROR_NO_DEVICE"},
		{201, "CUDA_ERROR_INVALID_CONTEXT"},   {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"},
		{700, "CUDA_ERROR_ILLEGAL_ADDRESS"},   {719, "CUDA_ERROR_LAUNCH_FAILED"},
		{801, "CUDA_ERROR_NOT_SUPPORTED"},     {803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"},
		{999, "CUDA_ERROR_UNKNOWN"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].result == result) {
			*name = rows[i].name;
			return CUDA_SUCCESS;
		}
	return CUDA_INVALID_VALUE;
}

/* No call of the driver's, so it is not counted and does not fail. */
void fake_event_times(struct cuda_event *event, int64_t *released_ns, int64_t *passed_ns)
{
	fake_lock();
	*released_ns = event->begun_ps / FAKE_PS_PER_NS;
	*passed_ns = event->time_ps / FAKE_PS_PER_NS;
	fake_leave(CUDA_SUCCESS);
}
