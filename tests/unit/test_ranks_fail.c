/* Steps over ranks of which one fails, is slow, hangs, leaves or is lost; and steps that ranks cannot run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/clock.h"
#include "base/record.h"
#include "unit/ranks_world.h"

static void the_worst_rank_is_named_after_prepare(void **state)
{
	struct world *world = world_new(4);
	struct ws_result result;
	char text[LOG_MAX];

	(void)state;
	/* Rank 1 would wait for rank 2 until the deadline; rank 2 knows what is wrong. */
	world->observers[1].prepare_ns = 300000000;
	world->observers[1].prepare_status = WS_ETIMEOUT;
	world->scripts[2].fail_prepare = "out of paper";
	world_start(world);
	world_run(world, "with samples=2 lead=1\n"
	    "first[row=a column=b]: r0/cuda0 -> r0/cuda1 by r0/cuda0.ce 1M + r1/cuda0 -> r1/cuda1 by r1/cuda0.ce 1M + "
	    "r2/cuda0 -> r2/cuda1 by r2/cuda0.ce 1M + r3/cuda0 -> r3/cuda1 by r3/cuda0.ce 1M\n", &result);
	assert_int_equal(result.steps[0].status, WS_EDRIVER);
	assert_string_equal(result.steps[0].reason, "rank 2: out of paper");
	for (int rank = 0; rank < 4; rank++)
		assert_string_equal(world_calls(world, rank, text), "opcf");
	assert_false(result.lost);
	ws_result_release(&result);
	world_end(world);
}

/* One that is still busy when another has failed is waited for before it is given up. */
static void a_busy_rank_is_not_lost(void **state)
{
	struct world *world = world_new(3);
	struct ws_result result;

	(void)state;
	world->scripts[1].fail_prepare = "out of paper";
	world->observers[2].prepare_ns = 2500000000;
	world_start(world);
	world_run(world, "with samples=2 lead=1\n" THREE, &result);
	assert_string_equal(result.steps[0].reason, "rank 1: out of paper");
	assert_false(result.lost);
	world->scripts[1].fail_prepare = NULL;
	world->observers[2].prepare_ns = 0;
	ws_result_release(&result);
	world_run(world, "with samples=2 lead=1\n" THREE, &result);
	assert_int_equal(result.steps[0].ending, WS_ENDED_COUNT);
	ws_result_release(&result);
	world_end(world);
}

static void failures_while_sampling_name_the_rank(void **state)
{
	static const struct {
		enum script_fault fault;
		const char *reason;
	} rows[] = {
		{SCRIPT_FAIL_ARM, "rank 1: scripted failure to arm"},
		{SCRIPT_FAIL_READ, "rank 1: scripted failure to read"},
	};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct world *world = world_new(3);
		struct ws_result result;

		world->scripts[1].fault = rows[i].fault;
		world->scripts[1].fault_shot = 1;
		world_start(world);
		world_run(world, "with samples=3 lead=1\n" THREE, &result);
		assert_int_equal(result.steps[0].status, WS_EDRIVER);
		assert_string_equal(result.steps[0].reason, rows[i].reason);
		for (int rank = 0; rank < 3; rank++)
			assert_int_equal(world->scripts[rank].opened, world->scripts[rank].freed);
		/* And it can go on. */
		world->scripts[1].fault = SCRIPT_FINE;
		ws_result_release(&result);
		world_run(world, "with samples=3 lead=1\n" THREE, &result);
		assert_int_equal(result.steps[0].ending, WS_ENDED_COUNT);
		ws_result_release(&result);
		world_end(world);
	}
}

static void a_hang_on_another_rank_ends_at_the_deadline(void **state)
{
	struct world *world = world_new(2);
	const int64_t start_ns = ws_clock_now_ns(ws_clock_monotonic());
	struct ws_result result;

	(void)state;
	world->scripts[1].fault = SCRIPT_HANG;
	world->scripts[1].fault_shot = 0;
	world_start(world);
	world_run(world, "with samples=2 lead=1 timeout=300ms\n"
	    "first[row=a column=b]: r0/cuda0 -> r0/cuda1 by r0/cuda0.ce 1M x4 + r1/cuda0 -> r1/cuda1 by r1/cuda0.ce 1M x4\n",
	    &result);
	assert_int_equal(result.steps[0].status, WS_ETIMEOUT);
	assert_non_null(strstr(result.steps[0].reason, "item 2, by r1/cuda0.ce"));
	assert_false(result.lost);
	assert_true(ws_clock_now_ns(ws_clock_monotonic()) - start_ns < 5000000000);
	ws_result_release(&result);
	world_end(world);
}

static void a_lost_place_of_another_rank_stays_lost(void **state)
{
	struct world *world = world_new(2);
	struct ws_result result;

	(void)state;
	world->scripts[1].fault = SCRIPT_LOST;
	world->scripts[1].fault_shot = 0;
	world_start(world);
	world_run(world, "with samples=2 lead=1 timeout=300ms\n" TWO_STEPS, &result);
	assert_int_equal(result.steps[0].status, WS_ETIMEOUT);
	assert_true(result.lost);
	ws_result_release(&result);
	world_end(world);
}

static void a_rank_that_leaves_is_named_and_the_rest_goes_on(void **state)
{
	struct world *world = world_new(3);
	struct ws_result result;

	(void)state;
	world->observers[1].no_places = false;
	world_start(world);
	world_run(world, "with samples=2 lead=1\n" THREE, &result);
	assert_int_equal(result.steps[0].ending, WS_ENDED_COUNT);
	ws_result_release(&result);
	world->scripts[1].fault = SCRIPT_FINE;
	world->ranks->ops->send(world->ranks, 1, "leave, please", 13, INT64_MAX, NULL);
	world_run(world, "with samples=2 lead=1\n" THREE "custom: r0/cuda0 -> r0/cuda1 by r0/cuda0.ce 1M x4\n", &result);
	assert_int_equal(result.steps[0].status, WS_ELOST);
	assert_string_equal(result.steps[0].reason, "rank 1 has closed its connection");
	ws_result_release(&result);
	world_end(world);
}

static void a_rank_that_cannot_open_says_why(void **state)
{
	struct world *world = world_new(3);
	struct ws_places places = {0};
	struct ws_error error = {0};

	(void)state;
	world->observers[2].no_places = true;
	assert_int_equal(ws_ranks_thread(3, world_follow, world, &world->ranks, NULL), WS_OK);
	assert_int_equal(ws_proxies_new(world->ranks, &world->source[0], &world->proxies, NULL), WS_OK);
	assert_int_equal(ws_proxies_places(world->proxies, "host cuda", &world->places[0], LONG_NS, &places, &error), WS_EABSENT);
	assert_string_equal(error.text, "rank 2: no memory at all here");
	assert_int_equal(places.count, 0);
	world_end(world);
}

static void what_ranks_cannot_run_is_said(void **state)
{
	static const struct {
		const char *step, *reason;
		int status;
	} rows[] = {
		{"custom: cuda0 -> cuda1 by cuda0.ce 1M\n",
		 "cuda0: of 2 ranks, whose? A place is written r0/cuda0 to r1/cuda0", WS_EINVAL},
		{"custom: r2/cuda0 -> r2/cuda1 by r2/cuda0.ce 1M\n", "r2/cuda0: there is no rank 2, only 0 to 1", WS_EINVAL},
		{"custom: r1/cuda0 -> r0/cuda1 by r0/cuda0.ce 1M\n",
		 "r0/cuda0 and r1/cuda0 belong to two ranks, and \"->\" does not reach from one to the other",
		 WS_EUNSUPPORTED},
	};
	struct world *world = world_new(2);

	(void)state;
	world_start(world);
	for (size_t i = 0; i < 3; i++) {
		struct ws_result result;

		world_run(world, rows[i].step, &result);
		assert_int_equal(result.steps[0].status, rows[i].status);
		assert_string_equal(result.steps[0].reason, rows[i].reason);
		ws_result_release(&result);
	}
	world_end(world);
}

static void offers_must_differ(void **state)
{
	struct world *world = world_new(2);
	struct ws_result result;

	(void)state;
	world->observers[1].same_offer = true;
	world_start(world);
	world_run(world, "with samples=1 lead=1\n" TWO_STEPS, &result);
	assert_string_equal(result.steps[0].reason, "rank 1 offers \"id.0\", which another has offered already");
	ws_result_release(&result);
	world_end(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_worst_rank_is_named_after_prepare),
		cmocka_unit_test(a_busy_rank_is_not_lost),
		cmocka_unit_test(failures_while_sampling_name_the_rank),
		cmocka_unit_test(a_hang_on_another_rank_ends_at_the_deadline),
		cmocka_unit_test(a_lost_place_of_another_rank_stays_lost),
		cmocka_unit_test(a_rank_that_leaves_is_named_and_the_rest_goes_on),
		cmocka_unit_test(a_rank_that_cannot_open_says_why),
		cmocka_unit_test(what_ranks_cannot_run_is_said),
		cmocka_unit_test(offers_must_differ),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
