/* Loops over host memory, one set per instruction set, chosen at run time; any size and any alignment. */
#ifndef WS_KERNEL_HOST_KERNEL_H
#define WS_KERNEL_HOST_KERNEL_H

#include <stddef.h>
#include <stdint.h>

/*
 * One instruction set's loops. They allocate nothing, keep no state and may run in any number of threads at once, each
 * on its own part of a buffer. Source and destination must not overlap. The nt rows store past the caches and have
 * made their stores visible when they return; all but fill_nt pay only for buffers well above the last-level cache.
 */
struct ws_host_kernels {
	const char *isa; /* "avx512", "avx2", "sse2", "neon" or "plain" */

	/*
	 * Loads every byte; returns the sum modulo 2^64 of the 8-byte little-endian words counted from source, the last
	 * one filled up with zero bytes. The same on every instruction set. Sums of parts add up to the sum of the
	 * whole if all parts but the last are multiples of 8 bytes.
	 */
	uint64_t (*read)(const void *source, size_t size_bytes);

	void (*copy)(void *destination, const void *source, size_t size_bytes);
	void (*copy_nt)(void *destination, const void *source, size_t size_bytes);
	void (*copy_libc)(void *destination, const void *source, size_t size_bytes); /* memcpy */

	/* Stores value's 8 bytes, low byte first, again and again from destination on; the last time cut to fit. */
	void (*write)(void *destination, size_t size_bytes, uint64_t value);
	void (*write_nt)(void *destination, size_t size_bytes, uint64_t value);

	/* a[i] = b[i] + scale * c[i], product and sum each rounded: the same bits everywhere. Pointers aligned to 8. */
	void (*triad)(double *a, const double *b, const double *c, double scale, size_t count);
	void (*triad_nt)(double *a, const double *b, const double *c, double scale, size_t count);

	/* Writes bytes [offset, offset + size_bytes) of the pattern of seed (host_pattern.h). */
	void (*fill)(void *destination, size_t size_bytes, uint64_t offset, uint64_t seed);

	/*
	 * The same for a device to read: leaves no line of the destination in any cache, as far as ws_host_flush can.
	 * Where stores past the caches are but a hint, and unless offset and destination are alike modulo 64, it fills
	 * through the caches and flushes them, which takes several times as long.
	 */
	void (*fill_nt)(void *destination, size_t size_bytes, uint64_t offset, uint64_t seed);
};

/* The set that is fastest on this processor, of those that it and its system support. Never NULL. */
const struct ws_host_kernels *ws_host_kernels(void);

/* The set of that name, or NULL if the name is unknown, built for another architecture, or not supported here. */
const struct ws_host_kernels *ws_host_kernels_named(const char *isa);

/* Names of all sets that exist on any architecture, the widest vectors first; NULL from the end on. */
const char *ws_host_isa_at(size_t index);

/* The name of the set that ws_host_kernels chooses. */
const char *ws_host_isa_name(void);

#endif
