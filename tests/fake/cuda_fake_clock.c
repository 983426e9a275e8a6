/*
 * A fake libcuda: its simulated clock. The first works of all streams run at the same time. Each has a time of its own
 * first, then its flows, whose rates change whenever one begins or ends. Time goes from one such moment to the next.
 */
#include "fake/cuda_fake_content.h"

#define FLOWS_MAX 1024

static bool is_slow_kind(const struct fake_work *work)
{
	return work->kind == FAKE_COPY || work->kind == FAKE_KERNEL;
}

/* A copy of memory that the driver does not know keeps its caller waiting, and shares nothing with others. */
static bool is_pageable(const struct fake_work *work)
{
	return work->kind == FAKE_COPY && (fake_bytes_at(work->to) == 0 || fake_bytes_at(work->from) == 0);
}

static void begin_copy(struct fake_work *work, const struct cuda_stream *stream)
{
	const struct fake_gpu *gpu = fake_gpu(stream->device);
	const int from = fake_device_of(work->from), to = fake_device_of(work->to);
	const bool pull = from >= 0 && to == stream->device && from != to;

	work->fixed_ps = (int64_t)(pull ? gpu->cost_pull : gpu->cost_push) * FAKE_PS_PER_NS;
	if (is_pageable(work))
		work->fixed_ps += (int64_t)((double)work->bytes / (from < 0 ? gpu->pageable_down : gpu->pageable_up) *
					    FAKE_PS_PER_NS);
	else
		fake_add_flow(work, stream->device, work->from, work->to, work->bytes, false);
}

static void begin(struct fake_work *work, const struct cuda_stream *stream)
{
	work->begin_ps = is_pageable(work) || stream->now_ps > fake_state.now_ps ? stream->now_ps : fake_state.now_ps;
	work->state = FAKE_BEGUN;
	if (work->kind == FAKE_COPY) {
		begin_copy(work, stream);
	} else {
		work->fixed_ps = (int64_t)fake_gpu(stream->device)->cost_kernel * FAKE_PS_PER_NS;
		if (work->kernel->begin)
			work->kernel->begin(work, stream);
	}
	fake_decide(work, stream);
}

static void finish(struct cuda_stream *stream, int64_t time_ps)
{
	const struct fake_work *work = stream->first;

	if (work->kind == FAKE_COPY)
		fake_content_copy(work->to, work->from, work->bytes - work->flows[0].cut_bytes);
	else if (work->kernel->end)
		work->kernel->end(work, stream);
	fake_spoil(work);
	stream->now_ps = time_ps;
	fake_pop_work(stream);
}

/* Work that takes no time, or begins; false if nothing changed. */
static bool step(struct cuda_stream *stream)
{
	struct fake_work *work = stream->first;

	if (!work || work->state != FAKE_QUEUED)
		return false;
	switch (work->kind) {
	case FAKE_COPY:
	case FAKE_KERNEL:
		begin(work, stream);
		stream->driven = is_pageable(work);
		if (stream->driven && work->state == FAKE_BEGUN)
			finish(stream, work->begin_ps + work->fixed_ps);
		return true;
	case FAKE_SET:
		fake_content_value(work->to, work->bytes, work->value * UINT64_C(0x0101010101010101));
		break;
	case FAKE_WAIT_VALUE:
		return false;
	case FAKE_WAIT_EVENT:
		if (work->event->pending)
			return false;
		if (stream->now_ps < work->event->time_ps)
			stream->now_ps = work->event->time_ps;
		break;
	case FAKE_RECORD:
		work->event->begun_ps = stream->begun_ps;
		work->event->time_ps = stream->now_ps;
		work->event->recorded = true;
		work->event->pending = false;
		break;
	}
	fake_pop_work(stream);
	return true;
}

static bool step_all(void)
{
	bool changed = false, again;

	do {
		again = false;
		for (struct cuda_stream *stream = fake_state.streams; stream; stream = stream->next)
			while (step(stream))
				again = true;
		changed = changed || again;
	} while (again);
	return changed;
}

static int64_t time_left_ps(const struct fake_flow *flow)
{
	const double left_ps = flow->left / flow->rate * FAKE_PS_PER_NS;
	const int64_t whole = (int64_t)left_ps;

	return (double)whole < left_ps ? whole + 1 : whole;
}

/* Shares out anew, and says when each flow would end. */
static void share(void)
{
	static struct fake_flow *flows[FLOWS_MAX];
	int count = 0;

	for (struct cuda_stream *stream = fake_state.streams; stream; stream = stream->next)
		for (int i = 0; stream->first && stream->first->state == FAKE_FLOWING && i < stream->first->flow_count;
		     i++)
			if (stream->first->flows[i].flowing && count < FLOWS_MAX)
				flows[count++] = &stream->first->flows[i];
	fake_share(flows, count);
	for (int i = 0; i < count; i++)
		flows[i]->end_ps = fake_state.now_ps + time_left_ps(flows[i]);
}

/* The next moment at which something begins or ends; INT64_MAX = never. */
static int64_t next_ps(void)
{
	int64_t next = INT64_MAX;

	for (struct cuda_stream *stream = fake_state.streams; stream; stream = stream->next) {
		const struct fake_work *work = stream->first;

		if (work && work->state == FAKE_BEGUN && work->begin_ps + work->fixed_ps < next)
			next = work->begin_ps + work->fixed_ps;
		for (int i = 0; work && work->state == FAKE_FLOWING && i < work->flow_count; i++)
			if (work->flows[i].flowing && work->flows[i].end_ps < next)
				next = work->flows[i].end_ps;
	}
	return next;
}

/* True if flows began or ended. */
static bool advance(struct cuda_stream *stream, int64_t passed_ps)
{
	struct fake_work *work = stream->first;
	const int64_t now_ps = fake_state.now_ps;
	bool changed = false, flowing = false;

	if (work->state == FAKE_BEGUN && work->begin_ps + work->fixed_ps <= now_ps) {
		work->state = FAKE_FLOWING;
		for (int i = 0; i < work->flow_count; i++)
			changed = flowing = work->flows[i].flowing = true;
	} else {
		for (int i = 0; work->state == FAKE_FLOWING && i < work->flow_count; i++) {
			struct fake_flow *flow = &work->flows[i];

			if (!flow->flowing)
				continue;
			flow->left -= flow->rate * (double)passed_ps / FAKE_PS_PER_NS;
			if (flow->end_ps > now_ps) {
				flowing = true;
				continue;
			}
			flow->flowing = false;
			changed = true;
			fake_count(flow);
		}
	}
	if (work->state == FAKE_FLOWING && !flowing)
		finish(stream, now_ps);
	return changed;
}

static bool pass_time(void)
{
	const int64_t next = next_ps(), passed_ps = next - fake_state.now_ps;
	bool changed = false;

	if (next == INT64_MAX)
		return false;
	fake_state.now_ps = next;
	for (struct cuda_stream *stream = fake_state.streams; stream; stream = stream->next)
		if (stream->first && is_slow_kind(stream->first))
			changed = advance(stream, passed_ps) || changed;
	if (changed)
		share();
	return true;
}

/* All that wait for a word go on at the same time, which is after everything that does not wait. */
static bool open_gates(void)
{
	struct cuda_stream *stream;
	bool opened = false;

	for (stream = fake_state.streams; stream; stream = stream->next)
		if (stream->now_ps > fake_state.now_ps)
			fake_state.now_ps = stream->now_ps;
	for (stream = fake_state.streams; stream; stream = stream->next) {
		const struct fake_work *work = stream->first;

		if (!work || work->state != FAKE_QUEUED || work->kind != FAKE_WAIT_VALUE ||
		    (int32_t)(__atomic_load_n((uint32_t *)(uintptr_t)work->from, __ATOMIC_ACQUIRE) - work->value) < 0)
			continue;
		stream->now_ps = stream->begun_ps = fake_state.now_ps;
		fake_pop_work(stream);
		opened = true;
	}
	return opened;
}

void fake_pump(void)
{
	fake_state.turn++;
	do {
		while (step_all() || pass_time())
			;
	} while (open_gates());
}
