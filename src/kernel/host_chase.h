/* Pointer chase through a buffer in random order: one cycle over all nodes, each load waits for the one before. */
#ifndef WS_KERNEL_HOST_CHASE_H
#define WS_KERNEL_HOST_CHASE_H

#include <stddef.h>
#include <stdint.h>

enum { WS_CHASE_STRIDE = 64 };

/*
 * An order in which every node of a buffer is visited once before the first comes again. The order covers the whole
 * buffer, so with small pages it pays for TLB misses as well. It is computed, not stored: parts of the buffer can be
 * linked by different threads, and where n steps lead is known without walking them.
 */
struct ws_chase {
	uint64_t count;      /* nodes */
	size_t stride_bytes; /* from node to node, >= 8 and a multiple of 8 */
	uint32_t key[4];     /* from the seed, one per round */
	uint32_t low_mask;   /* a node's number is cut into a low half of low_bits bits and a high one */
	uint32_t high_mask;
	unsigned low_bits;
};

/*
 * Sets the order for a buffer of size_bytes (what is left of it after the last whole stride stays unused). A stride of
 * 0 means WS_CHASE_STRIDE. Returns WS_OK, or WS_EINVAL if the stride is no multiple of 8 or no node fits.
 */
int ws_chase_init(struct ws_chase *chase, size_t size_bytes, size_t stride_bytes, uint64_t seed);

/*
 * Writes the pointers of nodes [first, first + count) of the buffer, in ascending order of addresses. The buffer,
 * aligned to 8, must stay at this address; all its nodes must be linked before the first run.
 */
void ws_chase_link(const struct ws_chase *chase, void *buffer, uint64_t first, uint64_t count);

/* Follows steps pointers from a node (the buffer's first bytes are one) and returns the node that they lead to. */
const void *ws_chase_run(const void *node, uint64_t steps);

/* The node that steps pointers lead to from node, computed: ws_chase_run must return the same. */
const void *ws_chase_expected(const struct ws_chase *chase, const void *buffer, const void *node, uint64_t steps);

#endif
