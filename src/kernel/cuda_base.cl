/*
 * CUDA kernels for every device from Pascal on: copies, reads, writes, the pattern, pointer chases, a gate and nothing.
 *
 * scripts/build-kernels makes cuda_base.ptx of this. A buffer is count elements of 16 bytes and tail < 16 bytes behind
 * them; it is aligned to 16. Grids have one dimension. Numbers of threads that matter stand at the kernels.
 */
#include "cuda_device.clh"

/* The bytes behind the last element, by one thread each. */
static inline void copy_tail(global uchar *to, const global uchar *from, uint tail, ulong thread)
{
	if (thread < tail)
		to[thread] = from[thread];
}

/*
 * At least max(count, tail) threads: one element each. On an H200 no other shape is faster on any path by more than
 * 0.1 %, and persistent grids with several loads per thread are slower by up to 6 % inside one memory.
 */
kernel void ws_copy(global uint4 *to, const global uint4 *from, ulong count, uint tail)
{
	const ulong thread = thread_index();

	if (thread < count)
		to[thread] = from[thread];
	copy_tail((global uchar *)(to + count), (const global uchar *)(from + count), tail, thread);
}

/*
 * Both ways at once, even warps one and odd warps the other: twice max(count, tail) threads at least, in blocks of an
 * even number of warps. times, if not 0: the complement of the first start and the last end of either way, by the global
 * timer, are raised to what was seen by the first block and by so many last blocks (as can be under way at the end).
 * Of several passes each thread makes all of its own in a row, as nvbandwidth's kernel does: from the second on a host's
 * cache may answer instead of its memory.
 */
kernel void ws_split(global uint4 *to_a, const global uint4 *from_a, global uint4 *to_b, const global uint4 *from_b,
		     ulong count, uint tail, uint last, global ulong *times, uint passes)
{
	const uint way = (thread_in_block() >> 5) & 1;
	const ulong thread = (thread_index() >> 6 << 5) + (thread_in_block() & 31);
	global uint4 *const to = way ? to_b : to_a;
	const global uint4 *const from = way ? from_b : from_a;

	if (times && thread_index() == 0)
		raise(&times[0], ~global_timer());
	for (uint pass = 0; pass < passes && thread < count; pass++)
		copy_beyond_l1(&to[thread], &from[thread]);
	copy_tail((global uchar *)(to + count), (const global uchar *)(from + count), tail, thread);
	if (times && block_index() + last >= block_count()) {
		fence_system();
		if ((thread_in_block() & 31) == 0)
			raise(&times[1 + way], global_timer());
	}
}

/* The bytes behind the last element, filled up with zeros, as 8-byte words added. */
static inline ulong sum_of_tail(const global uchar *bytes, uint tail)
{
	ulong sum = 0;

	/* Bytes of one word fill different bits, so that adding puts them together. */
	for (uint i = 0; i < tail; i++)
		sum += (ulong)bytes[i] << (8 * (i & 7));
	return sum;
}

/*
 * Blocks of READ_THREADS, as many as cover the buffer at READ_UNROLL elements per thread (at least one). Adds the sum
 * of all 8-byte words to the READ_SLOTS numbers of sums together: once per block, or additions would be what is
 * measured.
 */
kernel void ws_read(const global ulong2 *from, ulong count, uint tail, global ulong *sums)
{
	local ulong of_warps[READ_THREADS / 32];
	const ulong first = (ulong)block_index() * (READ_THREADS * READ_UNROLL) + thread_in_block();
	ulong2 words[READ_UNROLL];
	ulong sum = 0;

	if (first + (READ_UNROLL - 1) * READ_THREADS < count) {
		for (uint i = 0; i < READ_UNROLL; i++)
			words[i] = from[first + i * READ_THREADS];
		for (uint i = 0; i < READ_UNROLL; i++)
			sum += words[i].x + words[i].y;
	} else {
		for (ulong i = first; i < count; i += READ_THREADS)
			sum += from[i].x + from[i].y;
	}
	if (thread_index() == 0)
		sum += sum_of_tail((const global uchar *)(from + count), tail);
	sum = sum_of_warp(sum);
	if ((thread_in_block() & 31) == 0)
		of_warps[thread_in_block() >> 5] = sum;
	__syncthreads();
	if (thread_in_block() != 0)
		return;
	for (uint i = 1; i < READ_THREADS / 32; i++)
		sum += of_warps[i];
	add(&sums[block_index() & (READ_SLOTS - 1)], sum);
}

/* At least max(count, tail) threads. Stores value's bytes, low byte first, again and again. */
kernel void ws_write(global ulong2 *to, ulong count, uint tail, ulong value)
{
	const ulong thread = thread_index();

	if (thread < count)
		store_streaming(&to[thread], value, value);
	if (thread < tail)
		((global uchar *)(to + count))[thread] = (uchar)(value >> (8 * (thread & 7)));
}

static inline uint mix(uint x)
{
	x ^= x >> 16;
	x *= 0x85ebca6bu;
	x ^= x >> 13;
	x *= 0xc2b2ae35u;
	return x ^ (x >> 16);
}

/* The four words of the pattern (host_pattern.h) from word index i on, which is a multiple of 4. */
static inline uint4 pattern(ulong i, ulong seed)
{
	const uint high = (uint)(seed >> 32) & 0x7fffffffu;
	const uint key = mix((uint)seed ^ mix(high + 0x9e3779b9u * ((uint)(i >> 32) + 1u)));
	const uint flip = seed >> 63 ? 0xffffffffu : 0u;
	const uint at = (uint)i;
	uint4 words;

	if (seed >> 62 & 1)
		return (uint4)((uint)seed ^ flip);
	words.x = mix(at ^ key) ^ flip;
	words.y = mix((at + 1u) ^ key) ^ flip;
	words.z = mix((at + 2u) ^ key) ^ flip;
	words.w = mix((at + 3u) ^ key) ^ flip;
	return words;
}

static inline uchar byte_of(uint4 words, uint index)
{
	const uint word = index < 4 ? words.x : index < 8 ? words.y : index < 12 ? words.z : words.w;

	return (uchar)(word >> (8 * (index & 3)));
}

/* More than count threads. Writes the pattern of seed. */
kernel void ws_fill(global uint4 *to, ulong count, uint tail, ulong seed)
{
	const ulong thread = thread_index();

	if (thread < count)
		to[thread] = pattern(4 * thread, seed);
	else if (thread == count)
		for (uint i = 0; i < tail; i++)
			((global uchar *)(to + count))[i] = byte_of(pattern(4 * count, seed), i);
}

/* Any grid. Adds what ws_read must find in a buffer with the pattern of seed. */
kernel void ws_sum_pattern(ulong count, uint tail, ulong seed, global ulong *sums)
{
	const ulong stride = total_threads(), thread = thread_index();
	ulong sum = 0;

	for (ulong i = thread; i < count; i += stride) {
		const uint4 words = pattern(4 * i, seed);

		sum += ((ulong)words.y << 32 | words.x) + ((ulong)words.w << 32 | words.z);
	}
	if (thread == 0) {
		const uint4 words = pattern(4 * count, seed);

		for (uint i = 0; i < tail; i++)
			sum += (ulong)byte_of(words, i) << (8 * (i & 7));
	}
	sum = sum_of_warp(sum);
	if ((thread_in_block() & 31) == 0)
		add(&sums[(thread >> 5) & (READ_SLOTS - 1)], sum);
}

/* Compares bytes behind the last element, 4 (or what is left) as one. */
static inline void check_tail(const global uchar *bytes, uint tail, ulong offset, uint4 expected, global ulong *found)
{
	for (uint i = 0; i < tail; i += 4) {
		bool wrong = false;

		for (uint k = i; k < i + 4 && k < tail; k++)
			wrong |= bytes[k] != byte_of(expected, k);
		if (wrong) {
			add(&found[0], 1);
			raise(&found[1], ~(offset + i));
		}
	}
}

/*
 * More than count threads. Compares with the pattern of seed in words of 4 bytes: adds the wrong ones to found[0], and
 * raises found[1] to the complement of the first one's offset.
 */
kernel void ws_check(const global uint4 *from, ulong count, uint tail, ulong seed, global ulong *found)
{
	const ulong thread = thread_index();

	if (thread < count) {
		const uint4 differs = from[thread] ^ pattern(4 * thread, seed);
		const uint wrong = (differs.x != 0) + (differs.y != 0) + (differs.z != 0) + (differs.w != 0);

		if (wrong) {
			const uint first = differs.x ? 0 : differs.y ? 4 : differs.z ? 8 : 12;

			add(&found[0], wrong);
			raise(&found[1], ~(16 * thread + first));
		}
	} else if (thread == count) {
		check_tail((const global uchar *)(from + count), tail, 16 * count, pattern(4 * count, seed), found);
	}
}

/* The same for what ws_write wrote. */
kernel void ws_check_value(const global uint4 *from, ulong count, uint tail, ulong value, global ulong *found)
{
	const ulong thread = thread_index();
	uint4 expected;

	expected.x = expected.z = (uint)value;
	expected.y = expected.w = (uint)(value >> 32);
	if (thread < count) {
		const uint4 differs = from[thread] ^ expected;
		const uint wrong = (differs.x != 0) + (differs.y != 0) + (differs.z != 0) + (differs.w != 0);

		if (wrong) {
			const uint first = differs.x ? 0 : differs.y ? 4 : differs.z ? 8 : 12;

			add(&found[0], wrong);
			raise(&found[1], ~(16 * thread + first));
		}
	} else if (thread == count) {
		check_tail((const global uchar *)(from + count), tail, 16 * count, expected, found);
	}
}

/* What struct ws_chase (host_chase.h) holds. */
struct chase {
	ulong count, stride;
	uint key[4], low_bits, low_mask, high_mask;
};

static inline ulong turn(const struct chase *chase, int round, ulong x)
{
	uint low = (uint)x & chase->low_mask;
	uint high = (uint)(x >> chase->low_bits);

	if (round & 1)
		high ^= mix(low ^ chase->key[round]) & chase->high_mask;
	else
		low ^= mix(high ^ chase->key[round]) & chase->low_mask;
	return (ulong)high << chase->low_bits | low;
}

/* Any grid. Writes the pointers of all nodes, as ws_chase_link does. */
kernel void ws_chase_link(global uchar *base, ulong count, ulong stride, uint low_bits, uint low_mask, uint high_mask,
			  uint key_0, uint key_1, uint key_2, uint key_3)
{
	const struct chase chase = {
		count, stride, {key_0, key_1, key_2, key_3}, low_bits, low_mask, high_mask,
	};

	for (ulong node = thread_index(); node < count; node += total_threads()) {
		ulong x = node;

		do {
			for (int round = 3; round >= 0; round--)
				x = turn(&chase, round, x);
		} while (x >= count);
		x = x + 1 == count ? 0 : x + 1;
		do {
			for (int round = 0; round < 4; round++)
				x = turn(&chase, round, x);
		} while (x >= count);
		*(global ulong *)(base + node * stride) = (ulong)base + x * stride;
	}
}

/*
 * Blocks of one thread, two or more per multiprocessor so that each gets one. One after another, in the order in which
 * they started, the first block on each multiprocessor follows steps pointers (a multiple of 4) from *node on and
 * leaves the end there.
 * turns: the next ticket and the ticket whose turn it is; both 0 before the first launch. sums: for each multiprocessor
 * clock cycles, ns of the global timer, and loads; launch, a number that no launch before it had, marks it as served.
 */
kernel void ws_chase(global ulong *node, uint steps, uint launch, global uint *turns, global ulong *sums, uint capacity)
{
	const uint ticket = take_ticket(&turns[0]);
	const uint processor = multiprocessor();

	while (load_volatile(&turns[1]) != ticket)
		pause();
	if (processor < capacity && sums[4 * processor + 3] != launch) {
		global ulong *const mine = &sums[4 * processor];
		ulong at = *(volatile global ulong *)node, timer, clock, end_clock, end_timer;

		/* A store waits for what it stores, and the clock is read after it. */
		*(volatile global ulong *)node = at;
		timer = global_timer();
		clock = clock_cycles();
		for (uint i = 0; i < steps; i += 4)
			at = load_beyond_l1(load_beyond_l1(load_beyond_l1(load_beyond_l1(at))));
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

/* One thread: waits until *word is value or beyond it, or until the time is over. */
kernel void ws_gate(const volatile global uint *word, uint value, ulong time_ns)
{
	const ulong until = global_timer() + time_ns;

	while ((int)(*word - value) < 0 && global_timer() < until)
		;
}

/* What a launch costs. */
kernel void ws_noop(void)
{
}
