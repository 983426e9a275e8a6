/* Every instruction set's loops against bytewise references, over sizes and alignments; pattern and chase. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/error.h"
#include "kernel/host_chase.h"
#include "kernel/host_kernel.h"
#include "kernel/host_pattern.h"

enum { SPACE = 20000, GUARD = 0xa5 };

static const size_t sizes[] = {
	0,   1,   2,   3,   7,   8,   9,    15,   16,   31,   33,   63,   64,   65,   127,  128,
	129, 255, 256, 511, 513, 777, 1023, 1024, 2047, 2049, 4095, 4097, 8191, 8200, 12345,
};
static const size_t shifts[] = {0, 1, 3, 4, 7, 8, 16, 31, 33, 56, 63};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

struct space {
	unsigned char *to;
	unsigned char *from;
};

/* The formula in host_pattern.h, spelled out again. */
static unsigned char pattern_byte(uint64_t seed, uint64_t offset)
{
	uint32_t x[3] = {(uint32_t)(seed >> 32 & 0x7fffffff) + 0x9e3779b9U * (uint32_t)((offset >> 34) + 1), 0, 0};

	if (seed >> 62 & 1)
		return (unsigned char)(((uint32_t)seed ^ (seed >> 63 ? 0xffffffffU : 0)) >> (8 * (offset % 4)));
	for (int i = 0; i < 3; i++) {
		x[i] ^= i == 1 ? (uint32_t)seed ^ x[0] : i == 2 ? (uint32_t)(offset >> 2) ^ x[1] : 0;
		x[i] ^= x[i] >> 16;
		x[i] *= 0x85ebca6bU;
		x[i] ^= x[i] >> 13;
		x[i] *= 0xc2b2ae35U;
		x[i] ^= x[i] >> 16;
	}
	return (unsigned char)((seed >> 63 ? ~x[2] : x[2]) >> (8 * (offset & 3)));
}

static uint64_t random_bytes(unsigned char *p, size_t size, uint64_t state)
{
	for (size_t i = 0; i < size; i++) {
		state = state * 6364136223846793005U + 1442695040888963407U;
		p[i] = (unsigned char)(state >> 56);
	}
	return state;
}

static void expect_guards(const unsigned char *space, size_t shift, size_t size)
{
	for (size_t i = 0; i < SPACE; i++) {
		if ((i < shift || i >= shift + size) && space[i] != GUARD)
			fail_msg("byte %zu written, outside of %zu bytes at %zu", i, size, shift);
	}
}

typedef void check_function(const struct ws_host_kernels *kernels, const struct space *space, size_t size,
			    size_t shift);

static void check_read(const struct ws_host_kernels *kernels, const struct space *space, size_t size, size_t shift)
{
	unsigned char *p = space->from + shift;
	size_t half = size / 16 * 8;
	uint64_t expected = 0;

	for (size_t i = 0; i < size; i++)
		expected += (uint64_t)p[i] << (8 * (i % 8));
	assert_int_equal(kernels->read(p, size), expected);
	assert_int_equal(kernels->read(p, half) + kernels->read(p + half, size - half), expected);
	for (size_t i = 0; i < size; i += i < 300 ? 1 : 61) {
		p[i] ^= 0x10;
		assert_int_not_equal(kernels->read(p, size), expected);
		p[i] ^= 0x10;
	}
}

static void check_copies(const struct ws_host_kernels *kernels, const struct space *space, size_t size, size_t shift)
{
	void (*const copies[])(void *, const void *, size_t) = {kernels->copy, kernels->copy_nt, kernels->copy_libc};

	for (size_t k = 0; k < COUNT(copies); k++) {
		for (size_t other = 0; other < 3; other++) {
			const unsigned char *from = space->from + shifts[(shift + other) % COUNT(shifts)];

			memset(space->to, GUARD, SPACE);
			copies[k](space->to + shift, from, size);
			assert_memory_equal(space->to + shift, from, size);
			expect_guards(space->to, shift, size);
		}
	}
}

static void check_writes(const struct ws_host_kernels *kernels, const struct space *space, size_t size, size_t shift)
{
	void (*const writes[])(void *, size_t, uint64_t) = {kernels->write, kernels->write_nt};
	const uint64_t value = UINT64_C(0x0123456789abcdef);

	for (size_t k = 0; k < COUNT(writes); k++) {
		memset(space->to, GUARD, SPACE);
		writes[k](space->to + shift, size, value);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(space->to[shift + i], value >> (8 * (i % 8)) & 0xff);
		expect_guards(space->to, shift, size);
	}
}

static void check_triads(const struct ws_host_kernels *kernels, const struct space *space, size_t size, size_t shift)
{
	void (*const triads[])(double *, const double *, const double *, double, size_t) = {
		kernels->triad,
		kernels->triad_nt,
	};
	double *a = (double *)(void *)(space->to + shift / 8 * 8), *b = (double *)(void *)space->from, *c;
	struct ws_mismatch mismatch;
	size_t count = size / 16;

	c = b + count + shift % 3;
	ws_pattern_numbers(b, count, 1000, 5);
	ws_pattern_numbers(c, count, 1000, 6);
	for (size_t k = 0; k < COUNT(triads); k++) {
		memset(space->to, GUARD, SPACE);
		triads[k](a, b, c, 0.3, count);
		for (size_t i = 0; i < count; i++) {
			volatile double product = 0.3 * c[i];
			double sum = b[i] + product;

			assert_memory_equal(&a[i], &sum, 8);
		}
		expect_guards(space->to, shift / 8 * 8, count * 8);
		assert_int_equal(ws_pattern_check_triad(a, count, 1000, 0.3, 5, 6, &mismatch), 0);
	}
}

static void check_fill(const struct ws_host_kernels *kernels, const struct space *space, size_t size, size_t shift)
{
	void (*const fills[])(void *, size_t, uint64_t, uint64_t) = {kernels->fill, kernels->fill_nt};
	/* What is at offset shift, modulo 64, lies in lines as the pattern does. */
	const struct {
		uint64_t offset, seed;
	} rows[] = {
		{0, 0},
		{shift, 1},
		{(UINT64_C(1) << 34) - 517, UINT64_C(0x3123456789abcdef)},
		{(UINT64_C(1) << 34) - 640 + shift, WS_PATTERN_INVERSE | 5},
		{(UINT64_C(1) << 50) + 3, WS_PATTERN_INVERSE | 77},
		{0, WS_PATTERN_CONSTANT | 0xa5c3f00f},
		{shift, WS_PATTERN_INVERSE | WS_PATTERN_CONSTANT | 0xb4},
		{shift + 3, WS_PATTERN_CONSTANT | 0x12345678},
	};
	unsigned char *expected = space->from;

	for (size_t k = 0; k < COUNT(rows); k++) {
		for (size_t i = 0; i < size; i++)
			expected[i] = pattern_byte(rows[k].seed, rows[k].offset + i);
		for (size_t f = 0; f < COUNT(fills); f++) {
			memset(space->to, GUARD, SPACE);
			fills[f](space->to + shift, size, rows[k].offset, rows[k].seed);
			assert_memory_equal(space->to + shift, expected, size);
			expect_guards(space->to, shift, size);
		}
	}
}

static void over_sizes(const char *isa, check_function *check)
{
	const struct ws_host_kernels *kernels = ws_host_kernels_named(isa);
	struct space space;

	if (!kernels) {
		print_message("SKIP: this processor has no %s\n", isa);
		skip();
	}
	assert_string_equal(kernels->isa, isa);
	space.to = aligned_alloc(64, SPACE / 64 * 64 + 64);
	space.from = aligned_alloc(64, SPACE / 64 * 64 + 64);
	assert_non_null(space.to);
	assert_non_null(space.from);
	random_bytes(space.from, SPACE, 1);
	for (size_t i = 0; i < COUNT(sizes); i++) {
		for (size_t k = 0; k < COUNT(shifts); k++)
			check(kernels, &space, sizes[i], shifts[k]);
	}
	free(space.to);
	free(space.from);
}

/* The state of these is the name of an instruction set. */
static void reads(void **state)
{
	over_sizes(*state, check_read);
}

static void copies(void **state)
{
	over_sizes(*state, check_copies);
}

static void writes(void **state)
{
	over_sizes(*state, check_writes);
}

static void triads(void **state)
{
	over_sizes(*state, check_triads);
}

static void fills(void **state)
{
	over_sizes(*state, check_fill);
}

static void chooses_a_wide_set(void **state)
{
	const struct ws_host_kernels *chosen = ws_host_kernels();

	(void)state;
	assert_string_equal(ws_host_isa_name(), chosen->isa);
	assert_ptr_equal(ws_host_kernels_named(chosen->isa), chosen);
	for (size_t i = 0; strcmp(ws_host_isa_at(i), chosen->isa) != 0; i++) {
		if (ws_host_kernels_named(ws_host_isa_at(i)))
			assert_string_equal(chosen->isa, "avx2");
	}
	assert_non_null(ws_host_kernels_named("plain"));
	assert_null(ws_host_kernels_named("avx"));
	assert_null(ws_host_isa_at(5));
}

static void check_tells_what_is_wrong(void **state)
{
	enum { SIZE = 3 * 4096 + 7 };
	static unsigned char buffer[SIZE];
	const struct ws_host_kernels *kernels = ws_host_kernels();
	const uint64_t offset = 1234567 /* of the last byte of a word */, seed = 99;
	struct ws_mismatch whole, part;
	uint64_t word = 0;

	(void)state;
	kernels->fill(buffer, SIZE, offset, seed);
	assert_int_equal(ws_pattern_check(buffer, SIZE, offset, seed, &whole), 0);
	assert_int_equal(ws_pattern_check(buffer, SIZE, offset, seed ^ WS_PATTERN_INVERSE, &whole), SIZE / 4 + 2);
	assert_int_equal(ws_pattern_sum(SIZE, offset, seed), kernels->read(buffer, SIZE));
	for (size_t i = 0; i < SIZE; i += i % 4096 > 20 && i % 4096 < 4080 && i < SIZE - 20 ? 97 : 1) {
		size_t start = i == 0 ? 0 : i - (i + offset) % 4, size = SIZE - start;

		buffer[i] ^= 0x80;
		assert_int_equal(ws_pattern_check(buffer, SIZE, offset, seed, &whole), 1);
		assert_int_equal(whole.first_offset, offset + start);
		size = start == 0 ? 1 : size < 4 ? size : 4;
		word = 0;
		memcpy(&word, buffer + start, size);
		assert_int_equal(whole.found, word);
		assert_int_equal(whole.found ^ whole.expected, UINT64_C(0x80) << (8 * (i - start)));
		buffer[i] ^= 0x80;
	}
	buffer[4097] ^= 1;
	buffer[4098] ^= 1;
	buffer[9001] ^= 1;
	ws_pattern_check(buffer + 9001, SIZE - 9001, offset + 9001, seed, &whole);
	ws_pattern_check(buffer, 4097, offset, seed, &part);
	ws_mismatch_add(&whole, &part);
	assert_int_equal(whole.wrong_count, 1);
	assert_int_equal(whole.first_offset, offset + 9001);
	ws_pattern_check(buffer + 4097, 4904, offset + 4097, seed, &part);
	ws_mismatch_add(&whole, &part);
	assert_int_equal(whole.wrong_count, 2);
	assert_int_equal(whole.first_offset, offset + 4097);
	assert_int_equal(whole.found, part.found);
	assert_int_equal(ws_pattern_check(buffer, 0, offset, seed, &whole), 0);
}

/* What a destination that was not written, or written in the wrong place, looks like. */
static void every_word_differs(void **state)
{
	enum { SIZE = 1 << 16 };
	static unsigned char buffer[SIZE];
	struct ws_mismatch mismatch;

	(void)state;
	ws_host_kernels()->fill(buffer, SIZE, 4, 1);
	assert_int_equal(ws_pattern_check(buffer, SIZE, 0, 1, &mismatch), SIZE / 4);
	for (size_t i = 0; i + 4 < SIZE; i += 4) {
		assert_memory_not_equal(buffer + i, buffer + i + 4, 4);
		ws_pattern_check(buffer + i, 4, i + 4, 2, &mismatch);
		assert_int_not_equal(mismatch.wrong_count, 0);
	}
}

static void triad_check_tells_what_is_wrong(void **state)
{
	enum { NUMBERS = 1500 };
	static double a[NUMBERS], b[NUMBERS], c[NUMBERS];
	struct ws_mismatch mismatch;
	double right;

	(void)state;
	ws_pattern_numbers(b, NUMBERS, 7, 1);
	ws_pattern_numbers(c, NUMBERS, 7, 2);
	for (size_t i = 0; i < NUMBERS; i++)
		assert_true(b[i] >= 1 && b[i] < 2 && (i == 0 || b[i] != b[i - 1]));
	ws_host_kernels()->triad(a, b, c, 3, NUMBERS);
	assert_int_equal(ws_pattern_check_triad(a, NUMBERS, 7, 3, 1, 2, &mismatch), 0);
	right = a[600];
	a[600] = 2.5;
	a[NUMBERS - 1] = -a[NUMBERS - 1];
	assert_true(ws_pattern_check_triad(a, NUMBERS, 7, 3, 1, 2, &mismatch) == 2);
	assert_int_equal(mismatch.first_offset, 8 * 607);
	assert_memory_equal(&mismatch.found, &a[600], 8);
	assert_memory_equal(&mismatch.expected, &right, 8);
	a[600] = right;
	assert_int_equal(ws_pattern_check_triad(a, NUMBERS, 7, 3, 1, 2, &mismatch), 1);
	assert_int_equal(mismatch.first_offset, 8 * (NUMBERS - 1 + 7));
}

static void one_chase(size_t size, size_t stride, uint64_t seed)
{
	const size_t step = stride ? stride : 64;
	unsigned char *buffer = aligned_alloc(64, size / 64 * 64 + 64), *seen = calloc(size / step, 1);
	const void *node = buffer, *expected;
	struct ws_chase chase;
	uint64_t half;

	assert_non_null(buffer);
	assert_non_null(seen);
	assert_int_equal(ws_chase_init(&chase, size, stride, seed), WS_OK);
	assert_int_equal(chase.count, size / step);
	half = chase.count / 2;
	ws_chase_link(&chase, buffer, half, chase.count - half);
	ws_chase_link(&chase, buffer, 0, half);
	for (uint64_t i = 0; i < chase.count; i++) {
		size_t offset = (size_t)((const unsigned char *)node - buffer);

		assert_true(offset < size && offset % step == 0);
		assert_int_equal(seen[offset / step]++, 0);
		expected = ws_chase_expected(&chase, buffer, buffer, i);
		assert_ptr_equal(node, expected);
		assert_ptr_equal(ws_chase_run(buffer, i), expected);
		node = ws_chase_run(node, 1);
	}
	assert_ptr_equal(node, buffer);
	node = ws_chase_run(buffer, 3);
	assert_ptr_equal(ws_chase_run(node, 12345), ws_chase_expected(&chase, buffer, node, 12345));
	free(buffer);
	free(seen);
}

static void chase_is_one_cycle(void **state)
{
	(void)state;
	for (size_t count = 1; count < 70; count++)
		one_chase(64 * count, 0, count);
	one_chase(64 * 1025 + 63, 64, 3);
	one_chase(8 * 2048, 8, 4);
	one_chase(4096 * 33, 4096, 5);
}

static void chase_is_random(void **state)
{
	static const char base[64 << 14];
	struct ws_chase chase, other;
	uint64_t near = 0, same = 0;

	(void)state;
	assert_int_equal(ws_chase_init(&chase, 64 << 14, 64, 1), WS_OK);
	assert_int_equal(ws_chase_init(&other, 64 << 14, 64, 2), WS_OK);
	for (size_t i = 0; i < 1 << 14; i++) {
		const char *node = base + 64 * i, *next = ws_chase_expected(&chase, base, node, 1);

		near += llabs(next - node) <= 4096;
		same += next == (const char *)ws_chase_expected(&other, base, node, 1);
	}
	/* A random order has 128 of 16384 neighbours, or 1 equal one, expected. */
	assert_in_range(near, 64, 256);
	assert_in_range(same, 0, 8);
}

static void chase_refuses(void **state)
{
	struct ws_chase chase;

	(void)state;
	assert_int_equal(ws_chase_init(&chase, 63, 64, 0), WS_EINVAL);
	assert_int_equal(ws_chase_init(&chase, 4096, 12, 0), WS_EINVAL);
}

int main(void)
{
	static const struct {
		const char *name;
		CMUnitTestFunction function;
	} loops[] = {{"reads", reads}, {"copies", copies}, {"writes", writes}, {"triads", triads}, {"fills", fills}};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chooses_a_wide_set),
		cmocka_unit_test(check_tells_what_is_wrong),
		cmocka_unit_test(every_word_differs),
		cmocka_unit_test(triad_check_tells_what_is_wrong),
		cmocka_unit_test(chase_is_one_cycle),
		cmocka_unit_test(chase_is_random),
		cmocka_unit_test(chase_refuses),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	for (size_t i = 0; ws_host_isa_at(i); i++) {
		struct CMUnitTest rows[COUNT(loops)];
		char names[COUNT(loops)][32];

		for (size_t k = 0; k < COUNT(loops); k++) {
			snprintf(names[k], sizeof(names[k]), "%s_%s", loops[k].name, ws_host_isa_at(i));
			rows[k] = (struct CMUnitTest){names[k], loops[k].function, NULL, NULL, NULL};
			rows[k].initial_state = (void *)(uintptr_t)ws_host_isa_at(i);
		}
		failed += cmocka_run_group_tests_name(ws_host_isa_at(i), rows, NULL, NULL);
	}
	return failed;
}
