/* Checks against the pattern: it is made again block by block, in the first-level cache, and compared. */
#include "kernel/host_pattern.h"

#include <string.h>

#include "kernel/host_kernel.h"

enum { BLOCK_BYTES = 4096, BLOCK_NUMBERS = BLOCK_BYTES / 8 };

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * Adds to out the elements of element_bytes in which found differs from expected, where found[0] has that offset and
 * elements start at multiples of element_bytes.
 */
static void compare(const unsigned char *expected, const unsigned char *found, size_t size_bytes, uint64_t offset,
		    size_t element_bytes, struct ws_mismatch *out)
{
	if (memcmp(expected, found, size_bytes) == 0)
		return;
	for (size_t i = 0, size; i < size_bytes; i += size) {
		size = smaller(element_bytes - (offset + i) % element_bytes, size_bytes - i);
		if (memcmp(expected + i, found + i, size) == 0 || out->wrong_count++)
			continue;
		out->first_offset = offset + i;
		out->expected = ws_bytes_word(expected + i, size);
		out->found = ws_bytes_word(found + i, size);
	}
}

uint64_t ws_pattern_check(const void *buffer, size_t size_bytes, uint64_t offset, uint64_t seed,
			  struct ws_mismatch *out)
{
	const struct ws_host_kernels *kernels = ws_host_kernels();
	const unsigned char *found = buffer;
	unsigned char expected[BLOCK_BYTES];

	*out = (struct ws_mismatch){0};
	for (size_t done = 0, size; done < size_bytes; done += size) {
		/* No block but the first begins inside a word. */
		size = smaller(BLOCK_BYTES - (offset + done) % 4, size_bytes - done);
		kernels->fill(expected, size, offset + done, seed);
		compare(expected, found + done, size, offset + done, 4, out);
	}
	return out->wrong_count;
}

uint64_t ws_pattern_sum(size_t size_bytes, uint64_t offset, uint64_t seed)
{
	const struct ws_host_kernels *kernels = ws_host_kernels();
	unsigned char block[BLOCK_BYTES];
	uint64_t sum = 0;

	for (size_t done = 0, size; done < size_bytes; done += size) {
		size = smaller(BLOCK_BYTES, size_bytes - done);
		kernels->fill(block, size, offset + done, seed);
		sum += kernels->read(block, size);
	}
	return sum;
}

void ws_mismatch_add(struct ws_mismatch *sum, const struct ws_mismatch *part)
{
	uint64_t count = sum->wrong_count + part->wrong_count;

	if (part->wrong_count && (!sum->wrong_count || part->first_offset < sum->first_offset))
		*sum = *part;
	sum->wrong_count = count;
}

void ws_pattern_numbers(double *numbers, size_t count, uint64_t first, uint64_t seed)
{
	const struct ws_host_kernels *kernels = ws_host_kernels();
	uint64_t words[BLOCK_NUMBERS];

	for (size_t done = 0, part; done < count; done += part) {
		part = smaller(BLOCK_NUMBERS, count - done);
		kernels->fill(words, part * 8, (first + done) * 8, seed);
		for (size_t i = 0; i < part; i++)
			words[i] = words[i] >> 12 | UINT64_C(0x3ff) << 52;
		memcpy(numbers + done, words, part * 8);
	}
}

uint64_t ws_pattern_check_triad(const double *a, size_t count, uint64_t first, double scale, uint64_t seed_b,
				uint64_t seed_c, struct ws_mismatch *out)
{
	const struct ws_host_kernels *kernels = ws_host_kernels();
	double b[BLOCK_NUMBERS], c[BLOCK_NUMBERS], expected[BLOCK_NUMBERS];

	*out = (struct ws_mismatch){0};
	for (size_t done = 0, part; done < count; done += part) {
		part = smaller(BLOCK_NUMBERS, count - done);
		ws_pattern_numbers(b, part, first + done, seed_b);
		ws_pattern_numbers(c, part, first + done, seed_c);
		kernels->triad(expected, b, c, scale, part);
		compare((const unsigned char *)expected, (const unsigned char *)(a + done), part * 8,
			(first + done) * 8, 8, out);
	}
	return out->wrong_count;
}
