/*
 * OpenCL C 1.2 kernels, compiled by the runtime for each device. A buffer is count elements of 16 bytes and tail < 16
 * bytes behind them.
 *
 * LOCAL is the size of a work-group, EACH the number of elements of a work-item: few on a device with thousands of
 * lanes, many and side by side on a processor, whose compiler makes vector loops of them.
 */

/* A work-group's elements start here; neighbours take turns. */
#define FIRST ((ulong)get_group_id(0) * (LOCAL * EACH) + get_local_id(0))

static ulong last_of(ulong first, ulong count)
{
	const ulong last = first - get_local_id(0) + LOCAL * EACH;

	return last < count ? last : count;
}

kernel void ws_copy(global uint4 *to, const global uint4 *from, ulong count, uint tail)
{
	const ulong first = FIRST, last = last_of(first, count);

	for (ulong i = first; i < last; i += LOCAL)
		to[i] = from[i];
	if (get_global_id(0) == 0)
		for (uint i = 0; i < tail; i++)
			((global uchar *)(to + count))[i] = ((const global uchar *)(from + count))[i];
}

/* Stores value's bytes, low byte first, again and again. */
kernel void ws_write(global ulong2 *to, ulong count, uint tail, ulong value)
{
	const ulong first = FIRST, last = last_of(first, count);

	for (ulong i = first; i < last; i += LOCAL)
		to[i] = (ulong2)(value, value);
	if (get_global_id(0) == 0)
		for (uint i = 0; i < tail; i++)
			((global uchar *)(to + count))[i] = (uchar)(value >> (8 * (i & 7)));
}

/* The bytes behind the last element, filled up with zeros, as 8-byte words added. */
static ulong sum_of_tail(const global uchar *bytes, uint tail)
{
	ulong sum = 0;

	/* Bytes of one word fill different bits, so that adding puts them together. */
	for (uint i = 0; i < tail; i++)
		sum += (ulong)bytes[i] << (8 * (i & 7));
	return sum;
}

/* Adds the sum of all 8-byte words to sums, which has a number for each work-group. */
kernel void ws_read(const global ulong2 *from, ulong count, uint tail, global ulong *sums)
{
	local ulong of_items[LOCAL];
	const ulong first = FIRST, last = last_of(first, count);
	ulong2 sum = (ulong2)(0, 0);

#if LOCAL > 1
	if (first - get_local_id(0) + LOCAL * EACH <= count) {
		ulong2 words[EACH];

		for (uint i = 0; i < EACH; i++)
			words[i] = from[first + i * LOCAL];
		for (uint i = 0; i < EACH; i++)
			sum += words[i];
	} else
#endif
		for (ulong i = first; i < last; i += LOCAL)
			sum += from[i];
	if (get_global_id(0) == 0)
		sum.x += sum_of_tail((const global uchar *)(from + count), tail);
	of_items[get_local_id(0)] = sum.x + sum.y;
	for (uint distance = LOCAL / 2; distance > 0; distance /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (get_local_id(0) < distance)
			of_items[get_local_id(0)] += of_items[get_local_id(0) + distance];
	}
	if (get_local_id(0) == 0)
		sums[get_group_id(0)] += of_items[0];
}

/* Nothing but its launch. */
kernel void ws_noop(uint unused)
{
}
