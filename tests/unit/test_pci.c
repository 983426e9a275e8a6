/* PCI Express facts and limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>

#include "machine/pci.h"
#include "tree.h"

static void assert_near(double value, double expected, double tolerance)
{
	if (!(value >= expected - tolerance && value <= expected + tolerance))
		fail_msg("%g is not within %g of %g", value, tolerance, expected);
}

/* The figures of the common tables, in GB/s to the digits they print. */
static void limits_match_the_tables(void **state)
{
	static const struct {
		uint32_t speed_mtps, width;
		double gb_per_s;
	} raw[] = {
		{2500, 16, 4.00},   {5000, 16, 8.00},	{8000, 16, 15.75}, {16000, 16, 31.51},
		{32000, 16, 63.02}, {64000, 16, 121.0}, {8000, 8, 7.88},   {16000, 4, 7.88},
		{32000, 8, 31.51},  {64000, 4, 30.25},	{2500, 1, 0.25},   {128000, 16, 242.0},
	};
	static const struct {
		uint32_t speed_mtps, payload;
		enum ws_pci_traffic traffic;
		double gb_per_s;
	} packets[] = {
		{8000, 128, WS_PCI_READS, 13.62},   {8000, 256, WS_PCI_READS, 14.61},
		{8000, 512, WS_PCI_READS, 15.16},   {16000, 128, WS_PCI_READS, 27.25},
		{16000, 256, WS_PCI_READS, 29.22},  {16000, 512, WS_PCI_READS, 30.32},
		{32000, 128, WS_PCI_READS, 54.50},  {32000, 256, WS_PCI_READS, 58.45},
		{32000, 512, WS_PCI_READS, 60.65},  {32000, 128, WS_PCI_WRITES, 53.07},
		{32000, 256, WS_PCI_WRITES, 57.61}, {32000, 512, WS_PCI_WRITES, 60.19},
	};
	double rate;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(raw) / sizeof(raw[0]); i++) {
		assert_int_equal(ws_pci_raw_bytes_per_s(raw[i].speed_mtps, raw[i].width, &rate, NULL), WS_OK);
		assert_near(rate / 1e9, raw[i].gb_per_s, 0.0051);
	}
	for (i = 0; i < sizeof(packets) / sizeof(packets[0]); i++) {
		assert_int_equal(ws_pci_payload_bytes_per_s(packets[i].speed_mtps, 16, packets[i].payload,
							    packets[i].traffic, &rate, NULL),
				 WS_OK);
		assert_near(rate / 1e9, packets[i].gb_per_s, 0.0101);
	}
	rate = 7;
	assert_int_equal(ws_pci_raw_bytes_per_s(0, 16, &rate, NULL), WS_EUNSUPPORTED);
	assert_int_equal(ws_pci_raw_bytes_per_s(8000, 0, &rate, NULL), WS_EUNSUPPORTED);
	assert_int_equal(ws_pci_raw_bytes_per_s(8000, 33, &rate, NULL), WS_EUNSUPPORTED);
	assert_int_equal(ws_pci_payload_bytes_per_s(8000, 16, 0, WS_PCI_READS, &rate, NULL), WS_EUNSUPPORTED);
	assert_true(rate == 7);
}

/*
 * Fills 256 bytes of configuration space: a power management capability at 0x40, then PCI Express at 0x60 with the
 * given type, link capabilities and status, payload 256, read request 512, relaxed ordering, extended tags.
 */
static void make_config(uint8_t bytes[256], unsigned type, unsigned most, unsigned now)
{
	memset(bytes, 0, 256);
	bytes[0x00] = 0xde;
	bytes[0x01] = 0x10;
	bytes[0x06] = 0x10;
	bytes[0x34] = 0x40;
	bytes[0x40] = 0x01;
	bytes[0x41] = 0x60;
	bytes[0x60] = 0x10;
	bytes[0x62] = (uint8_t)(type << 4 | 2);
	bytes[0x68] = 1 << 5 | 1 << 4;
	bytes[0x69] = 2 << 4 | 1;
	bytes[0x6c] = (uint8_t)most;
	bytes[0x6d] = (uint8_t)(most >> 8);
	bytes[0x72] = (uint8_t)now;
	bytes[0x73] = (uint8_t)(now >> 8);
}

static void configuration_space_is_parsed(void **state)
{
	struct ws_pci_config config;
	uint8_t bytes[256];

	(void)state;
	make_config(bytes, 0, 5 | 16 << 4, 1 | 8 << 4 | 0x4000);
	ws_pci_config_parse(bytes, sizeof(bytes), &config);
	assert_null(config.reason);
	assert_true(config.port_type.known && config.most.speed_mtps.known && config.now.width.known);
	assert_int_equal(config.most.speed_mtps.value, 32000);
	assert_int_equal(config.most.width.value, 16);
	assert_int_equal(config.now.speed_mtps.value, 2500);
	assert_int_equal(config.now.width.value, 8);
	assert_int_equal(config.payload_bytes.value, 256);
	assert_int_equal(config.read_request_bytes.value, 512);
	assert_int_equal(config.relaxed_ordering.value, 1);
	assert_int_equal(config.extended_tags.value, 1);
	assert_int_equal(config.bandwidth_changed.value, 1);
	/* A link that is down has no rate; a part of the root complex no link. */
	make_config(bytes, 0, 5 | 16 << 4, 0);
	ws_pci_config_parse(bytes, sizeof(bytes), &config);
	assert_false(config.now.width.known || config.now.speed_mtps.known);
	make_config(bytes, 9, 5 | 16 << 4, 5 | 16 << 4);
	ws_pci_config_parse(bytes, sizeof(bytes), &config);
	assert_true(config.payload_bytes.known);
	assert_false(config.most.width.known || config.now.width.known);
}

static void what_configuration_space_does_not_say(void **state)
{
	struct ws_pci_config config;
	uint8_t bytes[256];
	size_t length;

	(void)state;
	make_config(bytes, 0, 5 | 16 << 4, 5 | 16 << 4);
	ws_pci_config_parse(bytes, 64, &config);
	assert_string_equal(config.reason, "configuration space beyond 64 bytes needs privileges");
	for (length = 0; length < 0x60 + 0x14; length++) {
		ws_pci_config_parse(bytes, length, &config);
		assert_non_null(config.reason);
		assert_false(config.payload_bytes.known || config.now.width.known || config.port_type.known);
	}
	bytes[0x60] = 0x05; /* a loop of capabilities */
	bytes[0x61] = 0x40;
	ws_pci_config_parse(bytes, sizeof(bytes), &config);
	assert_string_equal(config.reason, "no PCI Express capability");
	bytes[0x06] = 0;
	ws_pci_config_parse(bytes, sizeof(bytes), &config);
	assert_string_equal(config.reason, "not a PCI Express device");
	memset(bytes, 0xff, sizeof(bytes));
	ws_pci_config_parse(bytes, sizeof(bytes), &config);
	assert_string_equal(config.reason, "the device does not answer");
}

static void put(const char *root, const char *folder, const char *file, const char *text)
{
	char path[PATH_MAX];

	assert_true(snprintf(path, sizeof(path), "%s/%s", folder, file) < PATH_MAX);
	tree_put(root, path, text);
}

static void put_rates(const char *root, const char *folder, const char *now, const char *width, const char *most,
		      const char *most_width)
{
	put(root, folder, "current_link_speed", now);
	put(root, folder, "current_link_width", width);
	put(root, folder, "max_link_speed", most);
	put(root, folder, "max_link_width", most_width);
}

#define ROOT_PORT "/sys/devices/pci0000:00/0000:00:01.0"
#define UPSTREAM ROOT_PORT "/0000:01:00.0"
#define DOWNSTREAM UPSTREAM "/0000:02:04.0"
#define DEVICE DOWNSTREAM "/0000:03:00.0"

/* A Gen5 device, asleep at Gen1, below a Gen5 switch that hangs on eight Gen4 lanes. */
static void put_switch(const char *root)
{
	uint8_t bytes[256];
	size_t i;
	static const struct {
		const char *folder;
		unsigned type;
	} configs[] = {{DEVICE, 0}, {DOWNSTREAM, 6}, {UPSTREAM, 5}, {ROOT_PORT, 4}};
	char path[PATH_MAX];

	put_rates(root, DEVICE, "2.5 GT/s PCIe\n", "16\n", "32.0 GT/s PCIe\n", "16\n");
	put_rates(root, DOWNSTREAM, "2.5 GT/s PCIe\n", "16\n", "32.0 GT/s PCIe\n", "16\n");
	put_rates(root, UPSTREAM, "16.0 GT/s PCIe\n", "8\n", "32.0 GT/s PCIe\n", "16\n");
	put_rates(root, ROOT_PORT, "16.0 GT/s PCIe\n", "8\n", "16.0 GT/s PCIe\n", "8\n");
	put(root, DEVICE, "numa_node", "1\n");
	put(root, DEVICE, "vendor", "0x10de\n");
	put(root, DEVICE, "class", "0x030200\n");
	put(root, ROOT_PORT, "numa_node", "-1\n");
	for (i = 0; i < 4; i++) {
		make_config(bytes, configs[i].type, 5 | 16 << 4, 1 | 16 << 4);
		assert_true(snprintf(path, sizeof(path), "%s/config", configs[i].folder) < PATH_MAX);
		tree_put_bytes(root, path, bytes, sizeof(bytes));
	}
	tree_link(root, "/sys/bus/pci/devices/0000:03:00.0", "../../../.." DEVICE);
	tree_put(root, "/sys/kernel/iommu_groups/42/type", "identity\n");
	tree_link(root, DEVICE "/iommu_group", "../../../../../../kernel/iommu_groups/42");
}

static void read_path(const char *root, struct ws_pci_path *path)
{
	const struct ws_pci_address address = {0, 3, 0, 0};
	struct ws_error error = {0};

	if (ws_pci_path_read(root, &address, path, &error))
		fail_msg("%s", error.text);
}

static void a_path_through_a_switch(void **state)
{
	struct ws_pci_path path;
	struct ws_pci_limit limit;

	put_switch(*state);
	read_path(*state, &path);
	assert_int_equal(path.function_count, 4);
	assert_int_equal(path.link_count, 2);
	assert_int_equal(path.functions[0].vendor.value, 0x10de);
	assert_int_equal(path.functions[0].class_code.value, 0x030200);
	assert_int_equal(path.functions[0].node.value, 1);
	assert_int_equal(path.functions[0].iommu_group.value, 42);
	assert_string_equal(path.functions[0].iommu_type, "identity");
	assert_false(path.functions[3].node.known);
	assert_int_equal(path.functions[3].config.port_type.value, 4);
	assert_int_equal(path.links[1].far, 2);
	assert_int_equal(path.links[1].near, 3);
	assert_int_equal(path.links[1].most.speed_mtps.value, 16000);
	assert_int_equal(path.links[1].most.width.value, 8);
	assert_int_equal(path.links[0].payload_bytes.value, 256);

	assert_int_equal(ws_pci_path_limit(&path, WS_PCI_AT_MOST, WS_PCI_READS, &limit, NULL), WS_OK);
	assert_int_equal(limit.link, 1);
	assert_near(limit.raw_bytes_per_s / 1e9, 15.75, 0.01);
	assert_true(limit.payload_known);
	assert_near(limit.payload_bytes_per_s / 1e9, 14.61, 0.01);
	assert_int_equal(ws_pci_path_limit(&path, WS_PCI_NOW, WS_PCI_WRITES, &limit, NULL), WS_OK);
	assert_int_equal(limit.link, 0);
	assert_near(limit.raw_bytes_per_s / 1e9, 4.00, 0.01);
}

static void expect_json(const char *root, const char *address, const char *expected)
{
	struct ws_error error = {0};
	json_t *json;
	char *text;

	if (ws_pci_json(root, address, &json, &error) != WS_OK)
		fail_msg("%s", error.text);
	text = json_dumps(json, JSON_COMPACT);
	assert_string_equal(text, expected);
	free(text);
	json_decref(json);
}

#define OWN_LINK                                                                                                       \
	"{\"port\":\"0000:03:00.0\",\"speed_mtps\":2500,\"width\":16,\"speed_mtps_max\":32000,\"width_max\":16,"      \
	"\"max_payload_bytes\":256}"

static void a_path_as_json(void **state)
{
	json_t *json = NULL;

	put_switch(*state);
	tree_put(*state, "/proc/cpuinfo", "flags : fpu sse\n");
	expect_json(*state, "00000000:03:00.0",
		    "{\"address\":\"0000:03:00.0\",\"node\":1,\"links\":[" OWN_LINK
		    ",{\"port\":\"0000:01:00.0\",\"speed_mtps\":16000,\"width\":8,\"speed_mtps_max\":16000,\"width_max\":8,"
		    "\"max_payload_bytes\":256}]}");
	/* Ports of a hypervisor's making tell nothing of the machine. */
	tree_put(*state, "/proc/cpuinfo", "flags : fpu hypervisor sse\n");
	expect_json(*state, "0000:03:00.0", "{\"address\":\"0000:03:00.0\",\"node\":1,\"links\":[" OWN_LINK "]}");
	expect_json(*state, "0000:09:00.0", "{\"address\":\"0000:09:00.0\"}");
	assert_int_equal(ws_pci_json(*state, "cuda0", &json, NULL), WS_EINVAL);
	assert_null(json);
}

static void an_unknown_hop_makes_the_limit_unknown(void **state)
{
	struct ws_pci_path path;
	struct ws_pci_limit limit = {.raw_bytes_per_s = 7};
	struct ws_error error = {0};
	uint8_t bytes[64] = {0xde, 0x10, 0, 0, 0, 0, 0x10};

	put_switch(*state);
	tree_put_bytes(*state, UPSTREAM "/config", bytes, sizeof(bytes));
	read_path(*state, &path);
	assert_int_equal(ws_pci_path_limit(&path, WS_PCI_AT_MOST, WS_PCI_READS, &limit, NULL), WS_OK);
	assert_false(limit.payload_known);
	assert_true(limit.payload_bytes_per_s == 0);
	assert_near(limit.raw_bytes_per_s / 1e9, 15.75, 0.01);

	put(*state, UPSTREAM, "max_link_speed", "Unknown\n");
	read_path(*state, &path);
	limit.raw_bytes_per_s = 7;
	assert_int_equal(ws_pci_path_limit(&path, WS_PCI_AT_MOST, WS_PCI_READS, &limit, &error), WS_EABSENT);
	assert_non_null(strstr(error.text, "0000:01:00.0"));
	assert_true(limit.raw_bytes_per_s == 7);

	put_rates(*state, UPSTREAM, "Unknown\n", "0\n", "32.0 GT/s PCIe\n", "255\n");
	read_path(*state, &path);
	assert_false(path.functions[2].now.speed_mtps.known);
	assert_false(path.functions[2].now.width.known);
	assert_false(path.functions[2].most.width.known);
	/* The other end of the same link still tells how it was trained. */
	assert_int_equal(path.links[1].now.width.value, 8);
}

static void a_device_without_visible_ports(void **state)
{
	const struct ws_pci_address absent = {0, 9, 0, 0};
	struct ws_pci_path path;
	struct ws_pci_limit limit;
	struct ws_error error = {0};

	put(*state, "/sys/devices/pci0000:00/0000:03:00.0", "vendor", "0x1af4\n");
	tree_link(*state, "/sys/bus/pci/devices/0000:03:00.0", "../../../devices/pci0000:00/0000:03:00.0");
	read_path(*state, &path);
	assert_int_equal(path.function_count, 1);
	assert_int_equal(path.link_count, 0);
	assert_string_equal(path.functions[0].config.reason, "configuration space cannot be read");
	assert_false(path.functions[0].iommu_group.known);
	assert_int_equal(ws_pci_path_limit(&path, WS_PCI_NOW, WS_PCI_READS, &limit, &error), WS_EABSENT);
	assert_non_null(strstr(error.text, "no PCI Express link"));
	put_rates(*state, "/sys/devices/pci0000:00/0000:03:00.0", "32.0 GT/s PCIe\n", "16\n", "32.0 GT/s PCIe\n",
		  "16\n");
	read_path(*state, &path);
	assert_int_equal(path.link_count, 1);
	assert_true(path.links[0].near == WS_PCI_NO_PORT);
	assert_int_equal(ws_pci_path_limit(&path, WS_PCI_NOW, WS_PCI_READS, &limit, NULL), WS_OK);
	assert_near(limit.raw_bytes_per_s / 1e9, 63.02, 0.01);
	assert_int_equal(ws_pci_path_read(*state, &absent, &path, NULL), WS_EABSENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limits_match_the_tables),
		cmocka_unit_test(configuration_space_is_parsed),
		cmocka_unit_test(what_configuration_space_does_not_say),
		cmocka_unit_test_setup_teardown(a_path_through_a_switch, tree_setup, tree_teardown),
		cmocka_unit_test_setup_teardown(a_path_as_json, tree_setup, tree_teardown),
		cmocka_unit_test_setup_teardown(an_unknown_hop_makes_the_limit_unknown, tree_setup, tree_teardown),
		cmocka_unit_test_setup_teardown(a_device_without_visible_ports, tree_setup, tree_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
