/* Opens this machine or a recorded one with hwloc, and answers questions about it. */
#include "base/topology.h"

#include <errno.h>
#include <linux/mempolicy.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/sysfs.h"
#include "base/topology_private.h"

/* More CPUs or nodes than a list in /sys or a kernel's node mask can name. */
#define WS_TOPOLOGY_MASK_BITS 4096

/* Takes out of set what the line "key: list" of the recorded process's status does not name. */
static void restrict_by_status(hwloc_bitmap_t set, const char *status, const char *key)
{
	const char *line = strstr(status, key);
	char list[WS_TOPOLOGY_MASK_BITS];
	size_t length;

	if (!line)
		return;
	line += strlen(key);
	line += strspn(line, " \t");
	length = strcspn(line, "\n");
	if (length == 0 || length >= sizeof(list))
		return;
	memcpy(list, line, length);
	list[length] = '\0';
	if (hwloc_bitmap_list_sscanf(set, list))
		hwloc_bitmap_fill(set);
}

/* What this thread may use. Where the kernel will not say (sandboxes), nothing is taken away. */
static void restrict_here(hwloc_topology_t loaded, hwloc_bitmap_t cpus, hwloc_bitmap_t mems)
{
	unsigned long mask[WS_TOPOLOGY_MASK_BITS / (8 * sizeof(unsigned long))] = {0};
	const unsigned words = sizeof(mask) / sizeof(mask[0]);

	if (hwloc_get_cpubind(loaded, cpus, HWLOC_CPUBIND_THREAD) || hwloc_bitmap_iszero(cpus))
		hwloc_bitmap_fill(cpus);
	if (syscall(SYS_get_mempolicy, NULL, mask, (unsigned long)WS_TOPOLOGY_MASK_BITS, NULL, MPOL_F_MEMS_ALLOWED) ||
	    hwloc_bitmap_from_ulongs(mems, words, mask) || hwloc_bitmap_iszero(mems))
		hwloc_bitmap_fill(mems);
}

static void restrict_to_process(const struct ws_topology *topology, hwloc_topology_t loaded, hwloc_bitmap_t cpus,
				hwloc_bitmap_t mems)
{
	char status[16384];

	hwloc_bitmap_fill(cpus);
	hwloc_bitmap_fill(mems);
	if (topology->this_machine)
		restrict_here(loaded, cpus, mems);
	else if (topology->root &&
		 ws_sysfs_read_text(topology->root, "/proc/self/status", status, sizeof(status), NULL) == WS_OK) {
		restrict_by_status(cpus, status, "\nCpus_allowed_list:");
		restrict_by_status(mems, status, "\nMems_allowed_list:");
	}
}

static int extract(struct ws_topology *topology, hwloc_topology_t loaded, struct ws_error *error)
{
	hwloc_bitmap_t cpus = hwloc_bitmap_alloc(), mems = hwloc_bitmap_alloc();
	int status;

	if (!cpus || !mems) {
		status = ws_fail(error, WS_ENOMEM, "out of memory for the machine's CPU sets");
	} else {
		restrict_to_process(topology, loaded, cpus, mems);
		status = ws_topology_extract(topology, loaded, cpus, mems, error);
	}
	hwloc_bitmap_free(cpus);
	hwloc_bitmap_free(mems);
	return status;
}

int ws_topology_open(const char *source, struct ws_topology **out, struct ws_error *error)
{
	const char *const from = source ? source : "";
	struct ws_topology *topology;
	hwloc_topology_t loaded = NULL;
	struct stat about = {.st_mode = S_IFDIR};
	int status;

	if (*from && stat(from, &about))
		return ws_fail(error, errno == ENOENT || errno == ENOTDIR ? WS_EABSENT : WS_ESYSTEM, "%s: %s", from,
			       strerror(errno));
	topology = calloc(1, sizeof(*topology));
	if (!topology)
		return ws_fail(error, WS_ENOMEM, "out of memory for the machine");
	topology->this_machine = !*from;
	if (S_ISDIR(about.st_mode)) {
		topology->root = strdup(from);
		status = topology->root ? ws_topology_load_root(from, &loaded, error)
					: ws_fail(error, WS_ENOMEM, "%s: out of memory", from);
	} else {
		status = ws_topology_load_xml(from, &about, &loaded, error);
	}
	if (!status)
		status = extract(topology, loaded, error);
	if (loaded)
		hwloc_topology_destroy(loaded);
	if (status)
		ws_topology_close(topology);
	else
		*out = topology;
	return status;
}

void ws_topology_close(struct ws_topology *topology)
{
	if (!topology)
		return;
	free(topology->root);
	free(topology->nodes);
	free(topology->cpus);
	free(topology->node_cpus);
	free(topology->pci);
	free(topology);
}

bool ws_topology_is_this_machine(const struct ws_topology *topology)
{
	return topology->this_machine;
}

const char *ws_topology_root(const struct ws_topology *topology)
{
	return topology->root;
}

const struct ws_topology_counts *ws_topology_counts(const struct ws_topology *topology)
{
	return &topology->counts;
}

const struct ws_topology_node *ws_topology_nodes(const struct ws_topology *topology, size_t *count)
{
	*count = topology->counts.nodes;
	return topology->nodes;
}

const struct ws_topology_node *ws_topology_find_node(const struct ws_topology *topology, unsigned os_index)
{
	size_t i;

	for (i = 0; i < topology->counts.nodes; i++)
		if (topology->nodes[i].os_index == os_index)
			return &topology->nodes[i];
	return NULL;
}

const struct ws_topology_cpu *ws_topology_cpus(const struct ws_topology *topology, size_t *count)
{
	*count = topology->counts.cpus_allowed;
	return topology->cpus;
}

uint64_t ws_topology_cache_bytes(const struct ws_topology *topology)
{
	const uint64_t reported = topology->counts.cache_bytes;

	return reported > WS_TOPOLOGY_CACHE_FLOOR_BYTES ? reported : WS_TOPOLOGY_CACHE_FLOOR_BYTES;
}

/* The one node that all of these CPUs belong to; WS_EABSENT if there are several. */
static int node_of_cpus(const struct ws_topology *topology, const unsigned *cpus, size_t count, unsigned *node)
{
	const unsigned none = ~0u;
	unsigned found = none;
	size_t i, k;

	for (i = 0; i < topology->counts.cpus_allowed; i++) {
		for (k = 0; k < count && cpus[k] != topology->cpus[i].os_index; k++)
			;
		if (k == count)
			continue;
		if (found != none && found != topology->cpus[i].node)
			return WS_EABSENT;
		found = topology->cpus[i].node;
	}
	if (found == none)
		return WS_EABSENT;
	*node = found;
	return WS_OK;
}

/* Asks /sys: the node's number; where firmware gives none (-1), the CPUs it calls local. */
static int pci_node_of_root(const struct ws_topology *topology, const char *name, unsigned *node)
{
	unsigned cpus[WS_TOPOLOGY_MASK_BITS];
	size_t count = 0;
	int64_t number = -1;
	char path[96];

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/numa_node", name);
	if (ws_sysfs_read_integer(topology->root, path, &number, NULL) == WS_OK && number >= 0 &&
	    ws_topology_find_node(topology, (unsigned)number)) {
		*node = (unsigned)number;
		return WS_OK;
	}
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/local_cpulist", name);
	if (ws_sysfs_read_list(topology->root, path, cpus, WS_TOPOLOGY_MASK_BITS, &count, NULL))
		return WS_EABSENT;
	return node_of_cpus(topology, cpus, count, node);
}

int ws_topology_pci_node(const struct ws_topology *topology, const char *address, unsigned *os_index,
			 struct ws_error *error)
{
	struct ws_pci_address wanted;
	char name[WS_PCI_ADDRESS_TEXT];
	size_t i;
	int status = ws_pci_address_parse(address, &wanted, error);

	if (status)
		return status;
	ws_pci_address_format(&wanted, name);
	for (i = 0; i < topology->pci_count; i++) {
		if (ws_pci_address_compare(&topology->pci[i].address, &wanted) == 0) {
			*os_index = topology->pci[i].node;
			return WS_OK;
		}
	}
	if (topology->root && pci_node_of_root(topology, name, os_index) == WS_OK)
		return WS_OK;
	return ws_fail(error, WS_EABSENT, "the machine does not say which node PCI device %s is near", name);
}
