/* Checks against the pattern: it is made again block by block, in the first-level cache, and compared. */
#include "kernel/host_pattern.h"

#include <string.h>

#include "kernel/host_kernel.h"

enum { BLOCK_BYTES = 4096, BLOCK_NUMBERS = BLOCK_BYTES / 8 };

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

static uint64_t bytes_as_word(const unsigned char *bytes, size_t count)
{
	uint64_t word = 0;

	for (size_t i = 0; i < count; i++)
		word |= (uint64_t)bytes[i] << (8 * i);
	return word;
}

/*
 * Counts in out the bytes in which found differs from expected, where found[0] has that offset. Returns whether the
 * first wrong byte of all was among them.
 */
static int compare(const void *expected, const void *found, size_t size_bytes, uint64_t offset, struct ws_mismatch *out)
{
	const unsigned char *e = expected, *f = found;
	const int is_first = out->wrong_bytes == 0;

	if (memcmp(e, f, size_bytes) == 0)
		return 0;
	for (size_t i = 0; i < size_bytes; i++) {
		if (e[i] != f[i] && out->wrong_bytes++ == 0)
			out->first_offset = offset + i;
	}
	return is_first;
}

uint64_t ws_pattern_check(const void *buffer, size_t size_bytes, uint64_t offset, uint64_t seed, struct ws_mismatch *out)
{
	const struct ws_host_kernels *kernels = ws_host_kernels();
	const unsigned char *found = buffer;
	unsigned char expected[BLOCK_BYTES];

	*out = (struct ws_mismatch){0};
	for (size_t done = 0, size; done < size_bytes; done += size) {
		size = smaller(BLOCK_BYTES, size_bytes - done);
		kernels->fill(expected, size, offset + done, seed);
		compare(expected, found + done, size, offset + done, out);
	}
	if (out->wrong_bytes) {
		size_t first = (size_t)(out->first_offset - offset), size = smaller(8, size_bytes - first);

		kernels->fill(expected, size, out->first_offset, seed);
		out->expected = bytes_as_word(expected, size);
		out->found = bytes_as_word(found + first, size);
	}
	return out->wrong_bytes;
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
	uint64_t wrong = sum->wrong_bytes + part->wrong_bytes;

	if (part->wrong_bytes && (!sum->wrong_bytes || part->first_offset < sum->first_offset))
		*sum = *part;
	sum->wrong_bytes = wrong;
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
		if (compare(expected, a + done, part * 8, (first + done) * 8, out)) {
			size_t i = (size_t)(out->first_offset / 8 - first - done);

			out->first_offset -= out->first_offset % 8;
			memcpy(&out->expected, expected + i, 8);
			memcpy(&out->found, a + done + i, 8);
		}
	}
	return out->wrong_bytes;
}
