/* Limits of memory from recorded files: system, node, cgroups of both versions, nested and in containers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "backend/host_available.h"
#include "tree.h"

static int make_tree(void **state)
{
	char *root = malloc(PATH_MAX);

	assert_non_null(root);
	tree_new(root);
	*state = root;
	return 0;
}

static int drop_tree(void **state)
{
	tree_remove(*state);
	free(*state);
	return 0;
}

static void nothing_known_sets_no_limit(void **state)
{
	const struct ws_host_available available = ws_host_available(*state, 0);

	assert_true(available.bytes == UINT64_MAX);
	assert_string_equal(available.by, "");
}

static void system_and_node(void **state)
{
	struct ws_host_available available;

	tree_put(*state, "/proc/meminfo",
		 "MemTotal: 1000 kB\nMemFree:  10 kB\nMemAvailable:    800 kB\nBuffers: 1 kB\n");
	available = ws_host_available(*state, 0);
	assert_int_equal(available.bytes, 800 << 10);
	assert_string_equal(available.by, "MemAvailable");
	tree_put(*state, "/sys/devices/system/node/node3/meminfo",
		 "Node 3 MemTotal:  900 kB\nNode 3 MemFree:   100 kB\nNode 3 Active(file):  20 kB\n"
		 "Node 3 Inactive(file): 30 kB\nNode 3 SReclaimable: 4 kB\n");
	available = ws_host_available(*state, 3);
	assert_int_equal(available.bytes, 154 << 10);
	assert_string_equal(available.by, "free memory of node 3");
	assert_int_equal(ws_host_available(*state, -1).bytes, 800 << 10);
}

static void cgroup_version_2_counts_groups_above(void **state)
{
	struct ws_host_available available;

	tree_put(*state, "/proc/self/cgroup", "0::/jobs/7\n");
	tree_put(*state, "/sys/fs/cgroup/jobs/7/memory.max", "max\n");
	tree_put(*state, "/sys/fs/cgroup/jobs/7/memory.current", "5000\n");
	assert_true(ws_host_available(*state, -1).bytes == UINT64_MAX);
	tree_put(*state, "/sys/fs/cgroup/jobs/memory.max", "100000\n");
	tree_put(*state, "/sys/fs/cgroup/jobs/memory.current", "60000\n");
	tree_put(*state, "/sys/fs/cgroup/jobs/memory.stat",
		 "anon 1\nfile 50000\ninactive_file 15000\nactive_file 35000\n");
	available = ws_host_available(*state, -1);
	assert_int_equal(available.bytes, 55000);
	assert_string_equal(available.by, "the limit of cgroup /jobs");
	tree_put(*state, "/sys/fs/cgroup/jobs/7/memory.max", "4000\n");
	available = ws_host_available(*state, -1);
	assert_int_equal(available.bytes, 0);
	assert_string_equal(available.by, "the limit of cgroup /jobs/7");
}

static void cgroup_version_1_in_a_container(void **state)
{
	struct ws_host_available available;

	/* The path is the outer machine's; the container sees its own group at the top. */
	tree_put(*state, "/proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/docker/abc\n0::/\n");
	tree_put(*state, "/sys/fs/cgroup/memory/memory.limit_in_bytes", "900000\n");
	tree_put(*state, "/sys/fs/cgroup/memory/memory.usage_in_bytes", "100000\n");
	available = ws_host_available(*state, -1);
	assert_int_equal(available.bytes, 800000);
	assert_string_equal(available.by, "the limit of cgroup /");
	tree_put(*state, "/proc/self/cgroup", "no colons here\n4:memory\n");
	assert_true(ws_host_available(*state, -1).bytes == UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(nothing_known_sets_no_limit, make_tree, drop_tree),
		cmocka_unit_test_setup_teardown(system_and_node, make_tree, drop_tree),
		cmocka_unit_test_setup_teardown(cgroup_version_2_counts_groups_above, make_tree, drop_tree),
		cmocka_unit_test_setup_teardown(cgroup_version_1_in_a_container, make_tree, drop_tree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
