/* Steps on made-up devices: every fault is caught by the ordinary run, and what a plan says reaches the back end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/place.h"
#include "step_trial.h"

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

/* What the sample before left in the destination must not pass for what this one copied. */
static void a_fault_of_the_last_sample_is_caught(void **state)
{
	static const enum fake_fault faults[] = {FAKE_NOTHING, FAKE_ONE_BYTE, FAKE_LAST_BYTE, FAKE_OFFSET};
	struct trial *trial = calloc(1, sizeof(*trial));
	char text[200];

	(void)state;
	for (size_t f = 0; f < sizeof(faults) / sizeof(faults[0]); f++) {
		for (int v = 0; v < VERBS; v++) {
			const int lanes = strstr(verb_rows[v].text, "<->") ? 2 : 1;
			const struct ws_step_result *step;

			set_up(trial);
			trial->fake.fault = faults[f];
			trial->fake.fault_from_run = 2 * lanes + 1;
			snprintf(text, sizeof(text), "with samples=3 verify=each loops=2 lead=1\n%s 4097\n",
				 verb_rows[v].text);
			step = run(trial, text);
			if (step->records.count != 3 || step->check.wrong_count == 0)
				fail_msg("fault %d in the last %s was not caught", (int)faults[f], verb_rows[v].name);
			put_away(trial);
		}
	}
	free(trial);
}

static void sources_are_filled_once(void **state)
{
	static const struct {
		const char *text;
		int fills;
	} rows[] = {
		{"cuda0 -> cuda1 by cuda0.ce", 1 + 3},
		{"cuda0 <-> cuda1 by cuda0.ce", 2 + 2 * 3},
		{"read cuda0 by cuda0.sm", 1},
		{"write cuda0 by cuda0.sm", 3},
		{"chase cuda0 by cuda0.sm", 1},
	};
	struct trial *trial = calloc(1, sizeof(*trial));
	char text[200];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		set_up(trial);
		snprintf(text, sizeof(text), "with samples=3 verify=each loops=2 lead=1\n%s 1M\n", rows[i].text);
		assert_int_equal(run(trial, text)->ending, WS_ENDED_COUNT);
		assert_int_equal(trial->fake.fills, rows[i].fills);
		put_away(trial);
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

/*
 * Nothing that a lost device may still write to is freed: leaked on purpose, in memory that stays reachable (volatile,
 * as a compiler otherwise does without a variable that nobody reads again).
 */
static struct trial lost_trial;
static struct ws_session *volatile lost_session;

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

/* Behind the timed loops come the untimed ones of what is measured together with others. */
static void loops_trail_behind_the_end_mark(void **state)
{
	struct trial *trial = calloc(1, sizeof(*trial));
	const struct ws_step_result *step;
	int64_t time_ns;
	const uint32_t expected[] = {3, 8, 7}; /* from the last one back: 8 / 4 + 1, timed, lead */

	(void)state;
	set_up(trial);
	step = run(trial, "with samples=2 verify=each lead=7\ncuda0 -> cuda1 by cuda0.ce 64K x8 together\n");
	assert_int_equal(step->ending, WS_ENDED_COUNT);
	for (int back = 0; back < 3; back++)
		assert_int_equal(last_call(&trial->fake, back)->loops, expected[back]);
	assert_int_equal(step->records.samples[0].lanes[0].loops, 8);
	assert_int_equal(step->records.samples[0].lanes[0].trail_loops, 3);
	assert_int_equal(step->records.samples[0].lanes[0].bytes, 8 << 16);
	time_ns = ws_lane_time_ns(&step->records.samples[0].lanes[0]);
	put_away(trial);
	/* Their time is not part of the figure. */
	set_up(trial);
	step = run(trial, "with samples=2 verify=each lead=7\ncuda0 -> cuda1 by cuda0.ce 64K x8\n");
	assert_int_equal(ws_lane_time_ns(&step->records.samples[0].lanes[0]), time_ns);
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

/* Once for a plan and before any step takes memory; the devices that its items name, and no others. */
static void the_devices_of_a_plan_are_made_ready(void **state)
{
	static const char mixed[] = "with samples=1\nnone \"no such engine\"\nread host0 by host0.cpu 4097\n"
				    "cuda2 -> cuda0 by cuda2.ce 4097 + read cuda0 by cuda0.sm 4097\n"
				    "cuda2 -> host0 by cuda2.ce 4097\n";
	static const char *const texts[] = {mixed, "with samples=1\nread cuda1 by cuda1.sm 4097\n",
					    "with samples=1\nread host0 by host0.cpu 4097\n"};
	static const char *const expected[] = {"cuda2 cuda0;", "cuda1;", ""};
	struct trial *trial = calloc(1, sizeof(*trial));

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		set_up(trial);
		run(trial, texts[i]);
		assert_string_equal(trial->fake.ready, expected[i]);
		assert_int_equal(trial->fake.allocs_before_ready, 0);
		/* Without a device in the plan nobody asks for the driver. */
		assert_int_equal(trial->fake.calls_made > 0, expected[i][0] != '\0');
		for (int k = 0; k < trial->result.step_count; k++)
			if (trial->result.steps[k].step.item_count > 0)
				assert_int_equal(trial->result.steps[k].ending, WS_ENDED_COUNT);
		put_away(trial);
	}
	free(trial);
}

static void what_is_not_to_be_measured_is_not_made_ready(void **state)
{
	static const char text[] = "with samples=1\nread cuda1 by cuda1.sm 4097\n";
	const volatile sig_atomic_t interrupted = 1;
	struct trial *trial = calloc(1, sizeof(*trial));
	struct ws_activity_source source;
	struct ws_session *session;
	struct ws_place places[3];
	struct ws_error error = {0};
	struct ws_plan plan;

	(void)state;
	set_up(trial);
	trial->fake.absent = true;
	assert_int_equal(run(trial, text)->status, WS_EABSENT);
	assert_string_equal(trial->result.steps[0].reason, "libfake.so.1: no such library");
	assert_string_equal(trial->fake.ready, "");
	put_away(trial);

	set_up(trial);
	session = open_session(trial);
	source = ws_session_source(session);
	assert_int_equal(ws_plan_parse(text, strlen(text), ws_probe_find, &plan, NULL), WS_OK);
	assert_int_equal(ws_run_plan(&plan,
				     &(struct ws_run_options){
					     .clock = &trial->fake.clock, .source = &source, .interrupted = &interrupted},
				     &trial->result, &error),
			 WS_OK);
	ws_plan_release(&plan);
	assert_int_equal(trial->fake.calls_made, 0);
	close_session(trial, session);
	put_away(trial);

	/* Devices of other ranks are theirs to make ready. */
	set_up(trial);
	trial->rank = 1;
	session = open_session(trial);
	source = ws_session_source(session);
	assert_int_equal(ws_place_parse("r0/cuda0", &places[0], NULL), WS_OK);
	assert_int_equal(ws_place_parse("r1/cuda3", &places[1], NULL), WS_OK);
	assert_int_equal(ws_place_parse("peer/cuda2", &places[2], NULL), WS_OK);
	assert_int_equal(source.begin(source.context, places, 3, 1000000000, &error), WS_OK);
	assert_string_equal(trial->fake.ready, "cuda3;");
	close_session(trial, session);
	free(trial);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(right_data_passes),	     cmocka_unit_test(every_fault_is_caught),
		cmocka_unit_test(a_fault_of_the_last_sample_is_caught), cmocka_unit_test(sources_are_filled_once),
		cmocka_unit_test(first_wrong_word_is_named), cmocka_unit_test(hang_is_a_timeout_and_the_next_step_runs),
		cmocka_unit_test(lost_device_is_left_alone), cmocka_unit_test(what_a_plan_says_reaches_the_back_end),
		cmocka_unit_test(loops_trail_behind_the_end_mark),
		cmocka_unit_test(any_call_may_fail),	     cmocka_unit_test(the_devices_of_a_plan_are_made_ready),
		cmocka_unit_test(what_is_not_to_be_measured_is_not_made_ready),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
