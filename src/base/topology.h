/* The machine's NUMA nodes, CPUs and caches, as far as this process may use them; read through hwloc. */
#ifndef WS_BASE_TOPOLOGY_H
#define WS_BASE_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * What ws_topology_cache_bytes answers at least. Virtual machines may report no last-level cache, or a small part of
 * the real one; with 64 MiB the usual buffer of four times the cache is 256 MiB and beyond any of them.
 */
#define WS_TOPOLOGY_CACHE_FLOOR_BYTES ((uint64_t)64 << 20)

/* What a node's memory is made of, where the system says so. */
enum ws_node_kind {
	WS_NODE_GENERAL, /* ordinary memory, or the system does not say */
	WS_NODE_FAST,	 /* high-bandwidth memory beside ordinary one */
	WS_NODE_GPU,	 /* a GPU's own memory that the system shows as a node */
	WS_NODE_SPECIAL	 /* persistent or special-purpose memory (DAX), such as CXL */
};

/* One NUMA node. Its place is named host<os_index>; numbers may have gaps. */
struct ws_topology_node {
	unsigned os_index;
	enum ws_node_kind kind;
	uint64_t memory_bytes; /* 0 = not recorded */
	bool memory_only;      /* has no CPUs of its own: a target of transfers, not their executor */
	bool allowed;	       /* its memory may be bound by this process */
	const char *reason;    /* why not allowed; NULL if it is */
	const unsigned *cpus;  /* CPUs allowed here: one per physical core first (fastest kind of core first), then
				  their SMT siblings. There may be some on a node whose memory is not allowed. */
	size_t cpu_count;
	size_t core_count;	/* so many of them, from the first, are on cores of their own */
	const char *cpu_reason; /* why cpu_count is 0; NULL if it is not */
	size_t cpus_present;	/* online CPUs of the node, allowed or not */
	uint64_t cache_bytes;	/* last-level caches above the allowed CPUs, as reported: 0 = none or not reported */
	char pci[16];		/* WS_NODE_GPU: PCI address of the GPU where known, else "" */
};

/* One CPU that this process may use. core and package are counted from 0 over the whole machine, not the OS's. */
struct ws_topology_cpu {
	unsigned os_index;
	unsigned core;
	unsigned package;
	unsigned node;	  /* os_index of the node it belongs to */
	unsigned sibling; /* 0 = first allowed CPU of its core, 1 = second, ... */
	int efficiency;	  /* rank of its kind of core, higher is faster; -1 = unknown or all alike */
};

struct ws_topology_counts {
	size_t packages, cores, cpus_present; /* online, allowed or not */
	size_t cpus_offline;		      /* known to the system but switched off */
	size_t cpus_allowed;
	size_t nodes, nodes_allowed;
	uint64_t cache_bytes; /* last-level caches above the allowed CPUs, as reported: 0 = none or not reported */
};

struct ws_topology;

/*
 * Reads a machine. source: NULL or "" = this machine, whatever HWLOC_* variables may say; a directory = the root of a
 * recorded machine (a copy of its /sys and /proc, as hwloc-gather-topology makes); a file = an XML topology of hwloc 1
 * or 2. Allowed is what the cpuset or cgroup leaves, and on this machine also the calling thread's CPU affinity and
 * allowed memory nodes; in a recorded one its proc/self/status, if recorded. Takes a few milliseconds, starts no
 * driver and prints nothing. Variables set for hwloc while it reads are restored; no other thread may change the
 * environment meanwhile. Errors: WS_EABSENT (no such source), WS_EINVAL (it is not a machine), WS_EUNSUPPORTED
 * (written by hwloc 3), WS_ENOMEM, WS_ESYSTEM.
 */
int ws_topology_open(const char *source, struct ws_topology **out, struct ws_error *error);
void ws_topology_close(struct ws_topology *topology);

/* False for a recorded machine: plans can be made for it, nothing can be bound or measured. */
bool ws_topology_is_this_machine(const struct ws_topology *topology);

/* The root to give to the readers of /sys and /proc: "" for this machine; NULL for an XML file, which has none. */
const char *ws_topology_root(const struct ws_topology *topology);

const struct ws_topology_counts *ws_topology_counts(const struct ws_topology *topology);

/* Nodes by ascending os_index; ws_topology_nodes never gives fewer than one. All arrays live until close. */
const struct ws_topology_node *ws_topology_nodes(const struct ws_topology *topology, size_t *count);

/* The node with that number, or NULL. */
const struct ws_topology_node *ws_topology_find_node(const struct ws_topology *topology, unsigned os_index);

/* All allowed CPUs, in the order described at struct ws_topology_node. */
const struct ws_topology_cpu *ws_topology_cpus(const struct ws_topology *topology, size_t *count);

/* Size to exceed so that no cache holds a buffer: what is reported, but not below WS_TOPOLOGY_CACHE_FLOOR_BYTES. */
uint64_t ws_topology_cache_bytes(const struct ws_topology *topology);

/*
 * The node nearest to a PCI device, its address as in "0000:3b:00.0". WS_EABSENT if the machine has no such device or
 * does not say where it is (several nodes are equally near).
 */
int ws_topology_pci_node(const struct ws_topology *topology, const char *address, unsigned *os_index,
			 struct ws_error *error);

#endif
