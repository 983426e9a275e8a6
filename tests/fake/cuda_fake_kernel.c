/* A fake libcuda: what the kernels of src/kernel/cuda_*.cl do, in C, by their names and parameters. */
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "fake/cuda_fake_content.h"
#include "kernel/host_chase.h"
#include "kernel/host_pattern.h"

static void *at(uint64_t address)
{
	return (void *)(uintptr_t)address;
}

/* Device memory and registered memory only, and no byte beyond: a real GPU would fault. */
static bool is_reached(uint64_t address, uint64_t bytes)
{
	return bytes == 0 || fake_bytes_at(address) >= bytes;
}

static void move(const struct fake_work *work, int flow, uint64_t to, uint64_t from, uint64_t bytes)
{
	if (is_reached(to, bytes) && is_reached(from, bytes))
		fake_content_copy(to, from, bytes - work->flows[flow].cut_bytes);
}

/* What too few threads leave out stays out. */
static uint64_t element_bytes(const struct fake_work *work)
{
	return (work->parameters[2] < work->threads ? work->parameters[2] : work->threads) * 16 + work->parameters[3];
}

static void begin_elements(struct fake_work *work, const struct cuda_stream *stream)
{
	fake_add_flow(work, stream->device, work->parameters[1], work->parameters[0], element_bytes(work), true);
}

static void end_elements(const struct fake_work *work, const struct cuda_stream *stream)
{
	(void)stream;
	move(work, 0, work->parameters[0], work->parameters[1], element_bytes(work));
}

static uint64_t chunk_bytes(const struct fake_work *work)
{
	return work->parameters[2] * 16 + work->parameters[3];
}

static void begin_chunks(struct fake_work *work, const struct cuda_stream *stream)
{
	fake_add_flow(work, stream->device, work->parameters[1], work->parameters[0], chunk_bytes(work), true);
}

static void end_chunks(const struct fake_work *work, const struct cuda_stream *stream)
{
	(void)stream;
	move(work, 0, work->parameters[0], work->parameters[1], chunk_bytes(work));
}

static void raise_to(uint64_t address, uint64_t value)
{
	uint64_t *number = at(address);

	*number = *number > value ? *number : value;
}

static uint64_t split_bytes(const struct fake_work *work)
{
	const uint64_t count = work->parameters[4] < work->threads / 2 ? work->parameters[4] : work->threads / 2;

	return count * 16 + work->parameters[5];
}

static void begin_split(struct fake_work *work, const struct cuda_stream *stream)
{
	const uint64_t *p = work->parameters;

	fake_add_flow(work, stream->device, p[1], p[0], p[8] * split_bytes(work), true);
	fake_add_flow(work, stream->device, p[3], p[2], p[8] * split_bytes(work), true);
}

static void end_split(const struct fake_work *work, const struct cuda_stream *stream)
{
	/* The timer of a device does not begin at 0. */
	const uint64_t origin = UINT64_C(1700000000000000000);
	const uint64_t *p = work->parameters, times = p[7];

	(void)stream;
	move(work, 0, p[0], p[1], split_bytes(work));
	move(work, 1, p[2], p[3], split_bytes(work));
	if (!times)
		return;
	raise_to(times, ~(origin + (uint64_t)(work->begin_ps + work->fixed_ps) / FAKE_PS_PER_NS));
	for (int i = 0; i < 2; i++)
		raise_to(times + 8 + 8 * (uint64_t)i, origin + (uint64_t)work->flows[i].end_ps / FAKE_PS_PER_NS);
}

static void begin_read(struct fake_work *work, const struct cuda_stream *stream)
{
	fake_add_flow(work, stream->device, work->parameters[0], 0, work->parameters[1] * 16 + work->parameters[2],
		      true);
}

static void begin_write(struct fake_work *work, const struct cuda_stream *stream)
{
	fake_add_flow(work, stream->device, 0, work->parameters[0], work->parameters[1] * 16 + work->parameters[2],
		      true);
}

static void end_read(const struct fake_work *work, const struct cuda_stream *stream)
{
	const uint64_t *p = work->parameters;
	uint64_t *sums = fake_content_bytes(p[3], sizeof(*sums));

	(void)stream;
	*sums += fake_content_sum(p[0], p[1] * 16 + p[2]);
}

static void sum_pattern(const struct fake_work *work, const struct cuda_stream *stream)
{
	const uint64_t *p = work->parameters;
	uint64_t *sums = fake_content_bytes(p[3], sizeof(*sums));

	(void)stream;
	*sums += ws_pattern_sum(p[0] * 16 + p[1], 0, p[2]);
}

static void end_write(const struct fake_work *work, const struct cuda_stream *stream)
{
	const uint64_t *p = work->parameters;

	(void)stream;
	fake_content_value(p[0], p[1] * 16 + p[2], p[3]);
}

static void fill(const struct fake_work *work, const struct cuda_stream *stream)
{
	const uint64_t *p = work->parameters;

	(void)stream;
	fake_content_pattern(p[0], p[1] * 16 + p[2], p[3]);
}

static void count_wrong(const struct fake_work *work, enum fake_content kind)
{
	const uint64_t *p = work->parameters;
	uint64_t first = 0, *found = fake_content_bytes(p[4], 2 * sizeof(*found));
	const uint64_t wrong = fake_content_wrong(p[0], p[1] * 16 + p[2], kind, p[3], &first);

	found[0] += wrong;
	if (wrong > 0)
		raise_to(p[4] + 8, ~first);
}

static void check(const struct fake_work *work, const struct cuda_stream *stream)
{
	(void)stream;
	count_wrong(work, FAKE_PATTERN);
}

static void check_value(const struct fake_work *work, const struct cuda_stream *stream)
{
	(void)stream;
	count_wrong(work, FAKE_VALUE);
}

static void chase_link(const struct fake_work *work, const struct cuda_stream *stream)
{
	const uint64_t *p = work->parameters;
	const struct ws_chase order = {
		.count = p[1],
		.stride_bytes = p[2],
		.low_bits = (unsigned)p[3],
		.low_mask = (uint32_t)p[4],
		.high_mask = (uint32_t)p[5],
		.key = {(uint32_t)p[6], (uint32_t)p[7], (uint32_t)p[8], (uint32_t)p[9]},
	};

	(void)stream;
	ws_chase_link(&order, fake_content_bytes(p[0], p[1] * p[2]), 0, p[1]);
}

static double latency_ns_of(int device, int memory)
{
	const struct fake_gpu *gpu = fake_gpu(device);

	return memory < 0 ? gpu->latency_host : memory == device ? gpu->latency_local : gpu->latency_peer;
}

static void chase(struct fake_work *work, const struct cuda_stream *stream)
{
	const uint64_t *p = work->parameters;
	uint64_t *node = at(p[0]), *sums = at(p[4]);
	uint32_t *turns = at(p[3]);
	const double latency_ns = latency_ns_of(stream->device, fake_device_of(*node));

	for (int processor = 0; processor < fake_gpu(stream->device)->processors; processor++) {
		uint64_t *mine = &sums[4 * processor];
		/* Each is farther from the memory than the one before. */
		const uint64_t time_ns = (uint64_t)((double)p[1] * (latency_ns + (double)processor));

		*node = (uint64_t)(uintptr_t)ws_chase_run(at(*node), p[1]);
		mine[0] += FAKE_CYCLES_PER_NS * time_ns;
		mine[1] += time_ns;
		mine[2] += p[1];
		mine[3] = p[2];
		work->fixed_ps += (int64_t)time_ns * FAKE_PS_PER_NS;
	}
	turns[0] += (uint32_t)work->threads;
	turns[1] = turns[0];
}

static int64_t now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* The side that begins does the work of both, unless a CPU plays; the other one ends at once. */
static void pingpong(struct fake_work *work, const struct cuda_stream *stream)
{
	const uint64_t *p = work->parameters;
	_Atomic uint32_t *mine = at(p[0]), *theirs = at(p[1]);
	const struct fake_gpu *gpu = fake_gpu(stream->device);
	const bool cpu_plays = fake_device_of(p[0]) < 0, far = fake_device_of(p[1]) != stream->device;
	const double one_way_ns = cpu_plays ? gpu->one_way_host : far ? gpu->one_way_peer : gpu->one_way_local;
	uint32_t *times = at(p[5]);
	uint64_t *made = at(p[6]), trip = 0;
	const int64_t until_ns = now_ns() + (int64_t)p[7];

	if (!p[2])
		return;
	for (; trip < p[3]; trip++) {
		const uint32_t number = (uint32_t)(p[4] + trip + 1);

		atomic_store(theirs, number);
		if (!cpu_plays)
			atomic_store(mine, number);
		/* The other player may need this very CPU. */
		while (atomic_load(mine) != number) {
			sched_yield();
			if (now_ns() > until_ns)
				goto out;
		}
		if (times)
			times[trip] = (uint32_t)(2 * one_way_ns * FAKE_CYCLES_PER_NS);
	}
out:
	made[0] = trip;
	made[2] = (uint64_t)((double)trip * 2 * one_way_ns);
	made[1] = FAKE_CYCLES_PER_NS * made[2];
	work->fixed_ps += (int64_t)made[2] * FAKE_PS_PER_NS;
}

static const struct fake_kernel kernels[] = {
	{"ws_copy", "8884", begin_elements, end_elements, 0},
	{"ws_copy_bulk", "8884", begin_chunks, end_chunks, 0},
	{"ws_split", "888884484", begin_split, end_split, 0},
	{"ws_read", "8848", begin_read, end_read, 3},
	{"ws_sum_pattern", "8488", NULL, sum_pattern, -1},
	{"ws_write", "8848", begin_write, end_write, 0},
	{"ws_fill", "8848", NULL, fill, -1},
	{"ws_check", "88488", NULL, check, -1},
	{"ws_check_value", "88488", NULL, check_value, -1},
	{"ws_chase_link", "8884444444", NULL, chase_link, -1},
	{"ws_chase", "844884", chase, NULL, -1},
	{"ws_chase_bulk", "844884", chase, NULL, -1},
	{"ws_noop", "", NULL, NULL, -1},
	{"ws_gate", "848", NULL, NULL, -1}, /* fake_launch makes it a stream's own wait */
	{"ws_pingpong_relaxed", "88444888", pingpong, NULL, -1},
	{"ws_pingpong_acqrel", "88444888", pingpong, NULL, -1},
};

const struct fake_kernel *fake_find_kernel(const char *name)
{
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++)
		if (strcmp(kernels[i].name, name) == 0)
			return &kernels[i];
	return NULL;
}
