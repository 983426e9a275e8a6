/*
 * A fake libcuda: what memory holds. Large device memory is not there as bytes while it holds a pattern or one value
 * over and over: its extents say what it holds, so that copies of gigabytes cost nothing. Bytes are made where somebody
 * needs them. All other memory is bytes alone.
 */
#include "fake/cuda_fake_content.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "kernel/host_kernel.h"
#include "kernel/host_pattern.h"

#define PAGE_BYTES 4096
#define CHUNK_BYTES 65536
#define SEEDS_MAX 16

/* A run of bytes of one kind. */
struct span {
	enum fake_content kind;
	uint64_t number; /* seed, or value */
	uint64_t phase;	 /* of its first byte in the pattern, or in the value */
	char *bytes;	 /* FAKE_BYTES */
	uint64_t size;
};

/* Seeds of patterns that were filled in lately: what comes from a host is likely to be one of those. */
static uint64_t seeds[SEEDS_MAX];
static unsigned seed_count;

static void *at(uint64_t address)
{
	return (void *)(uintptr_t)address;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void make(void *to, const struct span *span, uint64_t size)
{
	const uint64_t shift = 8 * (span->phase % 8);
	const uint64_t value = shift ? span->number >> shift | span->number << (64 - shift) : span->number;

	if (span->kind == FAKE_PATTERN)
		ws_host_kernels()->fill(to, size, span->phase, span->number);
	else if (span->kind == FAKE_VALUE)
		ws_host_kernels()->write(to, size, value);
	else
		memmove(to, span->bytes, size);
}

/* What memory holds from an address on, as far as it is of one kind. */
static struct span span_at(uint64_t address, uint64_t size)
{
	const struct fake_region *region = fake_find_region(address);
	struct span span = {.kind = FAKE_BYTES, .bytes = at(address), .size = size};
	uint64_t offset;

	if (!region || !region->extents)
		return span;
	offset = address - (uint64_t)(uintptr_t)region->start;
	for (int i = 0; i < region->extent_count; i++) {
		const struct fake_extent *extent = &region->extents[i];

		if (offset < extent->begin || offset >= extent->end)
			continue;
		span.kind = extent->kind;
		span.number = extent->number;
		span.phase = extent->phase + (offset - extent->begin);
		span.size = smaller(size, extent->end - offset);
	}
	return span;
}

/* Cuts the extent that a border lies in, and returns the index of the one behind the border. */
static int cut(struct fake_region *region, uint64_t border)
{
	struct fake_extent *extents;
	int i = 0;

	while (i < region->extent_count && region->extents[i].end <= border)
		i++;
	if (i == region->extent_count || region->extents[i].begin == border)
		return i;
	extents = realloc(region->extents, ((size_t)region->extent_count + 1) * sizeof(*extents));
	if (!extents)
		abort();
	region->extents = extents;
	memmove(&extents[i + 1], &extents[i], (size_t)(region->extent_count++ - i) * sizeof(*extents));
	extents[i].end = extents[i + 1].begin = border;
	extents[i + 1].phase += border - extents[i].begin;
	return i + 1;
}

static bool goes_on(const struct fake_extent *a, const struct fake_extent *b)
{
	return a->end == b->begin && a->kind == b->kind && a->number == b->number &&
	       (a->kind == FAKE_BYTES || a->phase + (a->end - a->begin) == b->phase);
}

static void join(struct fake_region *region, int i)
{
	if (i < 0 || i + 1 >= region->extent_count || !goes_on(&region->extents[i], &region->extents[i + 1]))
		return;
	region->extents[i].end = region->extents[i + 1].end;
	region->extent_count--;
	memmove(&region->extents[i + 1], &region->extents[i + 2],
		(size_t)(region->extent_count - i - 1) * sizeof(*region->extents));
}

/* Pages that hold bytes no more are given back. */
static void forget_bytes(const struct fake_region *region, const struct fake_extent *extent)
{
	const uint64_t first = (extent->begin + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
	const uint64_t last = extent->end / PAGE_BYTES * PAGE_BYTES;

	if (extent->kind == FAKE_BYTES && last > first)
		madvise(region->start + first, last - first, MADV_DONTNEED);
}

/* An extent takes the place of all that was in its range. */
static void put_extent(struct fake_region *region, const struct fake_extent *extent)
{
	const int last = cut(region, extent->end), more = region->extent_count - last;
	const int first = cut(region, extent->begin);
	const int behind = region->extent_count - more;

	for (int i = first; i < behind && extent->kind != FAKE_BYTES; i++)
		forget_bytes(region, &region->extents[i]);
	region->extents[first] = *extent;
	memmove(&region->extents[first + 1], &region->extents[behind], (size_t)more * sizeof(*extent));
	region->extent_count = first + 1 + more;
	join(region, first);
	join(region, first - 1);
}

static struct fake_region *touch(uint64_t address)
{
	struct fake_region *region = fake_find_region(address);

	if (region)
		region->writes++;
	return region;
}

/* Memory holds what a span says from an address on; a span of bytes is copied. */
static void put(uint64_t address, const struct span *span)
{
	struct fake_region *region = touch(address);
	const uint64_t begin = region ? address - (uint64_t)(uintptr_t)region->start : 0;

	if (span->size == 0)
		return;
	if (!region || !region->extents || span->kind == FAKE_BYTES)
		make(at(address), span, span->size);
	if (region && region->extents)
		put_extent(region,
			   &(struct fake_extent){begin, begin + span->size, span->kind, span->number, span->phase});
}

void fake_content_pattern(uint64_t address, uint64_t size, uint64_t seed)
{
	seeds[seed_count++ % SEEDS_MAX] = seed;
	put(address, &(struct span){.kind = FAKE_PATTERN, .number = seed, .size = size});
}

void fake_content_value(uint64_t address, uint64_t size, uint64_t value)
{
	put(address, &(struct span){.kind = FAKE_VALUE, .number = value, .size = size});
}

void *fake_content_bytes(uint64_t address, uint64_t size)
{
	struct fake_region *region = touch(address);
	const uint64_t begin = region ? address - (uint64_t)(uintptr_t)region->start : 0;

	for (uint64_t done = 0; region && region->extents && done < size;) {
		const struct span span = span_at(address + done, size - done);

		if (span.kind != FAKE_BYTES)
			make(at(address + done), &span, span.size);
		done += span.size;
	}
	if (region && region->extents && size > 0)
		put_extent(region, &(struct fake_extent){begin, begin + size, FAKE_BYTES, 0, 0});
	return at(address);
}

static void get(uint64_t address, char *to, uint64_t size)
{
	for (uint64_t done = 0; done < size;) {
		const struct span span = span_at(address + done, size - done);

		make(to + done, &span, span.size);
		done += span.size;
	}
}

/* A host's bytes that are a pattern known of late need not be kept. */
static void recognise(struct span *span)
{
	for (unsigned i = 0; i < 2 * SEEDS_MAX && span->size >= CHUNK_BYTES; i++) {
		const uint64_t seed = seeds[i / 2] ^ (i % 2 ? WS_PATTERN_INVERSE : 0);
		struct ws_mismatch found;

		if (ws_pattern_check(span->bytes, PAGE_BYTES, 0, seed, &found) ||
		    ws_pattern_check(span->bytes, span->size, 0, seed, &found))
			continue;
		span->kind = FAKE_PATTERN;
		span->number = seed;
		span->phase = 0;
		return;
	}
}

/* The word at a multiple of 4 bytes of a span. */
static uint32_t word_of(const struct span *span, uint64_t offset)
{
	uint32_t word;

	if (span->kind == FAKE_PATTERN && (span->phase + offset) % 4 == 0)
		return ws_pattern_word(span->number, (span->phase + offset) / 4);
	if (span->kind == FAKE_BYTES)
		memcpy(&word, span->bytes + offset, sizeof(word));
	else
		make(&word, &(struct span){span->kind, span->number, span->phase + offset, NULL, 0}, sizeof(word));
	return word;
}

/* Hosts write whole patterns: if the first and last word of each page are the same, all is. */
static bool looks_same(uint64_t to, uint64_t from, uint64_t size)
{
	const struct span a = span_at(to, size), b = span_at(from, size);

	if (a.size < size || b.size < size)
		return false;
	for (uint64_t i = 0; i + PAGE_BYTES <= size; i += PAGE_BYTES)
		if (word_of(&a, i) != word_of(&b, i) ||
		    word_of(&a, i + PAGE_BYTES - 4) != word_of(&b, i + PAGE_BYTES - 4))
			return false;
	return word_of(&a, (size - 4) / 4 * 4) == word_of(&b, (size - 4) / 4 * 4);
}

/* The same copy was made before, and nothing has changed either side since. */
static bool is_there(uint64_t to, uint64_t from, uint64_t size)
{
	struct fake_region *target = fake_find_region(to);
	const struct fake_region *source = fake_find_region(from);
	struct fake_last_copy *last = target ? &target->last : NULL;

	if (!target || !source || last->to != to || last->from != from || last->size != size ||
	    last->target_writes != target->writes || last->source_writes != source->writes)
		return false;
	if ((target->extents && source->extents) || last->turn == fake_state.turn)
		return true;
	if (size < FAKE_EXTENTS_FROM || !looks_same(to, from, size))
		return false;
	last->turn = fake_state.turn;
	return true;
}

void fake_content_copy(uint64_t to, uint64_t from, uint64_t size)
{
	struct fake_region *target = fake_find_region(to);
	const struct fake_region *source = fake_find_region(from);

	if (size == 0 || is_there(to, from, size))
		return;
	for (uint64_t done = 0; done < size;) {
		struct span span = span_at(from + done, size - done);

		if (target && target->extents && span.kind == FAKE_BYTES && done == 0)
			recognise(&span);
		put(to + done, &span);
		done += span.size;
	}
	if (target && source)
		target->last = (struct fake_last_copy){to, from, size, target->writes, source->writes, fake_state.turn};
}

static bool is_expected(const struct span *span, const struct span *expected)
{
	return span->kind == expected->kind && span->number == expected->number &&
	       (span->kind == FAKE_PATTERN ? span->phase == expected->phase : span->phase % 8 == expected->phase % 8);
}

uint64_t fake_content_wrong(uint64_t address, uint64_t size, enum fake_content kind, uint64_t number, uint64_t *first)
{
	static char found[CHUNK_BYTES], right[CHUNK_BYTES];
	uint64_t wrong = 0, step;

	for (uint64_t done = 0; done < size; done += step) {
		const struct span span = span_at(address + done, size - done);
		const struct span expected = {.kind = kind, .number = number, .phase = done, .size = size};

		step = done + span.size == size ? span.size : span.size / 4 * 4;
		if (step > 0 && is_expected(&span, &expected))
			continue;
		step = smaller(size - done, CHUNK_BYTES);
		get(address + done, found, step);
		make(right, &expected, step);
		for (uint64_t i = 0; i < step; i += 4) {
			if (memcmp(&found[i], &right[i], smaller(4, step - i)) == 0)
				continue;
			*first = wrong++ == 0 ? done + i : *first;
		}
	}
	return wrong;
}

uint64_t fake_content_sum(uint64_t address, uint64_t size)
{
	static char chunk[CHUNK_BYTES];
	struct fake_region *region = fake_find_region(address);
	struct fake_last_sum *last = region ? &region->last_sum : NULL;
	uint64_t sum = 0;

	if (region && last->address == address && last->size == size && last->writes == region->writes &&
	    (region->extents || last->turn == fake_state.turn))
		return last->sum;
	for (uint64_t done = 0, step; done < size; done += step) {
		step = smaller(size - done, CHUNK_BYTES);
		get(address + done, chunk, step);
		sum += ws_host_kernels()->read(chunk, step);
	}
	if (region)
		*last = (struct fake_last_sum){address, size, region->writes, fake_state.turn, sum};
	return sum;
}

void fake_content_flip(uint64_t address)
{
	*(unsigned char *)fake_content_bytes(address, 1) ^= 1;
}
