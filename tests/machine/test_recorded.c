/* Opens one recorded machine and compares what the program may use of it with what lstopo and hwloc-calc say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/topology.h"

/*
 * Per node: number, MiB, "+" or "-" for memory that may or may not be bound, "m" for no CPUs of its own, "g" or "f" for
 * a GPU's or fast memory; then the allowed CPUs in the order of use.
 */
struct machine {
	const char *name;
	size_t packages, cores, present, offline, allowed;
	uint64_t cache_kib;
	const char *nodes; /* NULL = cannot be opened */
};

static const struct machine machines[] = {
	{"cpusets", 8, 15, 15, 1, 10, 10240,
	 "0 8190 -: 0 1\n"
	 "1 8192 +: 2 3\n"
	 "2 8192 +: 5\n"
	 "3 8192 +: 6\n"
	 "4 8192 +:\n"
	 "5 8192 -:\n"
	 "6 8192 -: 12 13\n"
	 "7 8192 -: 14 15\n"},
	{"offlines", 4, 7, 12, 4, 12, 16384, "0 16379 +: 0 4 1 3 7 6 10 8 12 9 11 15\n"},
	{"hybrid", 1, 14, 20, 0, 20, 24576, "0 31728 +: 0 2 4 6 8 10 12 13 14 15 16 17 18 19 1 3 5 7 9 11\n"},
	{"pcilocality", 4, 40, 40, 0, 40, 122880,
	 "0 131058 +: 0 4 8 12 16 20 24 28 32 36\n"
	 "1 131072 +: 1 5 9 13 17 21 25 29 33 37\n"
	 "2 131072 +: 2 6 10 14 18 22 26 30 34 38\n"
	 "3 131072 +: 3 7 11 15 19 23 27 31 35 39\n"},
	{"sparse", 4, 48, 48, 0, 48, 40944,
	 "0 8189 +: 0 1 2 3 4 5\n"
	 "1 16384 +: 6 7 8 9 10 11\n"
	 "2 8192 +: 12 13 14 15 16 17\n"
	 "33 16384 +: 18 19 20 21 22 23\n"
	 "34 8192 +: 24 25 26 27 28 29\n"
	 "45 16384 +: 30 31 32 33 34 35\n"
	 "72 8192 +: 36 37 38 39 40 41\n"
	 "73 16384 +: 42 43 44 45 46 47\n"},
	{"gpu_nodes", 2, 8, 32, 0, 32, 40960,
	 "0 126796 +: 0 4 8 12 1 5 9 13 2 6 10 14 3 7 11 15\n"
	 "8 130812 +: 88 92 96 100 89 93 97 101 90 94 98 102 91 95 99 103\n"
	 "250 15360 +mg:\n"
	 "251 15360 +mg:\n"
	 "252 15360 +mg:\n"
	 "253 15360 +mg:\n"
	 "254 15360 +mg:\n"
	 "255 15360 +mg:\n"},
	{"two_sockets", 2, 12, 24, 0, 24, 24576,
	 "0 18421 +: 0 2 4 6 8 10 12 14 16 18 20 22\n"
	 "1 18431 +: 1 3 5 7 9 11 13 15 17 19 21 23\n"},
	{"fast_memory", 1, 16, 64, 0, 64, 8388608,
	 "0 1024 +: 0 1 2 3 16 17 18 19 32 33 34 35 48 49 50 51\n"
	 "1 1024 +: 4 5 6 7 20 21 22 23 36 37 38 39 52 53 54 55\n"
	 "2 1024 +: 8 9 10 11 24 25 26 27 40 41 42 43 56 57 58 59\n"
	 "3 1024 +: 12 13 14 15 28 29 30 31 44 45 46 47 60 61 62 63\n"
	 "4 2048 +mf:\n"
	 "5 2048 +mf:\n"
	 "6 2048 +mf:\n"
	 "7 2048 +mf:\n"},
	{"groups", 16, 96, 96, 0, 96, 262144,
	 "0 48894 +: 0 4 8 12 16 20 1 5 9 13 17 21 2 6 10 14 18 22 3 7 11 15 19 23\n"
	 "1 48896 +: 24 28 32 36 40 44 25 29 33 37 41 45 26 30 34 38 42 46 27 31 35 39 43 47\n"
	 "2 48896 +: 48 52 56 60 64 68 49 53 57 61 65 69 50 54 58 62 66 70 51 55 59 63 67 71\n"
	 "3 48896 +: 72 76 80 84 88 92 73 77 81 85 89 93 74 78 82 86 90 94 75 79 83 87 91 95\n"},
	/* Its CXL memory is a DAX device that was not made a node. */
	{"cxl_dax", 1, 4, 4, 0, 4, 16384, "0 2919 +: 0 1 2 3\n"},
	{"distances", 4, 8, 8, 0, 8, 40944,
	 "0 8189 +: 0\n"
	 "1 16384 +: 6\n"
	 "2 8192 +: 12\n"
	 "3 16384 +: 18\n"
	 "4 8192 +: 24\n"
	 "5 16384 +: 30\n"
	 "6 8192 +: 36\n"
	 "7 16384 +: 42\n"},
	{"hwloc3", 0, 0, 0, 0, 0, 0, NULL},
};

/* Devices whose place the recordings tell, and some whose place they do not (-1). */
static const struct {
	const char *machine, *device;
	int node;
} devices[] = {
	{"two_sockets", "0000:04:00.0", 0},  {"two_sockets", "0000:05:00.0", 0}, {"two_sockets", "0000:11:00.0", 1},
	{"two_sockets", "0000:14:00.0", 1},  {"pcilocality", "0000:43:00.0", 2}, {"pcilocality", "0000:40:03.0", -1},
	{"pcilocality", "0000:99:00.0", -1}, {"cxl_dax", "0000:00:02.0", 0},
};

struct opened {
	const struct machine *expected;
	const char *source;
};

static const char *describe(const struct ws_topology *topology, char *text, size_t size)
{
	static const char *const kinds[] = {"", "f", "g", "s"};
	const struct ws_topology_node *nodes;
	size_t count, i, k, length = 0;

	nodes = ws_topology_nodes(topology, &count);
	for (i = 0; i < count && length < size; i++) {
		length += (size_t)snprintf(text + length, size - length, "%u %llu %s%s%s:", nodes[i].os_index,
					   (unsigned long long)(nodes[i].memory_bytes >> 20),
					   nodes[i].allowed ? "+" : "-", nodes[i].memory_only ? "m" : "",
					   kinds[nodes[i].kind]);
		for (k = 0; k < nodes[i].cpu_count && length < size; k++)
			length += (size_t)snprintf(text + length, size - length, " %u", nodes[i].cpus[k]);
		if (length < size)
			length += (size_t)snprintf(text + length, size - length, "\n");
	}
	assert_true(length < size);
	return text;
}

static void nodes_and_cpus_are_as_lstopo_says(void **state)
{
	const struct opened *opened = *state;
	const struct machine *expected = opened->expected;
	const struct ws_topology_counts *counts;
	struct ws_topology *topology = NULL;
	struct ws_error error = {0};
	char text[8192];

	if (!expected->nodes) {
		assert_int_equal(ws_topology_open(opened->source, &topology, &error), WS_EUNSUPPORTED);
		assert_non_null(strstr(error.text, "written by hwloc 3"));
		assert_null(strchr(error.text, '\n'));
		return;
	}
	if (ws_topology_open(opened->source, &topology, &error))
		fail_msg("%s", error.text);
	assert_string_equal(describe(topology, text, sizeof(text)), expected->nodes);
	counts = ws_topology_counts(topology);
	assert_int_equal(counts->packages, expected->packages);
	assert_int_equal(counts->cores, expected->cores);
	assert_int_equal(counts->cpus_present, expected->present);
	assert_int_equal(counts->cpus_offline, expected->offline);
	assert_int_equal(counts->cpus_allowed, expected->allowed);
	assert_int_equal(counts->cache_bytes, expected->cache_kib << 10);
	assert_false(ws_topology_is_this_machine(topology));
	ws_topology_close(topology);
}

/* A reason is there exactly where something is not. */
static void what_is_missing_has_a_reason(void **state)
{
	const struct opened *opened = *state;
	const struct ws_topology_node *nodes;
	struct ws_topology *topology = NULL;
	size_t count, i;

	if (!opened->expected->nodes)
		return;
	assert_int_equal(ws_topology_open(opened->source, &topology, NULL), WS_OK);
	nodes = ws_topology_nodes(topology, &count);
	for (i = 0; i < count; i++) {
		assert_int_equal(nodes[i].reason != NULL, !nodes[i].allowed);
		assert_int_equal(nodes[i].cpu_reason != NULL, nodes[i].cpu_count == 0);
		assert_true(nodes[i].core_count <= nodes[i].cpu_count && nodes[i].cpu_count <= nodes[i].cpus_present);
		assert_true(nodes[i].cpu_count == 0 || nodes[i].core_count > 0);
	}
	ws_topology_close(topology);
}

static void devices_are_where_the_recording_says(void **state)
{
	const struct opened *opened = *state;
	struct ws_topology *topology = NULL;
	unsigned node = 0;
	size_t i;

	if (!opened->expected->nodes)
		return;
	assert_int_equal(ws_topology_open(opened->source, &topology, NULL), WS_OK);
	for (i = 0; i < sizeof(devices) / sizeof(devices[0]); i++) {
		if (strcmp(devices[i].machine, opened->expected->name) != 0)
			continue;
		assert_int_equal(ws_topology_pci_node(topology, devices[i].device, &node, NULL),
				 devices[i].node < 0 ? WS_EABSENT : WS_OK);
		if (devices[i].node >= 0)
			assert_int_equal(node, devices[i].node);
	}
	ws_topology_close(topology);
}

int main(int count, char **arguments)
{
	static struct opened opened;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(nodes_and_cpus_are_as_lstopo_says, &opened),
		cmocka_unit_test_prestate(what_is_missing_has_a_reason, &opened),
		cmocka_unit_test_prestate(devices_are_where_the_recording_says, &opened),
	};
	size_t i;

	if (count != 3) {
		fprintf(stderr, "usage: %s MACHINE PATH\n", arguments[0]);
		return 64;
	}
	for (i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (strcmp(machines[i].name, arguments[1]) == 0)
			opened.expected = &machines[i];
	if (!opened.expected) {
		fprintf(stderr, "no machine %s\n", arguments[1]);
		return 64;
	}
	opened.source = arguments[2];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
