/* The CUDA back end when something is wrong: no driver, sick GPUs, refused calls, work that never ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/place.h"
#include "unit/cuda_rig.h"

#define NOWHERE ((struct ws_place){0})

static void what_keeps_the_driver_from_starting_is_said(void **state)
{
	const struct {
		const char *settings[3];
		int status;
		const char *text;
	} rows[] = {
		{{"FAKE_CUDA_INIT", "803", NULL}, WS_EDRIVER, "cuInit: 803 CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"},
		{{"CUDA_VISIBLE_DEVICES", "", NULL}, WS_EABSENT, "cuInit: 100 CUDA_ERROR_NO_DEVICE"},
		{{"WIRESPEED_CUDA_LIB", "/nowhere/libcuda.so.1", NULL}, WS_EABSENT, "/nowhere/libcuda.so.1"},
		{{"FAKE_CUDA_INIT", "4711", NULL}, WS_EDRIVER, "4711 a result that this driver has no name for"},
		{{"FAKE_CUDA_FAIL", "1:999", NULL}, WS_EDRIVER, "cuDriverGetVersion: 999 CUDA_ERROR_UNKNOWN"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ws_error error = {0};
		struct bench bench;

		assert_int_equal(bench_open(&bench, &error, rows[i].settings), rows[i].status);
		if (!strstr(error.text, rows[i].text))
			fail_msg("\"%s\" is not in \"%s\"", rows[i].text, error.text);
		assert_null(bench.backend.state);
	}
}

/* Opens and lists; the caller releases the list. */
static struct ws_places list(struct bench *bench, const char *const *settings)
{
	struct ws_places places = {0};

	assert_int_equal(bench_open(bench, NULL, settings), WS_OK);
	assert_int_equal(ws_cuda_backend.places(&bench->backend, &places, NULL), WS_OK);
	return places;
}

static void places_are_in_pci_order(void **state)
{
	static const char *const settings[] = {"FAKE_CUDA_ORDER", "reverse", "FAKE_CUDA_GPUS", "4", NULL};
	struct bench bench;
	struct ws_places places = list(&bench, settings);

	(void)state;
	assert_int_equal(places.count, 4);
	for (int i = 0; i < 4; i++) {
		char pci[16];

		snprintf(pci, sizeof(pci), "0000:%02x:00.0", 0x10 + i);
		assert_string_equal(places.at[i].pci, pci);
		assert_int_equal(places.at[i].place.index, i);
		assert_string_equal(places.at[i].engines, "ce sm tma");
		assert_int_equal(places.at[i].memory_bytes, 1 << 30);
		assert_int_equal(places.at[i].cache_bytes, 1 << 20);
		assert_int_equal(places.at[i].numa_node, -1);
		assert_int_equal(places.at[i].peers, 0xf & ~(1u << i));
		assert_int_equal(places.at[i].linked_peers, 0xf & ~(1u << i));
		assert_true(places.at[i].simulated);
		assert_string_equal(places.at[i].absent, "");
	}
	assert_string_equal(places.at[2].uuid, "GPU-00000000-0000-0000-0000-000000000003");
	ws_places_release(&places);
	bench_close(&bench);
}

static void visible_devices_are_the_drivers(void **state)
{
	static const char *const settings[] = {"CUDA_VISIBLE_DEVICES", "GPU-00000000-0000-0000-0000-000000000002,7,0",
					       NULL};
	struct bench bench;
	struct ws_places places = list(&bench, settings);

	(void)state;
	assert_int_equal(places.count, 1);
	assert_string_equal(places.at[0].pci, "0000:11:00.0");
	ws_places_release(&places);
	bench_close(&bench);
}

static void an_instance_of_a_split_gpu_is_named_as_one(void **state)
{
	static const char *const settings[] = {"FAKE_NVML_MIG", "1", NULL};
	struct bench bench;
	struct ws_places places = list(&bench, settings);

	(void)state;
	assert_string_equal(places.at[0].uuid, "MIG-00000000-0000-0000-0000-000000000001");
	ws_places_release(&places);
	bench_close(&bench);
}

static void a_gpu_that_cannot_be_used_says_why_and_the_other_one_works(void **state)
{
	static const char *const settings[] = {"FAKE_CUDA_MODE", "2", NULL};
	struct ws_item item = new_item(WS_COPY, cuda_place(0), cuda_place(0), 0, "ce", 4096);
	struct ws_error error = {0};
	struct ws_lane lane;
	struct bench bench;
	struct rig rig;
	struct ws_places places = list(&bench, settings);

	(void)state;
	assert_non_null(strstr(places.at[0].absent, "prohibited"));
	assert_string_equal(places.at[1].absent, "");
	assert_int_equal(places.at[1].peers, 0);
	ws_places_release(&places);
	assert_int_equal(rig_build(&rig, &bench, &item, &error), WS_EABSENT);
	assert_non_null(strstr(error.text, "cuda0: its compute mode"));
	rig_take_apart(&rig);
	item = new_item(WS_COPY, cuda_place(1), cuda_place(1), 1, "ce", 4096);
	assert_int_equal(rig_build(&rig, &bench, &item, NULL), WS_OK);
	assert_int_equal(rig_refill(&rig, NULL), WS_OK);
	assert_int_equal(rig_run(&rig, 0, 1, &lane, NULL), WS_OK);
	rig_take_apart(&rig);
	bench_close(&bench);
	assert_int_equal(fake_outstanding(), 0);
}

static void what_a_gpu_cannot_do_is_unsupported(void **state)
{
	static const char *const alone[] = {"FAKE_CUDA_PEER", "0", NULL};
	struct ws_item items[] = {
		new_item(WS_COPY, cuda_place(1), cuda_place(0), 0, "sm", 4096),
		new_item(WS_COPY, cuda_place(1), cuda_place(0), 0, "nic", 4096),
		new_item(WS_READ, cuda_place(0), NOWHERE, 0, "ce", 4096),
		new_item(WS_COPY, host_place("pageable"), cuda_place(0), 0, "sm", 4096),
		new_item(WS_COPY, cuda_place(0), cuda_place(0), 0, "sm", 4096),
		new_item(WS_COPY, cuda_place(0), cuda_place(0), 0, "sm", 4096),
	};
	static const char *const texts[] = {
		"no peer access cuda0 -> cuda1", "no engine \"nic\"", "does not offer \"read\"", "not registered",
		"memory kind \"fabric\"",	 "page size",
	};

	(void)state;
	strcpy(items[4].source.memory, "fabric");
	strcpy(items[5].source.pages, "2m");
	for (size_t i = 0; i < sizeof(items) / sizeof(items[0]); i++) {
		struct ws_error error = {0};
		struct bench bench;
		struct rig rig;

		assert_int_equal(bench_open(&bench, NULL, alone), WS_OK);
		assert_int_equal(rig_build(&rig, &bench, &items[i], &error), WS_EUNSUPPORTED);
		if (!strstr(error.text, texts[i]))
			fail_msg("\"%s\" is not in \"%s\"", texts[i], error.text);
		rig_take_apart(&rig);
		bench_close(&bench);
		assert_int_equal(fake_outstanding(), 0);
	}
}

static void the_copy_engine_goes_by_the_host_without_peer_access_if_asked_to(void **state)
{
	static const char *const alone[] = {"FAKE_CUDA_PEER", "0", NULL};
	struct ws_item item = new_item(WS_COPY, cuda_place(1), cuda_place(0), 0, "ce", 4096);
	struct bench bench;
	struct rig rig;

	(void)state;
	assert_int_equal(bench_open(&bench, NULL, alone), WS_OK);
	assert_int_equal(rig_build(&rig, &bench, &item, NULL), WS_EUNSUPPORTED);
	rig_take_apart(&rig);
	assert_int_equal(ws_item_option_set(&item, "peer", "off", NULL), WS_OK);
	assert_int_equal(rig_build(&rig, &bench, &item, NULL), WS_OK);
	rig_take_apart(&rig);
	bench_close(&bench);
}

static void memory_that_is_not_there_is_said_with_what_is(void **state)
{
	const struct ws_place place = cuda_place(0);
	struct ws_error error = {0};
	struct ws_buffer buffer;
	struct bench bench;

	(void)state;
	assert_int_equal(bench_open(&bench, NULL, NULL), WS_OK);
	assert_int_equal(ws_cuda_backend.alloc(&bench.backend, &place, NULL, UINT64_C(5) << 30, &buffer, &error),
			 WS_ENOMEM);
	assert_string_equal(error.text,
			    "cuda0: cuMemAlloc of 5120 MiB, with 1023 of 1024 MiB free: 2 CUDA_ERROR_OUT_OF_MEMORY");
	bench_close(&bench);
}

static void an_old_driver_names_what_it_does_not_read(void **state)
{
	static const char *const settings[] = {"FAKE_CUDA_PTX", "222", NULL};
	const struct ws_item item = new_item(WS_COPY, cuda_place(0), cuda_place(0), 0, "sm", 4096);
	struct ws_error error = {0};
	struct bench bench;
	struct rig rig;

	(void)state;
	assert_int_equal(bench_open(&bench, NULL, settings), WS_OK);
	assert_int_equal(rig_build(&rig, &bench, &item, &error), WS_EDRIVER);
	assert_string_equal(error.text,
			    "cuda0: cuModuleLoadDataEx of module base, ptxas application ptx input, line 1; "
			    "fatal   : Unsupported .version: 222 CUDA_ERROR_UNSUPPORTED_PTX_VERSION");
	rig_take_apart(&rig);
	bench_close(&bench);
	assert_int_equal(fake_outstanding(), 0);
}

static void without_nvml_there_are_no_counters_and_the_state_says_why(void **state)
{
	static const char *const rows[][5] = {
		{"WIRESPEED_NVML_LIB", "/nowhere/libnvidia-ml.so.1", NULL},
		{"FAKE_NVML_INIT", "18", NULL},
	};
	static const char *const texts[] = {"/nowhere/libnvidia-ml.so.1", "nvmlInit: 18 RM has detected"};
	const struct ws_place place = cuda_place(0);

	(void)state;
	for (int i = 0; i < 2; i++) {
		json_t *facts = json_object();
		struct ws_counter counters[4];
		struct bench bench;
		int count = 7;

		assert_int_equal(bench_open(&bench, NULL, rows[i]), WS_OK);
		assert_int_equal(ws_cuda_backend.counters(&bench.backend, &place, counters, 4, &count, NULL), WS_OK);
		assert_int_equal(count, 0);
		assert_int_equal(ws_cuda_backend.state(&bench.backend, &place, facts, NULL), WS_OK);
		assert_non_null(strstr(json_string_value(json_object_get(facts, "nvml")), texts[i]));
		json_decref(facts);
		bench_close(&bench);
	}
}

static void facts_that_nvml_does_not_know_are_left_out(void **state)
{
	static const char *const settings[] = {"FAKE_NVML_BARE", "1", NULL};
	const struct ws_place place = cuda_place(0);
	struct ws_counter counters[4];
	json_t *facts = json_object();
	struct bench bench;
	int count = 7;

	(void)state;
	assert_int_equal(bench_open(&bench, NULL, settings), WS_OK);
	assert_int_equal(ws_cuda_backend.counters(&bench.backend, &place, counters, 4, &count, NULL), WS_OK);
	assert_int_equal(count, 0);
	assert_int_equal(ws_cuda_backend.state(&bench.backend, &place, facts, NULL), WS_OK);
	assert_null(json_object_get(facts, "pcie_generation"));
	assert_null(json_object_get(facts, "nvlink"));
	assert_null(json_object_get(facts, "clock_reasons"));
	json_decref(facts);
	bench_close(&bench);
}

static void confidential_computing_takes_the_device_clock_away(void **state)
{
	static const char *const settings[] = {"FAKE_NVML_CC", "1", NULL};
	const struct ws_item item = new_item(WS_COPY, cuda_place(0), cuda_place(1), 0, "ce", 4096);
	struct ws_lane lane;
	struct bench bench;
	struct rig rig;

	(void)state;
	assert_int_equal(bench_open(&bench, NULL, settings), WS_OK);
	assert_int_equal(rig_build(&rig, &bench, &item, NULL), WS_OK);
	assert_int_equal(rig_refill(&rig, NULL), WS_OK);
	assert_int_equal(rig_run(&rig, 0, 1, &lane, NULL), WS_OK);
	assert_false(lane.has_device);
	rig_take_apart(&rig);
	bench_close(&bench);
}

static void loops_that_do_not_fit_behind_a_gate_are_refused(void **state)
{
	const struct ws_item item = new_item(WS_COPY, cuda_place(0), cuda_place(1), 0, "ce", 16);
	struct ws_error error = {0};
	struct ws_lane lane;
	struct bench bench;
	struct rig rig;

	(void)state;
	assert_int_equal(bench_open(&bench, NULL, NULL), WS_OK);
	assert_int_equal(rig_build(&rig, &bench, &item, NULL), WS_OK);
	assert_int_equal(rig_refill(&rig, NULL), WS_OK);
	assert_int_equal(rig_run(&rig, 4, WS_CUDA_LOOPS_MAX - 4, &lane, NULL), WS_OK);
	assert_int_equal(rig_run(&rig, 5, WS_CUDA_LOOPS_MAX - 4, &lane, &error), WS_EINVAL);
	/* It can be used again. */
	assert_int_equal(rig_run(&rig, 0, 1, &lane, NULL), WS_OK);
	rig_take_apart(&rig);
	bench_close(&bench);
}

static void half_a_pair_is_refused(void **state)
{
	const struct ws_item item = new_item(WS_COPY2, cuda_place(0), cuda_place(1), 0, "sm", 4096);
	struct ws_error error = {0};
	struct ws_lane lane;
	struct bench bench;
	struct rig rig;

	(void)state;
	assert_int_equal(bench_open(&bench, NULL, NULL), WS_OK);
	assert_int_equal(rig_build(&rig, &bench, &item, NULL), WS_OK);
	assert_int_equal(rig_refill(&rig, NULL), WS_OK);
	assert_int_equal(rig_run(&rig, 0, 1, &lane, &error), WS_EINVAL);
	assert_non_null(strstr(error.text, "needs both its queues"));
	rig_take_apart(&rig);
	bench_close(&bench);
	assert_int_equal(fake_outstanding(), 0);
}

static void what_never_ends_is_given_up(void **state)
{
	/* The copy of 16 bytes that comes first, two fills, then the timed one. */
	static const char *const settings[] = {"FAKE_CUDA_HANG", "4", NULL};
	const struct ws_item item = new_item(WS_COPY, cuda_place(0), cuda_place(0), 0, "ce", 4096);
	const struct ws_item other = new_item(WS_COPY, cuda_place(1), cuda_place(1), 1, "ce", 4096);
	struct ws_error error = {0};
	struct ws_buffer buffer;
	static struct rig rig, rig_other; /* what is lost is never freed */
	static struct bench bench;
	bool done = true;

	(void)state;
	rig_patience_ns = 1000000000;
	assert_int_equal(bench_open(&bench, NULL, settings), WS_OK);
	assert_int_equal(rig_build(&rig, &bench, &item, NULL), WS_OK);
	assert_int_equal(rig_refill(&rig, NULL), WS_OK);
	assert_int_equal(rig_arm(&rig, 0, 1, NULL), WS_OK);
	ws_cuda_backend.release(&bench.backend);
	assert_int_equal(ws_cuda_backend.poll(rig.queue, 0, &done, NULL), WS_OK);
	assert_false(done);
	assert_int_equal(ws_cuda_backend.cancel(rig.queue), WS_ELOST);
	/* Nothing of it is touched any more; the fake would count the calls. */
	ws_cuda_backend.free(&bench.backend, &rig.source);
	assert_non_null(rig.source.handle);
	assert_int_equal(ws_cuda_backend.alloc(&bench.backend, &item.source, NULL, 16, &buffer, &error), WS_ELOST);
	assert_string_equal(error.text, "cuda0 does not answer any more");
	/* Another one still is what it was, up to the fake's own hanging. */
	assert_int_equal(rig_build(&rig_other, &bench, &other, NULL), WS_ETIMEOUT);
}

/* A driver whose first copy hangs may hang in its own end as well: who closes it is told. */
static void who_closes_hears_of_what_hangs(void **state)
{
	static const char *const settings[] = {"FAKE_CUDA_HANG", "1", NULL};
	const struct ws_item item = new_item(WS_COPY, cuda_place(0), cuda_place(0), 0, "ce", 4096);
	static struct rig rig; /* what is lost is never freed */
	static struct bench bench;

	(void)state;
	rig_patience_ns = 1000000000;
	assert_int_equal(bench_open(&bench, NULL, NULL), WS_OK);
	ws_cuda_backend.close(&bench.backend);
	assert_false(bench.backend.lost);
	assert_int_equal(bench_open(&bench, NULL, settings), WS_OK);
	assert_int_equal(rig_build(&rig, &bench, &item, NULL), WS_ETIMEOUT);
	ws_cuda_backend.close(&bench.backend);
	assert_true(bench.backend.lost);
}

/* A run of everything, as far as it goes. */
static int everything(const char *fail, struct ws_error *error, bool *clean)
{
	const char *const settings[] = {"FAKE_CUDA_FAIL", fail, NULL};
	const struct ws_item items[] = {
		new_item(WS_COPY, host_place("pinned"), cuda_place(0), 0, "ce", 5000),
		new_item(WS_COPY, cuda_place(0), cuda_place(1), 1, "sm", 5000),
		new_item(WS_READ, cuda_place(0), NOWHERE, 0, "sm", 5000),
		new_item(WS_CHASE, cuda_place(1), NOWHERE, 0, "sm", 5000),
		new_item(WS_COPY, host_place("wc"), cuda_place(1), 1, "ce", 5000),
	};
	struct ws_places places = {0};
	struct bench bench;
	int rc = bench_open(&bench, error, fail ? settings : NULL);

	*clean = true;
	if (rc != WS_OK)
		return rc;
	rc = ws_cuda_backend.places(&bench.backend, &places, error);
	ws_places_release(&places);
	for (size_t i = 0; i < sizeof(items) / sizeof(items[0]) && rc == WS_OK; i++) {
		struct ws_check check = {0};
		struct ws_lane lane = {0};
		struct rig rig;

		rc = rig_build(&rig, &bench, &items[i], error);
		if (rc == WS_OK)
			rc = rig_refill(&rig, error);
		if (rc == WS_OK)
			rc = rig_run(&rig, 1, 2, &lane, error);
		if (rc == WS_OK)
			rc = rig_verify(&rig, &check, error);
		free(lane.values);
		assert_int_equal(check.wrong_count, 0);
		rig_take_apart(&rig);
	}
	bench_close(&bench);
	*clean = fake_outstanding() == 0;
	return rc;
}

/* Makes the n-th call answer a result, for every n. */
static void sweep(int result, bool must_be_clean)
{
	bool clean = false;
	uint64_t calls, failed = 0;

	assert_int_equal(everything(NULL, NULL, &clean), WS_OK);
	assert_true(clean);
	calls = fake_calls();
	for (uint64_t n = 1; n <= calls; n++) {
		char order[40];
		struct ws_error error = {0};
		int rc;

		snprintf(order, sizeof(order), "%llu:%d", (unsigned long long)n, result);
		rc = everything(order, &error, &clean);
		failed += rc != WS_OK;
		if ((rc != WS_OK) != (error.text[0] != '\0'))
			fail_msg("call %llu: status %d, text \"%s\"", (unsigned long long)n, rc, error.text);
		/* A call that gives something back may fail unseen, and then something is left. */
		if (rc != WS_OK && must_be_clean && !clean)
			fail_msg("call %llu: \"%s\", and something was left behind", (unsigned long long)n, error.text);
	}
	assert_true(failed > calls / 2);
}

static void any_call_may_fail(void **state)
{
	(void)state;
	sweep(2, true);
}

/* After such a result a context is of no use, and nothing can be given back. */
static void any_call_may_find_a_broken_gpu(void **state)
{
	(void)state;
	sweep(719, false);
}

/* Both sides of a ping-pong play at the priority, too. */
static void a_priority_is_the_streams(void **state)
{
	static const struct {
		const char *word;
		uint64_t least, greatest;
	} rows[] = {{"normal", 0, 0}, {"low", 1, 0}, {"high", 0, 1}};
	static const char *const settings[] = {NULL};

	(void)state;
	for (size_t i = 0; i < 2 * sizeof(rows) / sizeof(rows[0]); i++) {
		const bool plays = i % 2 != 0;
		struct ws_item item = plays ? new_item(WS_PINGPONG, cuda_place(0), cuda_place(1), 0, "sm", 0)
					    : new_item(WS_COPY, cuda_place(0), cuda_place(1), 0, "ce", 4096);
		const uint64_t streams = plays ? 2 : 1;
		struct bench bench;
		struct rig rig;
		uint64_t least, greatest;

		assert_int_equal(bench_open(&bench, NULL, settings), WS_OK);
		least = fake_streams(0);
		greatest = fake_streams(2);
		assert_int_equal(ws_item_option_set(&item, "priority", rows[i / 2].word, NULL), WS_OK);
		assert_int_equal(rig_build(&rig, &bench, &item, NULL), WS_OK);
		assert_int_equal(fake_streams(0) - least, streams * rows[i / 2].least);
		assert_int_equal(fake_streams(2) - greatest, streams * rows[i / 2].greatest);
		rig_take_apart(&rig);
		bench_close(&bench);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_keeps_the_driver_from_starting_is_said),
		cmocka_unit_test(places_are_in_pci_order),
		cmocka_unit_test(visible_devices_are_the_drivers),
		cmocka_unit_test(an_instance_of_a_split_gpu_is_named_as_one),
		cmocka_unit_test(a_gpu_that_cannot_be_used_says_why_and_the_other_one_works),
		cmocka_unit_test(what_a_gpu_cannot_do_is_unsupported),
		cmocka_unit_test(the_copy_engine_goes_by_the_host_without_peer_access_if_asked_to),
		cmocka_unit_test(memory_that_is_not_there_is_said_with_what_is),
		cmocka_unit_test(an_old_driver_names_what_it_does_not_read),
		cmocka_unit_test(without_nvml_there_are_no_counters_and_the_state_says_why),
		cmocka_unit_test(facts_that_nvml_does_not_know_are_left_out),
		cmocka_unit_test(confidential_computing_takes_the_device_clock_away),
		cmocka_unit_test(loops_that_do_not_fit_behind_a_gate_are_refused),
		cmocka_unit_test(half_a_pair_is_refused),
		cmocka_unit_test(a_priority_is_the_streams),
		cmocka_unit_test(any_call_may_fail),
		cmocka_unit_test(any_call_may_find_a_broken_gpu),
		/* Last: what hangs stays behind. */
		cmocka_unit_test(what_never_ends_is_given_up),
		cmocka_unit_test(who_closes_hears_of_what_hangs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
