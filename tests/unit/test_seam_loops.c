/* The seam test: how many loops a shot has, of what is measured and of what goes on beside it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include <math.h>

#include "base/item.h"
#include "base/record.h"
#include "fake/seam_probes.h"
#include "measure/run.h"
#include "plan/plan_text.h"

#define SIM "sim0:event"
#define CELL "row=a column=b"

static void loops_make_a_sample_long_enough(void **state)
{
	struct script script = {.items = {{.fixed_ns = 1000, .clock = SIM}}};
	struct ws_result result;

	(void)state;
	seam_run("first[row=a column=b]: cuda0 -> cuda1 by cuda0.ce 4K\n", &script, &result);
	assert_in_range(script.last_loops[0], 2000, 2100);
	seam_assert_near(seam_value(&result, "first", CELL, 0), 4.096);
	ws_result_release(&result);
}

static void interference_that_ends_early_is_raised(void **state)
{
	struct script script = {.items = {{.ns_per_kib = 16, .clock = SIM}, {.ns_per_kib = 4, .clock = SIM}}};
	struct ws_result result;

	(void)state;
	seam_run("with samples=3 lead=1\n"
		 "first[row=a column=b]: cuda0 -> host0:pinned by cuda0.ce 1M x4 + host0:pinned -> cuda0 by cuda0.ce 1M x4 "
		 "interfering\n",
		 &script, &result);
	/* x4 ends before the 5 measured loops do, which take as long as x20; a quarter more is x25. */
	assert_true(result.steps[0].records.samples[0].discarded);
	assert_false(result.steps[0].records.samples[1].discarded);
	assert_int_equal(seam_cell(&result, "first", CELL)->folded.kept, 3);
	assert_int_equal(script.last_loops[1], 25);
	seam_assert_near(seam_value(&result, "first", CELL, 0), 64);
	ws_result_release(&result);
}

/* A poll that saw both ends at once leaves the lanes' own times to tell which came last. */
static void a_late_poll_does_not_discard_what_was_right(void **state)
{
	static const char plan[] = "with samples=3 lead=1 loops=4\n"
				   "first[row=a column=b]: cuda0 -> host0:pinned by cuda0.ce 1M + host0:pinned -> cuda1 by "
				   "cuda1.ce 1M interfering\n";
	struct script script = {.items = {{.ns_per_kib = 16, .clock = SIM}, {.ns_per_kib = 21, .clock = "sim1:event"}},
				.poll_ns = 10000000};
	struct ws_result result;

	(void)state;
	/* 5 loops with the lead one are 81.9 us; 4 that interfere 86.0 us. */
	seam_run(plan, &script, &result);
	assert_int_equal(seam_cell(&result, "first", CELL)->folded.kept, 3);
	assert_int_equal(seam_cell(&result, "first", CELL)->folded.discarded, 0);
	ws_result_release(&result);
	/* 77.8 us are not enough; the next time there are loops for a quarter more than 81.9 us. */
	script = (struct script){.items = {{.ns_per_kib = 16, .clock = SIM}, {.ns_per_kib = 19, .clock = "sim1:event"}},
				 .poll_ns = 10000000};
	seam_run(plan, &script, &result);
	assert_true(result.steps[0].records.samples[0].discarded);
	assert_int_equal(script.last_loops[1], 6);
	assert_int_equal(seam_cell(&result, "first", CELL)->folded.kept, 3);
	ws_result_release(&result);
	/* Unless they can have ended only moments before. */
	script = (struct script){.items = {{.ns_per_kib = 1600, .clock = SIM}, {.ns_per_kib = 1599, .clock = "sim1:event"}},
				 .poll_ns = 50000};
	seam_run(plan, &script, &result);
	assert_int_equal(seam_cell(&result, "first", CELL)->folded.discarded, 0);
	ws_result_release(&result);
}

/* Beside others a sample of a slope has many loops, too; interference lasts little longer. */
static void interference_lasts_as_long_as_it_must(void **state)
{
	static const struct {
		double beside_ns_per_kib;
		uint32_t beside_loops;
	} rows[] = {{16, 3}, {8, 5}, {2, 20}};
	static const char plan[] = "with time-limit=50ms\n"
				   "first[row=a column=b]: cuda0 -> host0:pinned by cuda0.ce 8M/32M + host0:pinned -> cuda0 "
				   "by cuda0.ce 16M/64M interfering\n";

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct script script = {.items = {{.ns_per_kib = 16, .clock = SIM},
						  {.ns_per_kib = rows[i].beside_ns_per_kib, .clock = SIM}}};
		struct ws_result result;

		seam_run(plan, &script, &result);
		assert_int_equal(script.last_loops[0], 4);
		assert_int_equal(script.last_loops[1], rows[i].beside_loops);
		assert_int_equal(seam_cell(&result, "first", CELL)->folded.discarded, 0);
		ws_result_release(&result);
	}
}

/* Each goes on until the others are measured, untimed; a cell for each. */
static void what_is_measured_together_goes_on_for_the_others(void **state)
{
	static const struct {
		double ns_per_kib;
		const char *clock;
		uint32_t trail_loops;
		int discarded;
		double rate;
	} rows[] = {
		{16, SIM, 2, 0, 64},	  /* a quarter more, and one */
		{11, SIM, 3, 1, 1024.0 / 11}, /* 7 of 11 with the lead one end before 5 of 16 do */
		{2, SIM, 39, 1, 512},
		{16, NULL, 2, 0, 64}, /* by the host's clock all loops are timed, and shared out */
	};
	static const char plan[] = "with samples=5 lead=1\n"
				   "first[row=a column=b]: cuda0 -> host0:pinned by cuda0.ce 1M x4 together + "
				   "[row=a column=c] cuda1 -> host0:pinned by cuda1.ce 1M x4 together\n";

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct script script = {.items = {{.ns_per_kib = 16, .clock = SIM},
						  {.ns_per_kib = rows[i].ns_per_kib, .clock = rows[i].clock}}};
		struct ws_result result;

		seam_run(plan, &script, &result);
		assert_int_equal(script.last_loops[1], 4);
		assert_int_equal(script.last_trail[0], 2);
		assert_int_equal(script.last_trail[1], rows[i].trail_loops);
		seam_assert_near(seam_value(&result, "first", CELL, 0), 64);
		assert_true(fabs(seam_value(&result, "first", "row=a column=c", 0) / rows[i].rate - 1) < 1e-3);
		assert_int_equal(seam_cell(&result, "first", CELL)->folded.kept, 5);
		assert_int_equal(seam_cell(&result, "first", CELL)->folded.discarded, rows[i].discarded);
		ws_result_release(&result);
	}
}

/* What a queue holds limits a GPU's loops, not a CPU's beside it. */
static void processors_go_on_beyond_a_queue(void **state)
{
	static const char plan[] = "with samples=3\n"
				   "first[row=a column=b]: read host0 by host0.cpu 1M x10 together + "
				   "[row=a column=c] cuda1 -> host0:pinned by cuda1.ce 1M x10 together\n";
	struct script script = {.items = {{.ns_per_kib = 1, .clock = SIM}, {.ns_per_kib = 16, .clock = SIM}},
				.loops_max = 20};
	struct ws_result result;

	(void)state;
	seam_run(plan, &script, &result);
	assert_int_equal(script.last_trail[0], 166);
	assert_int_equal(seam_cell(&result, "first", CELL)->folded.kept, 3);
	assert_int_equal(seam_cell(&result, "first", CELL)->folded.discarded, 1);
	ws_result_release(&result);
}

/* Interference is longer, but no longer than a queue. */
static void loops_and_interference_fit_into_a_queue(void **state)
{
	static const char plan[] = "with samples=3\n"
				   "first[row=a column=b]: cuda0 -> host0:pinned by cuda0.ce 1K + host0:pinned -> cuda0 by "
				   "cuda0.ce 2K interfering\n";
	struct script script = {.items = {{.ns_per_kib = 16, .clock = SIM}, {.ns_per_kib = 16, .clock = SIM}},
				.loops_max = 512};
	struct ws_result result;

	(void)state;
	seam_run(plan, &script, &result);
	assert_int_equal(script.last_loops[0], 128);
	assert_int_equal(script.last_loops[1], 80);
	seam_assert_near(seam_value(&result, "first", CELL, 0), 64);
	ws_result_release(&result);
	/* It is raised as far as the queue goes, and then given up. */
	script = (struct script){.items = {{.ns_per_kib = 16, .clock = SIM}, {.ns_per_kib = 0.25, .clock = SIM}},
				 .loops_max = 500};
	seam_run(plan, &script, &result);
	assert_int_equal(script.last_loops[0], 125);
	assert_int_equal(script.last_loops[1], 500);
	assert_int_equal(seam_cell(&result, "first", CELL)->status, WS_CELL_FAILED);
	assert_string_equal(seam_cell(&result, "first", CELL)->reason, "interference ended before the measured items");
	ws_result_release(&result);
}

static void a_plan_that_asks_for_too_many_loops_is_refused(void **state)
{
	struct script script = {.items = {{.ns_per_kib = 16, .clock = SIM}}, .loops_max = 10};
	struct ws_result result;

	(void)state;
	seam_run("with samples=3 lead=1\nfirst[row=a column=b]: cuda0 -> cuda1 by cuda0.ce 1M x11\n", &script, &result);
	assert_int_equal(result.steps[0].status, WS_EINVAL);
	assert_non_null(strstr(result.steps[0].reason, "item 1 has 11 loops, and at most 10"));
	assert_int_equal(script.shots, 0);
	ws_result_release(&result);
	/* Those that trail wait as well. */
	seam_run("with samples=3\nfirst[row=a column=b]: cuda0 -> cuda1 by cuda0.ce 1M x8 together\n", &script, &result);
	assert_non_null(strstr(result.steps[0].reason, "item 1 has 8 loops and 3 untimed ones, and at most 10"));
	assert_int_equal(script.shots, 0);
	ws_result_release(&result);
}

static void processors_interfere_until_stopped(void **state)
{
	struct script script = {.items = {{.ns_per_kib = 16, .clock = SIM}, {.ns_per_kib = 4, .clock = SIM}}};
	struct ws_result result;

	(void)state;
	seam_run("with samples=3 lead=1\n"
		 "first[row=a column=b]: cuda0 -> host0:pinned by cuda0.ce 1M x4 + read host0 by host0.cpu 1M interfering\n",
		 &script, &result);
	assert_true(script.last_loops[1] == WS_LOOPS_UNTIL_STOPPED);
	assert_int_equal(seam_cell(&result, "first", CELL)->folded.discarded, 0);
	/* It runs beside five measured loops of 16384 ns each, lead included, less its own lead loop of 4096 ns. */
	assert_int_equal(result.steps[0].records.samples[0].lanes[1].loops, 19);
	ws_result_release(&result);
}

/* Beside a CPU's work, what can be queued may not last; beside a GPU's it is raised. OpenCL's queues take a number only. */
static void gpus_interfere_with_processors_until_stopped(void **state)
{
	static const struct {
		const char *items;
		bool endless;
	} rows[] = {
		{"read host0 by host0.cpu 1M x4 + cuda0 -> host0:pinned by cuda0.ce 1M interfering", true},
		{"chase host0 by host0.cpu 1M x4 + read cuda0 by cuda0.sm 1M interfering", true},
		{"read host0 by host0.cpu 1M x4 + cuda0 -> host0:pinned by cuda0.ce 1M x64 interfering", false},
		{"read host0 by host0.cpu 1M x4 + chase cuda0 by cuda0.sm 1M interfering", false},
		{"read host0 by host0.cpu 1M x4 + host0:pinned <-> cuda0 by cuda0.sm 1M interfering", false},
		{"read host0 by host0.cpu 1M x4 + ocl0 -> host0:pinned by ocl0.ce 1M interfering", false},
		{"read cuda1 by cuda1.sm 1M x4 + cuda0 -> cuda1 by cuda0.ce 1M interfering", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct script script = {.items = {{.ns_per_kib = 4, .clock = SIM}, {.ns_per_kib = 16, .clock = SIM}}};
		struct ws_result result;
		char plan[200];

		snprintf(plan, sizeof(plan), "with samples=1\nfirst[row=a column=b]: %s\n", rows[i].items);
		seam_run(plan, &script, &result);
		assert_int_equal(script.last_loops[1] == WS_LOOPS_UNTIL_STOPPED, rows[i].endless);
		assert_int_equal(seam_cell(&result, "first", CELL)->status, WS_CELL_MEASURED);
		ws_result_release(&result);
	}
}

/* What has no size says nothing about how long others last. */
static void interference_beside_what_moves_nothing_has_loops(void **state)
{
	static const char plan[] = "with samples=1\nfirst[row=a column=b]: noop cuda0 by cuda0.sm ungated + "
				   "cuda1 -> cuda0 by cuda1.ce 1M interfering\n";
	struct script script = {.items = {{.fixed_ns = 3000000, .clock = SIM}, {.ns_per_kib = 2000, .clock = SIM}}};
	struct ws_result result;

	(void)state;
	seam_run(plan, &script, &result);
	assert_int_equal(script.last_loops[0], 1);
	assert_int_equal(script.last_loops[1], 2);
	assert_false(result.steps[0].records.samples[0].discarded);
	ws_result_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loops_make_a_sample_long_enough),
		cmocka_unit_test(interference_that_ends_early_is_raised),
		cmocka_unit_test(a_late_poll_does_not_discard_what_was_right),
		cmocka_unit_test(interference_lasts_as_long_as_it_must),
		cmocka_unit_test(what_is_measured_together_goes_on_for_the_others),
		cmocka_unit_test(processors_go_on_beyond_a_queue),
		cmocka_unit_test(loops_and_interference_fit_into_a_queue),
		cmocka_unit_test(a_plan_that_asks_for_too_many_loops_is_refused),
		cmocka_unit_test(processors_interfere_until_stopped),
		cmocka_unit_test(gpus_interfere_with_processors_until_stopped),
		cmocka_unit_test(interference_beside_what_moves_nothing_has_loops),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
