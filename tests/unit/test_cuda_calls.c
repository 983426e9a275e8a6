/* The CUDA back end over a fake driver: orders that are timed one by one, and what a path tells of caches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "unit/cuda_rig.h"

#define NOWHERE ((struct ws_place){0})

static void open_bench(struct bench *bench)
{
	struct ws_error error = {0};

	if (bench_open(bench, &error, NULL) != WS_OK)
		fail_msg("%s", error.text);
}

static void close_bench(struct bench *bench)
{
	bench_close(bench);
	assert_int_equal(fake_outstanding(), 0);
}

/* Two untimed orders, then loops timed ones, each followed by its mark, without a gate. */
static int run_calls(struct rig *rig, uint32_t loops, struct ws_lane *lane, struct ws_error *error)
{
	const struct ws_backend_ops *ops = &ws_cuda_backend;
	int rc = ops->submit(rig->queue, &rig->op, 0, 2, error);

	if (rc == WS_OK)
		rc = ops->mark(rig->queue, 0, error);
	for (uint32_t loop = 1; loop <= loops && rc == WS_OK; loop++) {
		rc = ops->submit(rig->queue, &rig->op, 0, 1, error);
		if (rc == WS_OK)
			rc = ops->mark(rig->queue, loop < loops ? (int)loop + 1 : 1, error);
	}
	if (rc == WS_OK)
		rc = ops->flush(rig->queue, error);
	return rc == WS_OK ? rig_finish(rig, loops, lane, error) : rc;
}

static void check_values(const struct ws_lane *lane, int count)
{
	double sum = 0;

	assert_int_equal(lane->value_count, count);
	assert_string_equal(lane->value_unit, "ns");
	assert_string_equal(lane->clock, "cuda0:calls");
	assert_true(lane->has_device);
	for (int i = 0; i < count; i++) {
		assert_true(lane->values[i] > 0);
		sum += lane->values[i];
	}
	/* The time of the lane is that of its calls, without what lies between them. */
	assert_true(sum == (double)(lane->end_ns - lane->start_ns));
}

static void each_launch_has_a_time(void **state)
{
	const struct ws_item item = new_item(WS_NOOP, cuda_place(0), NOWHERE, 0, "sm", 0);
	struct ws_error error = {0};
	struct ws_lane lane = {0};
	struct bench bench;
	struct rig rig;

	(void)state;
	open_bench(&bench);
	assert_int_equal(rig_build(&rig, &bench, &item, &error), WS_OK);
	for (int again = 0; again < 2; again++) {
		if (run_calls(&rig, 5, &lane, &error) != WS_OK)
			fail_msg("%s", error.text);
		check_values(&lane, 5);
		free(lane.values);
		lane = (struct ws_lane){0};
	}
	rig_take_apart(&rig);
	close_bench(&bench);
}

static void a_launch_cannot_wait_behind_a_gate(void **state)
{
	const struct ws_item item = new_item(WS_NOOP, cuda_place(0), NOWHERE, 0, "sm", 0);
	struct ws_error error = {0};
	struct ws_lane lane = {0};
	struct bench bench;
	struct rig rig;

	(void)state;
	open_bench(&bench);
	assert_int_equal(rig_build(&rig, &bench, &item, &error), WS_OK);
	assert_int_equal(rig_run(&rig, 0, 1, &lane, &error), WS_EUNSUPPORTED);
	assert_non_null(strstr(error.text, "ungated"));
	assert_int_equal(ws_cuda_backend.cancel(rig.queue), WS_OK);
	assert_int_equal(run_calls(&rig, 1, &lane, NULL), WS_OK);
	check_values(&lane, 1);
	free(lane.values);
	rig_take_apart(&rig);
	close_bench(&bench);
}

static void only_processors_launch(void **state)
{
	const struct ws_item item = new_item(WS_NOOP, cuda_place(0), NOWHERE, 0, "ce", 0);
	struct ws_error error = {0};
	struct bench bench;
	struct rig rig;

	(void)state;
	open_bench(&bench);
	assert_int_equal(rig_build(&rig, &bench, &item, &error), WS_EUNSUPPORTED);
	assert_string_equal(error.text, "engine \"ce\" of a GPU does not offer \"noop\"");
	rig_take_apart(&rig);
	close_bench(&bench);
}

/* Behind a gate its loops have the times of events between them; issued at release, those of calls. */
static void marked_copies_are_called_without_a_gate(void **state)
{
	struct ws_item item = new_item(WS_COPY, host_place("pinned"), cuda_place(0), 0, "ce", 16);
	const struct ws_backend_ops *ops = &ws_cuda_backend;
	struct ws_error error = {0};
	struct ws_check check = {0};
	struct ws_lane lane = {0};
	struct bench bench;
	struct rig rig;

	(void)state;
	open_bench(&bench);
	assert_int_equal(ws_item_option_set(&item, "marks", NULL, NULL), WS_OK);
	assert_int_equal(rig_build(&rig, &bench, &item, &error), WS_OK);
	assert_int_equal(rig_refill(&rig, &error), WS_OK);
	if (run_calls(&rig, 3, &lane, &error) != WS_OK)
		fail_msg("%s", error.text);
	check_values(&lane, 3);
	assert_int_equal(rig_verify(&rig, &check, &error), WS_OK);
	assert_int_equal(check.wrong_count, 0);
	free(lane.values);
	lane = (struct ws_lane){0};
	assert_int_equal(ops->gate(rig.queue, NULL), WS_OK);
	assert_int_equal(ops->mark(rig.queue, 0, NULL), WS_OK);
	assert_int_equal(ops->submit(rig.queue, &rig.op, 0, 1, NULL), WS_OK);
	assert_int_equal(ops->mark(rig.queue, 2, NULL), WS_OK);
	assert_int_equal(ops->submit(rig.queue, &rig.op, 0, 1, NULL), WS_OK);
	assert_int_equal(ops->mark(rig.queue, 1, NULL), WS_OK);
	assert_int_equal(ops->flush(rig.queue, NULL), WS_OK);
	ops->release(&bench.backend);
	assert_int_equal(rig_finish(&rig, 2, &lane, NULL), WS_OK);
	assert_string_equal(lane.clock, "cuda0:event");
	assert_int_equal(lane.value_count, 2);
	assert_true(lane.values[0] >= 2300 && lane.values[0] <= 2301);
	free(lane.values);
	rig_take_apart(&rig);
	close_bench(&bench);
}

static void more_calls_than_are_kept_are_refused(void **state)
{
	const struct ws_item item = new_item(WS_NOOP, cuda_place(0), NOWHERE, 0, "sm", 0);
	struct ws_error error = {0};
	struct bench bench;
	struct rig rig;

	(void)state;
	open_bench(&bench);
	assert_int_equal(rig_build(&rig, &bench, &item, &error), WS_OK);
	assert_int_equal(ws_cuda_backend.mark(rig.queue, 0, NULL), WS_OK);
	assert_int_equal(ws_cuda_backend.submit(rig.queue, &rig.op, 0, 16385, &error), WS_EINVAL);
	assert_non_null(strstr(error.text, "at most 16384"));
	assert_int_equal(ws_cuda_backend.cancel(rig.queue), WS_OK);
	rig_take_apart(&rig);
	close_bench(&bench);
}

/* Work on less than twice as much has no limit: it may stay in there. */
static void a_path_tells_its_cache(void **state)
{
	static const char *const settings[] = {"FAKE_CUDA_MACHINE", WS_FAKE_MACHINES "/1gpu.machine", NULL};
	const struct ws_place place = cuda_place(0);
	json_t *facts = json_object();
	struct ws_error error = {0};
	struct bench bench;

	(void)state;
	if (bench_open(&bench, &error, settings) != WS_OK)
		fail_msg("%s", error.text);
	assert_int_equal(ws_cuda_backend.state(&bench.backend, &place, facts, &error), WS_OK);
	assert_int_equal(json_integer_value(json_object_get(facts, "cache_bytes")), 50 << 20);
	json_decref(facts);
	bench_close(&bench);
	bench_reset();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_launch_has_a_time),
		cmocka_unit_test(a_launch_cannot_wait_behind_a_gate),
		cmocka_unit_test(only_processors_launch),
		cmocka_unit_test(marked_copies_are_called_without_a_gate),
		cmocka_unit_test(more_calls_than_are_kept_are_refused),
		cmocka_unit_test(a_path_tells_its_cache),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
