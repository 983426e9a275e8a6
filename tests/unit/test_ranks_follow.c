/* The rank that follows, spoken to order by order: what it refuses, and what makes it leave. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "activity/wire.h"
#include "base/clock.h"
#include "unit/ranks_world.h"

#define PLAN "custom: r1/cuda0 -> r1/cuda1 by r1/cuda0.ce 1M x4 + r0/cuda0 -> r0/cuda1 by r0/cuda0.ce 1M\\n"
#define OPEN "{\"id\":2,\"order\":\"open\",\"step\":0,\"within_ns\":9000000000,\"data\":{\"plan\":\"" PLAN "\"}}"
#define PREPARE "\"data\":{\"offers\":{\"id.0\":100,\"id.1\":101}}"
#define SHOT "\"data\":{\"shot\":{\"size_index\":0,\"lead_loops\":0,\"loops\":[4,1],\"trail_loops\":[2,0],\"gated\":true,\"mark_every_loop\":false,\"counters\":false,\"link_counters\":false}}"

static int64_t soon(void)
{
	return ws_clock_now_ns(ws_clock_monotonic()) + LONG_NS;
}

static void say(struct world *world, const char *text)
{
	assert_int_equal(world->ranks->ops->send(world->ranks, 1, text, strlen(text), soon(), NULL), WS_OK);
}

/* The rank has left by itself. */
static void expect_gone(struct world *world)
{
	char *message = NULL;
	size_t size;

	assert_int_equal(world->ranks->ops->receive(world->ranks, 1, soon(), &message, &size, NULL), WS_ELOST);
	world_leave(world);
}

/* The next answer, in which text must stand. */
static void hear(struct world *world, const char *text)
{
	struct ws_error error = {0};
	char *message = NULL;
	size_t size;

	if (world->ranks->ops->receive(world->ranks, 1, soon(), &message, &size, &error) != WS_OK)
		fail_msg("%s", error.text);
	if (!strstr(message, text))
		fail_msg("%s\nhas no: %s", message, text);
	free(message);
}

static void order(struct world *world, const char *name, const char *data, const char *answer)
{
	char text[600];

	snprintf(text, sizeof(text), "{\"id\":5,\"order\":\"%s\",\"step\":2,\"within_ns\":9000000000%s%s}", name,
		 data ? "," : "", data ? data : "");
	say(world, text);
	if (answer)
		hear(world, answer);
}

static struct world *begin(void)
{
	struct world *world = world_new(2);

	assert_int_equal(ws_ranks_thread(2, world_follow, world, &world->ranks, NULL), WS_OK);
	return world;
}

/* Up to an open step, whose handle is 2. */
static struct world *begin_step(void)
{
	struct world *world = begin();

	order(world, "places", "\"data\":{\"families\":\"host cuda\"}", "\"place\":\"host0\"");
	say(world, OPEN);
	hear(world, "{\"id\":2,\"status\":\"ok\",\"data\":{\"sleeps\":false,\"loops_max\":1001}}");
	return world;
}

static void a_whole_step(void **state)
{
	struct world *world = begin_step();
	char text[LOG_MAX];

	(void)state;
	order(world, "begin", "\"data\":{\"places\":[\"cuda1\",\"host0\"]}", "\"ok\"");
	assert_string_equal(world->observers[1].begun, "cuda1 host0");
	order(world, "offer", NULL, "\"offers\":{\"id.1\":101}");
	order(world, "prepare", PREPARE, "{\"id\":5,\"status\":\"ok\"");
	order(world, "refill", "\"data\":{\"seed\":\"18446744073709551615\"}", "\"ok\"");
	order(world, "arm", SHOT, "\"ok\"");
	order(world, "release", NULL, "{\"id\":5,\"status\":\"ok\",\"data\":{\"ended\":[0]}}");
	/* A stop that comes too late has no answer. */
	order(world, "stop", NULL, NULL);
	order(world, "read", NULL, "\"clock\":\"r1/sim0:event\"");
	order(world, "verify", NULL, "\"check\":{\"wrong_count\":\"0\"}");
	order(world, "path", NULL, "\"path\":{\"r1\":{\"width\":2}}");
	order(world, "free", NULL, "\"ok\"");
	/* A second time is no harm: rank 0 may not know whether it was opened. */
	order(world, "free", NULL, "\"ok\"");
	order(world, "arm", SHOT, "no such step is open");
	assert_string_equal(world_calls(world, 1, text), "opFaRrvf");
	assert_true(world->scripts[1].last_seed == UINT64_MAX);
	world_end(world);
}

static void orders_that_cannot_be_obeyed(void **state)
{
	struct world *world = begin();

	(void)state;
	say(world, OPEN);
	hear(world, "before the places");
	world_end(world);

	world = begin();
	order(world, "begin", "\"data\":{\"places\":[\"cuda0\"]}", "before the places");
	world_end(world);

	world = begin_step();
	order(world, "begin", NULL, "no list of places");
	order(world, "begin", "\"data\":{\"places\":[]}", "no list of places");
	order(world, "begin", "\"data\":{\"places\":[\"cuda0\",\"r1/cuda1\"]}", "no place of its own");
	order(world, "begin", "\"data\":{\"places\":[7]}", "no place of its own");
	assert_string_equal(world->observers[1].begun, "");
	order(world, "open", "\"data\":{\"plan\":\"nonsense\"}", "\"invalid\"");
	order(world, "open", "\"data\":{\"plan\":\"" PLAN PLAN "\"}", "a plan of 2 steps");
	order(world, "open", "\"data\":{\"plan\":\"\"}", "the plan has no steps");
	order(world, "open", "\"data\":{\"plan\":\"custom: r0/cuda0 -> r0/cuda1 by r0/cuda0.ce 1M\\n\"}",
	      "no item of the step is this rank's");
	order(world, "open", "\"data\":{\"plan\":\"custom: cuda0 -> cuda1 by cuda0.ce 1M\\n\"}", "whose?");
	order(world, "open", NULL, "without a plan");
	order(world, "prepare", NULL, "without offers");
	order(world, "prepare", "\"data\":{\"offers\":{}}", "0 of 2 offers are right");
	order(world, "refill", "\"data\":{\"seed\":7}", "no number as \\\"seed\\\"");
	order(world, "arm", NULL, "no shot of 2 items");
	order(world, "cancel", NULL, "\"ok\"");
	order(world, "free", NULL, "\"ok\"");
	order(world, "cancel", NULL, "no such step is open");
	world_end(world);
}

static void a_sample_that_hangs_is_cancelled(void **state)
{
	struct world *world = begin_step();

	(void)state;
	world->scripts[1].fault = SCRIPT_HANG;
	world->scripts[1].fault_shot = 0;
	order(world, "prepare", PREPARE, "\"ok\"");
	order(world, "arm", SHOT, "\"ok\"");
	order(world, "release", NULL, NULL);
	order(world, "cancel", NULL, "{\"id\":5,\"status\":\"ok\"");
	order(world, "arm", SHOT, "\"ok\"");
	/* The connection is closed while it is armed. */
	world_leave(world);
	assert_int_equal(world_count(world, 1, 'c'), 2);
	world_end(world);
}

static void what_is_no_order_ends_it(void **state)
{
	static const char *const texts[] = {"", "hello", "{}", "{\"id\":1,\"order\":\"dance\",\"step\":0,\"within_ns\":1}"};
	char calls[LOG_MAX];

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct world *world = begin_step();

		say(world, texts[i]);
		expect_gone(world);
		/* What was open is ended and freed. */
		assert_string_equal(world_calls(world, 1, calls), "cf");
		world_end(world);
	}
}

static void work_in_the_middle_of_a_sample_ends_it(void **state)
{
	struct world *world = begin_step();
	char calls[LOG_MAX];

	(void)state;
	world->scripts[1].fault = SCRIPT_HANG;
	world->scripts[1].fault_shot = 0;
	order(world, "prepare", PREPARE, "\"ok\"");
	order(world, "arm", SHOT, "\"ok\"");
	order(world, "release", NULL, NULL);
	order(world, "read", NULL, NULL);
	expect_gone(world);
	assert_string_equal(world_calls(world, 1, calls), "paRcf");
	world_end(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_step),
		cmocka_unit_test(orders_that_cannot_be_obeyed),
		cmocka_unit_test(a_sample_that_hangs_is_cancelled),
		cmocka_unit_test(what_is_no_order_ends_it),
		cmocka_unit_test(work_in_the_middle_of_a_sample_ends_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
