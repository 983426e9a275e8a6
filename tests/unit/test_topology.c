/* The topology of this machine, of small made-up ones, and of things that are none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sched.h>

#include "base/topology.h"
#include "tree.h"

static struct ws_topology *open_good(const char *source)
{
	struct ws_topology *topology = NULL;
	struct ws_error error = {0};

	if (ws_topology_open(source, &topology, &error))
		fail_msg("%s: %s", source ? source : "this machine", error.text);
	return topology;
}

static void open_bad(const char *source, int code, const char *text)
{
	struct ws_topology *topology = NULL;
	struct ws_error error = {0};

	assert_int_equal(ws_topology_open(source, &topology, &error), code);
	assert_null(topology);
	if (!strstr(error.text, text))
		fail_msg("\"%s\" does not say \"%s\"", error.text, text);
}

static void this_machine_offers_what_affinity_allows(void **state)
{
	cpu_set_t before, one;
	struct ws_topology *topology;
	const struct ws_topology_node *nodes;
	const struct ws_topology_cpu *cpus;
	size_t count, i, sum = 0;
	int last = -1;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	topology = open_good(NULL);
	assert_true(ws_topology_is_this_machine(topology));
	assert_string_equal(ws_topology_root(topology), "");
	cpus = ws_topology_cpus(topology, &count);
	assert_int_equal(count, CPU_COUNT(&before));
	assert_int_equal(count, ws_topology_counts(topology)->cpus_allowed);
	for (i = 0; i < count; i++) {
		assert_true(CPU_ISSET(cpus[i].os_index, &before));
		assert_non_null(ws_topology_find_node(topology, cpus[i].node));
		last = (int)cpus[i].os_index;
	}
	nodes = ws_topology_nodes(topology, &count);
	assert_true(count >= 1);
	for (i = 0; i < count; i++)
		sum += nodes[i].cpu_count;
	assert_int_equal(sum, ws_topology_counts(topology)->cpus_allowed);
	for (i = 0; i < count; i++)
		assert_true(nodes[i].memory_bytes > 0 || !nodes[i].allowed);
	assert_true(ws_topology_counts(topology)->nodes_allowed > 0);
	assert_true(ws_topology_cache_bytes(topology) >= WS_TOPOLOGY_CACHE_FLOOR_BYTES);
	ws_topology_close(topology);

	CPU_ZERO(&one);
	CPU_SET((size_t)last, &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	topology = open_good("");
	assert_int_equal(sched_setaffinity(0, sizeof(before), &before), 0);
	cpus = ws_topology_cpus(topology, &count);
	assert_int_equal(count, 1);
	assert_int_equal(cpus[0].os_index, last);
	assert_true(ws_topology_counts(topology)->cpus_present >= (size_t)CPU_COUNT(&before));
	ws_topology_close(topology);
}

static void the_users_variables_neither_count_nor_change(void **state)
{
	struct ws_topology *topology;

	(void)state;
	setenv("HWLOC_SYNTHETIC", "node:7 core:3", 1);
	setenv("HWLOC_HIDE_ERRORS", "0", 1);
	unsetenv("HWLOC_FSROOT");
	unsetenv("HWLOC_PLUGINS_PATH");
	topology = open_good(NULL);
	assert_true(ws_topology_counts(topology)->nodes != 7);
	ws_topology_close(topology);
	open_bad("/nowhere", WS_EABSENT, "/nowhere: No such file or directory");
	assert_string_equal(getenv("HWLOC_SYNTHETIC"), "node:7 core:3");
	assert_string_equal(getenv("HWLOC_HIDE_ERRORS"), "0");
	assert_null(getenv("HWLOC_FSROOT"));
	assert_null(getenv("HWLOC_PLUGINS_PATH"));
	unsetenv("HWLOC_SYNTHETIC");
	unsetenv("HWLOC_HIDE_ERRORS");
}

static void what_is_no_machine_is_said_so(void **state)
{
	const char *const root = *state;
	char name[PATH_MAX];

	open_bad(root, WS_EINVAL, "not the root of a recorded machine");
	assert_true(snprintf(name, sizeof(name), "%s/a.xml", root) < PATH_MAX);
	tree_put(root, "/a.xml", "");
	open_bad(name, WS_EINVAL, "not a complete hwloc XML");
	tree_put(root, "/a.xml", "<topology version=\"2.0\"><object type=\"Machine\"");
	open_bad(name, WS_EINVAL, "not a complete hwloc XML");
	tree_put(root, "/a.xml", "<topology version=\"2.0\"><object type=\"Nonsense\"/></topology>");
	open_bad(name, WS_EINVAL, "not a machine that hwloc");
	tree_put(root, "/a.xml", "<?xml version=\"1.0\"?>\n<topology version=\"3.0\">\n</topology>");
	open_bad(name, WS_EUNSUPPORTED, "written by hwloc 3");
	tree_put_bytes(root, "/a.xml", "<topology>\0</topology>", 22);
	open_bad(name, WS_EINVAL, "not a complete hwloc XML");
	open_bad("/dev/null", WS_EINVAL, "neither a file nor a directory");
}

/* Two cores of two siblings on node 0, two cores on node 2 of which one is offline, node 5 with memory only. */
static void put_machine(const char *root)
{
	static const struct {
		unsigned cpu;
		const char *siblings, *package, *packages;
	} cpus[] = {
		{0, "00000005", "0", "0000000f"}, {1, "0000000a", "0", "0000000f"}, {2, "00000005", "0", "0000000f"},
		{3, "0000000a", "0", "0000000f"}, {4, "00000010", "1", "00000030"},
	};
	static const struct {
		unsigned node;
		const char *map, *list, *distance;
	} nodes[] = {{0, "0000000f", "0-3", "10 20 30"},
		     {2, "00000030", "4-5", "20 10 30"},
		     {5, "00000000", "", "30 30 10"}};
	char path[128], text[128];
	size_t i;

	tree_put(root, "/sys/devices/system/cpu/online", "0-4\n");
	tree_put(root, "/sys/devices/system/cpu/cpu5/online", "0\n");
	for (i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++) {
		const char *const files[][2] = {{"topology/thread_siblings", cpus[i].siblings},
						{"topology/core_siblings", cpus[i].packages},
						{"topology/core_id", cpus[i].cpu & 1 ? "1" : "0"},
						{"topology/physical_package_id", cpus[i].package},
						{"cache/index0/level", "3"},
						{"cache/index0/type", "Unified"},
						{"cache/index0/size", "8192K"},
						{"cache/index0/shared_cpu_map", cpus[i].packages}};
		size_t k;

		for (k = 0; k < sizeof(files) / sizeof(files[0]); k++) {
			snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/%s", cpus[i].cpu, files[k][0]);
			tree_put(root, path, files[k][1]);
		}
	}
	tree_put(root, "/sys/devices/system/node/online", "0,2,5\n");
	for (i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "/sys/devices/system/node/node%u/cpumap", nodes[i].node);
		tree_put(root, path, nodes[i].map);
		snprintf(path, sizeof(path), "/sys/devices/system/node/node%u/cpulist", nodes[i].node);
		tree_put(root, path, nodes[i].list);
		snprintf(path, sizeof(path), "/sys/devices/system/node/node%u/distance", nodes[i].node);
		tree_put(root, path, nodes[i].distance);
		snprintf(path, sizeof(path), "/sys/devices/system/node/node%u/meminfo", nodes[i].node);
		snprintf(text, sizeof(text), "Node %u MemTotal:  %d kB\n", nodes[i].node, 1 << 20);
		tree_put(root, path, text);
	}
}

static void assert_cpus(const struct ws_topology *topology, unsigned os_index, const char *expected)
{
	const struct ws_topology_node *node = ws_topology_find_node(topology, os_index);
	char text[256] = "", *end = text;
	size_t i;

	assert_non_null(node);
	for (i = 0; i < node->cpu_count; i++)
		end += snprintf(end, 8, i ? " %u" : "%u", node->cpus[i]);
	assert_string_equal(text, expected);
}

static void a_recorded_root(void **state)
{
	const struct ws_topology_counts *counts;
	struct ws_topology *topology;

	put_machine(*state);
	topology = open_good(*state);
	counts = ws_topology_counts(topology);
	assert_false(ws_topology_is_this_machine(topology));
	assert_string_equal(ws_topology_root(topology), *state);
	assert_int_equal(counts->nodes, 3);
	assert_int_equal(counts->packages, 2);
	assert_int_equal(counts->cores, 3);
	assert_int_equal(counts->cpus_present, 5);
	assert_int_equal(counts->cpus_offline, 1);
	assert_int_equal(counts->cpus_allowed, 5);
	assert_int_equal(counts->cache_bytes, 16 << 20);
	assert_cpus(topology, 0, "0 1 2 3");
	assert_int_equal(ws_topology_find_node(topology, 0)->core_count, 2);
	assert_cpus(topology, 2, "4");
	assert_cpus(topology, 5, "");
	assert_true(ws_topology_find_node(topology, 5)->memory_only);
	assert_true(ws_topology_find_node(topology, 5)->allowed);
	assert_int_equal(ws_topology_find_node(topology, 5)->memory_bytes, 1 << 30);
	assert_string_equal(ws_topology_find_node(topology, 5)->cpu_reason, "the node has memory only");
	assert_null(ws_topology_find_node(topology, 1));
	ws_topology_close(topology);
}

static void a_recorded_process_with_limits(void **state)
{
	const struct ws_topology_node *node;
	struct ws_topology *topology;

	put_machine(*state);
	tree_put(*state, "/proc/self/status", "Name:\tcat\nCpus_allowed_list:\t2-3\nMems_allowed_list:\t0,5\n");
	topology = open_good(*state);
	assert_cpus(topology, 0, "2 3");
	assert_int_equal(ws_topology_find_node(topology, 0)->core_count, 2);
	assert_int_equal(ws_topology_find_node(topology, 0)->cpus_present, 4);
	assert_int_equal(ws_topology_counts(topology)->nodes_allowed, 2);
	assert_int_equal(ws_topology_counts(topology)->cache_bytes, 8 << 20);
	assert_int_equal(ws_topology_cache_bytes(topology), WS_TOPOLOGY_CACHE_FLOOR_BYTES);
	node = ws_topology_find_node(topology, 2);
	assert_false(node->allowed);
	assert_false(node->memory_only);
	assert_non_null(node->reason);
	assert_non_null(strstr(node->cpu_reason, "outside those allowed"));
	assert_int_equal(node->cache_bytes, 0);
	ws_topology_close(topology);
}

static void a_root_without_sys(void **state)
{
	struct ws_topology *topology;
	size_t count;

	tree_put(*state, "/proc/cpuinfo", "no such line\n");
	open_bad(*state, WS_EINVAL, "no processor in it");
	tree_put(*state, "/proc/cpuinfo", "processor\t: 0\n");
	topology = open_good(*state);
	assert_true(ws_topology_find_node(topology, 0)->allowed); /* how much memory it has is not recorded */
	ws_topology_close(topology);
	tree_put(*state, "/proc/cpuinfo",
		 "processor\t: 0\nmodel name\t: made up\n\nprocessor\t: 1\n\nprocessor\t: 2\n");
	tree_put(*state, "/proc/meminfo", "MemTotal:        4096 kB\nMemFree:  12 kB\n");
	topology = open_good(*state);
	ws_topology_nodes(topology, &count);
	assert_int_equal(count, 1);
	assert_cpus(topology, 0, "0 1 2");
	assert_int_equal(ws_topology_find_node(topology, 0)->memory_bytes, 4096 * 1024);
	assert_int_equal(ws_topology_counts(topology)->cache_bytes, 0);
	assert_int_equal(ws_topology_cache_bytes(topology), WS_TOPOLOGY_CACHE_FLOOR_BYTES);
	ws_topology_close(topology);
}

static void pci_devices_have_a_nearest_node(void **state)
{
	struct ws_topology *topology;
	struct ws_error error = {0};
	unsigned node = 77;

	put_machine(*state);
	tree_put(*state, "/sys/bus/pci/devices/0000:01:00.0/numa_node", "2\n");
	tree_put(*state, "/sys/bus/pci/devices/0000:02:00.0/numa_node", "-1\n");
	tree_put(*state, "/sys/bus/pci/devices/0000:02:00.0/local_cpulist", "4-5\n");
	tree_put(*state, "/sys/bus/pci/devices/0000:03:00.0/numa_node", "-1\n");
	tree_put(*state, "/sys/bus/pci/devices/0000:03:00.0/local_cpulist", "0-5\n");
	topology = open_good(*state);
	assert_int_equal(ws_topology_pci_node(topology, "00000000:01:00.0", &node, NULL), WS_OK);
	assert_int_equal(node, 2);
	node = 77;
	assert_int_equal(ws_topology_pci_node(topology, "02:00.0", &node, NULL), WS_OK);
	assert_int_equal(node, 2);
	node = 77;
	assert_int_equal(ws_topology_pci_node(topology, "03:00.0", &node, &error), WS_EABSENT);
	assert_non_null(strstr(error.text, "0000:03:00.0"));
	assert_int_equal(ws_topology_pci_node(topology, "04:00.0", &node, NULL), WS_EABSENT);
	assert_int_equal(ws_topology_pci_node(topology, "nonsense", &node, NULL), WS_EINVAL);
	assert_int_equal(node, 77);
	ws_topology_close(topology);
	ws_topology_close(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(this_machine_offers_what_affinity_allows),
		cmocka_unit_test(the_users_variables_neither_count_nor_change),
		cmocka_unit_test_setup_teardown(what_is_no_machine_is_said_so, tree_setup, tree_teardown),
		cmocka_unit_test_setup_teardown(a_recorded_root, tree_setup, tree_teardown),
		cmocka_unit_test_setup_teardown(a_recorded_process_with_limits, tree_setup, tree_teardown),
		cmocka_unit_test_setup_teardown(a_root_without_sys, tree_setup, tree_teardown),
		cmocka_unit_test_setup_teardown(pci_devices_have_a_nearest_node, tree_setup, tree_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
