/* What the dialect rblnBandwidthLatencyTest prints of a machine, against the samples of its pages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "dialect/rbln.h"
#include "tree.h"

/* Two switches at one socket with two devices each, and a device at a root port of the other socket. */
#define ROOT "/sys/devices/pci0000:00/0000:00:01."
#define FOLDERS 11
static const struct {
	const char *folder, *vendor, *device, *revision;
} functions[FOLDERS] = {
	{ROOT "1", "0x1022", "0x14ab", "0x00"},
	{ROOT "1/0000:01:00.0", "0x1000", "0xc030", "0xb0"},
	{ROOT "1/0000:01:00.0/0000:02:00.0", "0x1000", "0xc030", "0xb0"},
	{ROOT "1/0000:01:00.0/0000:02:00.0/0000:05:00.0", "0x1eff", "0x1250", "0x03"},
	{ROOT "1/0000:01:00.0/0000:02:01.0", "0x1000", "0xc030", "0xb0"},
	{ROOT "1/0000:01:00.0/0000:02:01.0/0000:06:00.0", "0x1eff", "0x1250", "0x03"},
	{ROOT "2", "0x1022", "0x14ab", "0x00"},
	{ROOT "2/0000:41:00.0", "0x1000", "0xc030", "0xb0"},
	{ROOT "2/0000:41:00.0/0000:42:00.0", "0x1000", "0xc030", "0xb0"},
	{ROOT "2/0000:41:00.0/0000:42:00.0/0000:45:00.0", "0x1eff", "0x1250", "0x03"},
	{"/sys/devices/pci0000:c0/0000:c0:01.1/0000:ce:00.0", "0x1eff", "0x1250", "0x03"},
};

static void put(const char *root, const char *folder, const char *file, const char *text)
{
	char path[PATH_MAX];

	assert_true(snprintf(path, sizeof(path), "%s/%s", folder, file) < PATH_MAX);
	tree_put(root, path, text);
}

/* Payload and read request of 512 bytes. */
static void put_config(const char *root, const char *folder)
{
	uint8_t bytes[256] = {[0] = 0xff, [1] = 0x1e, [0x06] = 0x10, [0x34] = 0x60, [0x60] = 0x10, [0x62] = 2};
	char path[PATH_MAX];

	bytes[0x68] = 2 << 5;
	bytes[0x69] = 2 << 4;
	bytes[0x6c] = bytes[0x72] = 5;
	bytes[0x6d] = bytes[0x73] = 1;
	assert_true(snprintf(path, sizeof(path), "%s/config", folder) < PATH_MAX);
	tree_put_bytes(root, path, bytes, sizeof(bytes));
}

static void put_device(const char *root, const char *folder, int group)
{
	char target[PATH_MAX], path[PATH_MAX];

	put(root, folder, "current_link_speed", "32.0 GT/s PCIe\n");
	put(root, folder, "current_link_width", "16\n");
	put(root, folder, "max_link_speed", "32.0 GT/s PCIe\n");
	put(root, folder, "max_link_width", "16\n");
	put(root, folder, "numa_node", strstr(folder, ":ce:") ? "1\n" : "0\n");
	put_config(root, folder);
	snprintf(path, sizeof(path), "/sys/kernel/iommu_groups/%d", group);
	put(root, path, "type", "DMA\n");
	snprintf(target, sizeof(target), "%s%s", root, path);
	assert_true(snprintf(path, sizeof(path), "%s/iommu_group", folder) < PATH_MAX);
	tree_link(root, path, target);
}

static void put_machine(const char *root, const char *flags)
{
	char text[300];

	snprintf(text, sizeof(text),
		 "processor\t: 0\nvendor_id\t: AuthenticAMD\nmodel name\t: AMD EPYC 9254 24-Core Processor\n"
		 "flags\t\t: fpu %s sse\n\n",
		 flags);
	tree_put(root, "/proc/cpuinfo", text);
	for (int i = 0, group = 70; i < FOLDERS; i++) {
		char path[PATH_MAX], target[PATH_MAX];

		put(root, functions[i].folder, "vendor", functions[i].vendor);
		put(root, functions[i].folder, "device", functions[i].device);
		put(root, functions[i].folder, "revision", functions[i].revision);
		if (strcmp(functions[i].vendor, "0x1eff") == 0)
			put_device(root, functions[i].folder, group++);
		snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s", strrchr(functions[i].folder, '/') + 1);
		snprintf(target, sizeof(target), "%s%s", root, functions[i].folder);
		tree_link(root, path, target);
	}
}

static const char *const addresses[] = {"0000:05:00.0", "0000:06:00.0", "0000:45:00.0", "0000:ce:00.0"};
#define DEVICES 4
static struct ws_place_facts facts[DEVICES];

static void make_devices(struct rbln_device devices[DEVICES])
{
	for (int i = 0; i < DEVICES; i++) {
		facts[i] = (struct ws_place_facts){.name = "RBLN-CA25", .numa_node = -1};
		strcpy(facts[i].pci, addresses[i]);
		devices[i] = (struct rbln_device){.facts = &facts[i], .id = i};
		snprintf(devices[i].label, sizeof(devices[i].label), "rbln%d", i);
	}
}

static char *print(const char *root, int count, bool details)
{
	struct rbln_device devices[DEVICES];
	char *text = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);

	assert_non_null(to);
	make_devices(devices);
	rbln_print_machine(devices, count, root, details, to);
	assert_int_equal(fclose(to), 0);
	return text;
}

#define LINK_LINES                                                                                                     \
	"                                   PCIe full bandwidth 64.0 GB/s (MAX: 64.0), PCIe Gen 5 (MAX: 5), 16 lane "  \
	"(MAX: 16)\n"                                                                                                  \
	"                                   MaxPayload 512 bytes, MaxReadReq 512 bytes\n"

static void the_report_is_that_of_the_pages(void **state)
{
	char *text;

	put_machine(*state, "vmx");
	tree_put(*state, "/usr/share/misc/pci.ids",
		 "# comment\n1000  Broadcom / LSI\n\tc010  PEX880xx PCIe Gen 4 Switch\n"
		 "\tc030  PEX890xx PCIe Gen 5 Switch\n\t\t1000 100b  No device\n1022  Advanced Micro Devices, Inc. "
		 "[AMD]\n"
		 "C 06  Bridge\n");
	text = print(*state, 2, true);
	assert_string_equal(
		text,
		"CPU : AMD EPYC 9254 24-Core Processor, Vendor ID : AuthenticAMD\n"
		"Device :\n"
		"0000:00:01.1/01:00.0 PCI bridge: Broadcom / LSI PEX890xx PCIe Gen 5 Switch (rev b0)\n"
		"    0000:05:00.0 NODE 0, rbln0, RBLN-CA25(rev-03), pciDevID: 0x1250, NUMA: 0, IOMMU: 70\n" LINK_LINES
		"    0000:06:00.0 NODE 1, rbln1, RBLN-CA25(rev-03), pciDevID: 0x1250, NUMA: 0, IOMMU: 71\n" LINK_LINES);
	free(text);
	/* Without names, by numbers; a link that is trained low beside what it can. */
	assert_int_equal(unlink(strcat(strcpy((char[PATH_MAX]){""}, *state), "/usr/share/misc/pci.ids")), 0);
	put(*state, functions[10].folder, "current_link_speed", "8.0 GT/s PCIe\n");
	put(*state, functions[10].folder, "current_link_width", "8\n");
	text = print(*state, 4, false);
	assert_string_equal(
		text, "CPU : AMD EPYC 9254 24-Core Processor, Vendor ID : AuthenticAMD\n"
		      "Device :\n"
		      "0000:00:01.1/01:00.0 PCI bridge: Device 1000:c030 (rev b0)\n"
		      "    0000:05:00.0 NODE 0, rbln0, RBLN-CA25(rev-03), pciDevID: 0x1250, NUMA: 0, IOMMU: 70\n"
		      "    0000:06:00.0 NODE 1, rbln1, RBLN-CA25(rev-03), pciDevID: 0x1250, NUMA: 0, IOMMU: 71\n"
		      "0000:00:01.2/41:00.0 PCI bridge: Device 1000:c030 (rev b0)\n"
		      "    0000:45:00.0 NODE 2, rbln2, RBLN-CA25(rev-03), pciDevID: 0x1250, NUMA: 0, IOMMU: 72\n"
		      "0000:c0:01.1 PCI bridge: -\n"
		      "    0000:ce:00.0 NODE 3, rbln3, RBLN-CA25(rev-03), pciDevID: 0x1250, NUMA: 1, IOMMU: 73\n");
	free(text);
	text = print(*state, 4, true);
	assert_non_null(
		strstr(text, "PCIe full bandwidth 8.0 GB/s (MAX: 64.0), PCIe Gen 3 (MAX: 5), 8 lane (MAX: 16)\n"));
	free(text);
}

/* In a virtual machine the bridges are made up, and devices stand for themselves. */
static void what_is_not_known_is_a_dash(void **state)
{
	char *text;

	put_machine(*state, "hypervisor");
	text = print(*state, 1, true);
	assert_string_equal(
		text,
		"CPU : AMD EPYC 9254 24-Core Processor, Vendor ID : AuthenticAMD\n"
		"Device :\n"
		"0000:05:00.0 NODE 0, rbln0, RBLN-CA25(rev-03), pciDevID: 0x1250, NUMA: 0, IOMMU: 70\n" LINK_LINES);
	free(text);
	text = print("/nowhere", 1, true);
	assert_string_equal(text, "CPU : -, Vendor ID : -\n"
				  "Device :\n"
				  "0000:05:00.0 NODE 0, rbln0, RBLN-CA25(rev--), pciDevID: -, NUMA: -, IOMMU: -\n"
				  "                                   PCIe full bandwidth - GB/s (MAX: -), PCIe Gen - "
				  "(MAX: -), - lane (MAX: -)\n"
				  "                                   MaxPayload - bytes, MaxReadReq - bytes\n");
	free(text);
}

static char *print_distances(const char *root, const int *rows, int row_count, const struct rbln_layout *layout)
{
	struct rbln_device devices[DEVICES];
	char *text = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);

	assert_non_null(to);
	make_devices(devices);
	rbln_print_distances(devices, DEVICES, rows, row_count, layout, root, to);
	assert_int_equal(fclose(to), 0);
	return text;
}

static void distances_count_links(void **state)
{
	static const int all[] = {0, 1, 2, 3}, two[] = {1, 0};
	char *text;

	put_machine(*state, "vmx");
	text = print_distances(*state, all, 4, &(struct rbln_layout){5, 3});
	assert_string_equal(text, "P2P Connectivity Distance\n"
				  "rbln0  0  4  8  6\n"
				  "rbln1  4  0  8  6\n"
				  "rbln2  8  8  0  6\n"
				  "rbln3  6  6  6  0\n");
	free(text);
	text = print_distances(*state, two, 2, &(struct rbln_layout){9, 4});
	assert_string_equal(text, "P2P Connectivity Distance\n"
				  "rbln1       4   0   8   6\n"
				  "rbln0       0   4   8   6\n");
	free(text);
}

static void distances_are_unknown_where_a_hypervisor_is(void **state)
{
	static const int all[] = {0, 1};
	char *text;

	put_machine(*state, "hypervisor");
	text = print_distances(*state, all, 2, &(struct rbln_layout){5, 3});
	assert_string_equal(text, "P2P Connectivity Distance\n"
				  "rbln0  0  -  -  -\n"
				  "rbln1  -  0  -  -\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_report_is_that_of_the_pages, tree_setup, tree_teardown),
		cmocka_unit_test_setup_teardown(what_is_not_known_is_a_dash, tree_setup, tree_teardown),
		cmocka_unit_test_setup_teardown(distances_count_links, tree_setup, tree_teardown),
		cmocka_unit_test_setup_teardown(distances_are_unknown_where_a_hypervisor_is, tree_setup, tree_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
