/* Shared by the parts of the topology: loading, extraction, and what the header offers. */
#ifndef WS_BASE_TOPOLOGY_PRIVATE_H
#define WS_BASE_TOPOLOGY_PRIVATE_H

#include <hwloc.h>
#include <sys/stat.h>

#include "base/pci_address.h"
#include "base/topology.h"

/* Nearest node of a PCI device, kept for XML machines only; the others are asked through /sys. */
struct ws_topology_pci {
	struct ws_pci_address address;
	unsigned node;
};

struct ws_topology {
	bool this_machine;
	char *root; /* NULL for XML */
	struct ws_topology_counts counts;
	struct ws_topology_node *nodes;
	struct ws_topology_cpu *cpus;
	unsigned *node_cpus; /* what the nodes' cpus point into */
	struct ws_topology_pci *pci;
	size_t pci_count;
};

/* Load a recorded root ("" = this machine) or an XML file; *loaded is the caller's to destroy. */
int ws_topology_load_root(const char *source, hwloc_topology_t *loaded, struct ws_error *error);
int ws_topology_load_xml(const char *source, const struct stat *about, hwloc_topology_t *loaded,
			 struct ws_error *error);

/*
 * Fills all but this_machine and root of a zeroed topology from a loaded hwloc one. cpus and mems are what the process
 * may use beyond hwloc's own allowed sets.
 */
int ws_topology_extract(struct ws_topology *topology, hwloc_topology_t loaded, hwloc_const_bitmap_t cpus,
			hwloc_const_bitmap_t mems, struct ws_error *error);

#endif
