/* Steps over ranks: order of phases, records, findings, places, groups. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include <jansson.h>

#include "base/clock.h"
#include "base/place.h"
#include "base/record.h"
#include "ranks/self.h"
#include "unit/ranks_world.h"

/* Nobody's n-th call of the second kind comes before everybody's n-th call of the first kind. */
static void expect_before(const struct world *world, char first, char second)
{
	int firsts[RANKS_MAX] = {0}, seconds[RANKS_MAX] = {0};

	for (int i = 0; i < world->log_count; i++) {
		const int rank = world->log[i].rank;

		firsts[rank] += world->log[i].call == first;
		if (world->log[i].call != second)
			continue;
		seconds[rank]++;
		for (int other = 0; other < world->size; other++)
			if (firsts[other] < seconds[rank])
				fail_msg("rank %d: %c before rank %d: %c", rank, second, other, first);
	}
}

static void phases_are_in_step_over_all_ranks(void **state)
{
	struct world *world = world_new(3);
	struct ws_result result;
	char text[LOG_MAX];

	(void)state;
	world_start(world);
	world_run(world, "with samples=2 lead=3\n" THREE, &result);
	for (int rank = 0; rank < 3; rank++) {
		assert_string_equal(world_calls(world, rank, text), "opFaRrvaRrFaRrvf");
		assert_int_equal(world->scripts[rank].last_lead, 3);
		assert_int_equal(world->scripts[rank].last_loops[0], 4);
		assert_int_equal(world->scripts[rank].last_seed, world->scripts[0].last_seed);
		assert_int_equal(world->scripts[rank].opened, world->scripts[rank].freed);
	}
	expect_before(world, 'o', 'p');
	expect_before(world, 'a', 'R');
	expect_before(world, 'R', 'r');
	assert_int_equal(result.steps[0].ending, WS_ENDED_COUNT);
	assert_true(result.steps[0].check.done);
	/* A KiB in 16 ns, whatever the rank, and each lane has its rank's clock. */
	seam_assert_near(seam_value(&result, "first", "row=r0 column=a", 0), 64);
	seam_assert_near(seam_value(&result, "first", "row=r1 column=a", 0), 64);
	seam_assert_near(seam_value(&result, "first", "row=r2 column=a", 0), 64);
	ws_result_release(&result);
	world_end(world);
}

static void ranks_without_items_are_left_alone(void **state)
{
	struct world *world = world_new(3);
	struct ws_result result;
	char text[LOG_MAX];

	(void)state;
	world->offers = 1;
	world_start(world);
	world_run(world, "with samples=1 lead=1\nfirst[row=r1 column=a]: r1/cuda0 -> r1/cuda1 by r1/cuda0.ce 1M x4\n", &result);
	assert_string_equal(world_calls(world, 0, text), "");
	assert_string_equal(world_calls(world, 1, text), "opFaRrvFaRrvf");
	assert_string_equal(world_calls(world, 2, text), "");
	assert_string_equal(world->observers[0].begun, "");
	assert_string_equal(world->observers[1].begun, "cuda0 cuda1");
	assert_string_equal(world->observers[2].begun, "");
	seam_assert_near(seam_value(&result, "first", "row=r1 column=a", 0), 64);
	ws_result_release(&result);
	world_end(world);
}

/* Before the first step each rank hears once of its own places in the plan; what it says to that is no step's business. */
static void ranks_begin_together(void **state)
{
	struct world *world = world_new(2);
	struct ws_result result;

	(void)state;
	world->observers[1].begin_status = WS_EDRIVER;
	world_start(world);
	world_run(world, "with samples=1 lead=1\n" TWO_STEPS, &result);
	for (int rank = 0; rank < 2; rank++) {
		assert_string_equal(world->observers[rank].begun, "cuda0 cuda1 host0 host1");
		assert_int_equal(result.steps[rank].ending, WS_ENDED_COUNT);
	}
	ws_result_release(&result);
	world_end(world);
}

static const struct ws_sample *first_sample(const struct ws_result *result)
{
	assert_true(result->steps[0].records.count > 0);
	return &result->steps[0].records.samples[0];
}

static const struct ws_lane *lane_of(const struct ws_sample *sample, int item, int lane)
{
	for (int i = 0; i < sample->lane_count; i++)
		if (sample->lanes[i].item == item && sample->lanes[i].lane == lane)
			return &sample->lanes[i];
	fail_msg("no lane %d of item %d", lane, item);
	return NULL;
}

static void records_arrive_exactly(void **state)
{
	static const double values[] = {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, 0, -0.0, 123456789.123456789};
	struct world *world = world_new(2);
	const struct ws_sample *sample;
	const struct ws_lane *lane;
	struct ws_result result;
	int counters = 0;

	(void)state;
	world->scripts[1].items[0].values = values;
	world->scripts[1].items[0].value_count = 7;
	world->scripts[1].items[1].back_factor = 3;
	world->scripts[1].counter_step = UINT64_MAX - 5;
	world->scripts[0].counter_step = 17;
	world->scripts[1].now_ns = INT64_C(0x7fffffff00000000);
	world_start(world);
	world_run(world,
	    "with samples=1 lead=2 counters\n"
	    "custom: r1/cuda0 -> r1/cuda1 by r1/cuda0.ce 1M x4 + r0/cuda0 -> r0/cuda1 by r0/cuda0.ce 1000001 x5 + "
	    "r1/cuda0 <-> r1/cuda1 by r1/cuda0.ce 4K x6\n", &result);
	sample = first_sample(&result);
	assert_int_equal(sample->lane_count, 4);
	lane = lane_of(sample, 0, 0);
	assert_string_equal(lane->clock, "r1/" SIM);
	assert_int_equal(lane->value_count, 7);
	assert_memory_equal(lane->values, values, sizeof(values));
	assert_string_equal(lane->value_unit, "ns");
	assert_int_equal(lane->bytes, 4 << 20);
	assert_int_equal(lane->loops, 4);
	assert_int_equal(lane->lead_loops, 2);
	assert_int_equal(lane->issue_ns, 4 * 25);
	assert_true(lane->gated);
	assert_int_equal(lane->end_ns - lane->start_ns, 4 * 16 * 1024);
	assert_true(lane->start_ns > INT64_C(0x7fffffff00000000));
	/* Its times on rank 0's clock are rank 0's. */
	assert_true(lane->host_start_ns == sample->host_start_ns && lane->host_end_ns > lane->host_start_ns);
	lane = lane_of(sample, 1, 0);
	assert_string_equal(lane->clock, "r0/" SIM);
	assert_int_equal(lane->bytes, 5000005);
	assert_int_equal(lane_of(sample, 2, 0)->end_ns - lane_of(sample, 2, 0)->start_ns, 6 * 64);
	assert_int_equal(lane_of(sample, 2, 1)->end_ns - lane_of(sample, 2, 1)->start_ns, 6 * 192);
	/* Two ranks' clocks are not one. */
	assert_false(sample->has_span);
	for (int i = 0; i < sample->counter_count; i++) {
		const struct ws_counter *counter = &sample->counters[i];

		if (strcmp(counter->name, "r0/sim0.bytes") == 0 && counter->delta == 17)
			counters |= 1;
		if (strcmp(counter->name, "r1/sim0.bytes") == 0 && counter->delta == UINT64_MAX - 5)
			counters |= 2;
	}
	assert_int_equal(counters, 3);
	/* Facts of a path, by rank. */
	assert_int_equal(json_integer_value(json_object_get(json_object_get(result.steps[0].path, "r0"), "width")), 1);
	assert_int_equal(json_integer_value(json_object_get(json_object_get(result.steps[0].path, "r1"), "width")), 2);
	ws_result_release(&result);
	world_end(world);
}

static void interference_on_another_rank_is_stopped(void **state)
{
	struct world *world = world_new(2);
	struct ws_result result;

	(void)state;
	world_start(world);
	world_run(world, "with samples=1 lead=0 verify=none\ncustom: r0/host0 -> r0/host0 by r0/host0.cpu 1M x4 + "
	    "r1/host0 -> r1/host0 by r1/host0.cpu 1M interfering\n", &result);
	assert_int_equal(result.steps[0].ending, WS_ENDED_COUNT);
	assert_true(world_count(world, 1, 's') > 0);
	assert_int_equal(world_count(world, 1, 's'), world_count(world, 1, 'a'));
	assert_int_equal(first_sample(&result)->lane_count, 2);
	assert_false(first_sample(&result)->discarded);
	ws_result_release(&result);
	world_end(world);
}

static void wrong_data_is_told_with_its_rank(void **state)
{
	struct world *world = world_new(3);
	struct ws_result result;

	(void)state;
	world->scripts[2].fault = SCRIPT_WRONG;
	world->scripts[2].fault_shot = -1;
	world_start(world);
	world_run(world, "with samples=3 lead=1\n" THREE, &result);
	assert_int_equal(result.steps[0].ending, WS_ENDED_WRONG_DATA);
	assert_int_equal(result.steps[0].check.rank, 2);
	assert_int_equal(result.steps[0].check.item, 2);
	assert_int_equal(result.steps[0].check.wrong_count, 1);
	assert_int_equal(result.steps[0].check.first_offset, 4096);
	assert_int_equal(result.steps[0].check.expected, 0x1111);
	assert_int_equal(result.steps[0].check.found, 0x2222);
	assert_non_null(strstr(seam_cell(&result, "first", "row=r2 column=a")->reason, "of rank 2"));
	ws_result_release(&result);
	world_end(world);
}

static void wrong_data_of_rank_0_has_its_rank_too(void **state)
{
	struct world *world = world_new(2);
	struct ws_result result;

	(void)state;
	world->scripts[0].fault = SCRIPT_WRONG;
	world->scripts[0].fault_shot = -1;
	world_start(world);
	world_run(world, "with samples=3 lead=1\nfirst[row=a column=b]: r1/cuda0 -> r1/cuda1 by r1/cuda0.ce 1M x4 + "
	    "r0/cuda0 -> r0/cuda1 by r0/cuda0.ce 1M x4\n", &result);
	assert_int_equal(result.steps[0].check.rank, 0);
	assert_int_equal(result.steps[0].check.item, 1);
	ws_result_release(&result);
	world_end(world);
}

static void places_of_all_ranks(void **state)
{
	struct world *world = world_new(3);
	struct ws_places places = {0};
	struct ws_error error = {0};
	char text[WS_PLACE_TEXT];

	(void)state;
	world_add_place(&world->places[2], "cuda3", 0);
	strcpy(world->places[2].at[1].same_as, "ocl0");
	world->places[2].at[1].numa_node = 5;
	world->places[2].at[1].simulated = true;
	world->places[2].at[1].on_cpu = true;
	world->places[2].at[1].peers = UINT64_C(1) << 63 | 5;
	world->places[2].at[1].linked_peers = 4;
	world->places[2].at[1].linked_host = true;
	assert_int_equal(ws_ranks_thread(3, world_follow, world, &world->ranks, NULL), WS_OK);
	assert_int_equal(ws_proxies_new(world->ranks, &world->source[0], &world->proxies, NULL), WS_OK);
	if (ws_proxies_places(world->proxies, "host cuda", &world->places[0], LONG_NS, &places, &error) != WS_OK)
		fail_msg("%s", error.text);
	assert_int_equal(places.count, 4);
	assert_string_equal(ws_place_format(&places.at[0].place, text, sizeof(text)), "r0/host0");
	assert_string_equal(ws_place_format(&places.at[1].place, text, sizeof(text)), "r1/host0");
	assert_string_equal(ws_place_format(&places.at[3].place, text, sizeof(text)), "r2/cuda3");
	assert_int_equal(places.at[1].cpu_count, 2);
	assert_int_equal(places.at[1].numa_node, -1);
	assert_true(places.at[1].memory_bytes == UINT64_MAX - 1);
	assert_string_equal(places.at[1].name, "of 2 cpus ?");
	assert_string_equal(places.at[3].same_as, "r2/ocl0");
	assert_int_equal(places.at[3].numa_node, 5);
	assert_true(places.at[3].simulated && !places.at[1].simulated);
	assert_true(places.at[3].on_cpu && !places.at[1].on_cpu);
	assert_true(places.at[3].peers == (UINT64_C(1) << 63 | 5));
	assert_int_equal(places.at[3].linked_peers, 4);
	assert_true(places.at[3].linked_host && !places.at[1].linked_host);
	ws_places_release(&places);
	world_end(world);
}

static void groups_are_interleaved_over_ranks(void **state)
{
	struct world *world = world_new(2);
	struct ws_result result;

	(void)state;
	world_start(world);
	world_run(world, "with samples=2 lead=1 verify=none\n"
	    "first[row=a column=b]: r0/cuda0 -> r0/cuda1 by r0/cuda0.ce 1M x4 + r1/cuda0 -> r1/cuda1 by r1/cuda0.ce 1M x4 group=1\n"
	    "first[row=a column=c]: r0/cuda0 -> r0/cuda1 by r0/cuda0.ce 1M x5 + r1/cuda0 -> r1/cuda1 by r1/cuda0.ce 1M x7 group=1\n",
	    &result);
	assert_int_equal(result.steps[0].ending, WS_ENDED_COUNT);
	assert_int_equal(result.steps[1].ending, WS_ENDED_COUNT);
	assert_int_equal(lane_of(&result.steps[0].records.samples[1], 1, 0)->loops, 4);
	assert_int_equal(lane_of(&result.steps[1].records.samples[1], 1, 0)->loops, 7);
	assert_int_equal(world->scripts[1].opened, 2);
	assert_int_equal(world->scripts[1].freed, 2);
	ws_result_release(&result);
	world_end(world);
}

static int open_nothing(void *context, const struct ws_step *step, const struct ws_settings *settings,
			struct ws_activity ***list, int *count, struct ws_error *error)
{
	(void)context;
	(void)step;
	(void)settings;
	(void)list;
	(void)count;
	return ws_fail(error, WS_EABSENT, "nothing to open");
}

static void alone_it_is_the_local_source(void **state)
{
	struct ws_activity_source local = {.open = open_nothing}, source = {0};
	struct ws_ranks self = ws_ranks_self();
	struct ws_places own = {0}, places = {0};
	struct ws_proxies *proxies = NULL;

	(void)state;
	world_add_place(&own, "host0", 4);
	assert_int_equal(ws_proxies_new(&self, &local, &proxies, NULL), WS_OK);
	assert_int_equal(ws_proxies_source(proxies, "", &source, NULL), WS_OK);
	assert_true(source.open == open_nothing);
	assert_int_equal(ws_proxies_places(proxies, NULL, &own, LONG_NS, &places, NULL), WS_OK);
	assert_int_equal(places.count, 1);
	assert_int_equal(places.at[0].place.rank, WS_RANK_NONE);
	ws_places_release(&own);
	ws_places_release(&places);
	ws_proxies_free(proxies);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(phases_are_in_step_over_all_ranks),
		cmocka_unit_test(ranks_without_items_are_left_alone),
		cmocka_unit_test(ranks_begin_together),
		cmocka_unit_test(records_arrive_exactly),
		cmocka_unit_test(interference_on_another_rank_is_stopped),
		cmocka_unit_test(wrong_data_is_told_with_its_rank),
		cmocka_unit_test(wrong_data_of_rank_0_has_its_rank_too),
		cmocka_unit_test(places_of_all_ranks),
		cmocka_unit_test(groups_are_interleaved_over_ranks),
		cmocka_unit_test(alone_it_is_the_local_source),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
