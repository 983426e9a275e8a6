/* Steps on made-up devices: every fault is caught by the ordinary run, and what a plan says reaches the back end. */
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
#include "fake/backend_fake.h"
#include "measure/run.h"
#include "plan/plan_text.h"
#include "probe/probe.h"

static const struct ws_backend_ops *const gated[] = {&ws_host_backend, &fake_ops};
static const struct ws_backend_ops *const ungated[] = {&ws_host_backend, &fake_ungated_ops};

/* A run of a plan text in a session of its own. */
struct trial {
	struct fake fake;
	const struct ws_backend_ops *const *backends;
	int rank;
	struct ws_result result;
};

static void set_up(struct trial *trial)
{
	memset(trial, 0, sizeof(*trial));
	fake_init(&trial->fake, 4);
	trial->backends = gated;
	trial->rank = WS_RANK_NONE;
}

static struct ws_session *open_session(const struct trial *trial)
{
	const struct ws_session_options options = {
		.timeout_ns = 20000000000, .rank = trial->rank, .backends = trial->backends, .backend_count = 2};
	struct ws_session *session = NULL;

	assert_int_equal(ws_session_open(&options, &session, NULL), WS_OK);
	return session;
}

static void run_in(struct trial *trial, struct ws_session *session, const char *text)
{
	const struct ws_activity_source source = ws_session_source(session);
	const struct ws_run_options options = {.clock = &trial->fake.clock, .source = &source};
	struct ws_error error = {0};
	struct ws_plan plan;

	if (ws_plan_parse(text, strlen(text), ws_probe_find, &plan, &error) != WS_OK)
		fail_msg("%s", error.text);
	assert_int_equal(ws_run_plan(&plan, &options, &trial->result, &error), WS_OK);
	ws_plan_release(&plan);
}

/* What was lost stays open, as in the program, which leaves by _exit then. */
static void close_session(struct trial *trial, struct ws_session *session)
{
	if (trial->result.lost)
		return;
	ws_session_close(session);
	assert_int_equal(trial->fake.allocs_live, 0);
	assert_int_equal(trial->fake.attached_live, 0);
	assert_int_equal(trial->fake.queues_live, 0);
	assert_int_equal(trial->fake.opened, 0);
}

static const struct ws_step_result *run(struct trial *trial, const char *text)
{
	struct ws_session *session = open_session(trial);

	run_in(trial, session, text);
	close_session(trial, session);
	return &trial->result.steps[0];
}

static void put_away(struct trial *trial)
{
	ws_result_release(&trial->result);
}

/* Items with a place for the size; a chase needs several nodes to end elsewhere. */
static const struct verb_row {
	const char *text;
	const char *name;
	bool small;
} verb_rows[] = {
	{"cuda0 -> cuda1 by cuda0.ce", "copy", true},
	{"cuda0 <-> cuda1 by cuda0.ce", "two-way copy", true},
	{"host0 -> cuda0 by cuda0.ce", "copy from the host", true},
	{"cuda0 -> host0:thp by cuda0.ce", "copy to the host", true},
	{"read cuda0 by cuda0.sm", "read", true},
	{"write cuda0 by cuda0.sm", "write", true},
	{"chase cuda0 by cuda0.sm", "chase", false},
};
static const unsigned sizes[] = {1, 63, 4097, (1 << 20) + 1};
enum { VERBS = sizeof(verb_rows) / sizeof(verb_rows[0]), SIZES = sizeof(sizes) / sizeof(sizes[0]) };

static void plan_of(char *text, size_t size, const struct verb_row *row, unsigned bytes, const char *more)
{
	snprintf(text, size, "with samples=1 verify=each loops=2\n%s %u%s\n", row->text, bytes, more);
}

static void right_data_passes(void **state)
{
	struct trial *trial = calloc(1, sizeof(*trial));
	char text[200];

	(void)state;
	for (int v = 0; v < VERBS; v++) {
		for (int s = verb_rows[v].small ? 0 : 2; s < SIZES; s++) {
			for (int without_gate = 0; without_gate < 2; without_gate++) {
				const struct ws_step_result *step;

				set_up(trial);
				trial->backends = without_gate ? ungated : gated;
				plan_of(text, sizeof(text), &verb_rows[v], sizes[s], "");
				step = run(trial, text);
				if (step->ending != WS_ENDED_COUNT)
					fail_msg("%s of %u: %s", verb_rows[v].name, sizes[s], step->reason);
				assert_true(step->check.done);
				assert_int_equal(step->check.wrong_count, 0);
				assert_int_equal(step->records.samples[0].lanes[0].gated, !without_gate);
				put_away(trial);
			}
		}
	}
	free(trial);
}

static void every_fault_is_caught(void **state)
{
	static const enum fake_fault faults[] = {FAKE_NOTHING, FAKE_ONE_BYTE, FAKE_LAST_BYTE, FAKE_OFFSET};
	struct trial *trial = calloc(1, sizeof(*trial));
	char text[200];

	(void)state;
	for (size_t f = 0; f < sizeof(faults) / sizeof(faults[0]); f++) {
		for (int v = 0; v < VERBS; v++) {
			for (int s = verb_rows[v].small ? 0 : 2; s < SIZES; s++) {
				const struct ws_step_result *step;

				set_up(trial);
				trial->fake.fault = faults[f];
				plan_of(text, sizeof(text), &verb_rows[v], sizes[s], "");
				step = run(trial, text);
				if (step->ending != WS_ENDED_WRONG_DATA || step->check.wrong_count == 0)
					fail_msg("fault %d in a %s of %u bytes was not caught", (int)faults[f],
						 verb_rows[v].name, sizes[s]);
				put_away(trial);
			}
		}
	}
	free(trial);
}

static void first_wrong_word_is_named(void **state)
{
	struct trial *trial = calloc(1, sizeof(*trial));
	const struct ws_step_result *step;

	(void)state;
	set_up(trial);
	trial->fake.fault = FAKE_LAST_BYTE;
	step = run(trial, "with samples=1 loops=1\ncuda0 -> cuda1 by cuda0.ce 4097\n");
	assert_int_equal(step->check.wrong_count, 1);
	assert_int_equal(step->check.first_offset, 4096);
	/* One byte is left of the last word, and every bit of it differs from what was there before. */
	assert_int_equal(step->check.expected ^ step->check.found, 0xff);
	put_away(trial);
	set_up(trial);
	trial->fake.fault = FAKE_ONE_BYTE;
	step = run(trial, "with samples=1 loops=1\ncuda0 -> cuda1 by cuda0.ce 1M\n");
	assert_int_equal(step->check.wrong_count, 1);
	assert_int_equal(step->check.first_offset, 512 << 10);
	put_away(trial);
	set_up(trial);
	trial->fake.fault = FAKE_NOTHING;
	step = run(trial, "with samples=1 loops=1\ncuda0 -> cuda1 by cuda0.ce 1M\n");
	assert_int_equal(step->check.wrong_count, 256 << 10);
	put_away(trial);
	free(trial);
}

static void hang_is_a_timeout_and_the_next_step_runs(void **state)
{
	struct trial *trial = calloc(1, sizeof(*trial));
	struct ws_session *session;

	(void)state;
	set_up(trial);
	trial->fake.fault = FAKE_HANG;
	session = open_session(trial);
	run_in(trial, session, "with samples=1 loops=1 timeout=2s\ncuda0 -> cuda1 by cuda0.ce 4K\n");
	assert_int_equal(trial->result.steps[0].ending, WS_ENDED_FAILED);
	assert_int_equal(trial->result.steps[0].status, WS_ETIMEOUT);
	assert_non_null(strstr(trial->result.steps[0].reason, "cuda0.ce"));
	assert_false(trial->result.lost);
	put_away(trial);
	trial->result = (struct ws_result){0};
	trial->fake.fault = FAKE_RIGHT;
	run_in(trial, session, "with samples=1 loops=1\ncuda0 -> cuda1 by cuda0.ce 4K\n");
	assert_int_equal(trial->result.steps[0].ending, WS_ENDED_COUNT);
	close_session(trial, session);
	put_away(trial);
	free(trial);
}

/* Nothing that a lost device may still write to is freed: leaked on purpose, in memory that stays reachable. */
static struct trial lost_trial;
static struct ws_session *lost_session;

static void lost_device_is_left_alone(void **state)
{
	struct trial *trial = &lost_trial;
	int live;

	(void)state;
	set_up(trial);
	trial->fake.fault = FAKE_LOST;
	lost_session = open_session(trial);
	run_in(trial, lost_session,
	       "with samples=1 loops=1 timeout=2s\ncuda0 -> cuda1 by cuda0.ce 4K\ncuda0 -> cuda2 by cuda0.ce 4K\n");
	assert_true(trial->result.lost);
	assert_int_equal(trial->result.steps[0].status, WS_ETIMEOUT);
	assert_int_equal(trial->result.steps[1].status, WS_ELOST);
	live = trial->fake.allocs_live;
	assert_int_equal(live, 2);
	assert_int_equal(trial->fake.queues_live, 1);
	put_away(trial);
}

static const struct fake_call *last_call(const struct fake *fake, int back)
{
	const int count = atomic_load(&fake->call_count);

	assert_true(count > back && count <= FAKE_CALLS_MAX);
	return &fake->calls[count - 1 - back];
}

static void what_a_plan_says_reaches_the_back_end(void **state)
{
	static const struct {
		const char *text, *engine;
		enum ws_verb verb;
		uint64_t size;
		uint32_t loops;
	} rows[] = {
		{"cuda0 -> cuda1 by cuda0.ce 64K x3", "cuda0.ce", WS_COPY, 65536, 3},
		{"cuda0 -> cuda1 by cuda0.ce 96K x3", "cuda0.ce", WS_COPY, 98304, 3},
		{"cuda0 -> cuda1 by cuda1.ce 64K x3", "cuda1.ce", WS_COPY, 65536, 3},
		{"cuda0 -> cuda1 by cuda0.sm 64K x3", "cuda0.sm", WS_COPY, 65536, 3},
		{"cuda0 -> cuda1 by cuda0.ce 64K x5", "cuda0.ce", WS_COPY, 65536, 5},
		{"read cuda2 by cuda2.sm 1000 x2", "cuda2.sm", WS_READ, 1000, 2},
		{"write cuda2 by cuda2.sm 1000 x2", "cuda2.sm", WS_WRITE, 1000, 2},
	};
	struct trial *trial = calloc(1, sizeof(*trial));
	char text[200];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct fake_call *call;

		set_up(trial);
		snprintf(text, sizeof(text), "with samples=2 verify=none lead=7\n%s\n", rows[i].text);
		assert_int_equal(run(trial, text)->ending, WS_ENDED_COUNT);
		for (int back = 0; back < 2; back++) {
			call = last_call(&trial->fake, back);
			assert_string_equal(call->engine, rows[i].engine);
			assert_int_equal(call->verb, rows[i].verb);
			assert_int_equal(call->size_bytes, rows[i].size);
			assert_int_equal(call->loops, back == 0 ? rows[i].loops : 7);
		}
		put_away(trial);
	}
	free(trial);
}

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

/* Each call in turn fails: a clean error every time, and everything is given back. */
static void any_call_may_fail(void **state)
{
	static const char text[] = "with samples=2 verify=each loops=1 counters\n"
				   "host0 -> cuda0 by cuda0.ce 4K + cuda1 <-> cuda2 by cuda1.ce 4K interfering\n"
				   "chase cuda0 by cuda0.sm 4K + write cuda1 by cuda1.sm 4K ungated\n";
	struct trial *trial = calloc(1, sizeof(*trial));
	int failures = 0, n = 0;
	bool failed = true;

	(void)state;
	while (failed) {
		set_up(trial);
		trial->fake.fail_call_at = ++n;
		run(trial, text);
		failed = false;
		for (int i = 0; i < 2; i++) {
			const struct ws_step_result *step = &trial->result.steps[i];

			if (step->ending != WS_ENDED_FAILED)
				continue;
			failed = true;
			assert_int_equal(step->status, WS_EDRIVER);
			assert_non_null(strstr(step->reason, "failed as ordered"));
		}
		failures += failed;
		put_away(trial);
		assert_true(n < 1000);
	}
	/* Opening, queues, fills, submissions, marks, reads, checks ... of both steps. */
	assert_true(failures > 60);
	assert_int_equal(failures, n - 1);
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
	assert_non_null(json_object_get(trial->result.steps[0].path, "r3/cuda0"));
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
		cmocka_unit_test(right_data_passes),
		cmocka_unit_test(every_fault_is_caught),
		cmocka_unit_test(first_wrong_word_is_named),
		cmocka_unit_test(hang_is_a_timeout_and_the_next_step_runs),
		cmocka_unit_test(lost_device_is_left_alone),
		cmocka_unit_test(what_a_plan_says_reaches_the_back_end),
		cmocka_unit_test(both_sizes_of_a_slope_are_run_and_checked),
		cmocka_unit_test(two_way_copy_has_two_lanes),
		cmocka_unit_test(buffers_are_allocated_once_per_run),
		cmocka_unit_test(full_device_is_said_or_emptied),
		cmocka_unit_test(any_call_may_fail),
		cmocka_unit_test(interference_is_joined_and_stopped),
		cmocka_unit_test(counters_are_differences),
		cmocka_unit_test(absent_library_is_a_reason),
		cmocka_unit_test(places_and_items_are_of_a_rank),
		cmocka_unit_test(what_is_not_offered_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
