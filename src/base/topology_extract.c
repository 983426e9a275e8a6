/* Copies what the program needs out of a loaded hwloc topology. */
#include "base/topology_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sysfs.h"
#include "base/system.h"

/* What extraction needs at hand; sets are owned here. */
struct extraction {
	struct ws_topology *out;
	hwloc_topology_t loaded;
	hwloc_bitmap_t cpus;  /* allowed CPUs */
	hwloc_bitmap_t mems;  /* allowed nodes */
	hwloc_bitmap_t *owns; /* per node: its own CPUs, online */
};

static bool node_is_special(hwloc_obj_t object)
{
	return object->subtype && *object->subtype;
}

static enum ws_node_kind node_kind(hwloc_obj_t object)
{
	static const struct {
		const char *subtype;
		enum ws_node_kind kind;
	} kinds[] = {
		{"GPUMemory", WS_NODE_GPU}, {"MCDRAM", WS_NODE_FAST}, {"HBM", WS_NODE_FAST},
		{"NVM", WS_NODE_SPECIAL},   {"SPM", WS_NODE_SPECIAL}, {"CXL", WS_NODE_SPECIAL},
	};
	size_t i;

	for (i = 0; node_is_special(object) && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strncmp(object->subtype, kinds[i].subtype, strlen(kinds[i].subtype)) == 0)
			return kinds[i].kind;
	return hwloc_obj_get_info_by_name(object, "DAXDevice") ? WS_NODE_SPECIAL : WS_NODE_GENERAL;
}

static hwloc_obj_t numa_object(const struct extraction *from, unsigned os_index)
{
	return hwloc_get_numanode_obj_by_os_index(from->loaded, os_index);
}

/* True where the system itself says that the node has no CPUs; hwloc gives such a node those of its neighbours. */
static bool node_lists_no_cpus(const char *root, unsigned os_index)
{
	static const char *const files[] = {"cpulist", "cpumap"};
	char path[80], text[4096];
	size_t i;

	for (i = 0; root && i < 2; i++) {
		snprintf(path, sizeof(path), "/sys/devices/system/node/node%u/%s", os_index, files[i]);
		if (ws_sysfs_read_text(root, path, text, sizeof(text), NULL) == WS_OK)
			return strspn(text, i ? "0,x" : "") == strlen(text);
	}
	return false;
}

/* Of two nodes that hwloc places near the same CPUs: does a own them rather than b? */
static bool owns_rather(hwloc_obj_t a, hwloc_obj_t b)
{
	const int weight_a = hwloc_bitmap_weight(a->cpuset), weight_b = hwloc_bitmap_weight(b->cpuset);

	if (weight_a != weight_b)
		return weight_a < weight_b;
	if (node_is_special(a) != node_is_special(b))
		return !node_is_special(a);
	return a->os_index < b->os_index;
}

/* Gives each online CPU to the one node that it belongs to. */
static int assign_cpus(struct extraction *from, struct ws_error *error)
{
	struct ws_topology *out = from->out;
	hwloc_obj_t pu = NULL, object, owner;
	size_t i, best;

	while ((pu = hwloc_get_next_obj_by_type(from->loaded, HWLOC_OBJ_PU, pu))) {
		owner = NULL;
		best = 0;
		for (i = 0; i < out->counts.nodes; i++) {
			object = numa_object(from, out->nodes[i].os_index);
			if (out->nodes[i].memory_only || !hwloc_bitmap_isset(object->cpuset, pu->os_index))
				continue;
			if (owner && !owns_rather(object, owner))
				continue;
			owner = object;
			best = i;
		}
		if (owner && hwloc_bitmap_set(from->owns[best], pu->os_index))
			return ws_fail(error, WS_ENOMEM, "out of memory for the machine's CPUs");
	}
	for (i = 0; i < out->counts.nodes; i++) {
		out->nodes[i].cpus_present = (size_t)hwloc_bitmap_weight(from->owns[i]);
		out->nodes[i].memory_only = out->nodes[i].cpus_present == 0;
	}
	return WS_OK;
}

static int compare_nodes(const void *a, const void *b)
{
	const struct ws_topology_node *left = a, *right = b;

	return left->os_index < right->os_index ? -1 : left->os_index > right->os_index;
}

static int extract_nodes(struct extraction *from, struct ws_error *error)
{
	struct ws_topology *out = from->out;
	struct ws_topology_node *node;
	hwloc_obj_t object = NULL;
	const char *pci;
	size_t i;

	out->counts.nodes = (size_t)hwloc_get_nbobjs_by_type(from->loaded, HWLOC_OBJ_NUMANODE);
	out->nodes = calloc(out->counts.nodes, sizeof(*out->nodes));
	from->owns = calloc(out->counts.nodes, sizeof(*from->owns));
	if (!out->nodes || !from->owns)
		return ws_fail(error, WS_ENOMEM, "out of memory for %zu nodes", out->counts.nodes);
	for (node = out->nodes; (object = hwloc_get_next_obj_by_type(from->loaded, HWLOC_OBJ_NUMANODE, object));
	     node++) {
		node->os_index = object->os_index;
		node->kind = node_kind(object);
		node->memory_bytes = object->attr->numanode.local_memory;
		/* The only node has what the machine has; without /sys, or while memory is added, hwloc sees less. */
		if (out->root && out->counts.nodes == 1)
			ws_system_memory_total(out->root, &node->memory_bytes, NULL);
		node->memory_only = node_lists_no_cpus(out->root, node->os_index);
		pci = hwloc_obj_get_info_by_name(object, "PCIBusID");
		snprintf(node->pci, sizeof(node->pci), "%s", pci ? pci : "");
		if (!hwloc_bitmap_isset(from->mems, object->os_index))
			node->reason = "outside the memory nodes allowed to this process (cpuset or cgroup)";
		else if (!node->memory_bytes && out->counts.nodes > 1)
			node->reason = "no memory";
		node->allowed = !node->reason;
		out->counts.nodes_allowed += node->allowed;
	}
	qsort(out->nodes, out->counts.nodes, sizeof(*out->nodes), compare_nodes);
	for (i = 0; i < out->counts.nodes; i++) {
		from->owns[i] = hwloc_bitmap_alloc();
		if (!from->owns[i])
			return ws_fail(error, WS_ENOMEM, "out of memory for the machine's nodes");
	}
	return assign_cpus(from, error);
}

static unsigned owner_of(const struct extraction *from, unsigned cpu)
{
	size_t i;

	for (i = 0; i < from->out->counts.nodes; i++)
		if (hwloc_bitmap_isset(from->owns[i], cpu))
			return from->out->nodes[i].os_index;
	return from->out->nodes[0].os_index;
}

/* The number of the object of that type above a CPU; without one (hidden by a hypervisor), the given number. */
static unsigned number_above(const struct extraction *from, hwloc_obj_t pu, hwloc_obj_type_t type, unsigned otherwise)
{
	const hwloc_obj_t above = hwloc_get_ancestor_obj_by_type(from->loaded, type, pu);

	return above ? above->logical_index : otherwise;
}

static int efficiency_of(const struct extraction *from, hwloc_obj_t pu)
{
	const int kind = hwloc_cpukinds_get_by_cpuset(from->loaded, pu->cpuset, 0);
	int efficiency = -1;

	if (kind < 0 || hwloc_cpukinds_get_info(from->loaded, (unsigned)kind, NULL, &efficiency, NULL, NULL, 0))
		return -1;
	return efficiency;
}

/* First siblings before second ones; fast cores before slow ones; then the order in which cores lie in the machine. */
static int compare_cpus(const void *a, const void *b)
{
	const struct ws_topology_cpu *left = a, *right = b;

	if (left->sibling != right->sibling)
		return left->sibling < right->sibling ? -1 : 1;
	if (left->efficiency != right->efficiency)
		return left->efficiency > right->efficiency ? -1 : 1;
	if (left->core != right->core)
		return left->core < right->core ? -1 : 1;
	return left->os_index < right->os_index ? -1 : left->os_index > right->os_index;
}

static int extract_cpus(struct extraction *from, struct ws_error *error)
{
	struct ws_topology *out = from->out;
	const bool kinds = hwloc_cpukinds_get_nr(from->loaded, 0) > 1;
	hwloc_obj_t pu = NULL;
	struct ws_topology_cpu *cpu, *before;

	out->cpus = calloc(out->counts.cpus_present + 1, sizeof(*out->cpus));
	out->node_cpus = calloc(out->counts.cpus_present + 1, sizeof(*out->node_cpus));
	if (!out->cpus || !out->node_cpus)
		return ws_fail(error, WS_ENOMEM, "out of memory for %zu CPUs", out->counts.cpus_present);
	/* hwloc walks CPUs core by core, so the siblings of a CPU stand directly before it. */
	cpu = out->cpus;
	while ((pu = hwloc_get_next_obj_by_type(from->loaded, HWLOC_OBJ_PU, pu))) {
		if (!hwloc_bitmap_isset(from->cpus, pu->os_index))
			continue;
		cpu->os_index = pu->os_index;
		cpu->core = number_above(from, pu, HWLOC_OBJ_CORE, pu->logical_index);
		cpu->package = number_above(from, pu, HWLOC_OBJ_PACKAGE, 0);
		cpu->node = owner_of(from, pu->os_index);
		cpu->efficiency = kinds ? efficiency_of(from, pu) : -1;
		before = cpu == out->cpus ? NULL : cpu - 1;
		cpu->sibling = before && before->core == cpu->core ? before->sibling + 1 : 0;
		cpu++;
	}
	out->counts.cpus_allowed = (size_t)(cpu - out->cpus);
	qsort(out->cpus, out->counts.cpus_allowed, sizeof(*out->cpus), compare_cpus);
	return WS_OK;
}

/* Deals the ordered CPUs out to their nodes. */
static void deal_cpus(struct extraction *from)
{
	struct ws_topology *out = from->out;
	struct ws_topology_node *node;
	unsigned *next = out->node_cpus;
	size_t i, k;

	for (i = 0; i < out->counts.nodes; i++) {
		node = &out->nodes[i];
		node->cpus = next;
		for (k = 0; k < out->counts.cpus_allowed; k++) {
			if (out->cpus[k].node != node->os_index)
				continue;
			*next++ = out->cpus[k].os_index;
			node->core_count += out->cpus[k].sibling == 0;
		}
		node->cpu_count = (size_t)(next - node->cpus);
		if (node->memory_only)
			node->cpu_reason = "the node has memory only";
		else if (!node->cpu_count)
			node->cpu_reason =
				"its CPUs are outside those allowed to this process (affinity, cpuset or cgroup)";
	}
}

/* The last cache above a CPU that holds data, or NULL. */
static hwloc_obj_t last_cache(hwloc_obj_t pu)
{
	hwloc_obj_t above, last = NULL;

	for (above = pu->parent; above; above = above->parent)
		if (hwloc_obj_type_is_dcache(above->type))
			last = above;
	return last;
}

/* Sums the last-level caches above the CPUs of within that are allowed. */
static uint64_t cache_bytes(const struct extraction *from, hwloc_const_bitmap_t within)
{
	hwloc_obj_t pu = NULL, cache, previous = NULL;
	uint64_t bytes = 0;

	/* CPUs below one cache follow one another. */
	while ((pu = hwloc_get_next_obj_by_type(from->loaded, HWLOC_OBJ_PU, pu))) {
		if (!hwloc_bitmap_isset(from->cpus, pu->os_index) || !hwloc_bitmap_isset(within, pu->os_index))
			continue;
		cache = last_cache(pu);
		if (cache && cache != previous)
			bytes += cache->attr->cache.size;
		previous = cache;
	}
	return bytes;
}

/* The one node among those of a set that has CPUs; false if there are several or none. */
static bool only_node(const struct extraction *from, hwloc_const_bitmap_t set, unsigned *node)
{
	const struct ws_topology *out = from->out;
	size_t i, found = 0;

	for (i = 0; i < out->counts.nodes; i++) {
		if (out->nodes[i].memory_only || !hwloc_bitmap_isset(set, out->nodes[i].os_index))
			continue;
		*node = out->nodes[i].os_index;
		found++;
	}
	return found == 1;
}

static int extract_pci(struct extraction *from, struct ws_error *error)
{
	struct ws_topology *out = from->out;
	hwloc_obj_t object = NULL;
	unsigned node;
	const int count = hwloc_get_nbobjs_by_type(from->loaded, HWLOC_OBJ_PCI_DEVICE);

	if (count <= 0)
		return WS_OK;
	out->pci = calloc((size_t)count, sizeof(*out->pci));
	if (!out->pci)
		return ws_fail(error, WS_ENOMEM, "out of memory for %d PCI devices", count);
	while ((object = hwloc_get_next_pcidev(from->loaded, object))) {
		if (!only_node(from, hwloc_get_non_io_ancestor_obj(from->loaded, object)->nodeset, &node))
			continue;
		out->pci[out->pci_count].address =
			(struct ws_pci_address){object->attr->pcidev.domain, object->attr->pcidev.bus,
						object->attr->pcidev.dev, object->attr->pcidev.func};
		out->pci[out->pci_count++].node = node;
	}
	return WS_OK;
}

static int count_objects(struct extraction *from, struct ws_error *error)
{
	struct ws_topology_counts *counts = &from->out->counts;
	const hwloc_const_bitmap_t online = hwloc_topology_get_topology_cpuset(from->loaded);
	const hwloc_const_bitmap_t complete = hwloc_topology_get_complete_cpuset(from->loaded);
	const int packages = hwloc_get_nbobjs_by_type(from->loaded, HWLOC_OBJ_PACKAGE);
	const int cores = hwloc_get_nbobjs_by_type(from->loaded, HWLOC_OBJ_CORE);
	hwloc_obj_t pu = NULL;
	int offline = hwloc_bitmap_weight(complete) - hwloc_bitmap_weight(online);

	while ((pu = hwloc_get_next_obj_by_type(from->loaded, HWLOC_OBJ_PU, pu)))
		counts->cpus_present++;
	if (!counts->cpus_present)
		return ws_fail(error, WS_EINVAL, "the machine description has no CPU");
	counts->packages = packages > 0 ? (size_t)packages : 1;
	counts->cores = cores > 0 ? (size_t)cores : counts->cpus_present;
	counts->cpus_offline = offline > 0 ? (size_t)offline : 0;
	return WS_OK;
}

int ws_topology_extract(struct ws_topology *topology, hwloc_topology_t loaded, hwloc_const_bitmap_t cpus,
			hwloc_const_bitmap_t mems, struct ws_error *error)
{
	struct extraction from = {.out = topology, .loaded = loaded};
	int status = WS_ENOMEM;
	size_t i;

	from.cpus = hwloc_bitmap_dup(hwloc_topology_get_allowed_cpuset(loaded));
	from.mems = hwloc_bitmap_dup(hwloc_topology_get_allowed_nodeset(loaded));
	if (!from.cpus || !from.mems || hwloc_bitmap_and(from.cpus, from.cpus, cpus) ||
	    hwloc_bitmap_and(from.mems, from.mems, mems)) {
		ws_fail(error, status, "out of memory for the machine's CPU sets");
		goto out;
	}
	status = count_objects(&from, error);
	if (!status)
		status = extract_nodes(&from, error);
	if (!status)
		status = extract_cpus(&from, error);
	if (!status)
		status = extract_pci(&from, error);
	if (status)
		goto out;
	deal_cpus(&from);
	for (i = 0; i < topology->counts.nodes; i++)
		topology->nodes[i].cache_bytes = cache_bytes(&from, from.owns[i]);
	topology->counts.cache_bytes = cache_bytes(&from, from.cpus);
out:
	for (i = 0; from.owns && i < topology->counts.nodes; i++)
		hwloc_bitmap_free(from.owns[i]);
	free(from.owns);
	hwloc_bitmap_free(from.cpus);
	hwloc_bitmap_free(from.mems);
	return status;
}
