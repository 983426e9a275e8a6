/* Steps on made-up devices: lanes, slopes, buffers shared over steps, interference, counters, ranks, refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>

#include "step_trial.h"

static void both_sizes_of_a_slope_are_run_and_checked(void **state)
{
	struct trial *trial = calloc(1, sizeof(*trial));
	const struct ws_step_result *step;

	(void)state;
	set_up(trial);
	step = run(
		trial,
		"with samples=3 verify=each\ncuda0 -> cuda1 by cuda0.ce 64K/256K + cuda2 -> cuda3 by cuda2.ce 4K x2\n");
	assert_int_equal(step->ending, WS_ENDED_COUNT);
	assert_int_equal(step->records.count, 6);
	assert_int_equal(trial->fake.largest_alloc, 256 << 10);
	for (int i = 0; i < 6; i++) {
		const struct ws_sample *sample = &step->records.samples[i];

		assert_int_equal(sample->lane_count, 2);
		assert_int_equal(sample->lanes[0].bytes,
				 sample->lanes[0].loops * (sample->size_index ? 262144u : 65536u));
		/* An item with one size always uses that. */
		assert_int_equal(sample->lanes[1].bytes, 8192);
		assert_true(sample->check.done);
	}
	put_away(trial);
	free(trial);
}

static void two_way_copy_has_two_lanes(void **state)
{
	struct trial *trial = calloc(1, sizeof(*trial));
	const struct ws_sample *sample;

	(void)state;
	set_up(trial);
	sample = run(trial, "with samples=1 loops=1\ncuda0 <-> cuda1 by cuda0.ce 4K\n")->records.samples;
	assert_int_equal(sample->lane_count, 2);
	assert_int_equal(sample->lanes[0].lane, 0);
	assert_int_equal(sample->lanes[1].lane, 1);
	assert_int_equal(sample->lanes[1].item, 0);
	assert_int_equal(sample->lanes[1].bytes, 4096);
	/* Four buffers: the two ways share none. */
	assert_int_equal(trial->fake.allocs, 4);
	put_away(trial);
	free(trial);
}

static void buffers_are_allocated_once_per_run(void **state)
{
	struct trial *trial = calloc(1, sizeof(*trial));

	(void)state;
	set_up(trial);
	run(trial, "with samples=1 loops=1\ncuda0 -> cuda1 by cuda0.ce 64K\ncuda0 -> cuda1 by cuda0.sm 4K\n"
		   "cuda1 -> cuda0 by cuda0.ce 64K\nread cuda0 by cuda0.sm 1K\n");
	assert_int_equal(trial->fake.allocs, 2);
	put_away(trial);
	set_up(trial);
	run(trial, "with samples=1 loops=1\nread cuda0 by cuda0.sm 4K\nread cuda0 by cuda0.sm 64K\nread cuda0 by "
		   "cuda0.sm 1K\n");
	assert_int_equal(trial->fake.allocs, 2);
	put_away(trial);
	/* Steps of a group are open at the same time: what one fills the other must not touch. */
	set_up(trial);
	run(trial, "with samples=2 loops=1 verify=each\nread cuda0 by cuda0.sm 4K group=1\nread cuda0 by cuda0.sm 4K "
		   "group=1\n");
	assert_int_equal(trial->fake.allocs, 2);
	assert_int_equal(trial->result.steps[1].ending, WS_ENDED_COUNT);
	put_away(trial);
	free(trial);
}

static void full_device_is_said_or_emptied(void **state)
{
	struct trial *trial = calloc(1, sizeof(*trial));
	const struct ws_step_result *steps;

	(void)state;
	/* The second allocation fails once: what lies idle is freed, and it is tried again. */
	set_up(trial);
	trial->fake.fail_alloc_at = 2;
	steps = run(trial, "with samples=1 loops=1\nread cuda0 by cuda0.sm 4K\nread cuda1 by cuda1.sm 4K\n");
	assert_int_equal(steps[0].ending, WS_ENDED_COUNT);
	assert_int_equal(steps[1].ending, WS_ENDED_COUNT);
	assert_int_equal(trial->fake.allocs, 3);
	put_away(trial);
	set_up(trial);
	trial->fake.no_memory = true;
	steps = run(trial, "with samples=1 loops=1\nread cuda0 by cuda0.sm 4K\n");
	assert_int_equal(steps[0].status, WS_ENOMEM);
	assert_string_equal(steps[0].reason, "fake device 0 is full");
	put_away(trial);
	free(trial);
}

static void interference_is_joined_and_stopped(void **state)
{
	struct trial *trial = calloc(1, sizeof(*trial));
	const struct ws_step_result *step;

	(void)state;
	set_up(trial);
	step = run(trial, "with samples=1 lead=2\ncuda0 -> cuda1 by cuda0.ce 1M x4 + cuda1 -> cuda0 by cuda1.ce 1M x16 "
			  "interfering\n");
	assert_int_equal(step->ending, WS_ENDED_COUNT);
	assert_true(trial->fake.joins > 0);
	for (int i = 0; i < 2; i++) {
		const struct ws_lane *lane = &step->records.samples[0].lanes[i];

		assert_int_equal(lane->item, i);
		assert_int_equal(lane->lead_loops, i == 0 ? 2 : 0);
	}
	put_away(trial);
	/* A host interferer runs until it is stopped, beside a device that is measured. */
	set_up(trial);
	step = run(trial, "with samples=2 verify=each\ncuda0 -> cuda1 by cuda0.ce 1M x4 + read host0 by host0.cpu 4M "
			  "interfering\n");
	if (step->ending != WS_ENDED_COUNT)
		fail_msg("%s", step->reason);
	assert_true(step->records.samples[0].lanes[1].loops >= 1);
	assert_true(step->records.samples[0].lanes[1].bytes >= 4 << 20);
	put_away(trial);
	free(trial);
}

static void counters_are_differences(void **state)
{
	struct trial *trial = calloc(1, sizeof(*trial));
	const struct ws_sample *sample;

	(void)state;
	set_up(trial);
	sample = run(trial, "with samples=1 loops=3 lead=1 counters verify=none\ncuda0 -> cuda1 by cuda0.ce 4K\n")
			 ->records.samples;
	assert_int_equal(sample->counter_count, 1);
	assert_string_equal(sample->counters[0].name, "cuda0.moved");
	assert_int_equal(sample->counters[0].delta, 4 * 4096);
	put_away(trial);
	set_up(trial);
	sample = run(trial, "with samples=1 loops=3 verify=none\ncuda0 -> cuda1 by cuda0.ce 4K\n")->records.samples;
	assert_int_equal(sample->counter_count, 0);
	assert_int_equal(trial->fake.counter_reads, 0);
	put_away(trial);
	free(trial);
}

/* Counters are read twice a step, of the first engine of a cell whose bytes go by links, and of no other. */
static void links_are_counted_where_bytes_go_by_them(void **state)
{
	static const struct {
		uint64_t linked_peers;
		const char *items;
		int reads;
	} rows[] = {
		{2, "cuda0 -> cuda1 by cuda0.ce 4K", 2},
		{1, "cuda0 -> cuda1 by cuda0.ce 4K", 0},
		{0, "cuda0 -> cuda1 by cuda0.ce 4K", 0},
		{2, "read cuda1 by cuda0.sm 4K", 2},
		{2, "write cuda1 by cuda0.sm 4K", 2},
		{3, "cuda0 -> cuda0 by cuda0.ce 4K", 0},
		{3, "chase cuda1 by cuda0.sm 4K", 0},
		{3, "cuda1 -> cuda0 by cuda0.ce 4K x9 + cuda0 -> cuda1 by cuda1.ce 4K x9", 2},
		{3,
		 "device_to_device_memcpy_read_ce[column=x]: [row=a] cuda1 -> cuda0 by cuda0.ce 4K x9 + "
		 "[row=b] cuda0 -> cuda1 by cuda1.ce 4K x9",
		 4},
	};
	struct trial *trial = calloc(1, sizeof(*trial));

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct ws_step_result *step;
		char text[200];

		set_up(trial);
		trial->fake.linked_peers = rows[i].linked_peers;
		snprintf(text, sizeof(text), "with samples=3 loops=3\n%s\n", rows[i].items);
		step = run(trial, text);
		if (step->status != WS_OK)
			fail_msg("%s", step->reason);
		if (trial->fake.counter_reads != rows[i].reads)
			fail_msg("%s: %d reads", rows[i].items, trial->fake.counter_reads);
		put_away(trial);
	}
	free(trial);
}

static void absent_library_is_a_reason(void **state)
{
	struct trial *trial = calloc(1, sizeof(*trial));
	const struct ws_session_backend *backend;
	struct ws_session *session;

	(void)state;
	set_up(trial);
	trial->fake.absent = true;
	session = open_session(trial);
	assert_false(ws_session_backend_at(session, 1)->tried);
	assert_int_equal(ws_session_need(session, "host", NULL), WS_OK);
	assert_false(ws_session_backend_at(session, 1)->tried);
	assert_int_equal(ws_session_need(session, NULL, NULL), WS_OK);
	backend = ws_session_backend_at(session, 1);
	assert_true(backend->tried && !backend->open);
	assert_string_equal(backend->why.text, "libfake.so.1: no such library");
	assert_null(ws_session_backend_at(session, 2));
	run_in(trial, session, "with samples=1\nread cuda0 by cuda0.sm 4K\nread ocl0 by ocl0.sm 4K\n");
	assert_int_equal(trial->result.steps[0].status, WS_EABSENT);
	assert_string_equal(trial->result.steps[0].reason, "libfake.so.1: no such library");
	assert_int_equal(trial->result.steps[1].status, WS_EUNSUPPORTED);
	close_session(trial, session);
	put_away(trial);
	free(trial);
}

static void places_and_items_are_of_a_rank(void **state)
{
	struct trial *trial = calloc(1, sizeof(*trial));
	const struct ws_places *places;
	struct ws_session *session;
	const json_t *pci;
	int host = 0, cuda = 0;

	(void)state;
	set_up(trial);
	trial->rank = 3;
	session = open_session(trial);
	/* Opened last, listed in the order of the build's back ends all the same. */
	assert_int_equal(ws_session_need(session, "cuda", NULL), WS_OK);
	assert_int_equal(ws_session_places(session)->count, 4);
	assert_int_equal(ws_session_need(session, "ocl host", NULL), WS_OK);
	places = ws_session_places(session);
	assert_string_equal(places->at[0].place.family, "host");
	for (int i = 0; i < places->count; i++) {
		assert_int_equal(places->at[i].place.rank, 3);
		host += strcmp(places->at[i].place.family, "host") == 0;
		cuda += strcmp(places->at[i].place.family, "cuda") == 0;
	}
	assert_true(host >= 1);
	assert_int_equal(cuda, 4);
	run_in(trial, session,
	       "with samples=1 loops=1\nread r3/cuda0 by r3/cuda0.sm 4K\nr2/cuda0 -> r3/cuda0 by r3/cuda0.ce 4K\n");
	assert_int_equal(trial->result.steps[0].ending, WS_ENDED_COUNT);
	pci = json_object_get(json_object_get(trial->result.steps[0].path, "r3/cuda0"), "pci");
	assert_string_equal(json_string_value(json_object_get(pci, "address")), "fffe:ab:10.7");
	assert_null(json_object_get(pci, "links"));
	assert_int_equal(trial->result.steps[1].status, WS_EUNSUPPORTED);
	assert_non_null(strstr(trial->result.steps[1].reason, "r2/cuda0 is not of this process"));
	close_session(trial, session);
	put_away(trial);
	free(trial);
}

static void what_is_not_offered_is_said(void **state)
{
	static const struct {
		const char *item, *reason;
	} rows[] = {
		{"collective all_reduce over cuda0,cuda1 4K", "collective is not available in this build"},
		{"put cuda0 -> cuda1 by cuda0.nic 4K", "put is not available in this build"},
		{"cuda0 -> cuda1 by host0.cpu 4K", "cuda0 has no address that CPUs could use"},
		{"read host0:wc by host0.cpu 4K", "kind wc comes from a device's driver"},
		{"read cuda9 by cuda9.sm 4K", "there is no device 9"},
	};
	struct trial *trial = calloc(1, sizeof(*trial));
	char text[200];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct ws_step_result *step;

		set_up(trial);
		snprintf(text, sizeof(text), "with samples=1\n%s\n", rows[i].item);
		step = run(trial, text);
		assert_int_equal(step->ending, WS_ENDED_FAILED);
		if (!strstr(step->reason, rows[i].reason))
			fail_msg("\"%s\" is not in \"%s\"", rows[i].reason, step->reason);
		put_away(trial);
	}
	free(trial);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_sizes_of_a_slope_are_run_and_checked),
		cmocka_unit_test(two_way_copy_has_two_lanes),
		cmocka_unit_test(buffers_are_allocated_once_per_run),
		cmocka_unit_test(full_device_is_said_or_emptied),
		cmocka_unit_test(interference_is_joined_and_stopped),
		cmocka_unit_test(counters_are_differences),
		cmocka_unit_test(links_are_counted_where_bytes_go_by_them),
		cmocka_unit_test(absent_library_is_a_reason),
		cmocka_unit_test(places_and_items_are_of_a_rank),
		cmocka_unit_test(what_is_not_offered_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
