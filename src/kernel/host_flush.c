/* Writing the processors' caches back to memory. */
#include "kernel/host_flush.h"

#include <stdint.h>

#if defined(__x86_64__)

#include <cpuid.h>
#include <stdbool.h>

enum { LINE = 64 };

/* clflushopt does not wait for the line before. */
static void flush_lines(uintptr_t start, uintptr_t end)
{
	unsigned a, b = 0, c, d;
	const bool unordered = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_CLFLUSHOPT);

	for (uintptr_t at = start / LINE * LINE; at < end; at += LINE) {
		if (unordered)
			__asm__ volatile("clflushopt %0" : : "m"(*(const char *)at) : "memory");
		else
			__asm__ volatile("clflush %0" : : "m"(*(const char *)at) : "memory");
	}
	__asm__ volatile("mfence" : : : "memory");
}

#elif defined(__aarch64__)

/* Linux lets programs do this. */
static void flush_lines(uintptr_t start, uintptr_t end)
{
	uint64_t type;
	uintptr_t line;

	__asm__("mrs %0, ctr_el0" : "=r"(type));
	line = (uintptr_t)4 << (type >> 16 & 15);
	for (uintptr_t at = start / line * line; at < end; at += line)
		__asm__ volatile("dc civac, %0" : : "r"(at) : "memory");
	__asm__ volatile("dsb ish" : : : "memory");
}

#else

static void flush_lines(uintptr_t start, uintptr_t end)
{
	(void)start;
	(void)end;
}

#endif

void ws_host_flush(const void *buffer, size_t size_bytes)
{
	if (size_bytes != 0)
		flush_lines((uintptr_t)buffer, (uintptr_t)buffer + size_bytes);
}
