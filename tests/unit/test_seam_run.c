/* The seam test, first half: run.c driven by a scripted activity on a simulated clock. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/item.h"
#include "base/record.h"
#include "fake/seam_probes.h"
#include "measure/run.h"
#include "plan/plan_text.h"

#define SIM "sim0:event"
#define COPY "first[row=a column=b]: cuda0 -> cuda1 by cuda0.ce 1M x4\n"
#define COPY_ONCE "first[row=a column=b]: cuda0 -> cuda1 by cuda0.ce 1M\n"
#define CELL "row=a column=b"

static void the_order_of_calls_is_fixed(void **state)
{
	struct script script = {.items = {{.ns_per_kib = 16, .clock = SIM}}};
	struct ws_result result;

	(void)state;
	seam_run("with samples=2 lead=3\n" COPY, &script, &result);
	/* offer prepare, Fill arm Release read verify, arm Release read, and once more with verification at the end */
	assert_string_equal(script.log, "opFaRrvaRrFaRrvf");
	assert_int_equal(script.last_lead, 3);
	assert_int_equal(script.last_loops[0], 4);
	assert_int_equal(script.opened, script.freed);
	assert_int_equal(result.steps[0].ending, WS_ENDED_COUNT);
	seam_assert_near(seam_value(&result, "first", CELL, 0), 64);
	assert_int_equal(seam_cell(&result, "first", CELL)->folded.flags, 0);
	ws_result_release(&result);
}

static void every_sample_is_verified_if_asked(void **state)
{
	struct script script = {.items = {{.ns_per_kib = 16, .clock = SIM}}};
	struct ws_result result;

	(void)state;
	seam_run("with samples=3 lead=1 verify=each\n" COPY, &script, &result);
	assert_string_equal(script.log, "opFaRrvFaRrvFaRrvf");
	ws_result_release(&result);

	script = (struct script){.items = {{.ns_per_kib = 16, .clock = SIM}}};
	seam_run("with samples=3 lead=1 verify=none\n" COPY, &script, &result);
	assert_string_equal(script.log, "opaRraRraRrf");
	assert_int_equal(seam_cell(&result, "first", CELL)->folded.flags, WS_FLAG_UNVERIFIED);
	ws_result_release(&result);
}

static void a_path_that_rested_gets_an_untimed_shot_first(void **state)
{
	struct script script = {.items = {{.ns_per_kib = 16, .clock = SIM}}, .refill_ns = 20000000};
	struct ws_result result;

	(void)state;
	seam_run("with samples=2 verify=each\n" COPY, &script, &result);
	assert_string_equal(script.log, "opFaRraRrvFaRraRrvf");
	assert_int_equal(result.steps[0].records.count, 2);
	ws_result_release(&result);
	/* Lead loops do the same. */
	script = (struct script){.items = {{.ns_per_kib = 16, .clock = SIM}}, .refill_ns = 20000000};
	seam_run("with samples=2 verify=each lead=1\n" COPY, &script, &result);
	assert_string_equal(script.log, "opFaRrvFaRrvf");
	ws_result_release(&result);
}

static void late_release_does_not_enter_the_figure(void **state)
{
	struct script script = {.items = {{.ns_per_kib = 16, .clock = SIM}}, .late_release_ns = 5000000};
	struct ws_result result;

	(void)state;
	seam_run("with samples=7 lead=1\n" COPY, &script, &result);
	seam_assert_near(seam_value(&result, "first", CELL, 0), 64);
	/* The host's bounds do contain it. */
	assert_true(result.steps[0].records.samples[0].host_end_ns - result.steps[0].records.samples[0].host_start_ns >
		    5000000);
	ws_result_release(&result);
}

static void a_hang_ends_at_the_deadline_and_the_rest_is_measured(void **state)
{
	struct script script = {.items = {{.ns_per_kib = 16, .clock = SIM}}, .fault = SCRIPT_HANG, .fault_shot = 3};
	struct ws_result result;

	(void)state;
	seam_run("with samples=5 lead=1 timeout=10s\n" COPY "first[row=a column=c]: cuda0 -> cuda2 by cuda0.ce 1M x4\n",
		 &script, &result);
	assert_int_equal(seam_cell(&result, "first", CELL)->status, WS_CELL_FAILED);
	assert_non_null(strstr(seam_cell(&result, "first", CELL)->reason, "did not end within 10 s"));
	assert_non_null(strstr(seam_cell(&result, "first", CELL)->reason, "cuda0.ce"));
	/* What was measured before it hung is not lost. */
	seam_assert_near(seam_value(&result, "first", CELL, 0), 64);
	assert_int_equal(seam_cell(&result, "first", CELL)->folded.kept, 3);
	assert_int_equal(seam_cell(&result, "first", CELL)->folded.discarded, 1);
	/* The simulated hang ends with the shot's number, which stays where it is: the next step hangs as well. */
	assert_int_equal(script.opened, script.freed);
	assert_false(result.lost);
	ws_result_release(&result);
}

static void a_lost_place_is_not_touched_again(void **state)
{
	struct script script = {.items = {{.ns_per_kib = 16, .clock = SIM}}, .fault = SCRIPT_LOST, .fault_shot = 1};
	struct ws_result result;

	(void)state;
	seam_run("with samples=5 lead=1\n" COPY "first[row=b column=a]: cuda1 -> cuda0 by cuda1.ce 1M x4\n"
		 "first[row=c column=d]: cuda2 -> cuda3 by cuda2.ce 1M x4\n", &script, &result);
	assert_true(result.lost);
	assert_int_equal(seam_cell(&result, "first", CELL)->status, WS_CELL_FAILED);
	assert_int_equal(seam_cell(&result, "first", "row=b column=a")->status, WS_CELL_FAILED);
	assert_non_null(strstr(seam_cell(&result, "first", "row=b column=a")->reason, "cuda0 does not answer any more"));
	/* Opened for the first and the third step, never freed for the first. */
	assert_int_equal(script.opened, 2);
	ws_result_release(&result);
}

static void wrong_data_is_found_and_ends_the_step(void **state)
{
	struct script script = {.items = {{.ns_per_kib = 16, .clock = SIM}}, .fault = SCRIPT_WRONG, .fault_shot = 0};
	struct ws_result result;

	(void)state;
	seam_run("with samples=5 lead=1\n" COPY, &script, &result);
	assert_int_equal(seam_cell(&result, "first", CELL)->status, WS_CELL_WRONG_DATA);
	assert_non_null(strstr(seam_cell(&result, "first", CELL)->reason, "first at byte 4096"));
	assert_int_equal(result.steps[0].ending, WS_ENDED_WRONG_DATA);
	assert_int_equal(result.steps[0].records.count, 1);
	ws_result_release(&result);

	/* In the check after the last sample, too. */
	script = (struct script){.items = {{.ns_per_kib = 16, .clock = SIM}}, .fault = SCRIPT_WRONG, .fault_shot = 5};
	seam_run("with samples=5 lead=1\n" COPY, &script, &result);
	assert_int_equal(seam_cell(&result, "first", CELL)->status, WS_CELL_WRONG_DATA);
	assert_int_equal(result.steps[0].records.count, 5);
	ws_result_release(&result);
}

static void failures_carry_their_reason(void **state)
{
	struct script script = {.items = {{.ns_per_kib = 16}}, .fail_prepare = "cuMemAlloc_v2 of 1 MiB: out of memory"};
	struct ws_result result;

	(void)state;
	seam_run("with samples=5\n" COPY, &script, &result);
	assert_string_equal(seam_cell(&result, "first", CELL)->reason, script.fail_prepare);
	assert_string_equal(script.log, "opcf");
	ws_result_release(&result);

	script = (struct script){.items = {{.ns_per_kib = 16}}, .fault = SCRIPT_FAIL_ARM, .fault_shot = 0};
	seam_run("with samples=5 lead=1\n" COPY, &script, &result);
	assert_string_equal(seam_cell(&result, "first", CELL)->reason, "scripted failure to arm");
	assert_string_equal(script.log, "opFacf");
	ws_result_release(&result);

	script = (struct script){.items = {{.ns_per_kib = 16}}, .fault = SCRIPT_FAIL_READ, .fault_shot = 0};
	seam_run("with samples=5 lead=1\n" COPY, &script, &result);
	assert_string_equal(seam_cell(&result, "first", CELL)->reason, "scripted failure to read");
	assert_int_equal(script.opened, script.freed);
	ws_result_release(&result);
}

static void a_step_without_items_keeps_its_reason(void **state)
{
	struct script script = {0};
	struct ws_result result;

	(void)state;
	seam_run("first[row=a column=b]: none \"no peer access\"\n", &script, &result);
	assert_int_equal(seam_cell(&result, "first", CELL)->status, WS_CELL_NOT_APPLICABLE);
	assert_string_equal(seam_cell(&result, "first", CELL)->reason, "no peer access");
	assert_int_equal(script.opened, 0);
	ws_result_release(&result);
}

static const double quiet[] = {1, 1.0004, 0.9997, 1.0002, 0.9999, 1.0001, 0.9996};
static const double noisy[] = {1, 1.2, 0.8, 1.1, 0.9, 1.3, 0.7, 1.15, 0.85, 1.25, 0.75};

static void measuring_stops_when_the_figure_is_precise(void **state)
{
	struct script script = {.items = {{.ns_per_kib = 16, .clock = SIM}}, .noise = quiet, .noise_count = 7};
	struct ws_result result;

	(void)state;
	seam_run(COPY, &script, &result);
	assert_int_equal(result.steps[0].ending, WS_ENDED_PRECISE);
	assert_in_range(result.steps[0].records.count, 10, 28);
	assert_true(seam_cell(&result, "first", CELL)->folded.precision <= 0.005);
	ws_result_release(&result);
}

static void measuring_stops_at_the_budget(void **state)
{
	struct script script = {.items = {{.ns_per_kib = 16000, .clock = SIM}}, .noise = noisy, .noise_count = 11};
	struct ws_result result;

	(void)state;
	seam_run("with time-limit=3s\n" COPY, &script, &result);
	assert_int_equal(result.steps[0].ending, WS_ENDED_BUDGET);
	assert_int_equal(seam_cell(&result, "first", CELL)->folded.flags & WS_FLAG_UNCONVERGED, WS_FLAG_UNCONVERGED);
	assert_int_equal(seam_cell(&result, "first", CELL)->status, WS_CELL_MEASURED);
	ws_result_release(&result);
}

static void a_budget_for_too_few_samples_is_exceeded(void **state)
{
	struct script script = {.items = {{.ns_per_kib = 256000, .clock = SIM}}};
	struct ws_result result;

	(void)state;
	/* A sample takes 0.26 s: four fit into the budget. */
	seam_run("with time-limit=1s lead=0 loops=1\n" COPY_ONCE, &script, &result);
	assert_int_equal(result.steps[0].records.count, 10);
	ws_result_release(&result);

	/* But not without end. */
	script = (struct script){.items = {{.ns_per_kib = 5120000, .clock = SIM}}};
	seam_run("with time-limit=5s lead=0 loops=1\n" COPY_ONCE, &script, &result);
	assert_int_equal(result.steps[0].records.count, 4);
	assert_int_equal(result.steps[0].ending, WS_ENDED_BUDGET);
	ws_result_release(&result);
}

static void drift_and_stalls_are_flagged(void **state)
{
	struct script script = {.items = {{.ns_per_kib = 16, .clock = SIM}}, .drift = 0.004};
	struct ws_result result;

	(void)state;
	seam_run("with samples=40 lead=1\n" COPY, &script, &result);
	assert_int_equal(seam_cell(&result, "first", CELL)->folded.flags, WS_FLAG_DRIFT);
	ws_result_release(&result);

	script = (struct script){.items = {{.ns_per_kib = 16, .clock = SIM}}, .noise = quiet, .noise_count = 7,
				 .fault = SCRIPT_STALL, .fault_shot = 20};
	seam_run("with samples=40 lead=1\n" COPY, &script, &result);
	assert_int_equal(seam_cell(&result, "first", CELL)->folded.flags, WS_FLAG_STALLS);
	/* One stall does not move a median. */
	assert_true(seam_value(&result, "first", CELL, 0) > 63.9);
	ws_result_release(&result);
}

/* Interrupts the run after its third sample. */
struct interruption {
	volatile sig_atomic_t flag;
	int reports;
};

static void count_reports(void *context, const struct ws_progress *progress)
{
	struct interruption *interruption = context;

	(void)progress;
	if (++interruption->reports == 4)
		interruption->flag = 1;
}

static void an_interrupted_run_keeps_what_it_has(void **state)
{
	static const char text[] = "with samples=9 lead=1\n" COPY "first[row=a column=c]: cuda0 -> cuda2 by cuda0.ce 1M x4\n";
	struct script script = {.items = {{.ns_per_kib = 16, .clock = SIM}}};
	struct ws_activity_source source = script_source(&script);
	struct interruption interruption = {0};
	const struct ws_run_options options = {.clock = &script.clock, .source = &source, .interrupted = &interruption.flag,
					       .progress = count_reports, .context = &interruption};
	struct ws_result result = {0};
	struct ws_plan plan = {0};

	(void)state;
	script_init(&script);
	assert_int_equal(ws_plan_parse(text, strlen(text), seam_probe, &plan, NULL), WS_OK);
	assert_int_equal(ws_run_plan(&plan, &options, &result, NULL), WS_OK);
	assert_true(result.incomplete);
	assert_int_equal(result.steps[0].ending, WS_ENDED_INTERRUPTED);
	assert_int_equal(result.steps[0].records.count, 3);
	assert_int_equal(result.steps[1].status, WS_EINTERRUPTED);
	assert_int_equal(result.steps[1].records.count, 0);
	assert_int_equal(script.opened, script.freed);
	ws_plan_release(&plan);
	ws_result_release(&result);
}

/* What progress said of the time left. */
struct countdown {
	int step_index;
	int64_t left_ns;
	int known;
};

static void check_countdown(void *context, const struct ws_progress *progress)
{
	struct countdown *countdown = context;

	if (progress->step_index == countdown->step_index && countdown->left_ns >= 0)
		assert_true(progress->left_ns <= countdown->left_ns);
	assert_true((progress->left_ns >= 0) == (progress->step_index > 0));
	countdown->known += progress->left_ns >= 0;
	countdown->step_index = progress->step_index;
	countdown->left_ns = progress->left_ns;
}

static void the_time_left_falls_while_a_step_runs(void **state)
{
	static const char text[] = "with samples=9 lead=1\n" COPY "first[row=a column=c]: cuda0 -> cuda2 by cuda0.ce 1M x4\n"
				   "first[row=a column=d]: cuda0 -> cuda3 by cuda0.ce 1M x4\n";
	struct script script = {.items = {{.ns_per_kib = 16, .clock = SIM}}};
	struct ws_activity_source source = script_source(&script);
	struct countdown countdown = {.left_ns = -1};
	const struct ws_run_options options = {
		.clock = &script.clock, .source = &source, .progress = check_countdown, .context = &countdown};
	struct ws_result result = {0};
	struct ws_plan plan = {0};

	(void)state;
	script_init(&script);
	assert_int_equal(ws_plan_parse(text, strlen(text), seam_probe, &plan, NULL), WS_OK);
	assert_int_equal(ws_run_plan(&plan, &options, &result, NULL), WS_OK);
	assert_true(countdown.known > 9);
	ws_plan_release(&plan);
	ws_result_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_order_of_calls_is_fixed),
		cmocka_unit_test(every_sample_is_verified_if_asked),
		cmocka_unit_test(a_path_that_rested_gets_an_untimed_shot_first),
		cmocka_unit_test(late_release_does_not_enter_the_figure),
		cmocka_unit_test(a_hang_ends_at_the_deadline_and_the_rest_is_measured),
		cmocka_unit_test(a_lost_place_is_not_touched_again),
		cmocka_unit_test(wrong_data_is_found_and_ends_the_step),
		cmocka_unit_test(failures_carry_their_reason),
		cmocka_unit_test(a_step_without_items_keeps_its_reason),
		cmocka_unit_test(measuring_stops_when_the_figure_is_precise),
		cmocka_unit_test(measuring_stops_at_the_budget),
		cmocka_unit_test(a_budget_for_too_few_samples_is_exceeded),
		cmocka_unit_test(drift_and_stalls_are_flagged),
		cmocka_unit_test(an_interrupted_run_keeps_what_it_has),
		cmocka_unit_test(the_time_left_falls_while_a_step_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
