/* The CUDA back end over a fake driver: every verb and path, odd sizes, gates, clocks, state and counters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/place.h"
#include "kernel/host_pattern.h"
#include "unit/cuda_rig.h"

#define NOWHERE ((struct ws_place){0})

static const uint64_t sizes[] = {1, 15, 16, 17, 4097, 65536, (1 << 20) + 5};

static void open_bench(struct bench *bench)
{
	struct ws_error error = {0};
	const int rc = bench_open(bench, &error, NULL);

	if (rc != WS_OK)
		fail_msg("%s", error.text);
}

static void close_bench(struct bench *bench)
{
	bench_close(bench);
	assert_int_equal(fake_outstanding(), 0);
}

/* Builds, fills, runs and verifies; the caller looks at the lane. */
static void run_item(struct bench *bench, const struct ws_item *item, uint32_t lead, uint32_t loops,
		     struct ws_lane *lane)
{
	struct ws_error error = {0};
	struct ws_check check;
	struct rig rig;
	int rc = rig_build(&rig, bench, item, &error);

	if (rc == WS_OK)
		rc = rig_refill(&rig, &error);
	if (rc == WS_OK)
		rc = rig_run(&rig, lead, loops, lane, &error);
	if (rc == WS_OK)
		rc = rig_verify(&rig, &check, &error);
	rig_take_apart(&rig);
	if (rc != WS_OK)
		fail_msg("%s", error.text);
	assert_int_equal(check.wrong_count, 0);
}

static void copies_arrive_on_every_path(void **state)
{
	const struct {
		struct ws_place source, destination;
		const char *engine;
		double bytes_per_ns;
		int fixed_ns;
	} rows[] = {
		{host_place("pinned"), cuda_place(0), "ce", 55.5, 2300},
		{cuda_place(0), host_place(""), "ce", 55.5, 2300},
		{host_place("wc"), cuda_place(0), "ce", 55.5, 2300},
		{cuda_place(1), cuda_place(0), "ce", 397, 2300},
		{cuda_place(0), cuda_place(1), "ce", 397, 2300},
		{cuda_place(0), cuda_place(0), "ce", 2100, 2300},
		{host_place("pinned"), cuda_place(0), "sm", 52, 1400},
		{cuda_place(0), host_place("wc"), "sm", 52, 1400},
		{cuda_place(1), cuda_place(0), "sm", 375, 1400},
		{cuda_place(0), cuda_place(1), "sm", 375, 1400},
		{cuda_place(0), cuda_place(0), "sm", 2100, 1400},
		{host_place("mapped"), cuda_place(0), "tma", 52, 1400},
		{cuda_place(1), cuda_place(0), "tma", 375, 1400},
		{cuda_place(0), cuda_place(1), "tma", 375, 1400},
		{cuda_place(0), cuda_place(0), "tma", 2100, 1400},
	};
	struct bench bench;

	(void)state;
	open_bench(&bench);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
			const struct ws_item item =
				new_item(WS_COPY, rows[i].source, rows[i].destination, 0, rows[i].engine, sizes[k]);
			const double expected = 3 * (rows[i].fixed_ns + (double)sizes[k] / rows[i].bytes_per_ns);
			struct ws_lane lane;

			run_item(&bench, &item, 2, 3, &lane);
			assert_true(lane.has_device);
			assert_string_equal(lane.clock, "cuda0:event");
			assert_true(fabs((double)(lane.end_ns - lane.start_ns) - expected) <= 5 + expected * 1e-6);
			assert_null(lane.values);
		}
	}
	close_bench(&bench);
}

static void pageable_memory_is_copied_at_release_only(void **state)
{
	const struct ws_item item = new_item(WS_COPY, host_place("pageable"), cuda_place(0), 0, "ce", 4099);
	const struct ws_backend_ops *ops = &ws_cuda_backend;
	struct ws_error error = {0};
	struct ws_check check;
	struct ws_lane lane;
	struct bench bench;
	struct rig rig;

	(void)state;
	open_bench(&bench);
	assert_int_equal(rig_build(&rig, &bench, &item, &error), WS_OK);
	assert_int_equal(rig_refill(&rig, &error), WS_OK);
	assert_int_equal(rig_run(&rig, 0, 1, &lane, &error), WS_EUNSUPPORTED);
	assert_non_null(strstr(error.text, "ungated"));
	assert_int_equal(ops->mark(rig.queue, 0, NULL), WS_OK);
	assert_int_equal(ops->submit(rig.queue, &rig.op, 0, 2, NULL), WS_OK);
	assert_int_equal(ops->mark(rig.queue, 1, NULL), WS_OK);
	assert_int_equal(ops->flush(rig.queue, NULL), WS_OK);
	assert_int_equal(rig_finish(&rig, 2, &lane, NULL), WS_OK);
	assert_int_equal(rig_verify(&rig, &check, NULL), WS_OK);
	assert_int_equal(check.wrong_count, 0);
	rig_take_apart(&rig);
	close_bench(&bench);
}

static void a_two_way_copy_by_a_kernel_has_an_end_for_either_way(void **state)
{
	struct ws_item item = new_item(WS_COPY2, host_place("pinned"), cuda_place(0), 0, "sm", 200003);
	const struct ws_backend_ops *ops = &ws_cuda_backend;
	struct ws_lane lanes[2];
	struct ws_check check;
	static const char *const settings[] = {"FAKE_CUDA_MACHINE", WS_FAKE_MACHINES "/slow_direction.machine", NULL};
	/* Half of a link's 55.3 GB/s back, while the other way has all that processors get. */
	const double once_ns = 200003 / 51.4, back_ns = 200003 / (55.3 / 2);
	struct rig rigs[2];
	struct bench bench;
	bool done = true;

	(void)state;
	assert_int_equal(bench_open(&bench, NULL, settings), WS_OK);
	assert_int_equal(rig_build(&rigs[0], &bench, &item, NULL), WS_OK);
	item.source = cuda_place(0);
	item.destination = host_place("pinned");
	assert_int_equal(rig_build(&rigs[1], &bench, &item, NULL), WS_OK);
	for (int i = 0; i < 2; i++)
		assert_int_equal(rig_refill(&rigs[i], NULL), WS_OK);
	for (int sample = 0; sample < 3; sample++) {
		for (int i = 0; i < 2; i++)
			assert_int_equal(rig_arm(&rigs[i], 1, 4, NULL), WS_OK);
		assert_int_equal(ops->poll(rigs[1].queue, 0, &done, NULL), WS_OK);
		assert_false(done);
		ops->release(&bench.backend);
		for (int i = 0; i < 2; i++) {
			assert_int_equal(rig_finish(&rigs[i], 4, &lanes[i], NULL), WS_OK);
			assert_int_equal(rig_verify(&rigs[i], &check, NULL), WS_OK);
			assert_int_equal(check.wrong_count, 0);
			assert_string_equal(lanes[i].clock, "cuda0:timer");
		}
		assert_int_equal(lanes[0].start_ns, lanes[1].start_ns);
		/* Four launches, each of which ends with its way back. */
		assert_true(fabs((double)(lanes[0].end_ns - lanes[0].start_ns) - once_ns - 3 * (back_ns + 1400)) < 10);
		assert_true(fabs((double)(lanes[1].end_ns - lanes[0].end_ns) - (back_ns - once_ns)) < 3);
	}
	/* A follower that was not ordered again is not done because its leader still is. */
	assert_int_equal(rig_arm(&rigs[0], 0, 1, NULL), WS_OK);
	for (int i = 0; i < 2; i++)
		assert_int_equal(ops->cancel(rigs[i].queue), WS_OK);
	for (int i = 0; i < 2; i++)
		assert_int_equal(rig_arm(&rigs[i], 0, 2, NULL), WS_OK);
	ops->release(&bench.backend);
	for (int i = 0; i < 2; i++)
		assert_int_equal(rig_finish(&rigs[i], 2, &lanes[i], NULL), WS_OK);
	for (int i = 0; i < 2; i++)
		rig_take_apart(&rigs[i]);
	close_bench(&bench);
}

static void two_way_copies_by_the_copy_engine_are_two_streams(void **state)
{
	const struct ws_item item = new_item(WS_COPY2, cuda_place(0), cuda_place(1), 0, "ce", 65537);
	struct bench bench;
	struct ws_lane lane;

	(void)state;
	open_bench(&bench);
	run_item(&bench, &item, 1, 2, &lane);
	assert_string_equal(lane.clock, "cuda0:event");
	close_bench(&bench);
}

static void sums_and_values_are_verified(void **state)
{
	const struct ws_item items[] = {
		new_item(WS_READ, cuda_place(0), NOWHERE, 0, "sm", 0),
		new_item(WS_READ, cuda_place(1), NOWHERE, 0, "sm", 0),
		new_item(WS_READ, host_place("pinned"), NOWHERE, 0, "sm", 0),
		new_item(WS_WRITE, NOWHERE, cuda_place(0), 0, "sm", 0),
		new_item(WS_WRITE, NOWHERE, cuda_place(1), 0, "sm", 0),
		new_item(WS_WRITE, NOWHERE, host_place("pinned"), 0, "sm", 0),
	};
	struct bench bench;

	(void)state;
	open_bench(&bench);
	for (size_t i = 0; i < sizeof(items) / sizeof(items[0]); i++) {
		for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
			struct ws_item item = items[i];
			struct ws_lane lane;

			item.size_bytes[0] = sizes[k];
			run_item(&bench, &item, 1, 2, &lane);
			/* In one launch, too, every loop is made. */
			assert_int_equal(ws_item_option_set(&item, "fused", NULL, NULL), WS_OK);
			run_item(&bench, &item, 1, 3, &lane);
		}
	}
	close_bench(&bench);
}

static void wrong_data_is_found(void **state)
{
	const struct ws_item items[] = {
		new_item(WS_COPY, cuda_place(0), cuda_place(1), 0, "ce", 4099),
		new_item(WS_COPY, cuda_place(0), cuda_place(1), 0, "sm", 4099),
		new_item(WS_READ, cuda_place(0), NOWHERE, 0, "sm", 4099),
		new_item(WS_WRITE, NOWHERE, cuda_place(0), 0, "sm", 4099),
	};
	struct bench bench;

	(void)state;
	open_bench(&bench);
	for (size_t i = 0; i < sizeof(items) / sizeof(items[0]); i++) {
		const struct ws_backend_ops *ops = &ws_cuda_backend;
		struct ws_check check;
		struct ws_lane lane;
		struct rig rig;
		uint64_t address;

		assert_int_equal(rig_build(&rig, &bench, &items[i], NULL), WS_OK);
		assert_int_equal(rig_refill(&rig, NULL), WS_OK);
		/* The run leaves out what was not ordered: nothing has moved yet. */
		assert_int_equal(rig_run(&rig, 0, 1, &lane, NULL), WS_OK);
		address = (items[i].verb == WS_READ ? rig.source : rig.destination).address;
		*(unsigned char *)(uintptr_t)(address + 4097) ^= 0x10;
		if (items[i].verb == WS_READ)
			assert_int_equal(rig_run(&rig, 0, 1, &lane, NULL), WS_OK);
		assert_int_equal(rig_verify(&rig, &check, NULL), WS_OK);
		assert_int_equal(check.wrong_count, 1);
		if (items[i].verb != WS_READ) {
			assert_int_equal(check.first_offset, 4096);
			assert_int_equal(check.expected ^ check.found, 0x1000);
			assert_int_equal(check.expected >> 24, 0);
		}
		if (items[i].verb == WS_COPY) {
			assert_int_equal(
				ops->fill(&bench.backend, &rig.destination, 4099, RIG_SEED ^ WS_PATTERN_INVERSE, NULL),
				WS_OK);
			assert_int_equal(rig_verify(&rig, &check, NULL), WS_OK);
			assert_int_equal(check.wrong_count, 1025);
			assert_int_equal(check.first_offset, 0);
		}
		rig_take_apart(&rig);
	}
	close_bench(&bench);
}

static void every_multiprocessor_chases(void **state)
{
	const struct {
		struct ws_place place;
		double latency_ns;
	} rows[] = {{cuda_place(0), 150}, {cuda_place(1), 800}, {host_place("pinned"), 1200}};
	struct bench bench;

	(void)state;
	open_bench(&bench);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct ws_item item = new_item(WS_CHASE, rows[i].place, NOWHERE, 0, i % 2 ? "tma" : "sm", 65536);
		struct ws_lane lane;

		run_item(&bench, &item, 2, 3, &lane);
		assert_int_equal(lane.value_count, 4);
		assert_string_equal(lane.value_unit, "ns");
		for (int k = 0; k < 4; k++)
			assert_true(fabs(lane.values[k] - rows[i].latency_ns - k) < 0.01);
		assert_int_equal(lane.bytes, 3 * 4 * WS_CUDA_CHASE_STEPS * WS_CUDA_CHASE_STRIDE);
		free(lane.values);
	}
	close_bench(&bench);
}

static void a_chase_that_strays_is_found(void **state)
{
	const struct ws_item item = new_item(WS_CHASE, cuda_place(0), NOWHERE, 0, "sm", 65536);
	struct ws_check check;
	struct ws_lane lane;
	struct bench bench;
	struct rig rig;

	(void)state;
	open_bench(&bench);
	assert_int_equal(rig_build(&rig, &bench, &item, NULL), WS_OK);
	assert_int_equal(rig_refill(&rig, NULL), WS_OK);
	/* Every node leads to the first one. */
	for (uint64_t i = 0; i < 65536; i += WS_CUDA_CHASE_STRIDE)
		*(uint64_t *)(uintptr_t)(rig.source.address + i) = rig.source.address;
	assert_int_equal(rig_run(&rig, 0, 1, &lane, NULL), WS_OK);
	free(lane.values);
	assert_int_equal(rig_verify(&rig, &check, NULL), WS_OK);
	assert_int_equal(check.wrong_count, 1);
	rig_take_apart(&rig);
	close_bench(&bench);
}

static void flags_go_to_and_fro(void **state)
{
	const struct {
		struct ws_place near, far;
		const char *order;
		double one_way_ns;
	} rows[] = {
		{cuda_place(0), cuda_place(1), "relaxed", 777},	 {cuda_place(0), cuda_place(1), "acqrel", 777},
		{cuda_place(0), cuda_place(0), "relaxed", 777},	 {cuda_place(0), host_place(""), "relaxed", 1200},
		{cuda_place(0), host_place(""), "acqrel", 1200},
	};
	struct bench bench;

	(void)state;
	open_bench(&bench);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ws_item item = new_item(WS_PINGPONG, rows[i].far, rows[i].near, 0, "sm", 0);
		struct ws_check check;
		struct ws_lane lane;
		struct rig rig;

		item.size_count = 0;
		/* The places have no buffers here; the back end has flags of its own. */
		assert_int_equal(ws_item_option_set(&item, "order", rows[i].order, NULL), WS_OK);
		rig = (struct rig){.bench = &bench, .item = item, .op = {.item = &rig.item}};
		assert_int_equal(ws_cuda_backend.queue(&bench.backend, &rig.item, &rig.queue, NULL), WS_OK);
		assert_int_equal(ws_cuda_backend.prepare(rig.queue, &rig.op, 0, NULL), WS_OK);
		assert_int_equal(ws_cuda_backend.refilled(rig.queue, &rig.op, NULL), WS_OK);
		for (int sample = 0; sample < 2; sample++) {
			assert_int_equal(rig_run(&rig, 1, 2, &lane, NULL), WS_OK);
			assert_int_equal(lane.value_count, 2 * (WS_CUDA_PINGPONG_TRIPS - 1));
			for (int k = 0; k < lane.value_count; k++)
				assert_true(fabs(lane.values[k] - rows[i].one_way_ns) < 0.01);
			free(lane.values);
			rig.op.source = NULL;
			assert_int_equal(rig_verify(&rig, &check, NULL), WS_OK);
			assert_int_equal(check.wrong_count, 0);
		}
		rig_take_apart(&rig);
	}
	close_bench(&bench);
}

static void without_stream_waits_a_kernel_is_the_gate(void **state)
{
	static const char *const settings[] = {"FAKE_CUDA_WAIT", "0", NULL};
	const struct ws_item item = new_item(WS_COPY, cuda_place(0), cuda_place(1), 0, "ce", 4096);
	struct ws_place place = cuda_place(0);
	json_t *facts = json_object();
	struct bench bench;
	struct ws_lane lane;

	(void)state;
	assert_int_equal(bench_open(&bench, NULL, settings), WS_OK);
	run_item(&bench, &item, 0, 2, &lane);
	assert_int_equal(ws_cuda_backend.state(&bench.backend, &place, facts, NULL), WS_OK);
	assert_string_equal(json_string_value(json_object_get(facts, "gate")), "kernel");
	json_decref(facts);
	close_bench(&bench);
}

static void a_join_makes_a_queue_wait_for_another_ones_mark(void **state)
{
	const struct ws_item first_item = new_item(WS_COPY, cuda_place(0), host_place("pinned"), 0, "ce", 1 << 20);
	const struct ws_item second_item = new_item(WS_COPY, cuda_place(1), host_place("pinned"), 0, "ce", 1 << 10);
	const struct ws_backend_ops *ops = &ws_cuda_backend;
	struct ws_lane lanes[2];
	struct bench bench;
	struct rig first, second;

	(void)state;
	open_bench(&bench);
	assert_int_equal(rig_build(&first, &bench, &first_item, NULL), WS_OK);
	assert_int_equal(rig_build(&second, &bench, &second_item, NULL), WS_OK);
	assert_int_equal(rig_refill(&first, NULL), WS_OK);
	assert_int_equal(rig_refill(&second, NULL), WS_OK);
	assert_int_equal(rig_arm(&first, 3, 1, NULL), WS_OK);
	assert_int_equal(ops->gate(second.queue, NULL), WS_OK);
	assert_int_equal(ops->join(second.queue, first.queue, 0, NULL), WS_OK);
	assert_int_equal(ops->mark(second.queue, 0, NULL), WS_OK);
	assert_int_equal(ops->submit(second.queue, &second.op, 0, 1, NULL), WS_OK);
	assert_int_equal(ops->mark(second.queue, 1, NULL), WS_OK);
	assert_int_equal(ops->flush(second.queue, NULL), WS_OK);
	ops->release(&bench.backend);
	assert_int_equal(rig_finish(&first, 1, &lanes[0], NULL), WS_OK);
	assert_int_equal(rig_finish(&second, 1, &lanes[1], NULL), WS_OK);
	assert_true(lanes[1].start_ns >= lanes[0].start_ns);
	rig_take_apart(&first);
	rig_take_apart(&second);
	close_bench(&bench);
}

static void marks_between_loops_time_each(void **state)
{
	const struct ws_item item = new_item(WS_COPY, cuda_place(0), cuda_place(1), 0, "ce", 397000);
	const struct ws_backend_ops *ops = &ws_cuda_backend;
	struct ws_lane lane;
	struct bench bench;
	struct rig rig;

	(void)state;
	open_bench(&bench);
	assert_int_equal(rig_build(&rig, &bench, &item, NULL), WS_OK);
	assert_int_equal(rig_refill(&rig, NULL), WS_OK);
	assert_int_equal(ops->gate(rig.queue, NULL), WS_OK);
	assert_int_equal(ops->mark(rig.queue, 0, NULL), WS_OK);
	for (int loop = 1; loop <= 100; loop++) {
		assert_int_equal(ops->submit(rig.queue, &rig.op, 0, 1, NULL), WS_OK);
		assert_int_equal(ops->mark(rig.queue, loop < 100 ? loop + 1 : 1, NULL), WS_OK);
	}
	assert_int_equal(ops->flush(rig.queue, NULL), WS_OK);
	ops->release(&bench.backend);
	assert_int_equal(rig_finish(&rig, 100, &lane, NULL), WS_OK);
	assert_int_equal(lane.value_count, 100);
	for (int i = 0; i < 100; i++)
		assert_true(fabs(lane.values[i] - 3300) < 3);
	free(lane.values);
	rig_take_apart(&rig);
	close_bench(&bench);
}

static void state_comes_from_nvml(void **state)
{
	static const char *const settings[] = {"FAKE_CUDA_MACHINE", WS_FAKE_MACHINES "/narrow.machine", NULL};
	const struct ws_place place = cuda_place(1);
	json_t *facts = json_object(), *nvlink;
	struct bench bench;

	(void)state;
	assert_int_equal(bench_open(&bench, NULL, settings), WS_OK);
	assert_non_null(strstr(bench.backend.version, "CUDA 13.0, driver 580.95.05"));
	assert_true(bench.backend.simulated);
	assert_int_equal(ws_cuda_backend.state(&bench.backend, &place, facts, NULL), WS_OK);
	assert_int_equal(json_integer_value(json_object_get(facts, "pcie_generation")), 4);
	assert_int_equal(json_integer_value(json_object_get(facts, "pcie_generation_max")), 5);
	assert_int_equal(json_integer_value(json_object_get(facts, "pcie_width")), 8);
	assert_int_equal(json_integer_value(json_object_get(facts, "memory_clock_mhz")), 2619);
	assert_true(fabs(json_real_value(json_object_get(facts, "power_limit_w")) - 650) < 1e-9);
	assert_int_equal(json_array_size(json_object_get(facts, "clock_reasons")), 2);
	assert_string_equal(json_string_value(json_object_get(facts, "compute_mode")), "exclusive process");
	assert_int_equal(json_integer_value(json_object_get(facts, "other_processes")), 1);
	nvlink = json_object_get(facts, "nvlink");
	assert_int_equal(json_integer_value(json_object_get(nvlink, "links")), 18);
	assert_int_equal(json_integer_value(json_object_get(nvlink, "link_mb_per_s")), 26562);
	assert_int_equal(json_integer_value(json_object_get(json_object_get(nvlink, "peers"), "switch")), 18);
	json_decref(facts);
	close_bench(&bench);
}

static void links_without_a_switch_name_their_ends(void **state)
{
	static const char *const settings[] = {"FAKE_CUDA_MACHINE", WS_FAKE_MACHINES "/direct.machine", NULL};
	const struct ws_place place = cuda_place(1);
	json_t *facts = json_object(), *peers;
	struct bench bench;

	(void)state;
	assert_int_equal(bench_open(&bench, NULL, settings), WS_OK);
	assert_int_equal(ws_cuda_backend.state(&bench.backend, &place, facts, NULL), WS_OK);
	peers = json_object_get(json_object_get(facts, "nvlink"), "peers");
	assert_int_equal(json_object_size(peers), 3);
	assert_int_equal(json_integer_value(json_object_get(peers, "00fa:18:00.0")), 6);
	json_decref(facts);
	close_bench(&bench);
}

static void counters_count_what_went_by_nvlink(void **state)
{
	const struct ws_item item = new_item(WS_COPY, cuda_place(1), cuda_place(0), 1, "ce", 1024 * 1000);
	const struct ws_place place = cuda_place(1);
	struct ws_counter before[8], after[8];
	struct ws_lane lane;
	struct bench bench;
	int count = 0;

	(void)state;
	open_bench(&bench);
	assert_int_equal(ws_cuda_backend.counters(&bench.backend, &place, before, 8, &count, NULL), WS_OK);
	assert_int_equal(count, 4);
	run_item(&bench, &item, 0, 1, &lane);
	assert_int_equal(ws_cuda_backend.counters(&bench.backend, &place, after, 8, &count, NULL), WS_OK);
	assert_string_equal(after[0].name, "cuda1.nvlink.data_tx_bytes");
	assert_int_equal(after[0].delta - before[0].delta, 1000 * 1024);
	assert_int_equal(after[1].delta - before[1].delta, 0);
	assert_string_equal(after[2].name, "cuda1.nvlink.raw_tx_bytes");
	assert_int_equal(after[2].delta - before[2].delta, 1062 * 1024);
	close_bench(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies_arrive_on_every_path),
		cmocka_unit_test(pageable_memory_is_copied_at_release_only),
		cmocka_unit_test(a_two_way_copy_by_a_kernel_has_an_end_for_either_way),
		cmocka_unit_test(two_way_copies_by_the_copy_engine_are_two_streams),
		cmocka_unit_test(sums_and_values_are_verified),
		cmocka_unit_test(wrong_data_is_found),
		cmocka_unit_test(every_multiprocessor_chases),
		cmocka_unit_test(a_chase_that_strays_is_found),
		cmocka_unit_test(flags_go_to_and_fro),
		cmocka_unit_test(without_stream_waits_a_kernel_is_the_gate),
		cmocka_unit_test(a_join_makes_a_queue_wait_for_another_ones_mark),
		cmocka_unit_test(marks_between_loops_time_each),
		cmocka_unit_test(state_comes_from_nvml),
		cmocka_unit_test(links_without_a_switch_name_their_ends),
		cmocka_unit_test(counters_count_what_went_by_nvlink),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
