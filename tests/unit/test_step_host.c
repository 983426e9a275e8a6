/* Steps on this machine's own memory, from plan text to checked data. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "activity/session.h"
#include "backend/host.h"
#include "base/item.h"
#include "base/record.h"
#include "measure/run.h"
#include "plan/plan_text.h"
#include "probe/probe.h"

struct bench {
	struct ws_session *session;
	char host[16]; /* a node with CPUs and memory */
	int cpus;
};

static int open_bench(void **state)
{
	const struct ws_session_options options = {.timeout_ns = 20000000000, .rank = WS_RANK_NONE};
	struct bench *bench = calloc(1, sizeof(*bench));
	const struct ws_places *places;

	assert_non_null(bench);
	assert_int_equal(ws_session_open(&options, &bench->session, NULL), WS_OK);
	assert_int_equal(ws_session_need(bench->session, "host", NULL), WS_OK);
	places = ws_session_places(bench->session);
	for (int i = places->count - 1; i >= 0; i--) {
		if (places->at[i].cpu_count == 0 || places->at[i].absent[0])
			continue;
		snprintf(bench->host, sizeof(bench->host), "host%d", places->at[i].place.index);
		bench->cpus = places->at[i].cpu_count;
	}
	assert_true(bench->cpus > 0);
	*state = bench;
	return 0;
}

static int close_bench(void **state)
{
	struct bench *bench = *state;

	ws_session_close(bench->session);
	free(bench);
	return 0;
}

/* Runs a plan in which H stands for the node. */
static void run(const struct bench *bench, const char *text, struct ws_result *result)
{
	const struct ws_activity_source source = ws_session_source(bench->session);
	const struct ws_run_options options = {.clock = ws_clock_monotonic(), .source = &source};
	struct ws_error error = {0};
	struct ws_plan plan;
	char full[400] = "";

	for (size_t used = 0; *text; text++)
		used += (size_t)snprintf(full + used, sizeof(full) - used, *text == 'H' ? "%s" : "%.1s",
					 *text == 'H' ? bench->host : text);
	memset(result, 0, sizeof(*result));
	if (ws_plan_parse(full, strlen(full), ws_probe_find, &plan, &error) != WS_OK)
		fail_msg("%s", error.text);
	assert_int_equal(ws_run_plan(&plan, &options, result, &error), WS_OK);
	ws_plan_release(&plan);
	for (int i = 0; i < result->step_count; i++) {
		const struct ws_step_result *step = &result->steps[i];

		if (step->ending != WS_ENDED_COUNT)
			fail_msg("%s: %s", step->step.text, step->reason);
		assert_true(step->check.done);
		assert_int_equal(step->check.wrong_count, 0);
	}
}

static void every_verb_and_odd_size(void **state)
{
	static const char *const items[] = {"H -> H by H.cpu", "read H by H.cpu", "write H by H.cpu"};
	static const char *const sizes[] = {"1", "63", "4097", "1048577"};
	static const char *const flags[] = {"", " nt", " ungated", " threads=1"};
	struct bench *bench = *state;

	for (size_t i = 0; i < 3; i++) {
		for (size_t s = 0; s < 4; s++) {
			for (size_t f = 0; f < 4; f++) {
				struct ws_result result;
				char text[120];

				if (i == 1 && f == 1)
					continue;
				snprintf(text, sizeof(text), "with samples=2 verify=each lead=1 loops=3\n%s %s%s\n",
					 items[i], sizes[s], flags[f]);
				run(bench, text, &result);
				assert_int_equal(result.steps[0].records.count, 2);
				for (int k = 0; k < 2; k++) {
					const struct ws_lane *lane = result.steps[0].records.samples[k].lanes;

					assert_true(lane->has_device);
					assert_string_equal(lane->clock, "host:monotonic");
					assert_true(lane->start_ns >= lane->host_start_ns);
					assert_true(lane->end_ns > lane->start_ns && lane->end_ns <= lane->host_end_ns);
					assert_int_equal(lane->bytes, 3 * (uint64_t)atoi(sizes[s]));
					assert_int_equal(lane->loops, 3);
					assert_int_equal(lane->lead_loops, 1);
					assert_int_equal(lane->gated, f != 2);
				}
				ws_result_release(&result);
			}
		}
	}
}

static void chase_under_load(void **state)
{
	struct bench *bench = *state;
	struct ws_result result;
	const struct ws_sample *sample;

	run(bench, "with samples=2 verify=each\nchase H by H.cpu 4097 + read H by H.cpu 1M interfering threads=1\n",
	    &result);
	for (int k = 0; k < result.steps[0].records.count; k++) {
		sample = &result.steps[0].records.samples[k];
		assert_int_equal(sample->lane_count, 2);
		assert_int_equal(sample->lanes[0].value_count, 1);
		assert_true(sample->lanes[0].values[0] > 0);
		assert_int_equal(sample->lanes[1].lead_loops, 0);
		assert_true(sample->lanes[1].loops >= 1 && sample->lanes[1].bytes >= 1 << 20);
		/* The load was there before the first load that counts and after the last one. */
		assert_true(sample->lanes[1].start_ns <= sample->lanes[0].start_ns);
		assert_true(sample->lanes[1].end_ns >= sample->lanes[0].end_ns);
	}
	ws_result_release(&result);
}

static void two_way_copy_at_once(void **state)
{
	struct bench *bench = *state;
	struct ws_result result;

	run(bench, "with samples=2 verify=each loops=2\nH <-> H by H.cpu 1000001\n", &result);
	assert_int_equal(result.steps[0].records.samples[0].lane_count, 2);
	assert_int_equal(result.steps[0].records.samples[0].lanes[1].bytes, 2000002);
	ws_result_release(&result);
}

static void loop_times_add_up(void **state)
{
	struct bench *bench = *state;
	struct ws_result result;
	const struct ws_lane *lane;
	double sum = 0;

	run(bench, "with samples=1\nread H by H.cpu 64K x50 marks\n", &result);
	lane = result.steps[0].records.samples[0].lanes;
	assert_int_equal(lane->value_count, 50);
	for (int i = 0; i < lane->value_count; i++) {
		assert_true(lane->values[i] >= 0);
		sum += lane->values[i];
	}
	assert_true(sum > (double)(lane->end_ns - lane->start_ns) - 1 &&
		    sum < (double)(lane->end_ns - lane->start_ns) + 1);
	ws_result_release(&result);
}

static void slopes_and_groups(void **state)
{
	struct bench *bench = *state;
	struct ws_result result;

	run(bench,
	    "with samples=3 verify=each\nread H by H.cpu 64K/1M group=1\nH -> H by H.cpu 63 nt group=1\n"
	    "chase H by H.cpu 1M group=1\nnoop H by H.cpu\n",
	    &result);
	assert_int_equal(result.steps[0].records.count, 6);
	assert_int_equal(result.steps[1].records.count, 3);
	assert_non_null(json_object_get(json_object_get(result.steps[0].path, bench->host), "instructions"));
	ws_result_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_verb_and_odd_size), cmocka_unit_test(chase_under_load),
		cmocka_unit_test(two_way_copy_at_once),	   cmocka_unit_test(loop_times_add_up),
		cmocka_unit_test(slopes_and_groups),
	};

	return cmocka_run_group_tests(tests, open_bench, close_bench);
}
