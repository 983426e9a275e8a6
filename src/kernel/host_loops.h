/*
 * The loops of host_kernel.h, written once over vectors. Each host_<isa>.c includes this after defining
 *	WS_VEC            bytes in a vector
 *	WS_STREAM(p, v)   stores vector v past the caches to p, which is aligned to WS_VEC
 *	WS_FENCE()        makes such stores visible
 *	WS_PAST_CACHES    1 if such stores leave no line in any cache, 0 if they may
 */
#include <stdbool.h>
#include <string.h>

#include "kernel/host_flush.h"
#include "kernel/host_kernel.h"
#include "kernel/host_pattern.h"

/* Keeps compilers from putting a call of memcpy or memset in a loop's place. */
#define KEEP_LOOP() __asm__ volatile("" ::: "memory")

/* One turn of a loop moves up to 256 bytes: more was slower. */
enum { LINE = 64, UNROLL = WS_VEC < 32 ? 8 : 256 / WS_VEC, BATCH = UNROLL * WS_VEC, LANES = WS_VEC / 4 };

/*
 * How far ahead copies ask for their source: found by trial on Zen 4 (2 threads, 256 MiB each). It gains 5 to 9 % there;
 * reads and triad only lost by it.
 */
enum { COPY_AHEAD = 4096, COPY_STREAM_AHEAD = 2048 };

typedef uint32_t lanes_t __attribute__((vector_size(WS_VEC)));
#if WS_VEC > 8
typedef uint64_t words_t __attribute__((vector_size(WS_VEC)));
typedef double numbers_t __attribute__((vector_size(WS_VEC)));
#else
typedef uint64_t words_t;
typedef double numbers_t;
#endif

static inline __attribute__((always_inline)) words_t load(const unsigned char *p)
{
	words_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline __attribute__((always_inline)) void store(unsigned char *p, words_t v)
{
	memcpy(p, &v, sizeof(v));
}

/* Bytes from p to the next line, at most size. */
static inline size_t head_bytes(const void *p, size_t size)
{
	size_t head = (size_t)(-(uintptr_t)p % LINE);

	return head < size ? head : size;
}

static uint64_t sum_of(words_t v)
{
	uint64_t part[WS_VEC / 8], sum = 0;

	memcpy(part, &v, sizeof(v));
	for (size_t i = 0; i < WS_VEC / 8; i++)
		sum += part[i];
	return sum;
}

/* Little-endian machines only, as are all that this is built for. */
static uint64_t read_words(const unsigned char *p, size_t size)
{
	uint64_t sum = 0, word;

	for (; size >= 8; p += 8, size -= 8) {
		memcpy(&word, p, 8);
		sum += word;
	}
	return sum + ws_bytes_word(p, size);
}

static uint64_t read_all(const void *source, size_t size)
{
	const unsigned char *p = source;
	size_t head = head_bytes(p, size) & ~(size_t)7;
	uint64_t sum = read_words(p, head);
	words_t sums[UNROLL];

	memset(sums, 0, sizeof(sums));
	for (p += head, size -= head; size >= BATCH; p += BATCH, size -= BATCH)
		for (size_t k = 0; k < UNROLL; k++)
			sums[k] += load(p + k * WS_VEC);
	for (size_t k = 1; k < UNROLL; k++)
		sums[0] += sums[k];
	return sum + sum_of(sums[0]) + read_words(p, size);
}

static void copy_all(void *destination, const void *source, size_t size)
{
	unsigned char *d = destination;
	const unsigned char *s = source;
	size_t head = head_bytes(d, size);

	memcpy(d, s, head);
	for (d += head, s += head, size -= head; size >= BATCH; d += BATCH, s += BATCH, size -= BATCH) {
		KEEP_LOOP();
		for (size_t k = 0; k < BATCH; k += LINE)
			__builtin_prefetch(s + COPY_AHEAD + k, 0, 2);
		for (size_t k = 0; k < UNROLL; k++)
			store(d + k * WS_VEC, load(s + k * WS_VEC));
	}
	memcpy(d, s, size);
}

static void copy_stream(void *destination, const void *source, size_t size)
{
	unsigned char *d = destination;
	const unsigned char *s = source;
	size_t head = head_bytes(d, size);

	memcpy(d, s, head);
	for (d += head, s += head, size -= head; size >= BATCH; d += BATCH, s += BATCH, size -= BATCH) {
		for (size_t k = 0; k < BATCH; k += LINE)
			__builtin_prefetch(s + COPY_STREAM_AHEAD + k, 0, 0);
		for (size_t k = 0; k < UNROLL; k++)
			WS_STREAM(d + k * WS_VEC, load(s + k * WS_VEC));
	}
	memcpy(d, s, size);
	WS_FENCE();
}

static void copy_libc(void *destination, const void *source, size_t size)
{
	memcpy(destination, source, size);
}

/* Stores size bytes of value again and again; returns value turned so that it goes on behind them. */
static uint64_t write_bytes(unsigned char *d, size_t size, uint64_t value)
{
	for (size_t i = 0; i < size; i++) {
		d[i] = (unsigned char)value;
		value = value >> 8 | value << 56;
	}
	return value;
}

static void write_all(void *destination, size_t size, uint64_t value)
{
	unsigned char *d = destination;
	size_t head = head_bytes(d, size);
	uint64_t turned = write_bytes(d, head, value);
	words_t v = turned - (words_t){0};

	for (d += head, size -= head; size >= BATCH; d += BATCH, size -= BATCH) {
		KEEP_LOOP();
		for (size_t k = 0; k < UNROLL; k++)
			store(d + k * WS_VEC, v);
	}
	write_bytes(d, size, turned);
}

static void write_stream(void *destination, size_t size, uint64_t value)
{
	unsigned char *d = destination;
	size_t head = head_bytes(d, size);
	uint64_t turned = write_bytes(d, head, value);
	words_t v = turned - (words_t){0};

	for (d += head, size -= head; size >= BATCH; d += BATCH, size -= BATCH)
		for (size_t k = 0; k < UNROLL; k++)
			WS_STREAM(d + k * WS_VEC, v);
	write_bytes(d, size, turned);
	WS_FENCE();
}

static inline __attribute__((always_inline)) words_t triad_at(const double *b, const double *c, double scale)
{
	numbers_t x, y;
	words_t v;

	memcpy(&x, b, sizeof(x));
	memcpy(&y, c, sizeof(y));
	x += scale * y;
	memcpy(&v, &x, sizeof(v));
	return v;
}

static void triad_numbers(double *a, const double *b, const double *c, double scale, size_t count)
{
	for (size_t i = 0; i < count; i++)
		a[i] = b[i] + scale * c[i];
}

static void triad_all(double *a, const double *b, const double *c, double scale, size_t count)
{
	size_t i = head_bytes(a, count * 8) / 8;

	triad_numbers(a, b, c, scale, i);
	for (; count - i >= BATCH / 8; i += BATCH / 8)
		for (size_t k = 0; k < BATCH / 8; k += WS_VEC / 8)
			store((unsigned char *)(a + i + k), triad_at(b + i + k, c + i + k, scale));
	triad_numbers(a + i, b + i, c + i, scale, count - i);
}

static void triad_stream(double *a, const double *b, const double *c, double scale, size_t count)
{
	size_t i = head_bytes(a, count * 8) / 8;

	triad_numbers(a, b, c, scale, i);
	for (; count - i >= BATCH / 8; i += BATCH / 8)
		for (size_t k = 0; k < BATCH / 8; k += WS_VEC / 8)
			WS_STREAM((unsigned char *)(a + i + k), triad_at(b + i + k, c + i + k, scale));
	triad_numbers(a + i, b + i, c + i, scale, count - i);
	WS_FENCE();
}

static inline __attribute__((always_inline)) void put(unsigned char *d, lanes_t x, bool past_caches)
{
	words_t v;

	memcpy(&v, &x, sizeof(v));
	if (past_caches)
		WS_STREAM(d, v);
	else
		store(d, v);
}

static inline __attribute__((always_inline)) void fill_constant(unsigned char *d, size_t count, uint32_t word,
								bool past_caches)
{
	lanes_t x = {0};

	x += word;
	for (; count >= LANES; d += WS_VEC, count -= LANES)
		put(d, x, past_caches);
	for (; count; d += 4, count--)
		memcpy(d, &word, 4);
}

/* Writes words index, index + 1, ... of one block of 2^32. */
static inline __attribute__((always_inline)) void fill_words(unsigned char *d, size_t count, uint64_t index,
							     uint64_t seed, bool past_caches)
{
	const uint32_t key = ws_pattern_key(seed, (uint32_t)(index >> 32)), flip = ws_pattern_flip(seed);
	lanes_t position = {0}, x;

	for (unsigned k = 0; k < LANES; k++)
		position[k] = (uint32_t)index + k;
	for (; count >= LANES; d += WS_VEC, count -= LANES, index += LANES) {
		x = position ^ key;
		x ^= x >> 16;
		x *= 0x85ebca6bU;
		x ^= x >> 13;
		x *= 0xc2b2ae35U;
		x ^= x >> 16;
		x ^= flip;
		put(d, x, past_caches);
		position += LANES;
	}
	for (; count; d += 4, count--, index++) {
		uint32_t word = ws_pattern_mix((uint32_t)index ^ key) ^ flip;

		memcpy(d, &word, 4);
	}
}

/* Writes at most 3 bytes, all of one word. */
static void fill_part(unsigned char *d, size_t size, uint64_t offset, uint64_t seed)
{
	uint32_t word = ws_pattern_word(seed, offset / 4) >> (8 * (offset % 4));

	for (size_t i = 0; i < size; i++)
		d[i] = (unsigned char)(word >> (8 * i));
}

/* Streams whole lines only, to where a line starts in the pattern too: blocks of 2^32 words then end with a line. */
static inline __attribute__((always_inline)) void fill_bytes(unsigned char *d, size_t size, uint64_t offset,
							     uint64_t seed, bool past_caches)
{
	const uint64_t block_words = UINT64_C(1) << 32;
	size_t head = (size_t)(-offset % 4), words;

	head = head < size ? head : size;
	fill_part(d, head, offset, seed);
	for (d += head, size -= head, offset += head; size >= 4;
	     d += words * 4, size -= words * 4, offset += words * 4) {
		uint64_t left = block_words - offset / 4 % block_words;

		words = size / 4 < left ? size / 4 : (size_t)left;
		if (seed & WS_PATTERN_CONSTANT)
			fill_constant(d, words, ws_pattern_word(seed, 0), past_caches);
		else
			fill_words(d, words, offset / 4, seed, past_caches);
	}
	fill_part(d, size, offset, seed);
}

static void fill_all(void *destination, size_t size, uint64_t offset, uint64_t seed)
{
	fill_bytes(destination, size, offset, seed, false);
}

static void fill_stream(void *destination, size_t size, uint64_t offset, uint64_t seed)
{
	const bool alike = (offset - (uintptr_t)destination) % LINE == 0;
	const size_t head = WS_PAST_CACHES && alike ? head_bytes(destination, size) : size;
	const size_t lines = (size - head) / LINE * LINE, tail = size - head - lines;
	unsigned char *d = destination;

	fill_all(d, head, offset, seed);
	fill_bytes(d + head, lines, offset + head, seed, true);
	fill_all(d + head + lines, tail, offset + head + lines, seed);
	WS_FENCE();
	ws_host_flush(d, head);
	ws_host_flush(d + head + lines, tail);
}

#define WS_HOST_KERNELS(name)                                                                                          \
	{                                                                                                              \
		.isa = name, .read = read_all, .copy = copy_all, .copy_nt = copy_stream, .copy_libc = copy_libc,       \
		.write = write_all, .write_nt = write_stream, .triad = triad_all, .triad_nt = triad_stream,            \
		.fill = fill_all, .fill_nt = fill_stream                                                               \
	}
