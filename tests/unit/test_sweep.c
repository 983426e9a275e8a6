/* The fit of a sweep over sizes, and how the text report tells it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/item.h"
#include "base/record.h"
#include "base/units.h"
#include "judge/sweep.h"
#include "probe/probe.h"
#include "report/report.h"

#define MIB 1048576.0

static void a_line_is_found_again(void **state)
{
	double bytes[10], times_us[10];
	struct ws_sweep_fit fit;

	(void)state;
	for (int i = 0; i < 10; i++) {
		bytes[i] = 4096 * pow(4, i);
		times_us[i] = 10 + bytes[i] / 50e3;
	}
	assert_true(ws_sweep_fit(bytes, times_us, 10, &fit));
	assert_float_equal(fit.rate, 50, 1e-6);
	assert_float_equal(fit.cost_us, 10, 1e-6);
	assert_float_equal(fit.half_bytes, 500e3, 1e-2);
	assert_float_equal(fit.ninety_bytes, 4500e3, 1e-1);
	assert_true(fit.deviation < 1e-9);
	/* A time that is 10 % off is told, whatever its size. */
	times_us[0] *= 1.1;
	assert_true(ws_sweep_fit(bytes, times_us, 10, &fit));
	assert_true(fit.deviation > 0.05 && fit.deviation < 0.1);
	assert_float_equal(fit.rate, 50, 1);
}

static void what_is_no_line_has_no_fit(void **state)
{
	static const double bytes[] = {1024, 2048, 4096, 8192}, flat[] = {7, 7, 7, 7}, falling[] = {8, 4, 2, 1};
	static const double same[] = {1024, 1024, 1024, 1024}, convex[] = {1, 3, 9, 27};
	struct ws_sweep_fit fit = {.rate = -1};

	(void)state;
	assert_false(ws_sweep_fit(bytes, falling, 4, &fit));
	assert_false(ws_sweep_fit(same, convex, 4, &fit));
	assert_false(ws_sweep_fit(bytes, convex, 2, &fit));
	assert_false(ws_sweep_fit(bytes, convex, 0, &fit));
	assert_true(fit.rate == -1);
	/* Rounding decides whether a flat line rises; if so, endlessly fast. */
	if (ws_sweep_fit(bytes, flat, 4, &fit))
		assert_true(fit.rate > 1e6);
	/* Larger sizes that are slower per byte than small ones leave no cost. */
	assert_true(ws_sweep_fit(bytes, convex, 4, &fit));
	assert_true(fit.cost_us == 0 && fit.half_bytes == 0 && fit.deviation > 0.2);
}

static void add_cell(struct ws_table *table, const char *column, uint64_t bytes, double time_us)
{
	struct ws_coords coords = {.count = 0};
	struct ws_cell *cell;
	char text[WS_UNITS_TEXT];

	ws_coords_set(&coords, "size", ws_size_format(bytes, text, sizeof(text)));
	ws_coords_set(&coords, "column", column);
	ws_coords_set(&coords, "row", "host0");
	cell = ws_table_cell(table, &coords);
	assert_non_null(cell);
	cell->coords = coords;
	cell->status = time_us > 0 ? WS_CELL_MEASURED : WS_CELL_FAILED;
	strcpy(cell->reason, time_us > 0 ? "" : "broken");
	if (time_us > 0) {
		cell->folded.figures[0] = (struct ws_figure){.known = true, .value = (double)bytes / time_us / 1000};
		cell->folded.figures[1] = (struct ws_figure){.known = true, .value = time_us};
	}
	strcpy(cell->limit_reason, "none");
}

static char *print(const struct ws_result *result)
{
	const struct ws_report_options options = {.color = false};
	const struct ws_report *report;
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	assert_non_null(stream);
	assert_int_equal(ws_report_find("text", &report, NULL), WS_OK);
	assert_int_equal(report->write(result, &options, stream, NULL), WS_OK);
	fclose(stream);
	return text;
}

static void the_text_has_a_line_for_each_series(void **state)
{
	struct ws_result result = {0};
	struct ws_table *table = ws_result_table(&result, ws_probe_find("host_to_device_memcpy_ce_sweep"));
	char *text;

	(void)state;
	assert_non_null(table);
	ws_result_add_step(&result)->step.probe = table->probe;
	for (int i = 0; i < 6; i++) {
		const uint64_t bytes = UINT64_C(4096) << 3 * i;

		add_cell(table, "cuda0", bytes, 10 + (double)bytes / 50e3);
		add_cell(table, "cuda1", bytes, i < 4 ? 0 : 1);
		add_cell(table, "ocl0", bytes, i == 2 ? 300 : (double)bytes / 50e3);
	}
	text = print(&result);
	if (!strstr(text, "fit: column=cuda0 row=host0: time = 10.00 us + size / 50.00 GB/s, to within") ||
	    !strstr(text, "50 % of it from 488.3 KiB, 90 % from 4.292 MiB"))
		fail_msg("%s", text);
	if (!strstr(text, "fit: column=ocl0 row=host0: none: the times are up to "))
		fail_msg("%s", text);
	/* Two sizes of the other one are too few. */
	assert_null(strstr(text, "fit: column=cuda1"));
	free(text);
	ws_result_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_is_found_again),
		cmocka_unit_test(what_is_no_line_has_no_fit),
		cmocka_unit_test(the_text_has_a_line_for_each_series),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
