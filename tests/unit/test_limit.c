/* Limits of paths from facts made by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include <jansson.h>

#include "base/item.h"
#include "base/record.h"
#include "judge/limit.h"
#include "judge/limit_net.h"
#include "plan/plan_text.h"
#include "probe/fold.h"
#include "probe/probe.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void near(double value, double expected)
{
	if (fabs(value - expected) > 1e-9 * fabs(expected))
		fail_msg("%.12g is not %.12g", value, expected);
}

static void formulas(void **state)
{
	(void)state;
	/* H200: 18 links; GB200; before the fourth generation the rate is what the links carry. */
	near(ws_limit_nvlink(18, 26562, 4), 18 * 26.562 * 16 / 17);
	near(ws_limit_nvlink(18, 53125, 5), 900);
	near(ws_limit_nvlink(18, 26562, 0), 18 * 26.562 * 16 / 17);
	near(ws_limit_nvlink(12, 25000, 3), 300);
	near(ws_limit_nvlink(6, 25781, 0), 154.686);
	near(ws_limit_memory(3201, 6016), 4814.304);
	near(ws_limit_memory(715, 4096), 732.16);
	assert_int_equal(ws_limit_pcie_speed(3), 8000);
	assert_int_equal(ws_limit_pcie_speed(7), 128000);
	assert_int_equal(ws_limit_pcie_speed(0), 0);
	assert_int_equal(ws_limit_pcie_speed(8), 0);
}

/* Three flows: one held up by its own segment, two by what all share; one of the two passes it twice. */
static void what_one_leaves_the_others_get(void **state)
{
	struct ws_net net = {0};
	int own, shared, wide;

	(void)state;
	own = ws_net_segment(&net, "own");
	shared = ws_net_segment(&net, "shared");
	wide = ws_net_segment(&net, "wide");
	assert_int_equal(ws_net_segment(&net, "own"), own);
	net.segments[own] = (struct ws_segment){.name = "own", .known = true, .capacity = 10};
	net.segments[shared] = (struct ws_segment){.name = "shared", .known = true, .capacity = 100};
	net.segments[wide] = (struct ws_segment){.name = "wide", .known = true, .capacity = 1000};
	for (int i = 0; i < 3; i++) {
		struct ws_net_flow *flow = ws_net_add_flow(&net);

		ws_net_pass(flow, wide);
		ws_net_pass(flow, shared);
		if (i == 0)
			ws_net_pass(flow, own);
		if (i == 1)
			ws_net_pass(flow, shared);
	}
	ws_net_pass(ws_net_add_flow(&net), ws_net_segment(&net, "dark"));
	assert_int_equal(ws_net_fill(&net, NULL), WS_OK);
	near(net.flows[0].rate, 10);
	near(net.flows[1].rate, 30);
	near(net.flows[2].rate, 30);
	assert_int_equal(net.flows[0].bottleneck, own);
	assert_int_equal(net.flows[2].bottleneck, shared);
	assert_int_equal(net.flows[3].bottleneck, -1);
	assert_int_equal(ws_net_sharers(&net, shared), 3);
	ws_net_release(&net);
}

#define MEMORY "'memory_clock_mhz': 3201, 'memory_bus_bits': 6016, 'cache_bytes': 62914560"
#define PCIE "'pcie_generation': 5, 'pcie_width': 16, 'pcie_generation_max': 5, 'pcie_width_max': 16"
#define NVLINK "'nvlink': {'links': 18, 'link_mb_per_s': 26562, 'version': 4, 'peers': {'switch': 18}}"
#define H200 "{" MEMORY "," PCIE "," NVLINK "}"
#define LINK(port) "{'port': '" port "', 'speed_mtps': 32000, 'width': 16, 'max_payload_bytes': 256}"
#define RAW (32000e6 * 16 / 8 * 128 / 130 / 1e9)
#define WRITES (RAW * 256 / 280)
#define READS (RAW * 256 / 276)
#define NVLINKS (18 * 26.562 * 16 / 17)
#define HBM 4814.304

static const struct {
	const char *step, *path;
	double limit; /* 0 = not known */
	const char *reason;
} cases[] = {
	/* PCI Express: a device that writes and one that reads; headers and none. */
	{"device_to_host_memcpy_ce: cuda0 -> host0:pinned by cuda0.ce 8M/32M",
	 "{'cuda0': {" MEMORY "," PCIE ", 'pcie_max_payload_bytes': 256}, 'host0:pinned': {'pages': 'thp'}}", WRITES,
	 "PCIe Gen5 x16, MaxPayload 256: 57.6 GB/s"},
	{"host_to_device_memcpy_ce: host0:pinned -> cuda0 by cuda0.ce 8M/32M",
	 "{'cuda0': {" MEMORY "," PCIE ", 'pcie_max_payload_bytes': 256}}", READS, "PCIe Gen5 x16, MaxPayload 256: 58.4 GB/s"},
	{"host_to_device_memcpy_ce: host0:pinned -> cuda0 by cuda0.ce 8M/32M", "{'cuda0': " H200 "}", RAW,
	 "PCIe Gen5 x16, MaxPayload not known: 63.0 GB/s raw"},
	{"host_to_device_memcpy_ce: host0:pinned -> cuda0 by cuda0.ce 8M/32M",
	 "{'cuda0': {" MEMORY ", 'pcie_generation': 3, 'pcie_width': 8, 'pcie_generation_max': 5, 'pcie_width_max': 16}}",
	 8000e6 * 8 / 8 * 128 / 130 / 1e9, "PCIe Gen3 x8 (could be Gen5 x16), MaxPayload not known: 7.9 GB/s raw"},
	/* The driver knows the device's link best, the system its packets; without a driver's word the system knows all. */
	{"host_to_device_memcpy_ce: host0:pinned -> cuda0 by cuda0.ce 8M/32M",
	 "{'cuda0': {" MEMORY "," PCIE ", 'pci': {'links': [{'port': '0000:65:00.0', 'speed_mtps': 2500, 'width': 1, "
	 "'max_payload_bytes': 128}]}}}",
	 RAW * 128 / 148, "PCIe Gen5 x16, MaxPayload 128: 54.5 GB/s"},
	{"host_to_device_memcpy_ce: host0:pinned -> cuda0 by cuda0.ce 8M/32M",
	 "{'cuda0': {" MEMORY ", 'pci': {'links': [{'speed_mtps': 8000, 'width': 16, 'speed_mtps_max': 16000, 'width_max': 16}]}}}",
	 8000e6 * 16 / 8 * 128 / 130 / 1e9, "PCIe Gen3 x16 (could be Gen4 x16), MaxPayload not known: 15.8 GB/s raw"},
	/* A CPU that stores to a device writes. */
	{"custom: host0 -> cuda0 by host0.cpu 8M", "{'cuda0': {" MEMORY "," PCIE ", 'pcie_max_payload_bytes': 256}}", WRITES,
	 "PCIe Gen5 x16, MaxPayload 256: 57.6 GB/s"},
	/* Every link to the root counts, the narrowest one most. */
	{"device_to_host_memcpy_ce: r1/cuda0 -> r1/host0:pinned by r1/cuda0.ce 8M/32M",
	 "{'r1/cuda0': {" MEMORY "," PCIE ", 'pci': {'node': 0, 'links': [" LINK("0000:65:00.0")
	 ", {'port': '0000:60:01.0', 'speed_mtps': 16000, 'width': 16, 'max_payload_bytes': 512}]}}}",
	 16000e6 * 16 / 8 * 128 / 130 / 1e9 * 512 / 536, "PCIe Gen4 x16 at 0000:60:01.0, MaxPayload 512: 30.1 GB/s"},
	{"device_to_host_memcpy_ce: cuda0 -> host0:pinned by cuda0.ce 8M/32M",
	 "{'cuda0': {" MEMORY ", 'pci': {'links': [" LINK("0000:65:00.0") ", {'port': '0000:60:01.0'}]}}}", 0,
	 "the PCIe link at 0000:60:01.0 up does not tell its speed and width"},
	{"device_to_host_memcpy_ce: cuda0 -> host1:pinned by cuda0.ce 8M/32M",
	 "{'cuda0': {" MEMORY ", 'pci': {'node': 0, 'links': [" LINK("0000:65:00.0") "]}}}", 0,
	 "the way from host0 to host1 does not tell its speed"},
	/* Both ways at once go their own ways; interference the same way takes its share. */
	{"host_to_device_bidirectional_memcpy_sm: host0:pinned <-> cuda0 by cuda0.sm 8M/32M", "{'cuda0': " H200 "}", RAW,
	 "PCIe Gen5 x16, MaxPayload not known: 63.0 GB/s raw"},
	{"host_to_device_bidirectional_memcpy_ce: host0:pinned -> cuda0 by cuda0.ce 8M + cuda0 -> host0:pinned by cuda0.ce 16M "
	 "interfering",
	 "{'cuda0': " H200 "}", RAW, "PCIe Gen5 x16, MaxPayload not known: 63.0 GB/s raw"},
	{"all_to_host_memcpy_ce: cuda0 -> host0:pinned by cuda0.ce 8M + cuda1 -> host0:pinned by cuda1.ce 16M interfering",
	 "{'cuda0': {" MEMORY ", 'pci': {'links': [" LINK("0000:65:00.0") "," LINK("0000:60:01.0") "]}}, 'cuda1': {" MEMORY
	 ", 'pci': {'links': [" LINK("0000:66:00.0") "," LINK("0000:60:01.0") "]}}}",
	 WRITES / 2, "PCIe Gen5 x16 at 0000:60:01.0, MaxPayload 256: 57.6 GB/s, shared by 2"},
	/* All devices together: each its own link, or one for both. */
	{"all_to_host_sum_ce: cuda0 -> host0:pinned by cuda0.ce 8M + cuda1 -> host0:pinned by cuda1.ce 8M",
	 "{'cuda0': " H200 ", 'cuda1': " H200 "}", 2 * RAW, "PCIe Gen5 x16, MaxPayload not known: 63.0 GB/s raw, one of 2"},
	{"all_to_host_sum_ce: cuda0 -> host0:pinned by cuda0.ce 8M + cuda1 -> host0:pinned by cuda1.ce 8M",
	 "{'cuda0': {" MEMORY ", 'pci': {'links': [" LINK("0000:65:00.0") "," LINK("0000:60:01.0") "]}}, 'cuda1': {" MEMORY
	 ", 'pci': {'links': [" LINK("0000:66:00.0") "," LINK("0000:60:01.0") "]}}}",
	 WRITES, "PCIe Gen5 x16 at 0000:60:01.0, MaxPayload 256: 57.6 GB/s, shared by 2"},
	/* NVLink through a switch. */
	{"device_to_device_memcpy_read_ce: cuda1 -> cuda0 by cuda0.ce 64M/256M", "{'cuda0': " H200 ", 'cuda1': " H200 "}",
	 NVLINKS, "18 NVLink x 26.562 GB/s x 16/17: 450.0 GB/s"},
	{"device_to_device_bidirectional_memcpy_read_ce: cuda1 -> cuda0 by cuda0.ce 64M + cuda0 -> cuda1 by cuda1.ce 64M",
	 "{'cuda0': " H200 ", 'cuda1': " H200 "}", NVLINKS, "18 NVLink x 26.562 GB/s x 16/17: 450.0 GB/s"},
	{"all_to_one_write_ce: cuda1 -> cuda0 by cuda1.ce 64M + cuda2 -> cuda0 by cuda2.ce 64M + cuda3 -> cuda0 by cuda3.ce 64M",
	 "{'cuda0': " H200 ", 'cuda1': " H200 ", 'cuda2': " H200 ", 'cuda3': " H200 "}", NVLINKS,
	 "18 NVLink x 26.562 GB/s x 16/17: 450.0 GB/s, shared by 3"},
	{"one_to_all_read_ce: cuda1 -> cuda0 by cuda0.ce 64M",
	 "{'cuda0': " H200 ", 'cuda1': {" MEMORY ", 'nvlink': {'links': 17, 'link_mb_per_s': 26562, 'peers': {}}}}",
	 17 * 26.562 * 16 / 17, "17 NVLink x 26.562 GB/s x 16/17: 425.0 GB/s"},
	/* Straight links: only those that go there. */
	{"device_to_device_memcpy_write_sm: cuda0 -> cuda1 by cuda0.sm 64M",
	 "{'cuda0': {" MEMORY ", 'nvlink': {'links': 6, 'link_mb_per_s': 25781, 'version': 2, 'peers': {'0000:06:00.0': 2, "
	 "'0000:07:00.0': 4}}}, 'cuda1': {" MEMORY ", 'pci': {'address': '0000:06:00.0'}, 'nvlink': {'links': 6, "
	 "'link_mb_per_s': 25781, 'peers': {'0000:05:00.0': 2}}}}",
	 2 * 25.781, "2 NVLink x 25.781 GB/s: 51.6 GB/s"},
	{"device_to_device_memcpy_write_sm: cuda0 -> cuda1 by cuda0.sm 64M",
	 "{'cuda0': {" MEMORY ", 'nvlink': {'links': 6, 'link_mb_per_s': 25781, 'peers': {'gpu': 6}}}, 'cuda1': {" MEMORY
	 ", 'nvlink': {'links': 6, 'link_mb_per_s': 25781, 'peers': {'gpu': 6}}}}",
	 0, "how many links are in the NVLink from cuda0 to cuda1 is not known"},
	{"device_to_device_memcpy_write_sm: cuda0 -> cuda1 by cuda0.sm 64M",
	 "{'cuda0': {" MEMORY ", 'nvlink': {'links': 18}}, 'cuda1': " H200 "}", 0, "the NVLinks of cuda0 do not tell their rate"},
	/* Without peer access the bytes go up to the host and down again, NVLink or not. */
	{"device_to_device_memcpy_ce: cuda1 -> cuda0 by cuda1.ce 8M/32M peer=off", "{'cuda0': " H200 ", 'cuda1': " H200 "}",
	 RAW, "PCIe Gen5 x16, MaxPayload not known: 63.0 GB/s raw"},
	{"device_to_device_memcpy_ce: cuda1 -> cuda0 by cuda1.ce 8M/32M peer=off",
	 "{'cuda0': {" MEMORY "," PCIE ", 'pcie_max_payload_bytes': 256}, 'cuda1': {" MEMORY
	 ", 'pcie_generation': 3, 'pcie_width': 16, 'pcie_max_payload_bytes': 128}}",
	 8000e6 * 16 / 8 * 128 / 130 / 1e9 * 128 / 152, "PCIe Gen3 x16, MaxPayload 128: 13.3 GB/s"},
	{"device_to_device_memcpy_ce: cuda1 -> cuda0 by cuda1.ce 64M/256M peer=on",
	 "{'cuda0': " H200 ", 'cuda1': " H200 "}", NVLINKS, "18 NVLink x 26.562 GB/s x 16/17: 450.0 GB/s"},
	/* Without NVLink peers meet over PCI Express; reading, the answers carry less of a header. */
	{"device_to_device_memcpy_read_ce: cuda1 -> cuda0 by cuda0.ce 8M/32M",
	 "{'cuda0': {" MEMORY "," PCIE ", 'pcie_max_payload_bytes': 256}, 'cuda1': {" MEMORY "," PCIE
	 ", 'pcie_max_payload_bytes': 128}}",
	 RAW * 128 / 148, "PCIe Gen5 x16, MaxPayload 128: 54.5 GB/s"},
	/* A device's memory. */
	{"device_local_copy_sm: cuda0 -> cuda0 by cuda0.sm 256M/1G", "{'cuda0': " H200 "}", HBM,
	 "memory 3201 MHz x 2 x 6016 bit: 4814 GB/s"},
	{"custom: cuda0 -> cuda0 by cuda0.sm 256M", "{'cuda0': " H200 "}", HBM / 2, "memory 3201 MHz x 2 x 6016 bit: 4814 GB/s"},
	{"device_local_read_sm: read cuda0 by cuda0.sm 256M/1G", "{'cuda0': " H200 "}", HBM,
	 "memory 3201 MHz x 2 x 6016 bit: 4814 GB/s"},
	{"device_local_write_sm: write cuda0 by cuda0.sm 256M/1G", "{'cuda0': {'memory_clock_max_mhz': 715, 'memory_bus_bits': 4096}}",
	 732.16, "memory 715 MHz x 2 x 4096 bit: 732 GB/s"},
	{"device_local_read_sm: read cuda0 by cuda0.sm 64M", "{'cuda0': " H200 "}", 0, "so few bytes fit into the cache of cuda0"},
	{"device_local_read_sm: read cuda0 by cuda0.sm 256M", "{'cuda0': {'memory_clock_mhz': 0, 'memory_bus_bits': 0}}", 0,
	 "the memory of cuda0 does not tell its clock and width"},
	{"custom: read cuda1 by cuda0.sm 256M", "{'cuda0': " H200 ", 'cuda1': " H200 "}", NVLINKS,
	 "18 NVLink x 26.562 GB/s x 16/17: 450.0 GB/s"},
	/* What stays in registers does not ask for the engine's memory. */
	{"custom: write host0 by cuda0.sm 256M", "{'cuda0': {" PCIE "}}", RAW, "PCIe Gen5 x16, MaxPayload not known: 63.0 GB/s raw"},
	/* What has no limit. */
	{"host_memory_read: read host0 by host0.cpu 256M", "{'host0': {}}", 0, "the memory of host0 does not tell its speed"},
	{"host_to_host_memcpy_cpu: host0 -> host1 by host0.cpu 256M", "{}", 0, "the memory of host0 does not tell its speed"},
	{"host_latency: chase host0 by host0.cpu 256M", "{}", 0, "there are limits of bandwidth only"},
	{"custom: triad host0 by host0.cpu 256M", "{}", 0, "no limit of such an operation is known to this version"},
	{"custom: chase host0 by host0.cpu 256M", "{}", 0, "nothing is known of its path"},
	{"device_local_copy: none \"why\"", "{}", 0, "nothing was measured"},
	{"host_to_device_memcpy_ce: host0:pinned -> cuda0 by cuda0.ce 8M", NULL, 0, "nothing is known of its path"},
	{"host_to_device_memcpy_ce: host0:pinned -> cuda0 by cuda0.ce 8M", "{}", 0,
	 "the memory of cuda0 does not tell its clock and width"},
	/* A saved result may hold anything. */
	{"host_to_device_memcpy_ce: host0:pinned -> cuda0 by cuda0.ce 8M",
	 "{'cuda0': {" MEMORY ", 'pcie_generation': 1e300, 'pcie_width': -4, 'pci': {'links': {}, 'node': '0'}}}", 0,
	 "the PCIe link of cuda0 down does not tell its speed and width"},
	{"host_to_device_memcpy_ce: host0:pinned -> cuda0 by cuda0.ce 8M", "{'cuda0': [1], 'CUDA0': 7, '': null}", 0,
	 "the memory of cuda0 does not tell its clock and width"},
	{"device_to_device_memcpy_read_ce: cuda1 -> cuda0 by cuda0.ce 8M",
	 "{'cuda0': {" MEMORY ", 'nvlink': 'yes'}, 'cuda1': {" MEMORY ", 'nvlink': {'links': 18, 'link_mb_per_s': 'fast'}}}", 0,
	 "the PCIe link of cuda1 up does not tell its speed and width"},
};

/* A result of one step, never run, with its path's facts; JSON with ' for ". */
static void make_result(const char *step, const char *path, struct ws_result *result)
{
	struct ws_plan plan = {0};
	struct ws_error error = {0};
	struct ws_step_result *made;
	char text[2000];

	*result = (struct ws_result){0};
	if (ws_plan_parse(step, strlen(step), ws_probe_find, &plan, &error) != WS_OK)
		fail_msg("%s", error.text);
	made = ws_result_add_step(result);
	assert_int_equal(ws_step_copy(&plan.steps[0], &made->step, NULL), WS_OK);
	ws_plan_release(&plan);
	if (path) {
		snprintf(text, sizeof(text), "%s", path);
		assert_true(strlen(path) < sizeof(text));
		for (char *at = text; *at; at++)
			*at = *at == '\'' ? '"' : *at;
		made->path = json_loads(text, 0, NULL);
		assert_non_null(made->path);
	}
	assert_int_equal(ws_result_fold(result, NULL), WS_OK);
}

static void paths_have_limits(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct ws_cell *cell;
		struct ws_result result;

		make_result(cases[i].step, cases[i].path, &result);
		assert_int_equal(ws_limit_result(&result, NULL), WS_OK);
		cell = &result.tables[0].cells[0];
		assert_string_equal(cell->limit_reason, cases[i].reason);
		assert_int_equal(cell->limit.known, cases[i].limit > 0);
		if (cell->limit.known)
			near(cell->limit.value, cases[i].limit);
		ws_result_release(&result);
	}
}

/* Judging again gives the same, and forgets what was known before. */
static void judging_again_changes_nothing(void **state)
{
	struct ws_result result;
	struct ws_cell *cell;

	(void)state;
	make_result("device_local_read_sm: read cuda0 by cuda0.sm 256M", "{'cuda0': " H200 "}", &result);
	for (int i = 0; i < 2; i++)
		assert_int_equal(ws_limit_result(&result, NULL), WS_OK);
	cell = &result.tables[0].cells[0];
	near(cell->limit.value, HBM);
	json_object_clear(result.steps[0].path);
	assert_int_equal(ws_limit_result(&result, NULL), WS_OK);
	assert_false(cell->limit.known);
	ws_result_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formulas),
		cmocka_unit_test(what_one_leaves_the_others_get),
		cmocka_unit_test(paths_have_limits),
		cmocka_unit_test(judging_again_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
