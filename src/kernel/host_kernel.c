/* Chooses the loops for the processor at hand. */
#include "kernel/host_kernel.h"

#include <string.h>

#include "kernel/host_isa.h"

static const char *const isa_names[] = {"avx512", "avx2", "sse2", "neon", "plain"};

enum { ISA_COUNT = sizeof(isa_names) / sizeof(isa_names[0]) };

const struct ws_host_kernels *ws_host_kernels_named(const char *isa)
{
	if (strcmp(isa, "plain") == 0)
		return &ws_host_plain;
#if defined(__x86_64__)
	if (strcmp(isa, "sse2") == 0)
		return &ws_host_sse2;
	if (strcmp(isa, "avx2") == 0 && __builtin_cpu_supports("avx2"))
		return &ws_host_avx2;
	if (strcmp(isa, "avx512") == 0 && __builtin_cpu_supports("avx512f"))
		return &ws_host_avx512;
#elif defined(__aarch64__)
	if (strcmp(isa, "neon") == 0)
		return &ws_host_neon;
#endif
	return NULL;
}

/* Zen 4 runs 64-byte vectors in halves: from memory its reads are 6 % slower with them than with 32-byte ones. */
static int prefers_avx2(void)
{
#if defined(__x86_64__)
	return __builtin_cpu_is("amdfam19h") && __builtin_cpu_supports("avx2");
#else
	return 0;
#endif
}

const struct ws_host_kernels *ws_host_kernels(void)
{
	const struct ws_host_kernels *kernels = prefers_avx2() ? ws_host_kernels_named("avx2") : NULL;

	for (size_t i = 0; !kernels; i++)
		kernels = ws_host_kernels_named(isa_names[i]);
	return kernels;
}

const char *ws_host_isa_at(size_t index)
{
	return index < ISA_COUNT ? isa_names[index] : NULL;
}

const char *ws_host_isa_name(void)
{
	return ws_host_kernels()->isa;
}
