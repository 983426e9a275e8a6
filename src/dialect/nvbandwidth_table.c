/* The tests of nvbandwidth, in the order in which it lists and runs them. */
#include <stdlib.h>
#include <string.h>

#include "dialect/nvbandwidth.h"
#include "probe/probe.h"

#define BOTH (NVB_0_9 | NVB_0_10)

#define HOST(test_name, test_figure, text)                                                                             \
	{                                                                                                              \
		.name = test_name, .label = text, .figure = test_figure, .versions = BOTH                              \
	}
#define PAIR(test_name, test_figure, since, text)                                                                      \
	{                                                                                                              \
		.name = test_name, .label = text, .figure = test_figure, .by_pair = true, .versions = since            \
	}
#define EACH(test_name, engine, test_part, since)                                                                      \
	{                                                                                                              \
		.name = test_name, .label = "memcpy " engine " GPU(row) <-> GPU(column) %s bandwidth (GB/s)",          \
		.figure = NVB_EACH, .by_pair = true, .part = test_part, .versions = since                              \
	}
#define LOCAL(test_name, since, text, test_gap)                                                                        \
	{                                                                                                              \
		.name = test_name, .label = text, .figure = NVB_FIRST, .versions = since, .gap = test_gap              \
	}

#define TO_DEVICE(engine) "memcpy " engine " CPU(row) -> GPU(column) bandwidth (GB/s)"
#define TO_HOST(engine) "memcpy " engine " CPU(row) <- GPU(column) bandwidth (GB/s)"
#define HOST_BOTH(engine) "memcpy " engine " CPU(row) <-> GPU(column) bandwidth (GB/s)"
/* Against the way of the bytes, as the original has it. */
#define PAIR_RIGHT(engine) "memcpy " engine " GPU(row) -> GPU(column) bandwidth (GB/s)"
#define PAIR_LEFT(engine) "memcpy " engine " GPU(row) <- GPU(column) bandwidth (GB/s)"

static const struct nvb_test tests[] = {
	HOST("host_to_device_memcpy_ce", NVB_FIRST, TO_DEVICE("CE")),
	HOST("device_to_host_memcpy_ce", NVB_FIRST, TO_HOST("CE")),
	HOST("host_to_device_bidirectional_memcpy_ce", NVB_FIRST, HOST_BOTH("CE")),
	HOST("device_to_host_bidirectional_memcpy_ce", NVB_FIRST, HOST_BOTH("CE")),
	PAIR("device_to_device_memcpy_read_ce", NVB_FIRST, BOTH, PAIR_RIGHT("CE")),
	PAIR("device_to_device_memcpy_write_ce", NVB_FIRST, BOTH, PAIR_LEFT("CE")),
	EACH("device_to_device_bidirectional_memcpy_read_ce", "CE", "Read", BOTH),
	EACH("device_to_device_bidirectional_memcpy_write_ce", "CE", "Write", BOTH),
	HOST("all_to_host_memcpy_ce", NVB_FIRST, TO_HOST("CE")),
	HOST("all_to_host_bidirectional_memcpy_ce", NVB_FIRST, HOST_BOTH("CE")),
	HOST("host_to_all_memcpy_ce", NVB_FIRST, TO_DEVICE("CE")),
	HOST("host_to_all_bidirectional_memcpy_ce", NVB_FIRST, HOST_BOTH("CE")),
	HOST("all_to_one_write_ce", NVB_TOTAL, PAIR_LEFT("CE")),
	HOST("all_to_one_read_ce", NVB_TOTAL, PAIR_RIGHT("CE")),
	HOST("one_to_all_write_ce", NVB_TOTAL, PAIR_RIGHT("CE")),
	HOST("one_to_all_read_ce", NVB_TOTAL, PAIR_LEFT("CE")),
	HOST("host_to_device_memcpy_sm", NVB_FIRST, TO_DEVICE("SM")),
	HOST("device_to_host_memcpy_sm", NVB_FIRST, TO_HOST("SM")),
	HOST("host_to_device_bidirectional_memcpy_sm", NVB_FIRST, HOST_BOTH("SM")),
	HOST("device_to_host_bidirectional_memcpy_sm", NVB_FIRST, HOST_BOTH("SM")),
	PAIR("device_to_device_memcpy_read_sm", NVB_FIRST, BOTH, PAIR_RIGHT("SM")),
	PAIR("device_to_device_memcpy_write_sm", NVB_FIRST, BOTH, PAIR_LEFT("SM")),
	EACH("device_to_device_bidirectional_memcpy_read_sm", "SM", "Read", BOTH),
	EACH("device_to_device_bidirectional_memcpy_write_sm", "SM", "Write", BOTH),
	HOST("all_to_host_memcpy_sm", NVB_FIRST, TO_HOST("SM")),
	HOST("all_to_host_bidirectional_memcpy_sm", NVB_FIRST, HOST_BOTH("SM")),
	HOST("host_to_all_memcpy_sm", NVB_FIRST, TO_DEVICE("SM")),
	HOST("host_to_all_bidirectional_memcpy_sm", NVB_FIRST, HOST_BOTH("SM")),
	HOST("all_to_one_write_sm", NVB_TOTAL, PAIR_LEFT("SM")),
	HOST("all_to_one_read_sm", NVB_TOTAL, PAIR_RIGHT("SM")),
	HOST("one_to_all_write_sm", NVB_TOTAL, PAIR_RIGHT("SM")),
	HOST("one_to_all_read_sm", NVB_TOTAL, PAIR_LEFT("SM")),
	HOST("host_device_latency_sm", NVB_LATENCY, "memory latency SM CPU(row) <-> GPU(column) (ns)"),
	PAIR("device_to_device_latency_sm", NVB_LATENCY, BOTH,
	     "Device to Device Latency SM GPU(row) <-> GPU(column) (ns)"),
	PAIR("device_to_device_memcpy_read_tma", NVB_FIRST, NVB_0_10, PAIR_RIGHT("TMA")),
	PAIR("device_to_device_memcpy_write_tma", NVB_FIRST, NVB_0_10, PAIR_LEFT("TMA")),
	EACH("device_to_device_bidirectional_memcpy_read_tma", "TMA", "Read", NVB_0_10),
	EACH("device_to_device_bidirectional_memcpy_write_tma", "TMA", "Write", NVB_0_10),
	LOCAL("device_local_copy", BOTH, "memcpy local GPU(column) bandwidth (GB/s)", false),
	LOCAL("device_local_copy_sm", NVB_0_10, "memcpy local SM GPU(column) bandwidth (GB/s)", false),
	LOCAL("device_local_read_sm", NVB_0_10, "memcpy local SM read GPU(column) bandwidth (GB/s)", false),
	LOCAL("device_local_write_sm", NVB_0_10, "memcpy local SM write GPU(column) bandwidth (GB/s)", true),
	PAIR("device_to_device_latency_tma", NVB_LATENCY, NVB_0_10,
	     "Device to Device Latency TMA GPU(row) <-> GPU(column) (ns)"),
	LOCAL("device_local_copy_tma", NVB_0_10, "memcpy local TMA GPU(column) bandwidth (GB/s)", true),
};
#define TEST_MAX (sizeof(tests) / sizeof(tests[0]))

const struct nvb_test *nvb_test_at(enum nvb_version version, int index)
{
	for (size_t i = 0; i < TEST_MAX; i++) {
		if ((tests[i].versions & version) != 0 && index-- == 0)
			return &tests[i];
	}
	return NULL;
}

const struct nvb_test *nvb_test_find(enum nvb_version version, const char *id, char *message, size_t message_size)
{
	const struct nvb_test *test;
	char *end = NULL;
	const long number = strtol(id, &end, 10);

	if (id[0] && !*end) {
		test = number >= 0 && number <= (long)TEST_MAX ? nvb_test_at(version, (int)number) : NULL;
		snprintf(message, message_size, "Testcase index %s out of bound!", id);
		return test;
	}
	for (int i = 0; (test = nvb_test_at(version, i)) != NULL; i++) {
		if (strcmp(test->name, id) == 0)
			return test;
	}
	snprintf(message, message_size, "Testcase %s not found!", id);
	return NULL;
}

void nvb_test_list(enum nvb_version version, FILE *to)
{
	const struct nvb_test *test;

	fputs("Index, Name:\n\tDescription\n", to);
	for (int i = 0; (test = nvb_test_at(version, i)) != NULL; i++) {
		fprintf(to, "%d, %s:\n\t\t%s\n", i, test->name, ws_probe_find(test->name)->summary);
		if (test->gap && version == NVB_0_10)
			fputc('\n', to);
	}
}

const char *nvb_part_label(const struct nvb_test *test, int part, char text[NVB_LABEL_TEXT])
{
	char name[16] = "Total";
	const char *hole = strstr(test->label, "%s");

	if (!hole) {
		snprintf(text, NVB_LABEL_TEXT, "%s", test->label);
		return text;
	}
	if (part < 2)
		snprintf(name, sizeof(name), "%s%d", test->part, part + 1);
	snprintf(text, NVB_LABEL_TEXT, "%.*s%s%s", (int)(hole - test->label), test->label, name, hole + 2);
	return text;
}

const char *nvb_part_key(const struct nvb_test *test, int part, char text[NVB_LABEL_TEXT])
{
	const bool reads = test->part && test->part[0] == 'R';

	if (test->figure != NVB_EACH)
		snprintf(text, NVB_LABEL_TEXT, "%s", test->name);
	else if (part == 2)
		snprintf(text, NVB_LABEL_TEXT, "%s_total", test->name);
	else
		snprintf(text, NVB_LABEL_TEXT, "%s_%s%d", test->name, reads ? "read" : "write", part + 1);
	return text;
}

const char *nvb_version_text(enum nvb_version version)
{
	return version == NVB_0_9 ? "v0.9" : "v0.10.0";
}
