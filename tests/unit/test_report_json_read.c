/* Saved results: reading gives back what was written, and whatever is wrong with a document is told with its place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "base/item.h"
#include "base/place.h"
#include "base/record.h"
#include "probe/fold.h"
#include "probe/probe.h"
#include "report/json.h"
#include "report/report.h"
#include "report_sample.h"

/* The report of a result, which is released. */
static char *print(struct ws_result *result)
{
	const struct ws_report_options options = {.color = false};
	const struct ws_report *report;
	char *text;
	size_t size;

	assert_int_equal(ws_report_find("json", &report, NULL), WS_OK);
	assert_int_equal(ws_report_print(report, result, &options, &text, &size, NULL), WS_OK);
	ws_result_release(result);
	return text;
}

static void check_round_trip(struct ws_result *result)
{
	struct ws_result again = {0};
	struct ws_error error = {0};
	char *text = print(result), *other;

	if (ws_json_read(text, strlen(text), sample_probe, &again, &error) != WS_OK)
		fail_msg("%s", error.text);
	other = print(&again);
	assert_string_equal(text, other);
	free(text);
	free(other);
}

static void writing_what_was_read_gives_the_same_bytes(void **state)
{
	struct ws_result result = {0};

	(void)state;
	check_round_trip(&result);
	sample_matrix(&result, 8, "r0/host");
	check_round_trip(&result);
	sample_gaps(&result);
	check_round_trip(&result);
	sample_latency(&result);
	check_round_trip(&result);
	sample_sizes(&result);
	check_round_trip(&result);
	sample_everything(&result);
	strcpy(result.version, "0.0.9-old");
	check_round_trip(&result);
}

/* A step of the real row, with samples of which one stands out and one is discarded. */
static void measure_by_hand(struct ws_result *result)
{
	static const int64_t times_ns[] = {1000003, 1000019, 1000033, 1000037, 1000039, 1000081, 1000099,
					   1000117, 1000121, 1000133, 1000151, 3000000, 900000};
	struct ws_step_result *step = ws_result_add_step(result);
	struct ws_item *item;

	step->step.probe = ws_probe_find("host_memory_read");
	assert_non_null(step->step.probe);
	ws_coords_set(&step->step.coords, "row", "host0");
	ws_coords_set(&step->step.coords, "column", "host0");
	item = ws_step_add_item(&step->step, WS_READ);
	assert_int_equal(ws_place_parse("host0:thp", &item->source, NULL), WS_OK);
	item->engine.place = ws_place_device(&item->source);
	strcpy(item->engine.name, "cpu");
	item->size_bytes[0] = 1 << 26;
	item->size_count = 1;
	step->ending = WS_ENDED_BUDGET;
	step->check = (struct ws_check){.done = true, .rank = WS_RANK_NONE};
	for (size_t i = 0; i < sizeof(times_ns) / sizeof(times_ns[0]); i++) {
		struct ws_sample sample = {.host_start_ns = 5000000 * (int64_t)i, .check.rank = WS_RANK_NONE};
		struct ws_lane *lane = ws_sample_add_lane(&sample, 0, 0);

		lane->bytes = 7 << 26;
		lane->loops = 7;
		lane->host_start_ns = sample.host_start_ns;
		lane->host_end_ns = sample.host_end_ns = sample.host_start_ns + times_ns[i];
		sample.discarded = times_ns[i] < 1000000;
		strcpy(sample.discard_reason, sample.discarded ? "by hand" : "");
		assert_int_equal(ws_records_add(&step->records, &sample, NULL), WS_OK);
	}
	result->settings = ws_settings_default(true);
}

static void a_saved_result_folds_to_the_same_figures(void **state)
{
	struct ws_result result = {0}, again = {0};
	char *text, *other;

	(void)state;
	measure_by_hand(&result);
	assert_int_equal(ws_result_fold(&result, NULL), WS_OK);
	text = print(&result);
	assert_non_null(strstr(text, "\"status\": \"measured\""));
	assert_non_null(strstr(text, "\"kept\": 12,"));
	assert_int_equal(ws_json_read(text, strlen(text), ws_probe_find, &again, NULL), WS_OK);
	/* Whatever the tables said, the records decide. */
	again.tables[0].cells[0].folded = (struct ws_folded){0};
	again.tables[0].cells[0].status = WS_CELL_FAILED;
	assert_int_equal(ws_result_fold(&again, NULL), WS_OK);
	other = print(&again);
	assert_string_equal(text, other);
	free(text);
	free(other);
}

static void records_come_back(void **state)
{
	struct ws_result result = {0}, again = {0};
	const struct ws_step_result *step;
	const struct ws_sample *sample;
	const struct ws_lane *lane;
	char place[WS_PLACE_TEXT];
	char *text;

	(void)state;
	sample_records(&result);
	text = print(&result);
	assert_int_equal(ws_json_read(text, strlen(text), sample_probe, &again, NULL), WS_OK);
	step = &again.steps[0];
	assert_ptr_equal(step->step.probe, sample_probe("custom"));
	assert_int_equal(step->step.group, 3);
	assert_int_equal(step->step.item_count, 2);
	assert_int_equal(step->step.items[0].verb, WS_COPY);
	assert_string_equal(ws_place_format(&step->step.items[0].source, place, sizeof(place)), "r0/host0:pinned:thp");
	assert_string_equal(step->step.items[0].engine.name, "cpu");
	assert_true(step->step.items[0].size_bytes[1] == 65536);
	assert_true(ws_item_number(&step->step.items[0], "threads", 0) == 4);
	assert_true(ws_item_flag(&step->step.items[1], "interfering"));
	assert_string_equal(ws_coords_get(&step->step.items[1].coords, "series"), "noise");
	assert_int_equal(step->records.count, 3);
	assert_false(step->records.samples[1].has_span);
	assert_false(step->records.samples[1].check.done);
	assert_int_equal(step->records.samples[1].check.rank, WS_RANK_NONE);
	sample = &step->records.samples[2];
	assert_true(sample->host_start_ns == 2000000 && sample->host_end_ns == 2777777);
	assert_true(sample->has_span && sample->span_ns == 700000 && sample->release_skew_ns == 42);
	assert_true(sample->discarded);
	assert_string_equal(sample->discard_reason, "released late");
	assert_true(sample->check.wrong_count == 3 && sample->check.first_offset == 8);
	assert_true(sample->check.expected == UINT64_MAX && sample->check.found == 0);
	assert_int_equal(sample->check.rank, 1);
	assert_int_equal(sample->counter_count, 2);
	assert_string_equal(sample->counters[1].name, "host0.\"late\"");
	assert_int_equal(sample->lane_count, 2);
	lane = &sample->lanes[0];
	assert_true(lane->has_device && lane->gated && lane->start_ns == -5 && lane->end_ns == 699995);
	assert_string_equal(lane->clock, "ocl0:event");
	assert_true(lane->bytes == UINT64_C(1) << 30 && lane->loops == 16 && lane->lead_loops == 4);
	lane = &sample->lanes[1];
	assert_false(lane->has_device);
	assert_int_equal(lane->value_count, 3);
	assert_true(fabs(lane->values[1] - 25.275) < 1e-12);
	assert_string_equal(lane->value_unit, "ns");
	assert_true(again.settings.pattern == UINT64_C(4294967296));
	assert_true(again.settings.seed == UINT64_C(0xfedcba9876543210));
	assert_int_equal(json_integer_value(json_object_get(json_object_get(step->path, "host0"), "cpus")), 4);
	free(text);
	ws_result_release(&again);
}

/* Replaces the value at a place such as "steps[0].lanes.item[1]"; a NULL value takes a member away. */
static void replace(json_t *document, const char *place, json_t *value)
{
	json_t *parent = document;
	char key[64];

	for (;;) {
		const bool is_index = *place == '[';
		const char *start = is_index ? place + 1 : place;
		const size_t length = strcspn(start, is_index ? "]" : ".[");

		snprintf(key, sizeof(key), "%.*s", (int)length, start);
		place = start + length + is_index;
		place += *place == '.';
		if (!*place) {
			if (is_index)
				assert_int_equal(json_array_set_new(parent, (size_t)atoi(key), value), 0);
			else if (value)
				assert_int_equal(json_object_set_new(parent, key, value), 0);
			else
				assert_int_equal(json_object_del(parent, key), 0);
			return;
		}
		parent = is_index ? json_array_get(parent, (size_t)atoi(key)) : json_object_get(parent, key);
		assert_non_null(parent);
	}
}

/* value is JSON text, or NULL. */
static void check_refused(const char *place, const char *value, int status, const char *expected)
{
	struct ws_result result = {0};
	struct ws_error error = {0};
	json_t *document;
	char *text;

	sample_records(&result);
	document = ws_json_result(&result);
	ws_result_release(&result);
	replace(document, place, value ? json_loads(value, JSON_DECODE_ANY, NULL) : NULL);
	text = json_dumps(document, 0);
	json_decref(document);
	assert_int_equal(ws_json_read(text, strlen(text), sample_probe, &result, &error), status);
	assert_string_equal(error.text, expected);
	assert_null(result.steps);
	free(text);
}

static void a_wrong_value_is_told_with_its_place(void **state)
{
	static const struct {
		const char *place, *value, *expected;
	} cases[] = {
		{"schema", "\"other\"", "schema is 'other', not 'wirespeed-result'"},
		{"schema", NULL, "schema: is missing"},
		{"version", "\"1\"", "version: is not an integer"},
		{"version", "1.5", "version: is not an integer"},
		{"program", "1", "program: is not an object"},
		{"program.version", "\"a version number longer than\"", "program.version: is longer than 23 bytes"},
		{"simulated", "0", "simulated: is not true or false"},
		{"elapsed_s", "\"1\"", "elapsed_s: is not a number"},
		{"settings", "[]", "settings: is not an object"},
		{"settings.samples", "0", "settings.samples: 0 is not within 1 and 4294967295"},
		{"settings.verify", "\"maybe\"", "settings.verify: unknown word 'maybe'"},
		{"settings.statistic", "\"arithmetic mean\"", "settings.statistic: is longer than 11 bytes"},
		{"settings.seed", "12", "settings.seed: is not a string"},
		{"settings.seed", "\"0x\"", "settings.seed: is not a hexadecimal number such as \"0x00ff\""},
		{"settings.seed", "\"0x12345678123456789\"",
		 "settings.seed: is not a hexadecimal number such as \"0x00ff\""},
		{"machine", "[]", "machine: is not an object"},
		{"steps", "null", "steps: is not an array"},
		{"steps[0]", "1", "steps[0]: is not an object"},
		{"steps[0].items[0].verb", "\"teleport\"", "steps[0].items[0].verb: unknown word 'teleport'"},
		{"steps[0].items[0].source", "null", "steps[0].items[0].source: is not a string"},
		{"steps[0].items[1].destination", "\"host0\"",
		 "steps[0].items[1].destination: this verb does not take it"},
		{"steps[0].items[0].engine", "\"host0\"",
		 "steps[0].items[0].engine: 'host0' is not an engine such as host0.cpu"},
		{"steps[0].items[0].size_bytes", "[1, 2, 3]",
		 "steps[0].items[0].size_bytes: has 3 elements, at most 2 are allowed"},
		{"steps[0].items[0].size_bytes[1]", "-1",
		 "steps[0].items[0].size_bytes[1]: -1 is not within 0 and 9223372036854775807"},
		{"steps[0].items[0].options.threads", "0",
		 "steps[0].items[0].options.threads: 0 is not within 1 and 4096"},
		{"steps[0].items[1].options.interfering", "false",
		 "steps[0].items[1].options.interfering: can only be true"},
		{"steps[0].items[1].options.nt", "true", "steps[0].items[1].options.nt: this verb does not take it"},
		{"steps[0].items[0].options.peer", "\"o\"", "steps[0].items[0].options.peer: 'o' is none of on off"},
		{"steps[0].coords",
		 "{\"a\":\"1\",\"b\":\"1\",\"c\":\"1\",\"d\":\"1\",\"e\":\"1\",\"f\":\"1\",\"g\":\"1\"}",
		 "steps[0].coords: has more than 6 axes"},
		{"steps[0].coords.an_axis_of_seventeen", "\"1\"",
		 "steps[0].coords.an_axis_of_seventeen: the name is longer than 15 bytes"},
		{"steps[0].status", "\"fine\"", "steps[0].status: unknown word 'fine'"},
		{"steps[0].ending", NULL, "steps[0].ending: is missing"},
		{"steps[0].samples.span_ns", "[1]", "steps[0].samples.span_ns: has 1 elements, size_index has 3"},
		{"steps[0].samples.size_index[0]", "2", "steps[0].samples.size_index[0]: 2 is not within 0 and 1"},
		{"steps[0].samples.wrong[2].item", "2", "steps[0].samples.wrong[2].item: 2 is not within 0 and 1"},
		{"steps[0].samples.host_end_ns[1]", "9223372036854775807",
		 "steps[0].samples.host_end_ns[1]: 9223372036854775807 is not within -1152921504606846976 and "
		 "1152921504606846976"},
		{"steps[0].samples.counters.x", "[1]", "steps[0].samples.counters.x: has 1 elements for 3 samples"},
		{"steps[0].lanes.sample[4]", "3", "steps[0].lanes.sample[4]: 3 is not within 1 and 2"},
		{"steps[0].lanes.item[5]", "2", "steps[0].lanes.item[5]: 2 is not within 0 and 1"},
		{"steps[0].lanes.gated[1]", "null", "steps[0].lanes.gated[1]: is not true or false"},
		{"steps[0].lanes.values[1]", "[1, \"2\"]", "steps[0].lanes.values[1][1]: is not a number"},
		{"tables[0].cells[0].step", "1", "tables[0].cells[0].step: 1 is not within 0 and 0"},
		{"tables[0].cells[0].items[0]", "2", "tables[0].cells[0].items[0]: 2 is not within 0 and 1"},
		{"tables[0].cells[0].quantities.time", NULL, "tables[0].cells[0].quantities.time: is missing"},
		{"tables[0].cells[0].quantities.time.value", "true",
		 "tables[0].cells[0].quantities.time.value: is not a number"},
		{"tables[0].cells[0].flags[0]", "\"odd\"", "tables[0].cells[0].flags[0]: unknown word 'odd'"},
		{"tables[0].cells[0].method", "\"guess\"", "tables[0].cells[0].method: unknown word 'guess'"},
		{"tables[0].cells[0].coords.\033]2J", "1", "tables[0].cells[0].coords.?]2J: is not a string"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_refused(cases[i].place, cases[i].value, WS_EINVAL, cases[i].expected);
}

static void what_this_build_lacks_is_told(void **state)
{
	(void)state;
	check_refused("version", "2", WS_EUNSUPPORTED, "version 2; this program reads version 1");
	check_refused("steps[0].probe", "\"warp\"", WS_EUNSUPPORTED, "steps[0].probe: this build has no probe 'warp'");
	check_refused("tables[0].axes", "[\"row\"]", WS_EUNSUPPORTED,
		      "tables[0]: probe custom has other axes or quantities in this version");
	check_refused("tables[0].quantities[1].unit", "\"ms\"", WS_EUNSUPPORTED,
		      "tables[0]: probe custom has other axes or quantities in this version");
	check_refused("steps[0].items[0].options.warp", "9", WS_EUNSUPPORTED,
		      "steps[0].items[0].options.warp: this build knows no such option");
}

/* Results of versions that did not record it yet. */
static void the_time_of_issuing_may_be_missing(void **state)
{
	struct ws_result result = {0};
	struct ws_error error = {0};
	json_t *document, *lanes;
	char *text;

	(void)state;
	sample_records(&result);
	document = ws_json_result(&result);
	ws_result_release(&result);
	lanes = json_object_get(json_array_get(json_object_get(document, "steps"), 0), "lanes");
	assert_int_equal(json_object_del(lanes, "issue_ns"), 0);
	text = json_dumps(document, 0);
	json_decref(document);
	if (ws_json_read(text, strlen(text), sample_probe, &result, &error) != WS_OK)
		fail_msg("%s", error.text);
	free(text);
	assert_int_equal(result.steps[0].records.samples[0].lanes[0].issue_ns, 0);
	assert_int_equal(result.steps[0].records.samples[0].lanes[0].loops, 16);
	ws_result_release(&result);
}

static void twice_is_once_too_often(void **state)
{
	struct ws_result result = {0};
	struct ws_error error = {0};
	json_t *document, *tables;
	char *text;

	(void)state;
	sample_records(&result);
	document = ws_json_result(&result);
	ws_result_release(&result);
	tables = json_object_get(document, "tables");
	json_array_append(tables, json_array_get(tables, 0));
	text = json_dumps(document, 0);
	assert_int_equal(ws_json_read(text, strlen(text), sample_probe, &result, &error), WS_EINVAL);
	assert_string_equal(error.text, "tables[1]: a table of probe custom came before");
	free(text);
	json_array_remove(tables, 1);
	tables = json_object_get(json_array_get(tables, 0), "cells");
	json_array_append(tables, json_array_get(tables, 0));
	text = json_dumps(document, 0);
	error = (struct ws_error){0};
	assert_int_equal(ws_json_read(text, strlen(text), sample_probe, &result, &error), WS_EINVAL);
	assert_string_equal(error.text, "tables[0].cells[1]: a cell of the same coordinates came before");
	free(text);
	json_decref(document);
}

static void what_is_no_json_is_told_with_its_line(void **state)
{
	static const struct {
		const char *text, *expected;
	} cases[] = {
		{"", "line 1, column 0: '[' or '{' expected near end of file"},
		{"{\n\"schema\": tru}", "line 2, column 13: invalid token near 'tru'"},
		{"{\"a\": 1, \"a\": 2}", "line 1, column 12: duplicate object key near '\"a\"'"},
		{"{} x", "line 1, column 4: end of file expected near 'x'"},
		{"{\"a\": 1e999}", "line 1, column 11: real number overflow near '1e999'"},
		{"{\"a\": 9223372036854775808}", "line 1, column 25: too big integer near '9223372036854775808'"},
		{"[]", "is not an object"},
	};
	struct ws_result result = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ws_error error = {0};

		assert_int_equal(ws_json_read(cases[i].text, strlen(cases[i].text), sample_probe, &result, &error),
				 WS_EINVAL);
		assert_string_equal(error.text, cases[i].expected);
	}
}

static void unknown_keys_are_left_alone(void **state)
{
	struct ws_result result = {0};
	json_t *document;
	char *text;

	(void)state;
	sample_records(&result);
	document = ws_json_result(&result);
	ws_result_release(&result);
	replace(document, "novelty", json_integer(1));
	replace(document, "steps[0].novelty", json_object());
	replace(document, "tables[0].cells[0].novelty", json_array());
	text = json_dumps(document, 0);
	assert_int_equal(ws_json_read(text, strlen(text), sample_probe, &result, NULL), WS_OK);
	free(text);
	json_decref(document);
	ws_result_release(&result);
}

static void files_are_read(void **state)
{
	char path[] = "/tmp/wirespeed-test-XXXXXX";
	struct ws_result result = {0};
	struct ws_error error = {0};
	const int fd = mkstemp(path);
	char expected[300];
	char *text;

	(void)state;
	assert_true(fd >= 0);
	sample_everything(&result);
	text = print(&result);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	assert_int_equal(ws_json_read_file(path, sample_probe, &result, NULL), WS_OK);
	assert_int_equal(result.table_count, 5);
	ws_result_release(&result);
	assert_int_equal(ftruncate(fd, 100), 0);
	assert_int_equal(ws_json_read_file(path, sample_probe, &result, &error), WS_EINVAL);
	snprintf(expected, sizeof(expected), "%s: line 4, ", path);
	assert_int_equal(strncmp(error.text, expected, strlen(expected)), 0);
	unlink(path);
	close(fd);
	free(text);
	error = (struct ws_error){0};
	assert_int_equal(ws_json_read_file("/nonexistent/r.json", sample_probe, &result, &error), WS_EABSENT);
	assert_string_equal(error.text, "cannot read /nonexistent/r.json: No such file or directory");
	error = (struct ws_error){0};
	assert_int_equal(ws_json_read_file("/", sample_probe, &result, &error), WS_ESYSTEM);
	assert_string_equal(error.text, "cannot read /: Is a directory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writing_what_was_read_gives_the_same_bytes),
		cmocka_unit_test(a_saved_result_folds_to_the_same_figures),
		cmocka_unit_test(records_come_back),
		cmocka_unit_test(a_wrong_value_is_told_with_its_place),
		cmocka_unit_test(what_this_build_lacks_is_told),
		cmocka_unit_test(the_time_of_issuing_may_be_missing),
		cmocka_unit_test(twice_is_once_too_often),
		cmocka_unit_test(what_is_no_json_is_told_with_its_line),
		cmocka_unit_test(unknown_keys_are_left_alone),
		cmocka_unit_test(files_are_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
