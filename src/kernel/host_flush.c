/* Writing the processors' caches back to memory. */
#include "kernel/host_flush.h"

#include <stdint.h>

#if defined(__x86_64__)

static size_t line_bytes(void)
{
	return 64;
}

static void flush_line(const char *at)
{
	__asm__ volatile("clflush %0" : : "m"(*at) : "memory");
}

static void fence(void)
{
	__asm__ volatile("mfence" : : : "memory");
}

#elif defined(__aarch64__)

static size_t line_bytes(void)
{
	uint64_t type;

	__asm__("mrs %0, ctr_el0" : "=r"(type));
	return (size_t)4 << (type >> 16 & 15);
}

/* Linux lets programs do this. */
static void flush_line(const char *at)
{
	__asm__ volatile("dc civac, %0" : : "r"(at) : "memory");
}

static void fence(void)
{
	__asm__ volatile("dsb ish" : : : "memory");
}

#else

static size_t line_bytes(void)
{
	return SIZE_MAX / 2 + 1;
}

static void flush_line(const char *at)
{
	(void)at;
}

static void fence(void)
{
}

#endif

void ws_host_flush(const void *buffer, size_t size_bytes)
{
	const size_t line = line_bytes();
	const uintptr_t first = (uintptr_t)buffer & ~(uintptr_t)(line - 1);

	for (uintptr_t at = first; at < (uintptr_t)buffer + size_bytes; at += line)
		flush_line((const char *)at);
	fence();
}
