/* Facts of the running system that explain a figure: pages, limits, clocks, the kernel and what it runs on. */
#ifndef WS_BASE_SYSTEM_H
#define WS_BASE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * root as in sysfs.h: "" is this machine. All answer WS_EABSENT where the system does not say: no /sys, an older
 * kernel, no limit set. Outputs are then untouched.
 */

/* What the kernel does about transparent huge pages for memory that did not ask, or did ask (madvise). */
enum ws_thp { WS_THP_NEVER, WS_THP_MADVISE, WS_THP_ALWAYS };

int ws_system_thp(const char *root, enum ws_thp *mode, struct ws_error *error);
const char *ws_thp_name(enum ws_thp mode);

/* Pages set aside for MAP_HUGETLB. */
struct ws_huge_pool {
	uint64_t page_bytes;
	uint64_t pages, pages_free;
};

#define WS_HUGE_POOLS 8

/* The pools by ascending page size, of one node or with node < 0 of the machine; no pool is WS_EABSENT. */
int ws_system_huge_pools(const char *root, int node, struct ws_huge_pool pools[WS_HUGE_POOLS], size_t *count,
			 struct ws_error *error);

/* Time since boot that the hypervisor gave to others while CPUs of this machine wanted to run, summed over them. */
int ws_system_steal_ns(const char *root, uint64_t *time_ns, struct ws_error *error);

/* The kernel's release, such as "6.1.0-18-amd64". */
int ws_system_kernel(const char *root, char *text, size_t size, struct ws_error *error);

/* The first value of a key of /proc/cpuinfo, such as "model name" or "microcode". */
int ws_system_cpuinfo(const char *root, const char *key, char *text, size_t size, struct ws_error *error);

/* The hypervisor's or virtual platform's name, as far as it gives one; "none" on bare metal. */
int ws_system_hypervisor(const char *root, char *text, size_t size, struct ws_error *error);

/* The frequency governors of the online CPUs, each once, with commas. */
int ws_system_governor(const char *root, char *text, size_t size, struct ws_error *error);

/*
 * The tightest memory limit of the process's control groups (v1 or v2), and what counts against it now without the
 * page cache that the kernel would drop first.
 */
int ws_system_memory_limit(const char *root, uint64_t *limit_bytes, uint64_t *used_bytes, struct ws_error *error);

/* CPUs' worth of run time that the control groups allow, 1.5 = one and a half. */
int ws_system_cpu_quota(const char *root, double *cpus, struct ws_error *error);

/* All memory that the kernel manages (MemTotal). */
int ws_system_memory_total(const char *root, uint64_t *bytes, struct ws_error *error);

/*
 * Memory that can be had without swapping, of one node or with node < 0 of the machine. The kernel estimates it for the
 * machine only (MemAvailable); of a node it is what is free plus half of the page cache and reclaimable slab, but never
 * more than the machine's; a single node has the machine's. Control group limits are not in it.
 */
int ws_system_memory_available(const char *root, int node, uint64_t *bytes, struct ws_error *error);

/*
 * The NUMA node that this process's memory policy binds memory to or prefers, as numactl sets it; of several the first.
 * WS_EABSENT: no policy, or the system does not let it be read.
 */
int ws_system_memory_node(unsigned *node, struct ws_error *error);

#endif
