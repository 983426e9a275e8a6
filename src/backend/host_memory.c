/* Mappings of host memory on one NUMA node with one page size, and what became of both. */
#include "backend/host_memory.h"

#include <errno.h>
#include <limits.h>
#include <linux/mempolicy.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/system.h"

enum { NODES_MAX = 1024, LONG_BITS = CHAR_BIT * sizeof(unsigned long), SAMPLES = 64 };

static size_t small_page(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

/* Before the first touch: the kernel decides on a page's size and node when it is first touched. */
static int advise(const char *pages, const struct ws_host_mapping *mapping, struct ws_error *error)
{
	enum ws_thp mode;

	if (strcmp(pages, "thp") == 0) {
		int rc = ws_system_thp("", &mode, error);

		if (rc != WS_OK)
			return rc;
		if (mode == WS_THP_NEVER)
			return ws_fail(error, WS_EUNSUPPORTED,
				       "transparent huge pages are switched off on this system "
				       "(/sys/kernel/mm/transparent_hugepage/enabled)");
		if (madvise(mapping->start, mapping->size_bytes, MADV_HUGEPAGE) != 0)
			return ws_fail(error, WS_EUNSUPPORTED, "transparent huge pages: madvise: %s", strerror(errno));
		return WS_OK;
	}
	/* A kernel without huge pages answers EINVAL, and has small ones. */
	if (pages[0] != '\0' && madvise(mapping->start, mapping->size_bytes, MADV_NOHUGEPAGE) != 0 && errno != EINVAL)
		return ws_fail(error, WS_EUNSUPPORTED, "small pages: madvise: %s", strerror(errno));
	return WS_OK;
}

/* By the system call itself, as libnuma is one library more to ask for. Containers often forbid it. */
static void bind_to(struct ws_host_mapping *mapping, unsigned node)
{
	unsigned long mask[NODES_MAX / LONG_BITS] = {0};

	if (node >= NODES_MAX) {
		snprintf(mapping->not_bound, sizeof(mapping->not_bound), "node %u is beyond %d", node, NODES_MAX - 1);
		return;
	}
	mask[node / LONG_BITS] = 1ul << (node % LONG_BITS);
	/* The kernel takes one off the number of bits. */
	mapping->bound =
		syscall(SYS_mbind, mapping->start, mapping->size_bytes, MPOL_BIND, mask, NODES_MAX + 1, 0) == 0;
	if (!mapping->bound)
		snprintf(mapping->not_bound, sizeof(mapping->not_bound), "mbind: %s", strerror(errno));
}

/* "4k" and so on, as a place names it. */
static int check_name(const char *pages, struct ws_error *error)
{
	char own[24];

	snprintf(own, sizeof(own), "%zuk", small_page() >> 10);
	if (pages[0] == '\0' || strcmp(pages, "thp") == 0 || strcmp(pages, own) == 0)
		return WS_OK;
	return ws_fail(error, WS_EUNSUPPORTED, "page size %s is not available; there are %s and thp", pages, own);
}

int ws_host_map(const char *pages, uint64_t size_bytes, unsigned node, struct ws_host_mapping *out,
		struct ws_error *error)
{
	const size_t page = small_page(), unit = strcmp(pages, "thp") == 0 ? WS_HOST_ALIGNMENT : page;
	struct ws_host_mapping mapping = {0};
	int rc = check_name(pages, error);

	if (rc != WS_OK)
		return rc;
	if (size_bytes > SIZE_MAX / 2)
		return ws_fail(error, WS_ENOMEM, "%llu bytes are more than any address space has",
			       (unsigned long long)size_bytes);
	mapping.size_bytes = ((size_t)size_bytes + unit - 1) / unit * unit;
	mapping.reserved_bytes = mapping.size_bytes + WS_HOST_ALIGNMENT + 2 * page;
	mapping.reserved =
		mmap(NULL, mapping.reserved_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (mapping.reserved == MAP_FAILED)
		return ws_fail(error, WS_ENOMEM, "mmap of %zu bytes: %s", mapping.reserved_bytes, strerror(errno));
	mapping.start = (void *)(((uintptr_t)mapping.reserved + page + WS_HOST_ALIGNMENT - 1) / WS_HOST_ALIGNMENT *
				 WS_HOST_ALIGNMENT);
	if (mprotect(mapping.start, mapping.size_bytes, PROT_READ | PROT_WRITE) != 0)
		rc = ws_fail(error, WS_ENOMEM, "mprotect of %zu bytes: %s", mapping.size_bytes, strerror(errno));
	if (rc == WS_OK)
		rc = advise(pages, &mapping, error);
	if (rc == WS_OK) {
		bind_to(&mapping, node);
		*out = mapping;
	} else {
		ws_host_unmap(&mapping);
	}
	return rc;
}

void ws_host_unmap(struct ws_host_mapping *mapping)
{
	if (mapping->reserved)
		munmap(mapping->reserved, mapping->reserved_bytes);
	*mapping = (struct ws_host_mapping){0};
}

void ws_host_sample_nodes(const struct ws_host_mapping *mapping, unsigned node, unsigned *checked, unsigned *elsewhere,
			  int *first_elsewhere)
{
	const size_t page = small_page(), count = mapping->size_bytes / page;
	const unsigned long samples = count < SAMPLES ? count : SAMPLES;
	void *pages[SAMPLES];
	int nodes[SAMPLES];

	*checked = *elsewhere = 0;
	*first_elsewhere = -1;
	for (unsigned long i = 0; i < samples; i++) {
		pages[i] = (char *)mapping->start + count * i / samples * page;
		nodes[i] = -1;
	}
	/* Without target nodes it moves nothing and only tells where pages are. */
	if (syscall(SYS_move_pages, 0, samples, pages, NULL, nodes, 0) != 0)
		return;
	for (unsigned long i = 0; i < samples; i++) {
		if (nodes[i] < 0)
			continue;
		++*checked;
		if ((unsigned)nodes[i] != node && ++*elsewhere == 1)
			*first_elsewhere = nodes[i];
	}
}

void ws_host_page_size(const struct ws_host_mapping *mapping, char pages[6])
{
	const unsigned long long start = (uintptr_t)mapping->start;
	unsigned long long from, to, huge = 0, value;
	bool inside = false, found = false;
	FILE *file = fopen("/proc/self/smaps", "re");
	char *line = NULL;
	size_t size = 0;

	pages[0] = '\0';
	while (file && getline(&line, &size, file) > 0) {
		if (sscanf(line, "%llx-%llx ", &from, &to) == 2)
			inside = from >= start && to <= start + mapping->size_bytes;
		else if (inside && sscanf(line, "AnonHugePages: %llu kB", &value) == 1) {
			huge += value << 10;
			found = true;
		}
	}
	free(line);
	if (file)
		fclose(file);
	if (!found)
		return;
	if ((double)huge >= 0.95 * (double)mapping->size_bytes)
		strcpy(pages, "thp");
	else if ((double)huge <= 0.05 * (double)mapping->size_bytes)
		snprintf(pages, 6, "%uk", (unsigned)(small_page() >> 10) % 10000);
	else
		strcpy(pages, "mixed");
}
