/* Mappings of host memory on one NUMA node with one page size, and what became of both. */
#ifndef WS_BACKEND_HOST_MEMORY_H
#define WS_BACKEND_HOST_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Alignment of all buffers: the size of a transparent huge page on x86-64, and with 4 KiB pages on aarch64. */
#define WS_HOST_ALIGNMENT ((size_t)2 << 20)

struct ws_host_mapping {
	void *start;	   /* aligned to WS_HOST_ALIGNMENT, with an inaccessible page before and behind */
	size_t size_bytes; /* usable; whole pages */
	void *reserved;	   /* all of it, for munmap */
	size_t reserved_bytes;
	bool bound;	    /* the kernel was told the node; else the first thread to touch a page decides */
	char not_bound[64]; /* why not */
};

/*
 * Maps memory without touching it. pages: "4k", "thp", or "" = what the system gives. WS_EUNSUPPORTED: no such pages
 * here. WS_ENOMEM with the kernel's answer. Whether there is as much memory is not asked.
 */
int ws_host_map(const char *pages, uint64_t size_bytes, unsigned node, struct ws_host_mapping *out,
		struct ws_error *error);
void ws_host_unmap(struct ws_host_mapping *mapping);

/*
 * After all pages were touched: asks the kernel for the node of up to 64 pages spread over the mapping. *checked = 0
 * if the kernel does not answer (containers forbid the call).
 */
void ws_host_sample_nodes(const struct ws_host_mapping *mapping, unsigned node, unsigned *checked, unsigned *elsewhere,
			  int *first_elsewhere);

/*
 * The page size in fact, as in place names: "thp" if at least 95 % of the mapping is in huge pages, "4k" (or what the
 * system's small pages are) if at most 5 %, "mixed" between; "" if the kernel does not say.
 */
void ws_host_page_size(const struct ws_host_mapping *mapping, char pages[6]);

#endif
