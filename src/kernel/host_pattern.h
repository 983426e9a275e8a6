/* The pattern that buffers are filled with: its formula, and checks against it. */
#ifndef WS_KERNEL_HOST_PATTERN_H
#define WS_KERNEL_HOST_PATTERN_H

#include <stddef.h>
#include <stdint.h>

#include "seam/item.h"

/*
 * The pattern of a seed is an endless row of 4-byte little-endian words; a buffer holds its bytes from some offset on,
 * so that any part can be made by any thread or device. With all arithmetic modulo 2^32 and i the 64-bit word index:
 *
 *	mix(x):    x ^= x >> 16;  x *= 0x85ebca6b;  x ^= x >> 13;  x *= 0xc2b2ae35;  x ^= x >> 16
 *	key(b):    mix(low32(seed) ^ mix((high32(seed) & 0x7fffffff) + 0x9e3779b9 * (b + 1)))
 *	word(i):   mix(low32(i) ^ key(high32(i))) ^ (bit 63 of seed ? 0xffffffff : 0)
 *
 * mix is the finaliser of MurmurHash3 (Austin Appleby, public domain), a bijection. So within 16 GiB no word occurs
 * twice: words moved by a multiple of 4 bytes are all wrong. Seeds that differ in bits 0-31 alone differ in every word.
 * Seeds that differ in bit 63 alone differ in every bit: a destination filled with seed ^ WS_PATTERN_INVERSE before a
 * copy has no byte that is right by chance.
 *
 * A seed with WS_PATTERN_CONSTANT is the other pattern: word(i) = low32(seed), inverted as above. It is for who asks how
 * much the data matters, and tells nothing of words that came from the wrong offset.
 */
#define WS_PATTERN_INVERSE (UINT64_C(1) << 63)
#define WS_PATTERN_CONSTANT (UINT64_C(1) << 62)

/*
 * What a comparison found, in elements: the pattern's words, or triad's numbers. An element that a border of the buffer
 * cuts counts as one. Parts of one buffer are joined by ws_mismatch_add.
 */
struct ws_mismatch {
	uint64_t wrong_count;
	uint64_t first_offset; /* in bytes, of the first wrong element; valid if wrong_count > 0, like the rest */
	uint64_t expected;     /* that element; of a cut one the bytes inside the buffer, from the low end up */
	uint64_t found;
};

/* Up to 8 bytes as a number, the first one lowest. */
static inline uint64_t ws_bytes_word(const unsigned char *bytes, size_t count)
{
	uint64_t word = 0;

	for (size_t i = 0; i < count; i++)
		word |= (uint64_t)bytes[i] << (8 * i);
	return word;
}

static inline uint32_t ws_pattern_mix(uint32_t x)
{
	x ^= x >> 16;
	x *= 0x85ebca6bU;
	x ^= x >> 13;
	x *= 0xc2b2ae35U;
	return x ^ (x >> 16);
}

/* key(block) above: constant for 2^32 words. */
static inline uint32_t ws_pattern_key(uint64_t seed, uint32_t block)
{
	uint32_t high = (uint32_t)(seed >> 32) & 0x7fffffffU;

	return ws_pattern_mix((uint32_t)seed ^ ws_pattern_mix(high + 0x9e3779b9U * (block + 1U)));
}

/* 0 or all ones, from bit 63 of the seed. */
static inline uint32_t ws_pattern_flip(uint64_t seed)
{
	return seed & WS_PATTERN_INVERSE ? 0xffffffffU : 0U;
}

static inline uint32_t ws_pattern_word(uint64_t seed, uint64_t index)
{
	if (seed & WS_PATTERN_CONSTANT)
		return (uint32_t)seed ^ ws_pattern_flip(seed);
	return ws_pattern_mix((uint32_t)index ^ ws_pattern_key(seed, (uint32_t)(index >> 32))) ^ ws_pattern_flip(seed);
}

/* The seed that the settings give the buffers when they are filled for the fill-th time. */
static inline uint64_t ws_pattern_seed(const struct ws_settings *settings, uint64_t fill)
{
	if (settings->pattern)
		return WS_PATTERN_CONSTANT | (settings->pattern - 1);
	return (settings->seed + fill) & ~(WS_PATTERN_INVERSE | WS_PATTERN_CONSTANT);
}

/*
 * Compares a buffer, whose first byte has that offset in the pattern, with it. Sets *out in any case and returns its
 * wrong_count; first_offset counts as offset does.
 */
uint64_t ws_pattern_check(const void *buffer, size_t size_bytes, uint64_t offset, uint64_t seed,
			  struct ws_mismatch *out);

/* What ws_host_kernels.read returns for a buffer that holds the pattern from offset on. */
uint64_t ws_pattern_sum(size_t size_bytes, uint64_t offset, uint64_t seed);

/* Adds part to sum: the counts together, the lowest first offset wins. */
void ws_mismatch_add(struct ws_mismatch *sum, const struct ws_mismatch *part);

/*
 * Input for triad: numbers in [1, 2), of which number i has as fraction the upper 52 bits of bytes [8i, 8i + 8) of the
 * pattern. Writes number first and the count - 1 that follow.
 */
void ws_pattern_numbers(double *numbers, size_t count, uint64_t first, uint64_t seed);

/*
 * Compares a with b[i] + scale * c[i], bit for bit, where b and c are the numbers of two seeds from number first on.
 * Sets *out in any case and returns its wrong_count; first_offset is 8 times the first wrong number's index, expected
 * and found are its bits.
 */
uint64_t ws_pattern_check_triad(const double *a, size_t count, uint64_t first, double scale, uint64_t seed_b,
				uint64_t seed_c, struct ws_mismatch *out);

#endif
