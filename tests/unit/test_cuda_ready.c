/* The CUDA back end over a fake driver: contexts of several GPUs, made at the same time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit/cuda_rig.h"

#define MACHINE "ready.machine"
/* Long enough that threads which begin together meet, on a busy computer as well. */
#define SLOW "make_ms 400\n"

/* Opens on a machine of so many GPUs, where a call may fail. */
static void open_bench(struct bench *bench, int gpus, const char *more, const char *fail)
{
	const char *const settings[] = {"FAKE_CUDA_MACHINE", MACHINE, fail ? "FAKE_CUDA_FAIL" : NULL, fail, NULL};
	FILE *file = fopen(MACHINE, "w");
	struct ws_error error = {0};

	assert_non_null(file);
	fprintf(file, "gpus %d\n%s", gpus, more);
	fclose(file);
	if (bench_open(bench, &error, settings) != WS_OK)
		fail_msg("%s", error.text);
	fake_most_at_once();
	remove(MACHINE);
}

static void close_bench(struct bench *bench)
{
	bench_close(bench);
	assert_int_equal(fake_outstanding(), 0);
	bench_reset();
}

static void make_ready(struct bench *bench, const int *gpus, int count)
{
	struct ws_place places[8];

	for (int i = 0; i < count; i++)
		places[i] = cuda_place(gpus[i]);
	ws_cuda_backend.ready(&bench->backend, places, count);
}

/* A copy inside of a GPU, filled and checked. */
static int use(struct bench *bench, int gpu, struct ws_error *error)
{
	const struct ws_item item = new_item(WS_COPY, cuda_place(gpu), cuda_place(gpu), gpu, "ce", 5000);
	struct ws_check check = {0};
	struct ws_lane lane = {0};
	struct rig rig;
	int rc = rig_build(&rig, bench, &item, error);

	if (rc == WS_OK)
		rc = rig_refill(&rig, error);
	if (rc == WS_OK)
		rc = rig_run(&rig, 1, 2, &lane, error);
	if (rc == WS_OK)
		rc = rig_verify(&rig, &check, error);
	assert_int_equal(check.wrong_count, 0);
	rig_take_apart(&rig);
	return rc;
}

static void contexts_are_made_at_the_same_time(void **state)
{
	static const int some[] = {3, 0, 2}, all[] = {0, 1, 2, 3};
	struct ws_error error = {0};
	struct bench bench;
	uint64_t calls;

	(void)state;
	open_bench(&bench, 4, SLOW, NULL);
	assert_int_equal(fake_contexts(), 0);
	make_ready(&bench, some, 3);
	assert_int_equal(fake_most_at_once(), 3);
	assert_int_equal(fake_contexts(), 0xd);
	/* What is ready stays as it is; one alone needs no other. */
	calls = fake_calls();
	make_ready(&bench, some, 3);
	assert_int_equal(fake_calls(), calls);
	make_ready(&bench, all, 4);
	assert_int_equal(fake_most_at_once(), 1);
	assert_int_equal(fake_contexts(), 0xf);
	for (int gpu = 0; gpu < 4; gpu++)
		if (use(&bench, gpu, &error) != WS_OK)
			fail_msg("%s", error.text);
	close_bench(&bench);
}

static void one_gpu_is_made_ready_alone(void **state)
{
	static const int last[] = {1};
	struct ws_error error = {0};
	struct bench bench;

	(void)state;
	open_bench(&bench, 2, "", NULL);
	make_ready(&bench, last, 1);
	assert_int_equal(fake_contexts(), 2);
	assert_int_equal(use(&bench, 1, &error), WS_OK);
	assert_int_equal(fake_contexts(), 2);
	close_bench(&bench);
}

/* What cannot be used, or does not exist, is passed over. */
static void gpus_that_are_absent_are_left_alone(void **state)
{
	static const int gpus[] = {0, 1, 7};
	struct ws_error error = {0};
	struct bench bench;

	(void)state;
	open_bench(&bench, 2, "gpu 0 mode 2\n", NULL);
	make_ready(&bench, gpus, 3);
	assert_int_equal(fake_contexts(), 2);
	assert_int_equal(use(&bench, 0, &error), WS_EABSENT);
	assert_int_equal(use(&bench, 1, NULL), WS_OK);
	close_bench(&bench);
}

/* Whichever call of GPU 1 fails: it says the same as if it had been used first, and the others are measured. */
static void one_that_fails_leaves_the_others(void **state)
{
	static const int all[] = {0, 1, 2};
	static const char *const calls[] = {
		"cuDevicePrimaryCtxRetain", "cuCtxSetCurrent",	      "cuStreamCreate",	   "cuEventCreate",
		"cuMemAlloc_v2",	    "cuStreamQuery",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		struct ws_error ready = {0}, unready = {0}, error = {0};
		struct bench bench;
		char order[80];
		int rc;

		snprintf(order, sizeof(order), "%s@1#1:46", calls[i]);
		open_bench(&bench, 3, "", order);
		rc = use(&bench, 1, &unready);
		close_bench(&bench);
		open_bench(&bench, 3, "", order);
		make_ready(&bench, all, 3);
		assert_int_equal(use(&bench, 1, &ready), rc);
		assert_int_equal(rc, WS_EDRIVER);
		assert_string_equal(ready.text, unready.text);
		assert_non_null(strstr(ready.text, "46 CUDA_ERROR_DEVICE_UNAVAILABLE"));
		for (int gpu = 0; gpu < 3; gpu += 2)
			if (use(&bench, gpu, &error) != WS_OK)
				fail_msg("%s: %s", calls[i], error.text);
		close_bench(&bench);
	}
}

/* The gate is the first GPU's to make; if it cannot, the next one does. */
static void without_the_gate_of_the_first_there_is_that_of_the_next(void **state)
{
	static const int both[] = {0, 1};
	static const char *const orders[] = {"cuMemHostAlloc@0#1:999", "cuMemHostGetDevicePointer_v2@0#1:999"};

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct ws_error error = {0};
		struct bench bench;

		open_bench(&bench, 2, "", orders[i]);
		make_ready(&bench, both, 2);
		assert_int_equal(use(&bench, 0, &error), WS_EDRIVER);
		assert_non_null(strstr(error.text, "999 CUDA_ERROR_UNKNOWN"));
		assert_int_equal(use(&bench, 1, NULL), WS_OK);
		close_bench(&bench);
	}
}

/* Kernels are loaded as well. One that was refused is asked for again, and only then it is an error. */
static void the_first_kernels_are_loaded(void **state)
{
	static const int both[] = {0, 1};
	static const char *const refused[] = {"FAKE_CUDA_PTX", "222", NULL};
	struct ws_error error = {0};
	struct bench bench;

	(void)state;
	open_bench(&bench, 2, "", "cuModuleLoadDataEx@1#1:999");
	make_ready(&bench, both, 2);
	assert_int_equal(use(&bench, 0, NULL), WS_OK);
	assert_int_equal(use(&bench, 1, NULL), WS_OK);
	close_bench(&bench);
	open_bench(&bench, 2, "", "cuModuleLoadDataEx@1#1:999");
	assert_int_equal(use(&bench, 1, NULL), WS_EDRIVER);
	close_bench(&bench);
	assert_int_equal(bench_open(&bench, NULL, refused), WS_OK);
	make_ready(&bench, both, 2);
	assert_int_equal(use(&bench, 1, &error), WS_EDRIVER);
	assert_non_null(strstr(error.text, "222 CUDA_ERROR_UNSUPPORTED_PTX_VERSION"));
	close_bench(&bench);
}

/* A GPU lost while its kernels are loaded is of no use, and the others are. */
static void one_that_dies_leaves_the_others(void **state)
{
	static const int both[] = {0, 1};
	struct ws_error error = {0};
	struct bench bench;

	(void)state;
	open_bench(&bench, 2, "", "cuModuleLoadDataEx@0#1:719");
	make_ready(&bench, both, 2);
	assert_int_equal(use(&bench, 0, &error), WS_EDRIVER);
	assert_non_null(strstr(error.text, "cuda0 is of no use to this process since cuModuleLoadDataEx"));
	assert_int_equal(use(&bench, 1, NULL), WS_OK);
	close_bench(&bench);
}

static void what_does_not_answer_says_so_when_it_is_used(void **state)
{
	static struct ws_backend backend = {.ops = &ws_cuda_backend}; /* what is lost is never freed */
	const struct ws_backend_options options = {.timeout_ns = 50000000};
	const struct ws_place places[] = {cuda_place(0), cuda_place(1)};
	struct ws_error error = {0};
	struct ws_buffer buffer;

	(void)state;
	bench_reset();
	/* Never ready: so a driver answers whose GPU hangs. */
	setenv("FAKE_CUDA_FAIL", "cuStreamQuery@0#1:600+", 1);
	assert_int_equal(ws_cuda_backend.open(&backend, &options, NULL), WS_OK);
	ws_cuda_backend.ready(&backend, places, 2);
	assert_int_equal(ws_cuda_backend.alloc(&backend, &places[0], NULL, 16, &buffer, &error), WS_ELOST);
	assert_non_null(strstr(error.text, "cuda0: passing an open gate did not end within"));
	ws_cuda_backend.close(&backend);
	assert_true(backend.lost);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(contexts_are_made_at_the_same_time),
		cmocka_unit_test(one_gpu_is_made_ready_alone),
		cmocka_unit_test(gpus_that_are_absent_are_left_alone),
		cmocka_unit_test(one_that_fails_leaves_the_others),
		cmocka_unit_test(without_the_gate_of_the_first_there_is_that_of_the_next),
		cmocka_unit_test(the_first_kernels_are_loaded),
		cmocka_unit_test(one_that_dies_leaves_the_others),
		/* Last: what hangs stays behind. */
		cmocka_unit_test(what_does_not_answer_says_so_when_it_is_used),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
