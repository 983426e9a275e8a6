/* What flushes and fills past the caches leave in them, told by how long loads take. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/mman.h>
#include <cmocka.h>

#include "base/clock.h"
#include "kernel/host_flush.h"
#include "kernel/host_kernel.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void a_flush_changes_no_byte_and_touches_none_beyond(void **state)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	/* Behind the middle page nothing can be touched. */
	unsigned char *pages = mmap(NULL, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)state;
	assert_true(pages != MAP_FAILED);
	assert_int_equal(mprotect(pages + page, page, PROT_READ | PROT_WRITE), 0);
	for (size_t i = 0; i < page; i++)
		pages[page + i] = (unsigned char)(i * 7);
	ws_host_flush(pages + page, 0);
	ws_host_flush(pages + page, page);
	ws_host_flush(pages + page + 1, 1);
	ws_host_flush(pages + 2 * page - 1, 1);
	for (size_t i = 0; i < page; i++)
		assert_int_equal(pages[page + i], (unsigned char)(i * 7));
	munmap(pages, 3 * page);
}

enum { CACHED = 1024 * 64 };

/* Loads a buffer's lines, one after the other, in an order that no prefetcher knows. */
static int64_t load_time_ns(const unsigned char *buffer)
{
	const int64_t start_ns = ws_clock_now_ns(ws_clock_monotonic());
	const volatile unsigned char *bytes = buffer;
	static volatile size_t zero; /* which compilers must not know, so that no load starts before the last ends */
	const size_t mask = zero;
	size_t line = 0;

	for (size_t i = 0; i < CACHED / 64; i++)
		line = (line * 421 + 167 + (bytes[line * 64] & mask)) % (CACHED / 64);
	return ws_clock_now_ns(ws_clock_monotonic()) - start_ns;
}

/* The state is the name of an instruction set. */
static void fills_past_the_caches(void **state)
{
	enum { BY_FILL, BY_FILL_AND_FLUSH, BY_FILL_NT, WAYS };
	const struct ws_host_kernels *kernels = ws_host_kernels_named(*state);
	/* Each step's first bytes are filled. */
	const struct {
		const char *what;
		size_t start, offset, step, size;
	} rows[] = {
		{"whole lines", 0, 0, CACHED, CACHED},
		{"unlike the pattern's lines", 3, 0, CACHED, CACHED},
		{"ends of lines", 20, 20, 64, 44},
		{"starts of lines", 0, 0, 64, 20},
	};
	unsigned char *buffer;

	if (!kernels) {
		print_message("SKIP: this processor has no %s\n", (const char *)*state);
		skip();
	}
	buffer = aligned_alloc(64, CACHED + 64);
	assert_non_null(buffer);
	for (size_t k = 0; k < COUNT(rows); k++) {
		int64_t least_ns[WAYS] = {INT64_MAX, INT64_MAX, INT64_MAX};

		for (int i = 0; i < 12 * WAYS; i++) {
			const int way = i % WAYS;
			void (*fill)(void *, size_t, uint64_t, uint64_t) =
				way == BY_FILL_NT ? kernels->fill_nt : kernels->fill;
			int64_t time_ns;

			for (size_t at = 0; at < CACHED; at += rows[k].step)
				fill(buffer + rows[k].start + at, rows[k].size, rows[k].offset + at, 1);
			if (way == BY_FILL_AND_FLUSH)
				ws_host_flush(buffer, CACHED + 64);
			time_ns = load_time_ns(buffer);
			least_ns[way] = time_ns < least_ns[way] ? time_ns : least_ns[way];
		}
		print_message("%s: %lld ns from the caches, %lld flushed, %lld after fill_nt\n", rows[k].what,
			      (long long)least_ns[BY_FILL], (long long)least_ns[BY_FILL_AND_FLUSH],
			      (long long)least_ns[BY_FILL_NT]);
		if (least_ns[BY_FILL_AND_FLUSH] < 4 * least_ns[BY_FILL] &&
		    least_ns[BY_FILL_NT] < 4 * least_ns[BY_FILL]) {
			print_message("SKIP: no cache to be seen\n");
			free(buffer);
			skip();
		}
		assert_true(least_ns[BY_FILL_AND_FLUSH] > 2 * least_ns[BY_FILL]);
		assert_true(least_ns[BY_FILL_NT] > 2 * least_ns[BY_FILL]);
	}
	free(buffer);
}

int main(void)
{
	struct CMUnitTest rows[16] = {cmocka_unit_test(a_flush_changes_no_byte_and_touches_none_beyond)};

	for (size_t i = 0; ws_host_isa_at(i); i++)
		rows[1 + i] = (struct CMUnitTest){ws_host_isa_at(i), fills_past_the_caches, NULL, NULL,
						  (void *)(uintptr_t)ws_host_isa_at(i)};
	return cmocka_run_group_tests(rows, NULL, NULL);
}
