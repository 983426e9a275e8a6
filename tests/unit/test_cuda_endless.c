/* The CUDA back end over a fake driver: loops that go on until they are stopped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "unit/cuda_rig.h"

#define NOWHERE ((struct ws_place){0})
#define SIZE 65540

static void nap(void)
{
	const struct timespec time = {.tv_nsec = 3000000};

	nanosleep(&time, NULL);
}

/* Until a thread beside this one, which makes none itself, has made many calls of the driver. */
static void wait_for_work(void)
{
	const uint64_t before = fake_calls();

	for (int i = 0; i < 3000 && fake_calls() < before + 100; i++)
		nap();
	assert_true(fake_calls() >= before + 100);
}

/* Orders of a run, behind the gate. */
static int arm(struct rig *rig, struct ws_error *error)
{
	const struct ws_backend_ops *ops = &ws_cuda_backend;
	int rc = ops->gate(rig->queue, error);

	if (rc == WS_OK)
		rc = ops->mark(rig->queue, 0, error);
	if (rc == WS_OK)
		rc = ops->submit(rig->queue, &rig->op, 0, WS_LOOPS_UNTIL_STOPPED, error);
	if (rc == WS_OK)
		rc = ops->mark(rig->queue, 1, error);
	return rc == WS_OK ? ops->flush(rig->queue, error) : rc;
}

static void build(struct rig *rig, struct bench *bench, enum ws_verb verb, const char *const *settings)
{
	const struct ws_item item = new_item(verb, cuda_place(0), verb == WS_COPY ? cuda_place(1) : NOWHERE, 0,
					     verb == WS_COPY ? "ce" : "sm", SIZE);
	struct ws_error error = {0};

	if (bench_open(bench, &error, settings) != WS_OK || rig_build(rig, bench, &item, &error) != WS_OK ||
	    rig_refill(rig, &error) != WS_OK)
		fail_msg("%s", error.text);
}

static void take_apart(struct rig *rig, struct bench *bench)
{
	rig_take_apart(rig);
	bench_close(bench);
	assert_int_equal(fake_outstanding(), 0);
	bench_reset();
}

/* More than what was queued before the gate opened, and all of it counted and right. */
static void work_goes_on_until_it_is_stopped(void **state)
{
	static const enum ws_verb verbs[] = {WS_COPY, WS_READ};

	(void)state;
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		struct ws_error error = {0};
		struct ws_check check = {0};
		struct ws_lane lane = {0};
		struct bench bench;
		struct rig rig;
		bool done = true;

		build(&rig, &bench, verbs[i], NULL);
		for (int again = 0; again < 3; again++) {
			if (arm(&rig, &error) != WS_OK)
				fail_msg("%s", error.text);
			ws_cuda_backend.release(&bench.backend);
			wait_for_work();
			assert_int_equal(ws_cuda_backend.poll(rig.queue, 0, &done, &error), WS_OK);
			assert_false(done);
			ws_cuda_backend.stop(rig.queue);
			if (rig_finish(&rig, 0, &lane, &error) != WS_OK)
				fail_msg("%s", error.text);
			assert_true(lane.loops > 4);
			assert_true(lane.bytes == (uint64_t)lane.loops * SIZE);
			assert_true(lane.has_device && lane.end_ns > lane.start_ns);
			assert_int_equal(rig_verify(&rig, &check, &error), WS_OK);
			assert_int_equal(check.wrong_count, 0);
			free(lane.values);
			lane = (struct ws_lane){0};
		}
		take_apart(&rig, &bench);
	}
}

static void nothing_moves_before_the_gate_opens(void **state)
{
	struct ws_error error = {0};
	struct ws_lane lane = {0};
	struct bench bench;
	struct rig rig;
	bool done = true;

	(void)state;
	build(&rig, &bench, WS_COPY, NULL);
	assert_int_equal(arm(&rig, &error), WS_OK);
	nap();
	assert_int_equal(ws_cuda_backend.poll(rig.queue, 0, &done, &error), WS_OK);
	assert_false(done);
	/* Stopped before it began: what was queued is done all the same. */
	ws_cuda_backend.stop(rig.queue);
	nap();
	assert_int_equal(ws_cuda_backend.poll(rig.queue, 0, &done, &error), WS_OK);
	assert_false(done);
	ws_cuda_backend.release(&bench.backend);
	assert_int_equal(rig_finish(&rig, 0, &lane, &error), WS_OK);
	assert_true(lane.loops >= 4);
	take_apart(&rig, &bench);
}

static void a_run_is_cancelled_in_any_state(void **state)
{
	struct ws_error error = {0};
	struct ws_lane lane = {0};
	struct bench bench;
	struct rig rig;

	(void)state;
	build(&rig, &bench, WS_COPY, NULL);
	/* Armed, running, and not even complete. */
	assert_int_equal(arm(&rig, &error), WS_OK);
	assert_int_equal(ws_cuda_backend.cancel(rig.queue), WS_OK);
	assert_int_equal(arm(&rig, &error), WS_OK);
	ws_cuda_backend.release(&bench.backend);
	wait_for_work();
	assert_int_equal(ws_cuda_backend.cancel(rig.queue), WS_OK);
	assert_int_equal(ws_cuda_backend.gate(rig.queue, &error), WS_OK);
	assert_int_equal(ws_cuda_backend.submit(rig.queue, &rig.op, 0, WS_LOOPS_UNTIL_STOPPED, &error), WS_OK);
	assert_int_equal(ws_cuda_backend.cancel(rig.queue), WS_OK);
	/* The queue is as good as new. */
	assert_int_equal(rig_run(&rig, 0, 3, &lane, &error), WS_OK);
	assert_int_equal(lane.end_ns > lane.start_ns, 1);
	take_apart(&rig, &bench);
}

static void what_has_ends_of_its_own_does_not_go_on(void **state)
{
	struct ws_item item = new_item(WS_CHASE, cuda_place(0), NOWHERE, 0, "sm", 1 << 20);
	struct ws_error error = {0};
	struct bench bench;
	struct rig rig;

	(void)state;
	assert_int_equal(bench_open(&bench, &error, NULL), WS_OK);
	assert_int_equal(rig_build(&rig, &bench, &item, &error), WS_OK);
	assert_int_equal(rig_refill(&rig, &error), WS_OK);
	assert_int_equal(arm(&rig, &error), WS_EUNSUPPORTED);
	assert_string_equal(error.text, "\"chase\" by a GPU cannot run until it is stopped");
	assert_int_equal(ws_cuda_backend.cancel(rig.queue), WS_OK);
	take_apart(&rig, &bench);
}

/* A GPU that falls off is told by poll, and holds nobody up. */
static void a_lost_gpu_ends_it(void **state)
{
	static const char *const settings[] = {"FAKE_CUDA_MACHINE", "lost.machine", NULL};
	FILE *file = fopen("lost.machine", "w");
	struct ws_error error = {0};
	struct bench bench;
	struct rig rig;
	bool done = false;
	int rc = WS_OK;

	(void)state;
	assert_non_null(file);
	fputs("gpus 2\nfault lost 0->1 copy=20 code=719\n", file);
	fclose(file);
	build(&rig, &bench, WS_COPY, settings);
	assert_int_equal(arm(&rig, &error), WS_OK);
	ws_cuda_backend.release(&bench.backend);
	for (int i = 0; i < 1000 && rc == WS_OK && !done; i++) {
		nap();
		rc = ws_cuda_backend.poll(rig.queue, 0, &done, &error);
	}
	assert_int_equal(rc, WS_EDRIVER);
	assert_non_null(strstr(error.text, "719"));
	assert_int_equal(ws_cuda_backend.cancel(rig.queue), WS_OK);
	rig_take_apart(&rig);
	bench_close(&bench);
	bench_reset();
	remove("lost.machine");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(work_goes_on_until_it_is_stopped),
		cmocka_unit_test(nothing_moves_before_the_gate_opens),
		cmocka_unit_test(a_run_is_cancelled_in_any_state),
		cmocka_unit_test(what_has_ends_of_its_own_does_not_go_on),
		cmocka_unit_test(a_lost_gpu_ends_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
