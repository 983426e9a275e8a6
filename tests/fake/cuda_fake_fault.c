/* A fake libcuda: what goes wrong with copies and kernels, and how their times vary. */
#include "fake/cuda_fake_content.h"

static uint64_t mix(uint64_t x)
{
	x += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

/* In [0, 1). */
static double uniform(uint64_t x)
{
	return (double)(mix(x) >> 11) / (double)(UINT64_C(1) << 53);
}

/* The n-th copy of a path takes the same time in every run; twelve uniform numbers make a normal one. */
static double noise(int from, int to, uint64_t copy)
{
	const struct fake_machine *machine = &fake_state.machine;
	const uint64_t path = (uint64_t)(from + 1) * 64 + (uint64_t)(to + 1);
	const uint64_t key = mix(mix((uint64_t)machine->noise_seed ^ path << 32) + copy);
	double normal = -6, factor;

	for (uint64_t i = 0; i < 12; i++)
		normal += uniform(key + i);
	factor = 1 + normal * machine->noise_percent / 100;
	if (uniform(key + 12) * 100 < machine->outlier_percent)
		factor *= machine->outlier_factor;
	return factor > 0.1 ? factor : 0.1;
}

static bool is_end(int end, int of)
{
	return of == FAKE_ANY || of == end;
}

static void apply(const struct fake_fault *fault, struct fake_work *work, struct fake_flow *flow, int device)
{
	const uint64_t bytes = (uint64_t)flow->bytes;
	const int64_t byte = fault->byte < 0 ? (int64_t)bytes + fault->byte : fault->byte;

	switch (fault->kind) {
	case FAKE_FAULT_CORRUPT:
		if (byte >= 0 && (uint64_t)byte < bytes)
			flow->wrong_byte = (uint64_t)byte + 1;
		break;
	case FAKE_FAULT_CUT:
		flow->cut_bytes = fault->byte < 0 || (uint64_t)fault->byte > bytes ? bytes : (uint64_t)fault->byte;
		break;
	case FAKE_FAULT_HANG:
		work->state = FAKE_HUNG;
		break;
	case FAKE_FAULT_LOST:
		fake_state.lost[device] = (int)fault->code;
		fake_stop_work(device);
		break;
	}
}

/* What ends does so for good; other faults are of one copy, or of each. */
static bool strikes(struct fake_fault *fault, const struct fake_flow *flow)
{
	const bool stays = fault->kind == FAKE_FAULT_HANG || fault->kind == FAKE_FAULT_LOST;
	const uint64_t copy = (uint64_t)fault->copy;

	if (!is_end(flow->from, fault->from) || !is_end(flow->to, fault->to))
		return false;
	fault->seen++;
	return copy == 0 || fault->seen == copy || (stays && fault->seen > copy);
}

void fake_decide(struct fake_work *work, const struct cuda_stream *stream)
{
	struct fake_machine *machine = &fake_state.machine;

	fake_state.works++;
	if (machine->hang_at && (int64_t)fake_state.works >= machine->hang_at)
		work->state = FAKE_HUNG;
	work->spoilt = (int64_t)fake_state.works == machine->corrupt_at;
	for (int i = 0; i < work->flow_count; i++) {
		struct fake_flow *flow = &work->flows[i];

		flow->left *= noise(flow->from, flow->to, ++fake_state.copies[flow->from + 1][flow->to + 1]);
		for (int k = 0; k < machine->fault_count; k++)
			if (strikes(&machine->faults[k], flow))
				apply(&machine->faults[k], work, flow, stream->device);
	}
}

void fake_spoil(const struct fake_work *work)
{
	uint64_t to = work->kind == FAKE_COPY ? work->to : 0, bytes = work->bytes;

	for (int i = 0; i < work->flow_count; i++)
		if (work->flows[i].wrong_byte && work->flows[i].target)
			fake_content_flip(work->flows[i].target + work->flows[i].wrong_byte - 1);
	if (!work->spoilt)
		return;
	if (work->kind == FAKE_KERNEL && work->kernel->written >= 0) {
		to = work->parameters[work->kernel->written];
		bytes = fake_bytes_at(to);
	}
	if (to && bytes > 0)
		fake_content_flip(to + bytes - 1);
}
