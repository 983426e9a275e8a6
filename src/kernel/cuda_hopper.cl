/*
 * CUDA kernels for devices from Hopper on, whose multiprocessors have a unit for bulk copies (TMA): one thread of each
 * block has it move data between device and shared memory.
 *
 * scripts/build-kernels makes cuda_hopper.ptx of this.
 */
#include "cuda_device.clh"

static inline uint shared_address(const local void *pointer)
{
	return (uint)(ulong)pointer;
}

static inline void barrier_init(uint barrier)
{
	__asm__ volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n\tfence.proxy.async;" : : "r"(barrier) : "memory");
}

/* Fetches bytes, a multiple of 16; the barrier's phase ends when all of them are there. */
static inline void fetch(uint to, ulong from, uint bytes, uint barrier)
{
	__asm__ volatile("{\n\t.reg .b64 %%state;\n\t"
			 "mbarrier.arrive.expect_tx.shared::cta.b64 %%state, [%2], %1;\n\t"
			 "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%3], %1, [%2];\n\t}"
			 :
			 : "r"(to), "r"(bytes), "r"(barrier), "l"(from)
			 : "memory");
}

static inline void wait_for_phase(uint barrier, uint parity)
{
	uint done;

	do
		__asm__ volatile("{\n\t.reg .pred %%done;\n\t"
				 "mbarrier.try_wait.parity.shared::cta.b64 %%done, [%1], %2;\n\t"
				 "selp.u32 %0, 1, 0, %%done;\n\t}"
				 : "=r"(done)
				 : "r"(barrier), "r"(parity)
				 : "memory");
	while (!done);
}

/* Each a group of its own. */
static inline void store(ulong to, uint from, uint bytes)
{
	__asm__ volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n\tcp.async.bulk.commit_group;"
			 :
			 : "l"(to), "r"(from), "r"(bytes)
			 : "memory");
}

enum { CHUNK_BYTES = 4096, STAGES = 8, BEHIND = 4 };

static inline uint chunk_size(ulong chunk, ulong bytes)
{
	return bytes - chunk * CHUNK_BYTES < CHUNK_BYTES ? (uint)(bytes - chunk * CHUNK_BYTES) : CHUNK_BYTES;
}

/*
 * Blocks of one thread, four or so per multiprocessor. A ring of stages: chunks are fetched into them, and stored from
 * them; a stage is fetched into again when the store of BEHIND chunks ago has read it.
 */
kernel void ws_copy_bulk(global uchar *to, const global uchar *from, ulong count, uint tail)
{
	local uchar stages[STAGES][CHUNK_BYTES] __attribute__((aligned(128)));
	local ulong barriers[STAGES];
	const ulong bytes = 16 * count, chunks = (bytes + CHUNK_BYTES - 1) / CHUNK_BYTES, stride = total_threads();
	const uint stage_0 = shared_address(stages), barrier_0 = shared_address(barriers);
	ulong fetched = thread_index(), stored = fetched;

	if (thread_index() == 0)
		for (uint i = 0; i < tail; i++)
			to[bytes + i] = from[bytes + i];
	for (uint i = 0; i < STAGES; i++)
		barrier_init(barrier_0 + 8 * i);
	for (uint i = 0; i < STAGES - BEHIND && fetched < chunks; i++, fetched += stride)
		fetch(stage_0 + CHUNK_BYTES * i, (ulong)from + fetched * CHUNK_BYTES, chunk_size(fetched, bytes),
		      barrier_0 + 8 * i);
	for (uint i = 0; stored < chunks; i++, stored += stride) {
		const uint stage = i % STAGES, ahead = (i + STAGES - BEHIND) % STAGES;

		wait_for_phase(barrier_0 + 8 * stage, i / STAGES & 1);
		store((ulong)to + stored * CHUNK_BYTES, stage_0 + CHUNK_BYTES * stage, chunk_size(stored, bytes));
		/* All but the last BEHIND stores have read their stages. */
		__asm__ volatile("cp.async.bulk.wait_group.read 4;" : : : "memory");
		if (fetched < chunks) {
			fetch(stage_0 + CHUNK_BYTES * ahead, (ulong)from + fetched * CHUNK_BYTES,
			      chunk_size(fetched, bytes), barrier_0 + 8 * ahead);
			fetched += stride;
		}
	}
	__asm__ volatile("cp.async.bulk.wait_group 0;" : : : "memory");
}

/* As ws_chase, but what a node holds is fetched by the unit for bulk copies, 16 bytes at a time. */
kernel void ws_chase_bulk(global ulong *node, uint steps, uint launch, global uint *turns, global ulong *sums,
			  uint capacity)
{
	local ulong fetched[2] __attribute__((aligned(128)));
	local ulong barriers[1];
	const uint ticket = take_ticket(&turns[0]);
	const uint processor = multiprocessor();
	const uint barrier = shared_address(barriers);

	barrier_init(barrier);
	while (load_volatile(&turns[1]) != ticket)
		pause();
	if (processor < capacity && sums[4 * processor + 3] != launch) {
		global ulong *const mine = &sums[4 * processor];
		ulong at = *(volatile global ulong *)node, timer, clock, end_clock, end_timer;

		*(volatile global ulong *)node = at;
		timer = global_timer();
		clock = clock_cycles();
		for (uint i = 0; i < steps; i++) {
			fetch(shared_address(fetched), at, 16, barrier);
			wait_for_phase(barrier, i & 1);
			at = *(volatile local ulong *)fetched;
		}
		*(volatile global ulong *)node = at;
		end_clock = clock_cycles();
		end_timer = global_timer();
		mine[0] += end_clock - clock;
		mine[1] += end_timer - timer;
		mine[2] += steps;
		mine[3] = launch;
	}
	fence_system();
	store_volatile(&turns[1], ticket + 1);
}
