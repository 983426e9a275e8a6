/* What NVLink carries for a byte copied, from counts and facts made by hand. */
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
#include "judge/wire.h"
#include "plan/plan_text.h"
#include "probe/fold.h"
#include "probe/probe.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define LINKS "'nvlink': {'links': 18, 'link_mb_per_s': 26562, 'version': 4, 'peers': {'switch': 18}}"
#define RAW (18 * 26.562)
#define GPU(counters) "{" LINKS ", 'counters': {" counters "}}"
#define TX(data, raw) "'nvlink.data_tx_bytes': " data ", 'nvlink.raw_tx_bytes': " raw
#define RX(data, raw) "'nvlink.data_rx_bytes': " data ", 'nvlink.raw_rx_bytes': " raw
#define PAIR(counters) "{'cuda0': " GPU(counters) ", 'cuda1': {" LINKS "}}"
#define WRITE "device_to_device_memcpy_write_ce: cuda0 -> cuda1 by cuda0.ce 64M/256M"
#define READ "device_to_device_memcpy_read_sm: cuda1 -> cuda0 by cuda0.sm 64M/256M"
#define COUNTED TX("1000000", "1062500")
#define THREE(key) "'cuda" key "': {" LINKS "}"

/* The first figure is 400 GB/s. */
static const struct {
	const char *step, *path;
	bool applies;
	double bytes, used, raw; /* 0 = not known */
	const char *reason;
} cases[] = {
	/* The direction of the bytes at the engine's GPU counts, and no other. */
	{WRITE, PAIR(TX("1000000", "1062500") "," RX("1000000", "3000000")), true, 1.0625, 425, RAW, ""},
	{READ, PAIR(RX("800000", "900000") "," TX("0", "3000000")), true, 1.125, 450, RAW, ""},
	{"custom: read cuda1 by cuda0.sm 64M", PAIR(RX("800000", "900000")), true, 1.125, 450, RAW, ""},
	{"custom: write cuda1 by cuda0.sm 64M", PAIR(TX("800000", "900000")), true, 1.125, 450, RAW, ""},
	{"custom: cuda0 -> cuda1 by cuda2.sm 64M", PAIR(RX("800000", "900000")), true, 0, 0, RAW,
	 "its engine is at neither end of the links"},
	{"custom: r1/cuda0 -> r1/cuda1 by r1/cuda0.ce 64M",
	 "{'r1/cuda0': " GPU(TX("1000000", "1100000")) ", 'r1/cuda1': {" LINKS "}}", true, 1.1, 440, RAW, ""},
	/* Both ways at once: the first one, by its own figure or by its part of the sum. */
	{"device_to_device_bidirectional_memcpy_write_ce: cuda0 -> cuda1 by cuda0.ce 64M + cuda1 -> cuda0 by cuda1.ce 64M",
	 PAIR(TX("1000000", "1080000")), true, 1.08, 432, RAW, ""},
	{"custom: cuda0 -> cuda1 by cuda0.ce 64M + cuda1 -> cuda0 by cuda1.ce 64M", PAIR(TX("1000000", "1080000")), true, 1.08,
	 216, RAW, ""},
	{"custom: cuda0 <-> cuda1 by cuda0.sm 64M", PAIR(TX("1000000", "1100000")), true, 1.1, 220, RAW, ""},
	{"custom: cuda0 -> cuda1 by cuda0.ce 64M + cuda1 -> cuda0 by cuda1.ce 32M", PAIR(TX("1000000", "1080000")), true, 1.08,
	 0, RAW, "the copies differ in size, and only some of them pass the same links"},
	/* Many at once: the end that all of them pass. */
	{"all_to_one_write_ce: cuda1 -> cuda0 by cuda1.ce 64M + cuda2 -> cuda0 by cuda2.ce 64M",
	 "{'cuda1': " GPU(TX("1000000", "1100000")) "," THREE("0") "," THREE("2") "}", true, 1.1, 440, RAW, ""},
	{"one_to_all_write_ce: cuda0 -> cuda1 by cuda0.ce 64M + cuda0 -> cuda2 by cuda0.ce 64M",
	 "{'cuda0': " GPU(TX("1000000", "1100000")) "," THREE("1") "," THREE("2") "}", true, 1.1, 440, RAW, ""},
	{"custom: cuda0 -> cuda1 by cuda0.ce 64M + cuda0 -> cuda1 by cuda0.sm 64M interfering", PAIR(TX("1000000", "1080000")),
	 true, 1.08, 0, RAW, "others pass the same links, and are not part of the figure"},
	/* What is not known. */
	{WRITE, PAIR(TX("0", "0")), true, 0, 0, RAW, "the NVLink counters of cuda0 did not move"},
	{WRITE, PAIR(TX("0", "4000000")), true, 0, 0, RAW, "the NVLink counters of cuda0 did not move"},
	{WRITE, PAIR(TX("null", "4000000")), true, 0, 0, RAW, "the NVLink counters of cuda0 ran backwards"},
	{WRITE, PAIR(TX("4000000", "-5")), true, 0, 0, RAW, "the NVLink counters of cuda0 ran backwards"},
	{WRITE, PAIR(TX("4000000", "3000000")), true, 0, 0, RAW, "the NVLink counters of cuda0 contradict each other"},
	{WRITE, PAIR(TX("65536", "69632")), true, 0, 0, RAW, "so few bytes do not show in counters of whole KiB"},
	{WRITE, PAIR(TX("'many'", "3000000")), true, 0, 0, RAW, "cuda0 does not tell what its NVLinks count"},
	{WRITE, PAIR(RX("4000000", "5000000")), true, 0, 0, RAW, "cuda0 does not tell what its NVLinks count"},
	{WRITE, "{'cuda0': {'nvlink': {'links': 18}, 'counters': {" COUNTED "}}, 'cuda1': {" LINKS "}}", true, 1.0625, 425, 0,
	 "the NVLinks of cuda0 do not tell their rate"},
	/* Straight links: only those that go there. */
	{WRITE,
	 "{'cuda0': {'nvlink': {'links': 6, 'link_mb_per_s': 25781, 'peers': {'0000:06:00.0': 4, '0000:07:00.0': 2}}, "
	 "'counters': {" TX("1000000", "1250000") "}}, 'cuda1': {'pci': {'address': '0000:06:00.0'}, 'nvlink': {'links': 6, "
	 "'peers': {'0000:05:00.0': 4}}}}",
	 true, 1.25, 500, 4 * 25.781, ""},
	/* Where NVLink has no part, or there is no bandwidth. */
	{WRITE, "{'cuda0': {" LINKS "}, 'cuda1': {}}", false, 0, 0, 0, ""},
	{"device_to_device_memcpy_ce: cuda0 -> cuda1 by cuda0.ce 64M peer=off", PAIR(COUNTED), false, 0, 0, 0, ""},
	{"device_local_copy_sm: cuda0 -> cuda0 by cuda0.sm 64M", PAIR(COUNTED), false, 0, 0, 0, ""},
	{"device_to_host_memcpy_ce: cuda0 -> host0:pinned by cuda0.ce 64M", PAIR(COUNTED), false, 0, 0, 0, ""},
	{"device_to_device_memcpy_latency_ce: cuda0 -> cuda1 by cuda0.ce 16", PAIR(COUNTED), false, 0, 0, 0, ""},
	{"custom: chase cuda1 by cuda0.sm 64M", PAIR(RX("1000000", "1062500")), false, 0, 0, 0, ""},
	{WRITE, NULL, false, 0, 0, 0, ""},
	{"device_local_copy: none \"why\"", "{}", false, 0, 0, 0, ""},
};

static void near(double value, double expected)
{
	if (fabs(value - expected) > 1e-9 * fabs(expected))
		fail_msg("%.12g is not %.12g", value, expected);
}

/* A result of one step that was measured as 400 GB/s, with its path's facts; JSON with ' for ". */
static struct ws_cell *make_result(const char *step, const char *path, struct ws_result *result)
{
	struct ws_plan plan = {0};
	struct ws_error error = {0};
	struct ws_step_result *made;
	char text[2000];
	struct ws_cell *cell;

	*result = (struct ws_result){.settings = ws_settings_default(false)};
	if (ws_plan_parse(step, strlen(step), ws_probe_find, &plan, &error) != WS_OK)
		fail_msg("%s", error.text);
	made = ws_result_add_step(result);
	assert_int_equal(ws_step_copy(&plan.steps[0], &made->step, NULL), WS_OK);
	ws_plan_release(&plan);
	made->ending = WS_ENDED_COUNT;
	if (path) {
		assert_true(strlen(path) < sizeof(text));
		snprintf(text, sizeof(text), "%s", path);
		for (char *at = text; *at; at++)
			*at = *at == '\'' ? '"' : *at;
		made->path = json_loads(text, 0, NULL);
		assert_non_null(made->path);
	}
	assert_int_equal(ws_result_fold(result, NULL), WS_OK);
	cell = &result->tables[0].cells[0];
	cell->status = WS_CELL_MEASURED;
	cell->folded.figures[0] = (struct ws_figure){.known = true, .value = 400};
	return cell;
}

static void wires_are_judged(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ws_result result;
		const struct ws_cell *cell = make_result(cases[i].step, cases[i].path, &result);

		assert_int_equal(ws_wire_result(&result, NULL), WS_OK);
		assert_string_equal(cell->wire.reason, cases[i].reason);
		assert_int_equal(cell->wire.applies, cases[i].applies);
		near(cell->wire.bytes, cases[i].bytes);
		near(cell->wire.used, cases[i].used);
		near(cell->wire.raw, cases[i].raw);
		ws_result_release(&result);
	}
}

/* Without a figure, or of wrong data, there is nothing to say, and what was said before is forgotten. */
static void only_figures_have_wires(void **state)
{
	static const enum ws_cell_status none[] = {WS_CELL_NOT_APPLICABLE, WS_CELL_FAILED, WS_CELL_WRONG_DATA};
	struct ws_result result;
	struct ws_cell *cell = make_result(WRITE, PAIR(COUNTED), &result);

	(void)state;
	for (size_t i = 0; i < COUNT(none); i++) {
		cell->status = WS_CELL_INTERRUPTED;
		assert_int_equal(ws_wire_result(&result, NULL), WS_OK);
		near(cell->wire.used, 425);
		cell->status = none[i];
		assert_int_equal(ws_wire_result(&result, NULL), WS_OK);
		assert_false(cell->wire.applies);
		assert_true(cell->wire.used == 0);
	}
	cell->status = WS_CELL_MEASURED;
	cell->folded.figures[0].known = false;
	assert_int_equal(ws_wire_result(&result, NULL), WS_OK);
	assert_false(cell->wire.applies);
	ws_result_release(&result);
}

/* Samples that were counted say more than one shot; without the check at the end there is no such shot. */
static void counted_samples_come_first(void **state)
{
	static const char unread[] = "NVLink's counters are read with the check at the end, which was left out";
	struct ws_result result;
	struct ws_cell *cell = make_result(WRITE, PAIR(COUNTED), &result);
	struct ws_records *records = &result.steps[0].records;
	const struct ws_counter counters[] = {{"cuda0.nvlink.data_tx_bytes", 500000}, {"cuda0.nvlink.raw_tx_bytes", 600000}};

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct ws_sample sample = {0};

		for (size_t k = 0; k < COUNT(counters); k++)
			assert_int_equal(ws_sample_add_counter(&sample, &counters[k]), WS_OK);
		assert_int_equal(ws_records_add(records, &sample, NULL), WS_OK);
	}
	assert_int_equal(ws_wire_result(&result, NULL), WS_OK);
	near(cell->wire.bytes, 1.2);
	records->samples[1].counters[1].delta = UINT64_MAX - 1023;
	assert_int_equal(ws_wire_result(&result, NULL), WS_OK);
	assert_string_equal(cell->wire.reason, "the NVLink counters of cuda0 ran backwards");
	ws_result_release(&result);
	cell = make_result(WRITE, PAIR(""), &result);
	result.settings.verify = WS_VERIFY_NONE;
	assert_int_equal(ws_wire_result(&result, NULL), WS_OK);
	assert_string_equal(cell->wire.reason, unread);
	result.settings.counters = true;
	assert_int_equal(ws_wire_result(&result, NULL), WS_OK);
	assert_string_equal(cell->wire.reason, "cuda0 does not tell what its NVLinks count");
	result.settings = ws_settings_default(false);
	result.steps[0].ending = WS_ENDED_INTERRUPTED;
	assert_int_equal(ws_wire_result(&result, NULL), WS_OK);
	assert_string_equal(cell->wire.reason, unread);
	ws_result_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wires_are_judged),
		cmocka_unit_test(only_figures_have_wires),
		cmocka_unit_test(counted_samples_come_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
