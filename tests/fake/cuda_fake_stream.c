/* A fake libcuda: streams and events, and the work that is put into them. */
#include "fake/cuda_fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WS_DL WS_DL_PROTOTYPE
#include "backend/cuda.def"

/* Streams made with a priority, by its negative. */
__attribute__((visibility("default"))) uint64_t fake_cuda_streams[3];

struct fake_work *fake_add_work(struct cuda_stream *stream, enum fake_kind kind)
{
	struct fake_work *work = calloc(1, sizeof(*work));

	if (!work)
		abort();
	work->kind = kind;
	/* Nothing begins before it was ordered; a stream whose caller waits for each copy has a time of its own. */
	if (!stream->first && !stream->driven) {
		stream->now_ps = stream->now_ps < fake_state.now_ps ? fake_state.now_ps : stream->now_ps;
		stream->begun_ps = stream->now_ps;
	}
	*stream->end = work;
	stream->end = &work->next;
	return work;
}

void fake_pop_work(struct cuda_stream *stream)
{
	struct fake_work *work = stream->first;

	stream->first = work->next;
	if (!stream->first)
		stream->end = &stream->first;
	free(work);
}

void fake_drop_stream(struct cuda_stream *stream)
{
	struct cuda_stream **at = &fake_state.streams;

	while (*at != stream)
		at = &(*at)->next;
	*at = stream->next;
	while (stream->first)
		fake_pop_work(stream);
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
	made->now_ps = fake_state.now_ps;
	made->next = fake_state.streams;
	fake_state.streams = made;
	*stream = made;
	return fake_leave(CUDA_SUCCESS);
}

/* Three levels, as on GPUs; work goes on alike, the level is only kept. */
int fake_priority_range(int *least, int *greatest)
{
	ENTER_CONTEXT;
	*least = 0;
	*greatest = -2;
	return fake_leave(CUDA_SUCCESS);
}

int fake_stream_create_with_priority(struct cuda_stream **stream, unsigned flags, int priority)
{
	const int result = fake_stream_create(stream, flags);

	if (result == CUDA_SUCCESS && (size_t)-priority < sizeof(fake_cuda_streams) / sizeof(fake_cuda_streams[0]))
		fake_cuda_streams[-priority]++;
	return result;
}

int fake_stream_destroy(struct cuda_stream *stream)
{
	ENTER_CONTEXT;
	fake_pump();
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
	if (!fake_state.machine.wait)
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
	fake_pump();
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

int fake_event_query(struct cuda_event *event)
{
	ENTER_CONTEXT;
	fake_pump();
	return fake_leave(event->pending ? CUDA_NOT_READY : CUDA_SUCCESS);
}

int fake_event_elapsed(float *milliseconds, struct cuda_event *start, struct cuda_event *end)
{
	ENTER_CONTEXT;
	fake_pump();
	if (!start->recorded || !end->recorded)
		return fake_leave(400);
	if (start->pending || end->pending)
		return fake_leave(CUDA_NOT_READY);
	*milliseconds = (float)((double)(end->time_ps - start->time_ps) / (1e6 * FAKE_PS_PER_NS));
	return fake_leave(CUDA_SUCCESS);
}
