/*
 * The order of a pointer chase. A keyed permutation of [0, count) maps the time of a visit to a node's number; the node
 * visited at time t points to the one of t + 1. Four rounds over the two halves of the number make the permutation of
 * the next power of two; numbers beyond count are sent round again until they fall below (fewer than 2 on average).
 */
#include "kernel/host_chase.h"

#include "base/error.h"
#include "kernel/host_pattern.h"

enum { ROUNDS = 4 };

static uint32_t low_mask(unsigned bits)
{
	return bits >= 32 ? 0xffffffffU : (1U << bits) - 1U;
}

/* Round r changes one half of the number by a hash of the other; done twice it changes nothing. */
static inline __attribute__((always_inline)) uint64_t turn(const struct ws_chase *chase, int r, uint64_t x)
{
	uint32_t low = (uint32_t)x & chase->low_mask;
	uint32_t high = (uint32_t)(x >> chase->low_bits);

	if (r % 2)
		high ^= ws_pattern_mix(low ^ chase->key[r]) & chase->high_mask;
	else
		low ^= ws_pattern_mix(high ^ chase->key[r]) & chase->low_mask;
	return (uint64_t)high << chase->low_bits | low;
}

static uint64_t node_at_time(const struct ws_chase *chase, uint64_t x)
{
	do {
		for (int r = 0; r < ROUNDS; r++)
			x = turn(chase, r, x);
	} while (x >= chase->count);
	return x;
}

static uint64_t time_of_node(const struct ws_chase *chase, uint64_t x)
{
	do {
		for (int r = ROUNDS - 1; r >= 0; r--)
			x = turn(chase, r, x);
	} while (x >= chase->count);
	return x;
}

static uint64_t node_after(const struct ws_chase *chase, uint64_t node, uint64_t steps)
{
	return node_at_time(chase, (time_of_node(chase, node) + steps % chase->count) % chase->count);
}

int ws_chase_init(struct ws_chase *chase, size_t size_bytes, size_t stride_bytes, uint64_t seed)
{
	size_t stride = stride_bytes ? stride_bytes : (size_t)WS_CHASE_STRIDE;
	unsigned bits = 2;

	if (stride % 8 || size_bytes < stride)
		return WS_EINVAL;
	chase->stride_bytes = stride;
	chase->count = size_bytes / stride;
	while ((chase->count - 1) >> bits)
		bits++;
	chase->low_bits = bits / 2;
	chase->low_mask = low_mask(bits / 2);
	chase->high_mask = low_mask(bits - bits / 2);
	for (int r = 0; r < ROUNDS; r++)
		chase->key[r] = ws_pattern_word(seed, (uint64_t)r);
	return WS_OK;
}

void ws_chase_link(const struct ws_chase *chase, void *buffer, uint64_t first, uint64_t count)
{
	unsigned char *base = buffer;

	for (uint64_t node = first; node < first + count; node++) {
		void **link = (void **)(void *)(base + node * chase->stride_bytes);

		*link = base + node_after(chase, node, 1) * chase->stride_bytes;
	}
}

const void *ws_chase_run(const void *node, uint64_t steps)
{
	const void *const *p = node;

	for (; steps >= 32; steps -= 32) {
#define STEP p = (const void *const *)*p;
#define STEP8 STEP STEP STEP STEP STEP STEP STEP STEP
		STEP8 STEP8 STEP8 STEP8
#undef STEP8
#undef STEP
	}
	for (; steps; steps--)
		p = (const void *const *)*p;
	return p;
}

const void *ws_chase_expected(const struct ws_chase *chase, const void *buffer, const void *node, uint64_t steps)
{
	const unsigned char *base = buffer;
	uint64_t number = (uint64_t)((const unsigned char *)node - base) / chase->stride_bytes;

	return base + node_after(chase, number, steps) * chase->stride_bytes;
}
