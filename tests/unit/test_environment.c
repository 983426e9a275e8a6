/* The rows that stand in every result: what is in them, and what must not be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>

#include "machine/environment.h"
#include "machine/environment_variable.h"
#include "tree.h"

static void assert_row(const struct ws_environment *environment, const char *name, const char *value)
{
	const struct ws_environment_row *row = ws_environment_find(environment, name);

	if (!row)
		fail_msg("no row %s", name);
	if (!row->value)
		fail_msg("%s: %s", name, row->reason);
	assert_null(row->reason);
	assert_string_equal(row->value, value);
}

static void a_bare_root_has_reasons_only(void **state)
{
	struct ws_environment environment = {0};
	size_t i;

	assert_int_equal(ws_environment_init(&environment, *state, NULL, NULL), WS_OK);
	assert_true(environment.count > 10);
	for (i = 0; i < environment.count; i++) {
		assert_null(environment.rows[i].value);
		assert_true(environment.rows[i].reason[0] != '\0');
		assert_false(environment.rows[i].variable);
	}
	ws_environment_release(&environment);
	assert_int_equal(environment.count, 0);
}

static void a_recorded_root(void **state)
{
	const char *const root = *state;
	struct ws_environment environment = {0};

	tree_put(root, "/proc/sys/kernel/osrelease", "6.1.0\n");
	tree_put(root, "/proc/cmdline", "root=UUID=1234 intel_iommu=on secret=1 hugepages=16 iommu=pt\n");
	tree_put(root, "/proc/cpuinfo", "processor: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd4f\n");
	tree_put(root, "/sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]\n");
	tree_put(root, "/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "16\n");
	tree_put(root, "/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", "15\n");
	tree_put(root, "/sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
	tree_put(root, "/sys/devices/system/cpu/smt/active", "1\n");
	tree_put(root, "/proc/sys/kernel/numa_balancing", "0\n");
	tree_put(root, "/proc/self/cgroup", "0::/a\n");
	tree_put(root, "/sys/fs/cgroup/a/memory.max", "1048576\n");
	tree_put(root, "/sys/fs/cgroup/a/cpu.max", "25000 100000\n");
	assert_int_equal(ws_environment_init(&environment, root, NULL, NULL), WS_OK);
	assert_row(&environment, "kernel", "6.1.0");
	assert_row(&environment, "kernel_options", "intel_iommu=on hugepages=16 iommu=pt");
	assert_row(&environment, "cpu_model", "Arm implementer 0x41 part 0xd4f");
	assert_row(&environment, "transparent_hugepage", "never");
	assert_row(&environment, "huge_pages", "16 of 2048 KiB (15 free)");
	assert_row(&environment, "turbo", "off");
	assert_row(&environment, "smt", "on");
	assert_row(&environment, "numa_balancing", "off");
	assert_row(&environment, "cgroup_memory_limit", "1048576 bytes");
	assert_row(&environment, "cgroup_cpu_quota", "25 % of one CPU");
	assert_null(ws_environment_find(&environment, "architecture")->value);
	ws_environment_release(&environment);
}

static void variables_that_matter_are_shown(void **state)
{
	char *variables[] = {"UCX_TLS=rc,\001\303\244",	 "HOME=/home/me",
			     "CUDA_VISIBLE_DEVICES=1,0", "OMP_NUM_THREADS=",
			     "WIRESPEED_KEY=hunter2",	 "NCCL_IB_HCA=mlx5_0:1",
			     "MY_NCCL_DEBUG=1",		 "NCCL_COMM_ID=10.0.0.1:2345",
			     "no equals sign",		 NULL};
	struct ws_environment environment = {0};
	const struct ws_environment_row *row;
	json_t *object = NULL;
	size_t i, found = 0;

	(void)state;
	assert_int_equal(ws_environment_init(&environment, "/nowhere", variables, NULL), WS_OK);
	assert_row(&environment, "CUDA_VISIBLE_DEVICES", "1,0");
	assert_row(&environment, "NCCL_IB_HCA", "mlx5_0:1");
	assert_row(&environment, "OMP_NUM_THREADS", "");
	assert_row(&environment, "UCX_TLS", "rc,???");
	row = ws_environment_find(&environment, "NCCL_COMM_ID");
	assert_non_null(row);
	assert_null(row->value);
	assert_non_null(strstr(row->reason, "network address"));
	for (i = 0; i < environment.count; i++) {
		row = &environment.rows[i];
		found += row->variable;
		assert_null(row->value ? strstr(row->value, "hunter2") : NULL);
		if (row->variable && i > 0 && row[-1].variable)
			assert_true(strcmp(row[-1].name, row->name) < 0);
	}
	assert_int_equal(found, 5);
	assert_int_equal(ws_environment_json(&environment, &object, NULL), WS_OK);
	assert_string_equal(json_string_value(json_object_get(json_object_get(object, "variables"), "UCX_TLS")),
			    "rc,???");
	assert_true(json_is_null(json_object_get(json_object_get(object, "facts"), "kernel")));
	assert_non_null(json_string_value(json_object_get(json_object_get(object, "reasons"), "kernel")));
	assert_null(json_object_get(json_object_get(object, "reasons"), "UCX_TLS"));
	json_decref(object);
	ws_environment_release(&environment);
}

static void secrets_and_addresses_are_not(void **state)
{
	static const char *const secret[] = {"WIRESPEED_KEY", "WIRESPEED_KEY_FILE", "NCCL_SECRET", "UCX_TOKEN", "PATH",
					     "HOSTNAME",      "SSH_CONNECTION",	    "OMPX",	   ""};
	static const char *const hidden[] = {"10.1.2.3",
					     "tcp://10.1.2.3:99",
					     "x=1.2.3.4",
					     "fe80::1",
					     "00:1a:2b:3c:4d:5e",
					     "GPU-12345678-9abc-def0-1234-56789abcdef0",
					     "MIG-01234567-89ab-cdef-0123-456789abcdef"};
	static const char *const shown[] = {"1,0",	   "eth0",	 "mlx5_0:1", "0000:3b:00.0", "1.2.3", "2.18.3",
					    "^docker0,lo", "/opt/a-b/c", "0-3,8",    "cores(2):1",   "1.5",   "",
					    "12345678-12"};

	size_t i;

	(void)state;
	for (i = 0; i < sizeof(secret) / sizeof(secret[0]); i++)
		assert_false(ws_variable_matters(secret[i]));
	for (i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++)
		if (!ws_variable_hidden("UCX_X", hidden[i]))
			fail_msg("\"%s\" would be shown", hidden[i]);
	for (i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
		if (ws_variable_hidden("UCX_X", shown[i]))
			fail_msg("\"%s\" would be hidden", shown[i]);
	assert_non_null(ws_variable_hidden("WIRESPEED_PEER", "anything"));
	assert_null(ws_variable_hidden("HWLOC_FSROOT", "/recorded/machine"));
}

static void this_machine_has_a_kernel(void **state)
{
	struct ws_environment environment = {0};

	(void)state;
	assert_int_equal(ws_environment_init(&environment, "", NULL, NULL), WS_OK);
	assert_non_null(ws_environment_find(&environment, "kernel")->value);
	assert_non_null(ws_environment_find(&environment, "architecture")->value);
	assert_non_null(ws_environment_find(&environment, "memory_lock_limit")->value);
	assert_null(ws_environment_find(&environment, "no such row"));
	ws_environment_release(&environment);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_bare_root_has_reasons_only, tree_setup, tree_teardown),
		cmocka_unit_test_setup_teardown(a_recorded_root, tree_setup, tree_teardown),
		cmocka_unit_test(variables_that_matter_are_shown),
		cmocka_unit_test(secrets_and_addresses_are_not),
		cmocka_unit_test(this_machine_has_a_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
