/* The seam test, second half: the hard cases parse, print, run and fold to exact figures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include <jansson.h>

#include "base/record.h"
#include "fake/seam_probes.h"
#include "probe/fold.h"

#define SIM "sim0:event"

/* FIRST: copy 0 is timed alone while twice the bytes go the other way. */
static void first_beside_interference_of_twice_the_size(void **state)
{
	struct script script = {.items = {{.ns_per_kib = 20, .clock = SIM}, {.ns_per_kib = 16, .clock = SIM}}};
	struct ws_result result;

	(void)state;
	seam_run("with samples=3 lead=4 loops=16\n"
		 "first[row=host0 column=cuda0]: host0:pinned -> cuda0 by cuda0.ce 512M + "
		 "cuda0 -> host0:pinned by cuda0.ce 1G interfering\n", &script, &result);
	seam_assert_near(seam_value(&result, "first", "row=host0 column=cuda0", 0), 1024.0 / 20);
	assert_int_equal(seam_cell(&result, "first", "row=host0 column=cuda0")->folded.kept, 3);
	assert_int_equal(result.steps[0].records.samples[2].lanes[0].bytes, 16ull << 29);
	assert_int_equal(result.steps[0].records.samples[2].lanes[1].bytes, 16ull << 30);
	ws_result_release(&result);
}

/* VECTOR: two copies, each with its own time; a dialect prints three matrices from the one cell. */
static void each_of_two_copies_and_their_total(void **state)
{
	struct script script = {.items = {{.ns_per_kib = 16, .clock = SIM}, {.ns_per_kib = 32, .clock = SIM}}};
	struct ws_result result;

	(void)state;
	seam_run("with samples=3 lead=4 loops=16\n"
		 "each[row=cuda0 column=cuda1]: cuda1 -> cuda0 by cuda0.ce 512M + cuda0 -> cuda1 by cuda1.ce 512M\n",
		 &script, &result);
	seam_assert_near(seam_value(&result, "each", "row=cuda0 column=cuda1", 0), 64);
	seam_assert_near(seam_value(&result, "each", "row=cuda0 column=cuda1", 1), 32);
	seam_assert_near(seam_value(&result, "each", "row=cuda0 column=cuda1", 2), 96);
	ws_result_release(&result);
}

/* TOTAL: all bytes over the time from the first start to the last end. */
static void total_of_three_copies(void **state)
{
	struct script script = {.items = {{.ns_per_kib = 16, .clock = SIM}, {.ns_per_kib = 32, .clock = SIM},
					  {.ns_per_kib = 64, .clock = SIM}}};
	struct ws_result result;
	const char *text = "with samples=3 lead=0 loops=16\n"
			   "total[column=cuda0]: cuda1 -> cuda0 by cuda1.ce 64M + cuda2 -> cuda0 by cuda2.ce 64M + "
			   "cuda3 -> cuda0 by cuda3.ce 64M\n";

	(void)state;
	seam_run(text, &script, &result);
	seam_assert_near(seam_value(&result, "total", "column=cuda0", 0), 3 * 1024.0 / 64);
	ws_result_release(&result);
}

/* Clocks of two devices are never subtracted: the span is then the host's, and contains the late release. */
static void total_over_two_clocks_is_the_hosts(void **state)
{
	struct script script = {.items = {{.ns_per_kib = 16, .clock = "sim0:event"}, {.ns_per_kib = 16, .clock = "sim1:event"}},
				.late_release_ns = 1024 * 1024};
	struct ws_result result;

	(void)state;
	seam_run("with samples=1 lead=0 loops=1\n"
		 "total[column=cuda0]: cuda1 -> cuda0 by cuda1.ce 64M + cuda2 -> cuda0 by cuda2.ce 64M\n", &script, &result);
	assert_false(result.steps[0].records.samples[0].has_span);
	/* 2 x 64 MiB in 2 x 1024 x 1024 ns, and a few looks at the clock. */
	assert_true(seam_value(&result, "total", "column=cuda0", 0) < 64);
	assert_true(seam_value(&result, "total", "column=cuda0", 0) > 63.9);
	ws_result_release(&result);
}

static void sum_of_copies_at_their_own_speed(void **state)
{
	struct script script = {.items = {{.ns_per_kib = 16, .clock = "a"}, {.ns_per_kib = 32, .clock = "b"}}};
	struct ws_result result;

	(void)state;
	seam_run("with samples=3 lead=1 loops=2\n"
		 "sum[column=cuda0]: cuda1 -> cuda0 by cuda1.ce 64M + cuda2 -> cuda0 by cuda2.ce 64M\n", &script, &result);
	seam_assert_near(seam_value(&result, "sum", "column=cuda0", 0), 96);
	ws_result_release(&result);
}

/* The host sees the untimed loops, too, as part of the time. */
static void by_the_hosts_bounds_lead_loops_do_not_count(void **state)
{
	struct script alone = {.items = {{.ns_per_kib = 16}}};
	struct script both = {.items = {{.ns_per_kib = 16, .clock = "a"}, {.ns_per_kib = 16, .clock = "b"}}};
	struct ws_result result;

	(void)state;
	seam_run("with samples=3 lead=4 loops=16\nfirst[row=host0 column=cuda0]: host0:pinned -> cuda0 by cuda0.ce 64M\n",
		 &alone, &result);
	assert_float_equal(seam_value(&result, "first", "row=host0 column=cuda0", 0), 64, 0.001);
	ws_result_release(&result);
	seam_run("with samples=3 lead=4 loops=16\n"
		 "total[column=cuda0]: cuda1 -> cuda0 by cuda1.ce 64M + cuda2 -> cuda0 by cuda2.ce 64M\n", &both, &result);
	assert_float_equal(seam_value(&result, "total", "column=cuda0", 0), 128, 0.001);
	ws_result_release(&result);
}

static void a_two_way_copy_has_two_lanes(void **state)
{
	struct script script = {.items = {{.ns_per_kib = 16, .back_factor = 2, .clock = SIM}}};
	struct ws_result result;

	(void)state;
	seam_run("with samples=3 lead=1 loops=4\n"
		 "each[row=host0 column=cuda0]: host0:pinned <-> cuda0 by cuda0.sm 64M\n", &script, &result);
	seam_assert_near(seam_value(&result, "each", "row=host0 column=cuda0", 0), 64);
	seam_assert_near(seam_value(&result, "each", "row=host0 column=cuda0", 1), 32);
	seam_assert_near(seam_value(&result, "each", "row=host0 column=cuda0", 2), 96);
	ws_result_release(&result);
}

static void a_slope_takes_the_fixed_cost_out(void **state)
{
	struct script script = {.items = {{.ns_per_kib = 16, .fixed_ns = 13000, .clock = SIM}}};
	struct ws_result result;

	(void)state;
	seam_run("with samples=7 lead=1\nslope[row=cuda0 column=cuda1]: cuda0 -> cuda1 by cuda0.ce 64M/256M\n", &script,
		 &result);
	seam_assert_near(seam_value(&result, "slope", "row=cuda0 column=cuda1", 0), 64);
	seam_assert_near(seam_value(&result, "slope", "row=cuda0 column=cuda1", 1), 13);
	assert_true(seam_cell(&result, "slope", "row=cuda0 column=cuda1")->folded.slope);
	/* Both sizes are there, interleaved. */
	assert_int_equal(result.steps[0].records.count, 14);
	assert_int_equal(result.steps[0].records.samples[4].size_index, 0);
	assert_int_equal(result.steps[0].records.samples[5].size_index, 1);
	ws_result_release(&result);

	/* A line through times that say otherwise has no cost below nothing. */
	script.items[0].fixed_ns = -100000;
	seam_run("with samples=7 lead=1\nslope[row=cuda0 column=cuda1]: cuda0 -> cuda1 by cuda0.ce 64M/256M\n", &script,
		 &result);
	seam_assert_near(seam_value(&result, "slope", "row=cuda0 column=cuda1", 0), 64);
	assert_false(seam_cell(&result, "slope", "row=cuda0 column=cuda1")->folded.figures[1].known);
	ws_result_release(&result);
	script.items[0].fixed_ns = 13000;

	/* One size instead of two: size over time. */
	seam_run("with samples=7 lead=1\nslope[row=cuda0 column=cuda1]: cuda0 -> cuda1 by cuda0.ce 1M x1\n", &script, &result);
	seam_assert_near(seam_value(&result, "slope", "row=cuda0 column=cuda1", 0), 1048576.0 / (16384 + 13000));
	assert_false(seam_cell(&result, "slope", "row=cuda0 column=cuda1")->folded.slope);
	assert_false(seam_cell(&result, "slope", "row=cuda0 column=cuda1")->folded.figures[1].known);
	ws_result_release(&result);
}

static void a_slope_of_bytes_read_and_written(void **state)
{
	struct script script = {.items = {{.ns_per_kib = 2, .fixed_ns = 5000, .clock = SIM}}};
	struct ws_result result;

	(void)state;
	seam_run("with samples=28\nslope_twice[row=cuda0]: cuda0 -> cuda0 by cuda0.sm 256M/1G\n", &script, &result);
	seam_assert_near(seam_value(&result, "slope_twice", "row=cuda0", 0), 2 * 1024.0 / 2);
	seam_assert_near(seam_cell(&result, "slope_twice", "row=cuda0")->folded.figures[0].low, 1024);
	ws_result_release(&result);
}

/* Both ways at once: every lane has its own end, hence its own slope; the cost of a loop is in none. */
static void a_slope_for_each_lane(void **state)
{
	struct script script = {.items = {{.ns_per_kib = 16, .fixed_ns = 4000, .clock = "sim0:event"},
					  {.ns_per_kib = 32, .fixed_ns = 9000, .clock = "sim1:event"}}};
	struct ws_result result;
	const struct ws_cell *cell;

	(void)state;
	seam_run("with samples=28\nslope_each[row=cuda0 column=cuda1]: cuda1 -> cuda0 by cuda0.ce 64M/256M + "
		 "cuda0 -> cuda1 by cuda1.ce 64M/256M\n", &script, &result);
	cell = seam_cell(&result, "slope_each", "row=cuda0 column=cuda1");
	seam_assert_near(cell->folded.figures[0].value, 64);
	seam_assert_near(cell->folded.figures[1].value, 32);
	seam_assert_near(cell->folded.figures[2].value, 96);
	assert_true(cell->folded.slope && cell->folded.has_precision && cell->folded.figures[2].has_interval);
	seam_assert_near(cell->folded.figures[2].high, 96);
	assert_int_equal(cell->folded.kept, 56);
	ws_result_release(&result);

	/* One item with two lanes, and one size: size over time, with the cost in it. */
	script = (struct script){.items = {{.ns_per_kib = 16, .back_factor = 2, .clock = SIM}}};
	seam_run("with samples=7\nslope_each[row=host0 column=cuda0]: host0:pinned <-> cuda0 by cuda0.sm 8M/32M\n", &script,
		 &result);
	seam_assert_near(seam_value(&result, "slope_each", "row=host0 column=cuda0", 0), 64);
	seam_assert_near(seam_value(&result, "slope_each", "row=host0 column=cuda0", 1), 32);
	seam_assert_near(seam_value(&result, "slope_each", "row=host0 column=cuda0", 2), 96);
	ws_result_release(&result);
	script = (struct script){.items = {{.ns_per_kib = 16, .fixed_ns = 16384, .back_factor = 2, .clock = SIM}}};
	seam_run("with samples=7 loops=3\nslope_each[row=host0 column=cuda0]: host0:pinned <-> cuda0 by cuda0.sm 1M\n",
		 &script, &result);
	seam_assert_near(seam_value(&result, "slope_each", "row=host0 column=cuda0", 0), 32);
	seam_assert_near(seam_value(&result, "slope_each", "row=host0 column=cuda0", 2), 48);
	assert_false(seam_cell(&result, "slope_each", "row=host0 column=cuda0")->folded.slope);
	ws_result_release(&result);
}

/* A lane that takes no longer with more bytes has no rate, and then there is no sum either. */
static void a_slope_that_does_not_rise_gives_no_sum(void **state)
{
	struct script script = {.items = {{.ns_per_kib = 16, .clock = SIM}, {.fixed_ns = 70000, .clock = SIM}}};
	struct ws_result result;
	const struct ws_cell *cell;

	(void)state;
	seam_run("with samples=7\nslope_each[row=a column=b]: cuda1 -> cuda0 by cuda0.ce 64M/256M + "
		 "cuda0 -> cuda1 by cuda1.ce 64M/256M\n", &script, &result);
	cell = seam_cell(&result, "slope_each", "row=a column=b");
	assert_true(cell->folded.figures[0].known);
	assert_false(cell->folded.figures[1].known);
	assert_false(cell->folded.figures[2].known);
	ws_result_release(&result);
}

/* All bytes against the span of all lanes, and how far the lanes' own rates are apart. */
static void a_slope_of_all_lanes_together(void **state)
{
	struct script script = {.items = {{.ns_per_kib = 16, .fixed_ns = 13000, .clock = SIM},
					  {.ns_per_kib = 32, .fixed_ns = 13000, .clock = SIM},
					  {.ns_per_kib = 64, .fixed_ns = 13000, .clock = SIM}}};
	struct ws_result result;
	const char *two = "with samples=7\n"
			  "slope_total[column=cuda0]: cuda1 -> cuda0 by cuda1.ce 64M/256M + "
			  "cuda2 -> cuda0 by cuda2.ce 64M/256M + cuda3 -> cuda0 by cuda3.ce 64M/256M\n";
	const char *one = "with samples=7 loops=2\n"
			  "slope_total[column=cuda0]: cuda1 -> cuda0 by cuda1.ce 64M + cuda2 -> cuda0 by cuda2.ce 64M\n";

	(void)state;
	seam_run(two, &script, &result);
	seam_assert_near(seam_value(&result, "slope_total", "column=cuda0", 0), 3 * 1024.0 / 64);
	seam_assert_near(seam_value(&result, "slope_total", "column=cuda0", 1), 1024.0 / 64);
	seam_assert_near(seam_value(&result, "slope_total", "column=cuda0", 2), 1024.0 / 16);
	assert_true(seam_cell(&result, "slope_total", "column=cuda0")->folded.slope);
	ws_result_release(&result);

	script = (struct script){.items = {{.ns_per_kib = 16, .clock = SIM}, {.ns_per_kib = 32, .clock = SIM}}};
	seam_run(one, &script, &result);
	seam_assert_near(seam_value(&result, "slope_total", "column=cuda0", 0), 2 * 1024.0 / 32);
	seam_assert_near(seam_value(&result, "slope_total", "column=cuda0", 1), 1024.0 / 32);
	seam_assert_near(seam_value(&result, "slope_total", "column=cuda0", 2), 1024.0 / 16);
	assert_false(seam_cell(&result, "slope_total", "column=cuda0")->folded.slope);
	ws_result_release(&result);
}

static void a_hand_written_slope_is_one(void **state)
{
	struct script script = {.items = {{.ns_per_kib = 16, .fixed_ns = 13000, .clock = SIM}}};
	struct ws_result result;

	(void)state;
	seam_run("with samples=7 lead=1\nmine: cuda0 -> cuda1 by cuda0.ce 64M/256M\n", &script, &result);
	seam_assert_near(seam_value(&result, "custom", "step=mine", 0), 64);
	seam_assert_near(seam_value(&result, "custom", "step=mine", 1), 16.0 * 256 * 1024 / 1000 + 13);
	assert_true(seam_cell(&result, "custom", "step=mine")->folded.slope);
	ws_result_release(&result);
}

static void latency_of_every_unit(void **state)
{
	static const double units[] = {700, 710, 690, 720};
	struct script script = {.items = {{.fixed_ns = 1000000, .values = units, .value_count = 4, .clock = SIM}}};
	struct ws_result result;

	(void)state;
	seam_run("with samples=7 lead=1\nunits[row=cuda0 column=host0]: chase host0:pinned by cuda0.sm 2M x1\n", &script,
		 &result);
	seam_assert_near(seam_value(&result, "units", "row=cuda0 column=host0", 0), 705);
	seam_assert_near(seam_value(&result, "units", "row=cuda0 column=host0", 1), 690);
	seam_assert_near(seam_value(&result, "units", "row=cuda0 column=host0", 2), 720);
	ws_result_release(&result);
}

static void round_trips_have_percentiles(void **state)
{
	double values[101];
	struct script script = {.items = {{.fixed_ns = 1000000, .values = values, .value_count = 101, .clock = SIM}}};
	struct ws_result result;

	(void)state;
	for (int i = 0; i <= 100; i++)
		values[i] = 700 + i;
	seam_run("with samples=1 lead=1\npercentiles[row=cuda0 column=cuda1]: pingpong cuda0 cuda1 by cuda0.sm x1000\n", &script,
		 &result);
	seam_assert_near(seam_value(&result, "percentiles", "row=cuda0 column=cuda1", 0), 750);
	seam_assert_near(seam_value(&result, "percentiles", "row=cuda0 column=cuda1", 1), 799);
	seam_assert_near(seam_value(&result, "percentiles", "row=cuda0 column=cuda1", 2), 700);
	seam_assert_near(seam_value(&result, "percentiles", "row=cuda0 column=cuda1", 3), 800);
	ws_result_release(&result);
}

/* All disjoint pairs at once: one step, a cell for every pair. */
static void a_round_of_four_pairs_fills_four_cells(void **state)
{
	struct script script = {.items = {{.ns_per_kib = 16, .clock = "a"}, {.ns_per_kib = 32, .clock = "b"},
					  {.ns_per_kib = 64, .clock = "c"}, {.ns_per_kib = 128, .clock = "d"}}};
	struct ws_result result;

	(void)state;
	seam_run("with samples=3 lead=1 loops=2\n"
		 "first: [row=cuda0 column=cuda1] cuda0 -> cuda1 by cuda0.ce 64M + "
		 "[row=cuda2 column=cuda3] cuda2 -> cuda3 by cuda2.ce 64M + "
		 "[row=cuda4 column=cuda5] cuda4 -> cuda5 by cuda4.ce 64M + "
		 "[row=cuda6 column=cuda7] cuda6 -> cuda7 by cuda6.ce 64M\n", &script, &result);
	assert_int_equal(result.tables[0].cell_count, 4);
	assert_int_equal(script.opened, 1);
	seam_assert_near(seam_value(&result, "first", "row=cuda0 column=cuda1", 0), 64);
	seam_assert_near(seam_value(&result, "first", "row=cuda2 column=cuda3", 0), 32);
	seam_assert_near(seam_value(&result, "first", "row=cuda4 column=cuda5", 0), 16);
	seam_assert_near(seam_value(&result, "first", "row=cuda6 column=cuda7", 0), 8);
	ws_result_release(&result);
}

/* Peer access off against on: samples alternate, so that both see the same machine. */
static void a_group_is_interleaved(void **state)
{
	struct script script = {.items = {{.ns_per_kib = 16, .clock = SIM}}};
	struct ws_result result;

	(void)state;
	seam_run("with samples=3 lead=1 loops=2 verify=none\n"
		 "first[row=cuda0 column=cuda1 series=off]: cuda0 -> cuda1 by cuda0.ce 64M peer=off group=1\n"
		 "first[row=cuda0 column=cuda1 series=on]: cuda0 -> cuda1 by cuda0.ce 64M peer=on group=1\n", &script,
		 &result);
	/* Both are open before the first sample and until after the last. */
	assert_string_equal(script.log, "opopaRraRraRraRraRraRrff");
	seam_assert_near(seam_value(&result, "first", "row=cuda0 column=cuda1 series=off", 0), 64);
	seam_assert_near(seam_value(&result, "first", "row=cuda0 column=cuda1 series=on", 0), 64);
	assert_true(result.steps[0].records.samples[1].host_start_ns < result.steps[1].records.samples[1].host_start_ns);
	assert_true(result.steps[1].records.samples[0].host_start_ns < result.steps[0].records.samples[1].host_start_ns);
	ws_result_release(&result);
}

/* A lane that tells no time of issuing has none; the scripted ones take 25 ns a loop. */
static void a_small_copy_costs_the_device_and_the_host(void **state)
{
	struct script script = {.items = {{.fixed_ns = 2200, .clock = SIM}}};
	struct ws_result result;

	(void)state;
	seam_run("with samples=3 verify=none\nsmall[row=cuda0]: cuda0 -> cuda1 by cuda0.ce 16 x100\n", &script, &result);
	seam_assert_near(seam_value(&result, "small", "row=cuda0", 0), 2.2);
	seam_assert_near(seam_value(&result, "small", "row=cuda0", 1), 0.025);
	for (int i = 0; i < result.steps[0].records.count; i++)
		result.steps[0].records.samples[i].lanes[0].issue_ns = 0;
	assert_int_equal(ws_result_fold(&result, NULL), WS_OK);
	assert_true(result.tables[0].cells[0].folded.figures[0].known);
	assert_false(result.tables[0].cells[0].folded.figures[1].known);
	ws_result_release(&result);
}

/* 4 ranks, out of place and in place; busbw = algbw x 2 x 3 / 4. Bytes over ns are GB/s. */
static void a_collective_over_four_ranks(void **state)
{
	struct script script = {.items = {{.fixed_ns = 1000000, .clock = SIM}}};
	struct ws_result result;

	(void)state;
	seam_run("with samples=5 loops=20 lead=5\n"
		 "collective[size=64M placement=out]: collective all_reduce over r0/cuda0 r1/cuda0 r2/cuda0 r3/cuda0 64M "
		 "type=float redop=sum agg=1\n"
		 "collective[size=64M placement=in]: collective all_reduce over r0/cuda0 r1/cuda0 r2/cuda0 r3/cuda0 64M "
		 "type=float redop=sum in-place\n", &script, &result);
	seam_assert_near(seam_value(&result, "collective", "size=64M placement=out", 0), 1000);
	seam_assert_near(seam_value(&result, "collective", "size=64M placement=out", 1), 67.108864);
	seam_assert_near(seam_value(&result, "collective", "size=64M placement=in", 2), 67.108864 * 1.5);
	ws_result_release(&result);
}

static void a_vectored_put_to_the_far_end(void **state)
{
	struct script script = {.items = {{.fixed_ns = 65536, .clock = SIM}}};
	struct ws_result result;

	(void)state;
	seam_run("with samples=3 lead=1\n"
		 "writes: put host0:pinned -> peer/host0:pinned by host0.nic 64K x16 vec=4 len=16K window=8 via=ucx blocking\n",
		 &script, &result);
	seam_assert_near(seam_value(&result, "custom", "step=writes", 0), 1);
	seam_assert_near(seam_value(&result, "custom", "step=writes", 1), 65.536);
	ws_result_release(&result);
}

static void latency_under_load(void **state)
{
	static const double chase[] = {120.5};
	struct script script = {.items = {{.fixed_ns = 1000000, .values = chase, .value_count = 1, .clock = SIM},
					  {.ns_per_kib = 32, .clock = SIM}, {.ns_per_kib = 64, .clock = SIM}}};
	struct ws_result result;

	(void)state;
	seam_run("with samples=3 lead=0\n"
		 "loaded[row=host0 delay=100]: chase host0 by host0.cpu 256M x4 + "
		 "read host0 by host0.cpu 1M delay=100 interfering + read host0 by host0.cpu 1M delay=100 interfering\n",
		 &script, &result);
	seam_assert_near(seam_value(&result, "loaded", "row=host0 delay=100", 0), 120.5);
	/* The load stops with the chase: loops x bytes / time is its own rate to within one loop. */
	assert_true(seam_value(&result, "loaded", "row=host0 delay=100", 1) > 47);
	assert_true(seam_value(&result, "loaded", "row=host0 delay=100", 1) <= 48.0001);
	ws_result_release(&result);
}

/* What links count is told once a step, by the shot behind the last sample, and not without that shot. */
static void links_are_counted_once(void **state)
{
	static const struct {
		const char *with;
		uint64_t step;
		bool counted, known;
	} rows[] = {
		{"samples=2", 70000, true, true},
		{"samples=2", UINT64_MAX, true, false},
		{"samples=2 verify=each", 70000, false, false},
		{"samples=2 verify=none", 70000, false, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct script script = {.items = {{.ns_per_kib = 16, .clock = SIM}}, .counter_step = rows[i].step};
		struct ws_result result;
		const json_t *counters, *bytes;
		char text[120];

		snprintf(text, sizeof(text), "with %s lead=1\nfirst[row=a column=b]: cuda0 -> cuda1 by cuda0.ce 64M x1\n",
			 rows[i].with);
		seam_run(text, &script, &result);
		assert_int_equal(result.steps[0].status, WS_OK);
		for (int k = 0; k < result.steps[0].records.count; k++)
			assert_int_equal(result.steps[0].records.samples[k].counter_count, 0);
		counters = json_object_get(json_object_get(result.steps[0].path, "sim0"), "counters");
		assert_int_equal(json_object_size(counters), rows[i].counted);
		bytes = json_object_get(counters, "bytes");
		assert_int_equal(json_is_integer(bytes), rows[i].known);
		assert_int_equal(json_integer_value(bytes), rows[i].known ? 70000 : 0);
		ws_result_release(&result);
	}
}

static void counters_are_recorded_if_asked(void **state)
{
	struct script script = {.items = {{.ns_per_kib = 16, .clock = SIM}}, .counter_step = 70000};
	struct ws_result result;

	(void)state;
	seam_run("with samples=2 lead=1 counters\nfirst[row=a column=b]: cuda0 -> cuda1 by cuda0.ce 64M x1\n", &script, &result);
	assert_int_equal(result.steps[0].records.samples[1].counter_count, 1);
	assert_string_equal(result.steps[0].records.samples[1].counters[0].name, "sim0.bytes");
	assert_int_equal(result.steps[0].records.samples[1].counters[0].delta, 70000);
	ws_result_release(&result);
	seam_run("with samples=2 lead=1\nfirst[row=a column=b]: cuda0 -> cuda1 by cuda0.ce 64M x1\n", &script, &result);
	assert_int_equal(result.steps[0].records.samples[1].counter_count, 0);
	ws_result_release(&result);
}

/* The peer's own policy: 3 samples of 16 copies behind 4 untimed ones, the median over samples. */
static void three_samples_of_sixteen_loops_behind_four(void **state)
{
	static const double noise[] = {1, 1.5, 1.25, 1};
	struct script script = {.items = {{.ns_per_kib = 16, .clock = SIM}}, .noise = noise, .noise_count = 4};
	struct ws_result result;

	(void)state;
	seam_run("with samples=3 loops=16 lead=4 verify=each\nfirst[row=a column=b]: cuda0 -> cuda1 by cuda0.ce 512M\n",
		 &script, &result);
	assert_int_equal(result.steps[0].records.count, 3);
	assert_int_equal(script.last_lead, 4);
	assert_int_equal(script.last_loops[0], 16);
	assert_int_equal(script.refills, 3);
	assert_int_equal(script.verifies, 3);
	seam_assert_near(seam_value(&result, "first", "row=a column=b", 0), 64 / 1.25);
	ws_result_release(&result);

	script = (struct script){.items = {{.ns_per_kib = 16, .clock = SIM}}, .noise = noise, .noise_count = 3};
	seam_run("with samples=3 loops=16 lead=4 verify=each statistic=mean\n"
		 "first[row=a column=b]: cuda0 -> cuda1 by cuda0.ce 512M\n", &script, &result);
	seam_assert_near(seam_value(&result, "first", "row=a column=b", 0), (64 + 64 / 1.5 + 64 / 1.25) / 3);
	ws_result_release(&result);
}

static void gated_and_ungated_items_mix(void **state)
{
	struct script script = {.items = {{.ns_per_kib = 16, .clock = SIM}, {.ns_per_kib = 16}}};
	struct ws_result result;

	(void)state;
	seam_run("with samples=2 lead=1 loops=1\n"
		 "each[row=a column=b]: cuda0 -> host0:pinned by cuda0.ce 64M + host0:pageable -> cuda0 by cuda0.ce 64M ungated\n",
		 &script, &result);
	assert_true(result.steps[0].records.samples[0].lanes[0].gated);
	assert_false(result.steps[0].records.samples[0].lanes[1].gated);
	ws_result_release(&result);
	seam_run("with samples=2 ungated\nfirst[row=a column=b]: cuda0 -> host0:pinned by cuda0.ce 64M x1\n", &script, &result);
	assert_false(script.last_gated);
	ws_result_release(&result);
}

static void bytes_read_and_written_count_twice(void **state)
{
	struct script script = {.items = {{.ns_per_kib = 64, .clock = SIM}}};
	struct ws_result result;

	(void)state;
	seam_run("with samples=3 lead=1\ntwice[row=host0]: host0 -> host0 by host0.cpu 64M x1 nt\n", &script, &result);
	seam_assert_near(seam_value(&result, "twice", "row=host0", 0), 32);
	ws_result_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_beside_interference_of_twice_the_size),
		cmocka_unit_test(each_of_two_copies_and_their_total),
		cmocka_unit_test(total_of_three_copies),
		cmocka_unit_test(total_over_two_clocks_is_the_hosts),
		cmocka_unit_test(sum_of_copies_at_their_own_speed),
		cmocka_unit_test(by_the_hosts_bounds_lead_loops_do_not_count),
		cmocka_unit_test(a_two_way_copy_has_two_lanes),
		cmocka_unit_test(a_slope_takes_the_fixed_cost_out),
		cmocka_unit_test(a_slope_of_bytes_read_and_written),
		cmocka_unit_test(a_slope_for_each_lane),
		cmocka_unit_test(a_slope_that_does_not_rise_gives_no_sum),
		cmocka_unit_test(a_slope_of_all_lanes_together),
		cmocka_unit_test(a_hand_written_slope_is_one),
		cmocka_unit_test(latency_of_every_unit),
		cmocka_unit_test(round_trips_have_percentiles),
		cmocka_unit_test(a_round_of_four_pairs_fills_four_cells),
		cmocka_unit_test(a_group_is_interleaved),
		cmocka_unit_test(a_small_copy_costs_the_device_and_the_host),
		cmocka_unit_test(a_collective_over_four_ranks),
		cmocka_unit_test(a_vectored_put_to_the_far_end),
		cmocka_unit_test(latency_under_load),
		cmocka_unit_test(counters_are_recorded_if_asked),
		cmocka_unit_test(links_are_counted_once),
		cmocka_unit_test(three_samples_of_sixteen_loops_behind_four),
		cmocka_unit_test(gated_and_ungated_items_mix),
		cmocka_unit_test(bytes_read_and_written_count_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
