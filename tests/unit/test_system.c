/* Facts of the system, read from small made-up machines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/system.h"
#include "tree.h"

#define CPU0 "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"
#define CPU1 "/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor"
#define CPU3 "/sys/devices/system/cpu/cpu3/cpufreq/scaling_governor"

static void without_any_file_all_is_absent(void **state)
{
	const char *const root = *state;
	struct ws_huge_pool pools[WS_HUGE_POOLS];
	enum ws_thp mode = WS_THP_ALWAYS;
	uint64_t a = 5, b = 6;
	size_t count = 7;
	double cpus = 8;
	char text[64] = "kept";

	assert_int_equal(ws_system_thp(root, &mode, NULL), WS_EABSENT);
	assert_int_equal(ws_system_huge_pools(root, -1, pools, &count, NULL), WS_EABSENT);
	assert_int_equal(ws_system_huge_pools(root, 3, pools, &count, NULL), WS_EABSENT);
	assert_int_equal(ws_system_steal_ns(root, &a, NULL), WS_EABSENT);
	assert_int_equal(ws_system_kernel(root, text, sizeof(text), NULL), WS_EABSENT);
	assert_int_equal(ws_system_cpuinfo(root, "model name", text, sizeof(text), NULL), WS_EABSENT);
	assert_int_equal(ws_system_hypervisor(root, text, sizeof(text), NULL), WS_EABSENT);
	assert_int_equal(ws_system_governor(root, text, sizeof(text), NULL), WS_EABSENT);
	assert_int_equal(ws_system_memory_limit(root, &a, &b, NULL), WS_EABSENT);
	assert_int_equal(ws_system_cpu_quota(root, &cpus, NULL), WS_EABSENT);
	assert_int_equal(ws_system_memory_available(root, -1, &a, NULL), WS_EABSENT);
	assert_int_equal(ws_system_memory_available(root, 0, &a, NULL), WS_EABSENT);
	assert_int_equal(mode, WS_THP_ALWAYS);
	assert_int_equal(a + b + count, 18);
	assert_true(cpus == 8);
	assert_string_equal(text, "kept");
}

static void huge_pages(void **state)
{
	static const char thp[] = "/sys/kernel/mm/transparent_hugepage/enabled";
	const char *const root = *state;
	struct ws_huge_pool pools[WS_HUGE_POOLS];
	enum ws_thp mode = WS_THP_ALWAYS;
	size_t count = 0;

	tree_put(root, thp, "always madvise [never]\n");
	assert_int_equal(ws_system_thp(root, &mode, NULL), WS_OK);
	assert_string_equal(ws_thp_name(mode), "never");
	tree_put(root, thp, "always [madvise] never\n");
	assert_int_equal(ws_system_thp(root, &mode, NULL), WS_OK);
	assert_string_equal(ws_thp_name(mode), "madvise");
	tree_put(root, thp, "[always] madvise never\n");
	assert_int_equal(ws_system_thp(root, &mode, NULL), WS_OK);
	assert_string_equal(ws_thp_name(mode), "always");
	tree_put(root, thp, "always madvise never\n");
	assert_int_equal(ws_system_thp(root, &mode, NULL), WS_ESYSTEM);

	tree_put(root, "/sys/kernel/mm/hugepages/hugepages-1048576kB/nr_hugepages", "0\n");
	tree_put(root, "/sys/kernel/mm/hugepages/hugepages-1048576kB/free_hugepages", "0\n");
	tree_put(root, "/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "512\n");
	tree_put(root, "/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", "500\n");
	tree_put(root, "/sys/devices/system/node/node3/hugepages/hugepages-2048kB/nr_hugepages", "12\n");
	assert_int_equal(ws_system_huge_pools(root, -1, pools, &count, NULL), WS_OK);
	assert_int_equal(count, 2);
	assert_int_equal(pools[0].page_bytes, 2 << 20);
	assert_int_equal(pools[0].pages, 512);
	assert_int_equal(pools[0].pages_free, 500);
	assert_int_equal(pools[1].page_bytes, 1 << 30);
	assert_int_equal(ws_system_huge_pools(root, 3, pools, &count, NULL), WS_EABSENT);
	tree_put(root, "/sys/devices/system/node/node3/hugepages/hugepages-2048kB/free_hugepages", "11\n");
	assert_int_equal(ws_system_huge_pools(root, 3, pools, &count, NULL), WS_OK);
	assert_int_equal(count, 1);
	assert_int_equal(pools[0].pages_free, 11);
}

static void kernel_processor_and_hypervisor(void **state)
{
	const char *const root = *state;
	char text[32];

	tree_put(root, "/proc/version", "Linux version 4.14.0-49.el7a (mock@host) (gcc) #1 SMP\n");
	assert_int_equal(ws_system_kernel(root, text, sizeof(text), NULL), WS_OK);
	assert_string_equal(text, "4.14.0-49.el7a");
	tree_put(root, "/proc/sys/kernel/osrelease", "6.1.0\n");
	assert_int_equal(ws_system_kernel(root, text, sizeof(text), NULL), WS_OK);
	assert_string_equal(text, "6.1.0");

	tree_put(root, "/proc/cpuinfo",
		 "processor\t: 0\nmodel\t\t: 85\nmodel name\t: Some CPU @ 2 GHz\nflags\t\t: fpu vme\n"
		 "\nprocessor\t: 1\nmodel name\t: Other\n");
	assert_int_equal(ws_system_cpuinfo(root, "model name", text, sizeof(text), NULL), WS_OK);
	assert_string_equal(text, "Some CPU @ 2 GHz");
	assert_int_equal(ws_system_cpuinfo(root, "model", text, sizeof(text), NULL), WS_OK);
	assert_string_equal(text, "85");
	assert_int_equal(ws_system_cpuinfo(root, "microcode", text, sizeof(text), NULL), WS_EABSENT);
	assert_int_equal(ws_system_cpuinfo(root, "model name", text, 4, NULL), WS_ESYSTEM);
	assert_int_equal(ws_system_hypervisor(root, text, sizeof(text), NULL), WS_OK);
	assert_string_equal(text, "none");
	tree_put(root, "/proc/cpuinfo", "flags\t\t: fpu hypervisor lahf_lm\n");
	assert_int_equal(ws_system_hypervisor(root, text, sizeof(text), NULL), WS_OK);
	assert_string_equal(text, "unnamed");
	tree_put(root, "/sys/class/dmi/id/sys_vendor", "QEMU\n");
	assert_int_equal(ws_system_hypervisor(root, text, sizeof(text), NULL), WS_OK);
	assert_string_equal(text, "QEMU");
	tree_put(root, "/sys/hypervisor/type", "xen\n");
	assert_int_equal(ws_system_hypervisor(root, text, sizeof(text), NULL), WS_OK);
	assert_string_equal(text, "xen");
}

static void governors_are_named_once(void **state)
{
	const char *const root = *state;
	char text[64];

	tree_put(root, "/sys/devices/system/cpu/online", "0-3\n");
	assert_int_equal(ws_system_governor(root, text, sizeof(text), NULL), WS_EABSENT);
	tree_put(root, CPU0, "schedutil\n");
	tree_put(root, CPU1, "powersave\n");
	tree_put(root, CPU3, "schedutil\n");
	assert_int_equal(ws_system_governor(root, text, sizeof(text), NULL), WS_OK);
	assert_string_equal(text, "schedutil,powersave");
}

static void steal_time_counts_in_nanoseconds(void **state)
{
	const uint64_t tick_ns = 1000000000u / (uint64_t)sysconf(_SC_CLK_TCK);
	uint64_t time_ns = 0;

	tree_put(*state, "/proc/stat", "cpu  10 20 30 40 50 60 70 123 0 0\ncpu0 1 2 3 4 5 6 7 99 0 0\n");
	assert_int_equal(ws_system_steal_ns(*state, &time_ns, NULL), WS_OK);
	assert_int_equal(time_ns, 123 * tick_ns);
	tree_put(*state, "/proc/stat", "cpu  10 20 30 40\n");
	assert_int_equal(ws_system_steal_ns(*state, &time_ns, NULL), WS_EABSENT);
}

static void limits_of_control_groups_v2(void **state)
{
	const char *const root = *state;
	uint64_t limit = 0, used = 0;
	double cpus = 0;

	tree_put(root, "/proc/self/cgroup", "0::/user.slice/job\n");
	tree_put(root, "/sys/fs/cgroup/user.slice/job/memory.max", "max\n");
	tree_put(root, "/sys/fs/cgroup/user.slice/job/cpu.max", "max 100000\n");
	assert_int_equal(ws_system_memory_limit(root, &limit, &used, NULL), WS_EABSENT);
	assert_int_equal(ws_system_cpu_quota(root, &cpus, NULL), WS_EABSENT);
	tree_put(root, "/sys/fs/cgroup/user.slice/memory.max", "4000\n");
	tree_put(root, "/sys/fs/cgroup/user.slice/memory.current", "3000\n");
	tree_put(root, "/sys/fs/cgroup/user.slice/memory.stat", "anon 500\ninactive_file 1000\n");
	tree_put(root, "/sys/fs/cgroup/user.slice/cpu.max", "150000 100000\n");
	assert_int_equal(ws_system_memory_limit(root, &limit, &used, NULL), WS_OK);
	assert_int_equal(limit, 4000);
	assert_int_equal(used, 2000);
	assert_int_equal(ws_system_cpu_quota(root, &cpus, NULL), WS_OK);
	assert_true(cpus == 1.5);
	/* The larger limit leaves less when more of it is used. */
	tree_put(root, "/sys/fs/cgroup/memory.max", "9000\n");
	tree_put(root, "/sys/fs/cgroup/memory.current", "8500\n");
	assert_int_equal(ws_system_memory_limit(root, &limit, &used, NULL), WS_OK);
	assert_int_equal(limit, 9000);
	assert_int_equal(used, 8500);
}

static void limits_of_control_groups_v1(void **state)
{
	const char *const root = *state;
	uint64_t limit = 0, used = 0;
	double cpus = 0;

	tree_put(root, "/proc/self/cgroup",
		 "11:memory:/docker/abc\n4:cpu,cpuacct:/docker/abc\n1:name=systemd:/x\n0::/\n");
	tree_put(root, "/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
	tree_put(root, "/sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_quota_us", "-1\n");
	tree_put(root, "/sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_period_us", "100000\n");
	assert_int_equal(ws_system_memory_limit(root, &limit, &used, NULL), WS_EABSENT);
	assert_int_equal(ws_system_cpu_quota(root, &cpus, NULL), WS_EABSENT);
	/* The group is named as the host sees it, but the container's mount shows its own at the top. */
	tree_put(root, "/sys/fs/cgroup/memory/memory.limit_in_bytes", "8192\n");
	tree_put(root, "/sys/fs/cgroup/memory/memory.usage_in_bytes", "4096\n");
	tree_put(root, "/sys/fs/cgroup/memory/memory.stat", "cache 1\ntotal_inactive_file 96\n");
	tree_put(root, "/sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_quota_us", "50000\n");
	assert_int_equal(ws_system_memory_limit(root, &limit, &used, NULL), WS_OK);
	assert_int_equal(limit, 8192);
	assert_int_equal(used, 4000);
	assert_int_equal(ws_system_cpu_quota(root, &cpus, NULL), WS_OK);
	assert_true(cpus == 0.5);
}

static void memory_that_can_be_had(void **state)
{
	const char *const root = *state;
	uint64_t bytes = 0;

	tree_put(root, "/sys/devices/system/node/node2/meminfo",
		 "Node 2 MemTotal:       9000 kB\nNode 2 MemFree:        1000 kB\nNode 2 Active(file):    200 kB\n"
		 "Node 2 Inactive(file):  400 kB\nNode 2 SReclaimable:     40 kB\n");
	assert_int_equal(ws_system_memory_available(root, 2, &bytes, NULL), WS_OK);
	assert_int_equal(bytes, 1320 << 10);
	assert_int_equal(ws_system_memory_total(root, &bytes, NULL), WS_EABSENT);
	tree_put(root, "/proc/meminfo", "MemTotal: 9000 kB\nMemFree: 900 kB\n");
	assert_int_equal(ws_system_memory_total(root, &bytes, NULL), WS_OK);
	assert_int_equal(bytes, 9000 << 10);
	assert_int_equal(ws_system_memory_available(root, -1, &bytes, NULL), WS_OK);
	assert_int_equal(bytes, 900 << 10);
	tree_put(root, "/proc/meminfo", "MemTotal: 9000 kB\nMemFree: 900 kB\nMemAvailable: 1200 kB\n");
	assert_int_equal(ws_system_memory_available(root, -1, &bytes, NULL), WS_OK);
	assert_int_equal(bytes, 1200 << 10);
	assert_int_equal(ws_system_memory_available(root, 2, &bytes, NULL), WS_OK);
	assert_int_equal(bytes, 1200 << 10);
	tree_put(root, "/proc/meminfo", "MemTotal: 99000 kB\nMemAvailable: 90000 kB\n");
	tree_put(root, "/sys/devices/system/node/online", "0,2\n");
	assert_int_equal(ws_system_memory_available(root, 2, &bytes, NULL), WS_OK);
	assert_int_equal(bytes, 1320 << 10);
	tree_put(root, "/sys/devices/system/node/online", "2\n");
	assert_int_equal(ws_system_memory_available(root, 2, &bytes, NULL), WS_OK);
	assert_int_equal(bytes, 90000 << 10);
}

static void memory_policy(void **state)
{
	unsigned long nodes = 1;
	unsigned node = 7;

	(void)state;
	if (syscall(SYS_set_mempolicy, MPOL_BIND, &nodes, 64ul) != 0)
		skip();
	assert_int_equal(ws_system_memory_node(&node, NULL), WS_OK);
	assert_int_equal(node, 0);
	node = 7;
	assert_int_equal(syscall(SYS_set_mempolicy, MPOL_PREFERRED, &nodes, 64ul), 0);
	assert_int_equal(ws_system_memory_node(&node, NULL), WS_OK);
	assert_int_equal(node, 0);
	node = 7;
	/* The preferred node is the one where a thread runs. */
	assert_int_equal(syscall(SYS_set_mempolicy, MPOL_PREFERRED, NULL, 0ul), 0);
	assert_int_equal(ws_system_memory_node(&node, NULL), WS_EABSENT);
	assert_int_equal(syscall(SYS_set_mempolicy, MPOL_DEFAULT, NULL, 0ul), 0);
	assert_int_equal(ws_system_memory_node(&node, NULL), WS_EABSENT);
	assert_int_equal(node, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(without_any_file_all_is_absent, tree_setup, tree_teardown),
		cmocka_unit_test_setup_teardown(huge_pages, tree_setup, tree_teardown),
		cmocka_unit_test_setup_teardown(kernel_processor_and_hypervisor, tree_setup, tree_teardown),
		cmocka_unit_test_setup_teardown(governors_are_named_once, tree_setup, tree_teardown),
		cmocka_unit_test_setup_teardown(steal_time_counts_in_nanoseconds, tree_setup, tree_teardown),
		cmocka_unit_test_setup_teardown(limits_of_control_groups_v2, tree_setup, tree_teardown),
		cmocka_unit_test_setup_teardown(limits_of_control_groups_v1, tree_setup, tree_teardown),
		cmocka_unit_test_setup_teardown(memory_that_can_be_had, tree_setup, tree_teardown),
		cmocka_unit_test(memory_policy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
