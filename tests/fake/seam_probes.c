/* Probes for the seam test, one per fold, and the way from plan text to a folded result. */
#include "fake/seam_probes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/item.h"
#include "base/record.h"
#include "measure/run.h"
#include "plan/plan_text.h"
#include "probe/fold.h"
#include "report/json.h"
#include "report/report.h"

#define RATE(name) {name, "GB/s", WS_HIGHER, "each byte once"}

static const struct ws_probe probes[] = {
	{.name = "first", .axes = {"row", "column", "series"}, .quantities = {RATE("bandwidth")}, .fold = ws_fold_first},
	{.name = "twice", .axes = {"row"}, .quantities = {RATE("bandwidth")}, .fold = ws_fold_first_read_written},
	{.name = "each",
	 .axes = {"row", "column"},
	 .quantities = {RATE("first"), RATE("second"), RATE("total")},
	 .fold = ws_fold_each},
	{.name = "total", .axes = {"column"}, .quantities = {RATE("bandwidth")}, .fold = ws_fold_total},
	{.name = "sum", .axes = {"column"}, .quantities = {RATE("bandwidth")}, .fold = ws_fold_sum},
	{.name = "slope",
	 .axes = {"row", "column"},
	 .quantities = {RATE("bandwidth"), {"fixed_cost", "us", WS_LOWER, NULL}},
	 .fold = ws_fold_slope},
	{.name = "slope_twice", .axes = {"row"}, .quantities = {RATE("bandwidth")}, .fold = ws_fold_slope_read_written},
	{.name = "slope_each",
	 .axes = {"row", "column"},
	 .quantities = {RATE("first"), RATE("second"), RATE("total")},
	 .fold = ws_fold_slope_each},
	{.name = "slope_total",
	 .axes = {"column"},
	 .quantities = {RATE("total"), RATE("least"), RATE("most")},
	 .fold = ws_fold_slope_total},
	{.name = "units",
	 .axes = {"row", "column"},
	 .quantities = {{"latency", "ns", WS_LOWER, NULL}, {"least", "ns", WS_LOWER, NULL}, {"most", "ns", WS_LOWER, NULL}},
	 .fold = ws_fold_units},
	{.name = "percentiles",
	 .axes = {"row", "column"},
	 .quantities = {{"p50", "ns", WS_LOWER, NULL},
			{"p99", "ns", WS_LOWER, NULL},
			{"min", "ns", WS_LOWER, NULL},
			{"max", "ns", WS_LOWER, NULL}},
	 .fold = ws_fold_percentiles},
	{.name = "small",
	 .axes = {"row"},
	 .quantities = {{"latency", "us", WS_LOWER, NULL}, {"issue", "us", WS_LOWER, NULL}},
	 .fold = ws_fold_small},
	{.name = "collective",
	 .axes = {"size", "placement"},
	 .quantities = {{"time", "us", WS_LOWER, NULL}, RATE("algbw"), RATE("busbw")},
	 .fold = ws_fold_busbw},
	{.name = "loaded",
	 .axes = {"row", "delay"},
	 .quantities = {{"latency", "ns", WS_LOWER, NULL}, RATE("load")},
	 .fold = ws_fold_loaded},
	{.name = "custom",
	 .axes = {"step"},
	 .quantities = {RATE("bandwidth"), {"time", "us", WS_LOWER, NULL}, {"value", "ns", WS_LOWER, NULL}},
	 .fold = ws_fold_custom},
};

const struct ws_probe *seam_probe(const char *name)
{
	for (size_t i = 0; i < sizeof(probes) / sizeof(probes[0]); i++)
		if (strcmp(probes[i].name, name) == 0)
			return &probes[i];
	return NULL;
}

static void assert_ok(int rc, const struct ws_error *error)
{
	if (rc != WS_OK)
		fail_msg("%s: %s", ws_status_name(rc), error->text);
}

static void check_round_trip(const struct ws_plan *plan)
{
	struct ws_error error = {0};
	struct ws_plan again = {0};
	char *text, *text_again;

	assert_ok(ws_plan_print(plan, &text, &error), &error);
	assert_ok(ws_plan_parse(text, strlen(text), seam_probe, &again, &error), &error);
	assert_ok(ws_plan_print(&again, &text_again, &error), &error);
	assert_string_equal(text, text_again);
	assert_int_equal(again.step_count, plan->step_count);
	free(text);
	free(text_again);
	ws_plan_release(&again);
}

/* The same figures, interval bounds and flags, to the last bit: records keep whole nanoseconds. */
static void assert_same(const struct ws_folded *a, const struct ws_folded *b)
{
	for (int q = 0; q < WS_QUANTITY_MAX; q++) {
		assert_int_equal(a->figures[q].known, b->figures[q].known);
		assert_int_equal(a->figures[q].has_interval, b->figures[q].has_interval);
		assert_true(a->figures[q].value == b->figures[q].value);
		assert_true(a->figures[q].low == b->figures[q].low);
		assert_true(a->figures[q].high == b->figures[q].high);
	}
	assert_int_equal(a->flags, b->flags);
	assert_int_equal(a->kept, b->kept);
	assert_int_equal(a->discarded, b->discarded);
	assert_int_equal(a->slope, b->slope);
}

/* A saved result, read back and folded again, has the same cells. */
static void check_saved(const struct ws_result *result)
{
	const struct ws_report_options options = {0};
	const struct ws_report *report = NULL;
	struct ws_error error = {0};
	struct ws_result again = {0};
	char *text = NULL;
	size_t size = 0;

	assert_ok(ws_report_find("json", &report, &error), &error);
	assert_ok(ws_report_print(report, result, &options, &text, &size, &error), &error);
	assert_ok(ws_json_read(text, size, seam_probe, &again, &error), &error);
	assert_ok(ws_result_fold(&again, &error), &error);
	assert_int_equal(again.table_count, result->table_count);
	for (int i = 0; i < result->table_count; i++) {
		const struct ws_table *one = &result->tables[i], *other = &again.tables[i];

		assert_int_equal(one->cell_count, other->cell_count);
		for (int k = 0; k < one->cell_count; k++) {
			assert_true(ws_coords_equal(&one->cells[k].coords, &other->cells[k].coords));
			assert_int_equal(one->cells[k].status, other->cells[k].status);
			assert_string_equal(one->cells[k].reason, other->cells[k].reason);
			assert_same(&one->cells[k].folded, &other->cells[k].folded);
		}
	}
	free(text);
	ws_result_release(&again);
}

void seam_run(const char *plan_text, struct script *script, struct ws_result *result)
{
	struct ws_error error = {0};
	struct ws_plan plan = {0};

	*result = (struct ws_result){0};
	assert_ok(ws_plan_parse(plan_text, strlen(plan_text), seam_probe, &plan, &error), &error);
	check_round_trip(&plan);
	if (script) {
		struct ws_activity_source source = script_source(script);
		const struct ws_run_options options = {.clock = &script->clock, .source = &source};

		script_init(script);
		assert_ok(ws_run_plan(&plan, &options, result, &error), &error);
		assert_ok(ws_result_fold(result, &error), &error);
		check_saved(result);
		script_release(script);
	}
	ws_plan_release(&plan);
}

const struct ws_cell *seam_cell(const struct ws_result *result, const char *probe, const char *coords)
{
	char text[200];

	for (int i = 0; i < result->table_count; i++) {
		const struct ws_table *table = &result->tables[i];

		for (int k = 0; k < table->cell_count && strcmp(table->probe->name, probe) == 0; k++)
			if (strcmp(ws_coords_format(&table->cells[k].coords, text, sizeof(text)), coords) == 0)
				return &table->cells[k];
	}
	fail_msg("no cell %s[%s]", probe, coords);
	return NULL;
}

double seam_value(const struct ws_result *result, const char *probe, const char *coords, int quantity)
{
	const struct ws_figure *figure = &seam_cell(result, probe, coords)->folded.figures[quantity];

	if (!figure->known)
		fail_msg("%s[%s] has no quantity %d", probe, coords, quantity);
	return figure->value;
}

void seam_assert_near(double value, double expected)
{
	if (fabs(value - expected) > 1e-9 * fabs(expected))
		fail_msg("%.15g is not %.15g", value, expected);
}
