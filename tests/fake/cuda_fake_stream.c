/* A fake libcuda: streams, the work in them, and its simulated clock. */
#include "fake/cuda_fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WS_DL WS_DL_PROTOTYPE
#include "backend/cuda.def"

/* How work advances a stream's clock: roughly a machine of H200s. */
double fake_latency_ns(int device, int memory)
{
	return memory < 0 ? 1200 : memory == device ? 150 : 800;
}

double fake_rate(int device, int from, int to, bool by_processors)
{
	if (from < 0 || to < 0)
		return by_processors ? 52 : 55.5;
	if (from == device && to == device)
		return 2100;
	return by_processors ? 375 : 397;
}

struct fake_work *fake_add_work(struct cuda_stream *stream, enum fake_kind kind)
{
	struct fake_work *work = calloc(1, sizeof(*work));

	if (!work)
		abort();
	work->kind = kind;
	*stream->end = work;
	stream->end = &work->next;
	return work;
}

void fake_drop_stream(struct cuda_stream *stream)
{
	struct cuda_stream **at = &fake_state.streams;

	while (*at != stream)
		at = &(*at)->next;
	*at = stream->next;
	for (struct fake_work *next, *work = stream->first; work; work = next) {
		next = work->next;
		free(work);
	}
	free(stream);
}

void fake_drop_event(struct cuda_event *event)
{
	struct cuda_event **at = &fake_state.events;

	while (*at != event)
		at = &(*at)->next;
	*at = event->next;
	free(event);
}

/* All that wait for a word go on at the same time. */
static bool pass_value(const struct fake_work *work, struct cuda_stream *stream)
{
	const uint32_t now = __atomic_load_n((uint32_t *)(uintptr_t)work->from, __ATOMIC_ACQUIRE);

	if ((int32_t)(now - work->value) < 0)
		return false;
	if (fake_state.gate_value != work->value) {
		fake_state.gate_value = work->value;
		for (struct cuda_stream *at = fake_state.streams; at; at = at->next)
			if (at->now_ns > fake_state.gate_ns)
				fake_state.gate_ns = at->now_ns;
	}
	if (stream->now_ns < fake_state.gate_ns)
		stream->now_ns = fake_state.gate_ns;
	return true;
}

static void corrupt(uint64_t address, uint64_t bytes)
{
	if (bytes > 0)
		*(unsigned char *)(uintptr_t)(address + bytes - 1) ^= 1;
}

static void copy(const struct fake_work *work, struct cuda_stream *stream)
{
	const double rate = fake_rate(stream->device, fake_device_of(work->from), fake_device_of(work->to), false);

	memmove((void *)(uintptr_t)work->to, (const void *)(uintptr_t)work->from, work->bytes);
	stream->now_ns += 2300 + (int64_t)((double)work->bytes / rate);
}

/* False if it must wait. */
static bool do_work(struct fake_work *work, struct cuda_stream *stream)
{
	const bool counts = work->kind == FAKE_COPY || work->kind == FAKE_KERNEL;

	if (counts && fake_state.hang_at && fake_state.works + 1 >= fake_state.hang_at)
		return false;
	fake_state.works += counts;
	switch (work->kind) {
	case FAKE_COPY:
		copy(work, stream);
		break;
	case FAKE_KERNEL:
		stream->now_ns += 1400;
		work->kernel->run(work, stream);
		break;
	case FAKE_SET:
		memset((void *)(uintptr_t)work->to, (int)work->value, work->bytes);
		break;
	case FAKE_WAIT_VALUE:
		return pass_value(work, stream);
	case FAKE_WAIT_EVENT:
		if (work->event->pending)
			return false;
		if (stream->now_ns < work->event->time_ns)
			stream->now_ns = work->event->time_ns;
		break;
	case FAKE_RECORD:
		work->event->time_ns = stream->now_ns;
		work->event->recorded = true;
		work->event->pending = false;
		break;
	}
	if (counts && fake_state.works == fake_state.corrupt_at) {
		if (work->kind == FAKE_COPY)
			corrupt(work->to, work->bytes);
		else if (work->kernel->written >= 0)
			corrupt(work->parameters[work->kernel->written],
				fake_bytes_at(work->parameters[work->kernel->written]));
	}
	return true;
}

void fake_pump(void)
{
	bool went_on;

	do {
		went_on = false;
		for (struct cuda_stream *stream = fake_state.streams; stream; stream = stream->next) {
			struct fake_work *work = stream->first;

			if (!work || !do_work(work, stream))
				continue;
			went_on = true;
			stream->first = work->next;
			if (!stream->first)
				stream->end = &stream->first;
			free(work);
		}
	} while (went_on);
}

/* Copies of pageable memory go by at once, like the driver's own. */
int fake_copy(uint64_t to, uint64_t from, size_t bytes, struct cuda_stream *stream)
{
	struct fake_work *work;

	ENTER_CONTEXT;
	work = fake_add_work(stream, FAKE_COPY);
	work->to = to;
	work->from = from;
	work->bytes = bytes;
	if (fake_bytes_at(to) == 0 || fake_bytes_at(from) == 0)
		fake_pump();
	return fake_leave(CUDA_SUCCESS);
}

int fake_set_bytes(uint64_t address, unsigned char value, size_t bytes, struct cuda_stream *stream)
{
	struct fake_work *work;

	ENTER_CONTEXT;
	work = fake_add_work(stream, FAKE_SET);
	work->to = address;
	work->bytes = bytes;
	work->value = value;
	return fake_leave(CUDA_SUCCESS);
}

int fake_stream_create(struct cuda_stream **stream, unsigned flags)
{
	struct cuda_stream *made;

	(void)flags;
	ENTER_CONTEXT;
	made = calloc(1, sizeof(*made));
	if (!made)
		return fake_leave(CUDA_OUT_OF_MEMORY);
	made->device = fake_current->device;
	made->end = &made->first;
	made->next = fake_state.streams;
	fake_state.streams = made;
	*stream = made;
	return fake_leave(CUDA_SUCCESS);
}

int fake_stream_destroy(struct cuda_stream *stream)
{
	ENTER_CONTEXT;
	fake_drop_stream(stream);
	return fake_leave(CUDA_SUCCESS);
}

int fake_stream_query(struct cuda_stream *stream)
{
	ENTER_CONTEXT;
	fake_pump();
	return fake_leave(stream->first ? CUDA_NOT_READY : CUDA_SUCCESS);
}

int fake_stream_wait_event(struct cuda_stream *stream, struct cuda_event *event, unsigned flags)
{
	(void)flags;
	ENTER_CONTEXT;
	fake_add_work(stream, FAKE_WAIT_EVENT)->event = event;
	return fake_leave(CUDA_SUCCESS);
}

int fake_stream_wait_value(struct cuda_stream *stream, uint64_t address, uint32_t value, unsigned flags)
{
	struct fake_work *work;

	ENTER_CONTEXT;
	if (!fake_state.wait_value)
		return fake_leave(CUDA_NOT_SUPPORTED);
	if (flags != CUDA_WAIT_GREATER_OR_EQUAL || fake_bytes_at(address) < sizeof(value))
		return fake_leave(CUDA_INVALID_VALUE);
	work = fake_add_work(stream, FAKE_WAIT_VALUE);
	work->from = address;
	work->value = value;
	return fake_leave(CUDA_SUCCESS);
}

int fake_event_create(struct cuda_event **event, unsigned flags)
{
	(void)flags;
	ENTER_CONTEXT;
	*event = calloc(1, sizeof(**event));
	if (!*event)
		return fake_leave(CUDA_OUT_OF_MEMORY);
	(*event)->next = fake_state.events;
	fake_state.events = *event;
	return fake_leave(CUDA_SUCCESS);
}

int fake_event_destroy(struct cuda_event *event)
{
	ENTER_CONTEXT;
	fake_drop_event(event);
	return fake_leave(CUDA_SUCCESS);
}

int fake_event_record(struct cuda_event *event, struct cuda_stream *stream)
{
	ENTER_CONTEXT;
	event->pending = true;
	fake_add_work(stream, FAKE_RECORD)->event = event;
	return fake_leave(CUDA_SUCCESS);
}

int fake_event_elapsed(float *milliseconds, struct cuda_event *start, struct cuda_event *end)
{
	ENTER_CONTEXT;
	fake_pump();
	if (!start->recorded || !end->recorded)
		return fake_leave(400);
	if (start->pending || end->pending)
		return fake_leave(CUDA_NOT_READY);
	*milliseconds = (float)((double)(end->time_ns - start->time_ns) / 1e6);
	return fake_leave(CUDA_SUCCESS);
}
