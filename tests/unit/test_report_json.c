/* JSON: exact bytes for a result made by hand, the same under every locale, and nothing that is no JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/record.h"
#include "report/json.h"
#include "report/report.h"
#include "report_sample.h"

/* The report of a result, which stays. */
static char *print(const struct ws_result *result)
{
	const struct ws_report_options options = {.color = true};
	const struct ws_report *report;
	char *text;
	size_t size;

	assert_int_equal(ws_report_find("json", &report, NULL), WS_OK);
	assert_int_equal(ws_report_print(report, result, &options, &text, &size, NULL), WS_OK);
	assert_int_equal(strlen(text), size);
	return text;
}

/* The report of a result, which is released, parsed. */
static json_t *parse(struct ws_result *result)
{
	char *text = print(result);
	json_t *document = json_loads(text, JSON_REJECT_DUPLICATES, NULL);

	assert_non_null(document);
	free(text);
	ws_result_release(result);
	return document;
}

static json_t *cell_of(const json_t *document, size_t table, size_t cell)
{
	json_t *tables = json_object_get(document, "tables");

	return json_array_get(json_object_get(json_array_get(tables, table), "cells"), cell);
}

static double number_of(const json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);

	assert_true(json_is_number(value));
	return json_number_value(value);
}

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	assert_non_null(text);
	return text;
}

static void every_key_has_its_place(void **state)
{
	/* In two: a compiler need not take longer literals. */
	static const char tables[] =
		"{\n"
		"\t\"schema\": \"wirespeed-result\",\n"
		"\t\"version\": 1,\n"
		"\t\"program\": {\"name\": \"wirespeed\", \"version\": \"" WS_VERSION "\"},\n"
		"\t\"simulated\": false,\n"
		"\t\"incomplete\": false,\n"
		"\t\"elapsed_s\": 0.0,\n"
		"\t\"settings\": {\"samples\": null, \"lead_loops\": 0, \"loops\": null, \"verify\": \"ends\", "
		"\"statistic\": \"median\", \"precision\": 0.01, \"time_limit_ns\": 400000000, \"timeout_ns\": "
		"30000000000, \"seed\": \"0xfedcba9876543210\", \"pattern\": 4294967295, \"ungated\": false, "
		"\"counters\": false},\n"
		"\t\"machine\": {\n"
		"\t\t\"places\": [\n"
		"\t\t\t{\"place\": \"host0\", \"cpus\": 4}\n"
		"\t\t]\n"
		"\t},\n"
		"\t\"environment\": {\"OMP_NUM_THREADS\": \"4\"},\n"
		"\t\"tables\": [\n"
		"\t\t{\n"
		"\t\t\t\"probe\": \"custom\",\n"
		"\t\t\t\"summary\": \"steps written by hand\",\n"
		"\t\t\t\"axes\": [],\n"
		"\t\t\t\"quantities\": [\n"
		"\t\t\t\t{\"name\": \"bandwidth\", \"unit\": \"GB/s\", \"better\": \"higher\", \"bytes\": \"each byte "
		"once\"},\n"
		"\t\t\t\t{\"name\": \"time\", \"unit\": \"us\", \"better\": \"lower\", \"bytes\": null}\n"
		"\t\t\t],\n"
		"\t\t\t\"cells\": [\n"
		"\t\t\t\t{\n"
		"\t\t\t\t\t\"coords\": {\"label\": \"a \\\"quoted\\\", odd one\"},\n"
		"\t\t\t\t\t\"status\": \"measured\",\n"
		"\t\t\t\t\t\"reason\": \"clocked \303\244t 2,1 GHz ?\",\n"
		"\t\t\t\t\t\"quantities\": {\n"
		"\t\t\t\t\t\t\"bandwidth\": {\"value\": 0.333333333333333, \"low\": 0.332, \"high\": "
		"0.334666666666667, \"reason\": null},\n"
		"\t\t\t\t\t\t\"time\": {\"value\": 2e-5, \"low\": 1.992e-5, \"high\": 2.008e-5, \"reason\": null}\n"
		"\t\t\t\t\t},\n"
		"\t\t\t\t\t\"flags\": [\"stalls\"],\n"
		"\t\t\t\t\t\"kept\": 20,\n"
		"\t\t\t\t\t\"discarded\": 0,\n"
		"\t\t\t\t\t\"precision\": 0.004,\n"
		"\t\t\t\t\t\"method\": \"slope\",\n"
		"\t\t\t\t\t\"verified\": true,\n"
		"\t\t\t\t\t\"limit\": {\"value\": null, \"low\": null, \"high\": null, \"reason\": \"the speed of this "
		"memory is not reported\"},\n"
		"\t\t\t\t\t\"ratio\": null,\n"
		"\t\t\t\t\t\"wire\": null,\n"
		"\t\t\t\t\t\"path\": {\n"
		"\t\t\t\t\t\t\"host0\": {\"cpus\": 4, \"clock_ghz\": 2.1}\n"
		"\t\t\t\t\t},\n"
		"\t\t\t\t\t\"plan\": \"custom[row=r0/host0:pinned:thp column=r1/host0]: r0/host0:pinned:thp -> "
		"r1/host0 by r1/host0.cpu 64M/256M threads=4\",\n"
		"\t\t\t\t\t\"step\": 0,\n"
		"\t\t\t\t\t\"items\": [0]\n"
		"\t\t\t\t}\n"
		"\t\t\t]\n"
		"\t\t}\n"
		"\t],\n";
	static const char steps[] =
		"\t\"steps\": [\n"
		"\t\t{\n"
		"\t\t\t\"text\": \"custom[row=r0/host0:pinned:thp column=r1/host0]: r0/host0:pinned:thp -> r1/host0 by "
		"r1/host0.cpu 64M/256M threads=4\",\n"
		"\t\t\t\"probe\": \"custom\",\n"
		"\t\t\t\"coords\": {\"label\": \"a \\\"quoted\\\", odd one\"},\n"
		"\t\t\t\"group\": 3,\n"
		"\t\t\t\"reason\": null,\n"
		"\t\t\t\"items\": [\n"
		"\t\t\t\t{\n"
		"\t\t\t\t\t\"coords\": {},\n"
		"\t\t\t\t\t\"verb\": \"->\",\n"
		"\t\t\t\t\t\"collective\": null,\n"
		"\t\t\t\t\t\"source\": \"r0/host0:pinned:thp\",\n"
		"\t\t\t\t\t\"destination\": \"r1/host0\",\n"
		"\t\t\t\t\t\"members\": [],\n"
		"\t\t\t\t\t\"engine\": \"r1/host0.cpu\",\n"
		"\t\t\t\t\t\"size_bytes\": [4096, 65536],\n"
		"\t\t\t\t\t\"loops\": null,\n"
		"\t\t\t\t\t\"options\": {\"threads\": 4}\n"
		"\t\t\t\t},\n"
		"\t\t\t\t{\n"
		"\t\t\t\t\t\"coords\": {\"series\": \"noise\"},\n"
		"\t\t\t\t\t\"verb\": \"read\",\n"
		"\t\t\t\t\t\"collective\": null,\n"
		"\t\t\t\t\t\"source\": \"r1/host0\",\n"
		"\t\t\t\t\t\"destination\": null,\n"
		"\t\t\t\t\t\"members\": [],\n"
		"\t\t\t\t\t\"engine\": \"r1/host0.cpu\",\n"
		"\t\t\t\t\t\"size_bytes\": [4096],\n"
		"\t\t\t\t\t\"loops\": 16,\n"
		"\t\t\t\t\t\"options\": {\"interfering\": true}\n"
		"\t\t\t\t}\n"
		"\t\t\t],\n"
		"\t\t\t\"ending\": \"precise\",\n"
		"\t\t\t\"status\": \"ok\",\n"
		"\t\t\t\"status_reason\": null,\n"
		"\t\t\t\"path\": {\n"
		"\t\t\t\t\"host0\": {\"cpus\": 4, \"clock_ghz\": 2.1}\n"
		"\t\t\t},\n"
		"\t\t\t\"checked\": true,\n"
		"\t\t\t\"wrong\": null,\n"
		"\t\t\t\"samples\": {\n"
		"\t\t\t\t\"size_index\": [0, 1, 0],\n"
		"\t\t\t\t\"host_start_ns\": [0, 1000000, 2000000],\n"
		"\t\t\t\t\"host_end_ns\": [777777, 1777777, 2777777],\n"
		"\t\t\t\t\"span_ns\": [700000, null, 700000],\n"
		"\t\t\t\t\"release_skew_ns\": [42, 42, 42],\n"
		"\t\t\t\t\"discarded\": [null, null, \"released late\"],\n"
		"\t\t\t\t\"checked\": [true, false, true],\n"
		"\t\t\t\t\"wrong\": [\n"
		"\t\t\t\t\tnull,\n"
		"\t\t\t\t\tnull,\n"
		"\t\t\t\t\t{\"count\": 3, \"first_offset\": 8, \"expected\": \"0xffffffffffffffff\", \"found\": "
		"\"0x0\", \"item\": 1, \"rank\": 1}\n"
		"\t\t\t\t],\n"
		"\t\t\t\t\"counters\": {\n"
		"\t\t\t\t\t\"host0.sent\": [1000, 1001, 1002],\n"
		"\t\t\t\t\t\"host0.\\\"late\\\"\": [null, null, 7]\n"
		"\t\t\t\t}\n"
		"\t\t\t},\n"
		"\t\t\t\"lanes\": {\n"
		"\t\t\t\t\"sample\": [0, 0, 1, 1, 2, 2],\n"
		"\t\t\t\t\"item\": [0, 1, 0, 1, 0, 1],\n"
		"\t\t\t\t\"lane\": [0, 0, 0, 0, 0, 0],\n"
		"\t\t\t\t\"bytes\": [1073741824, 2147483648, 1073741824, 2147483648, 1073741824, 2147483648],\n"
		"\t\t\t\t\"loops\": [16, 16, 16, 16, 16, 16],\n"
		"\t\t\t\t\"lead_loops\": [4, 4, 4, 4, 4, 4],\n"
		"\t\t\t\t\"trail_loops\": [0, 0, 0, 0, 0, 0],\n"
		"\t\t\t\t\"gated\": [true, false, true, false, true, false],\n"
		"\t\t\t\t\"host_start_ns\": [0, 1, 1000000, 1000001, 2000000, 2000001],\n"
		"\t\t\t\t\"host_end_ns\": [777777, 777776, 1777777, 1777776, 2777777, 2777776],\n"
		"\t\t\t\t\"poll_gap_ns\": [1500, 1500, 1500, 1500, 1500, 1500],\n"
		"\t\t\t\t\"issue_ns\": [32000, null, 32000, null, 32000, null],\n"
		"\t\t\t\t\"clock\": [\"ocl0:event\", null, \"ocl0:event\", null, \"ocl0:event\", null],\n"
		"\t\t\t\t\"start_ns\": [-5, null, -5, null, -5, null],\n"
		"\t\t\t\t\"end_ns\": [699995, null, 699995, null, 699995, null],\n"
		"\t\t\t\t\"values\": [\n"
		"\t\t\t\t\tnull,\n"
		"\t\t\t\t\t[33.7, 25.275, 20.22],\n"
		"\t\t\t\t\tnull,\n"
		"\t\t\t\t\t[33.7, 25.275, 20.22],\n"
		"\t\t\t\t\tnull,\n"
		"\t\t\t\t\t[33.7, 25.275, 20.22]\n"
		"\t\t\t\t],\n"
		"\t\t\t\t\"value_unit\": [null, \"ns\", null, \"ns\", null, \"ns\"]\n"
		"\t\t\t}\n"
		"\t\t}\n"
		"\t]\n"
		"}\n";
	struct ws_result result = {0};
	char *text;

	(void)state;
	sample_records(&result);
	text = print(&result);
	assert_int_equal(strncmp(text, tables, strlen(tables)), 0);
	assert_string_equal(text + strlen(tables), steps);
	free(text);
	ws_result_release(&result);
}

static void a_missing_figure_is_null_and_has_a_reason(void **state)
{
	struct ws_result result = {0};
	json_t *document, *figure, *limit;

	(void)state;
	sample_gaps(&result);
	document = parse(&result);
	figure = json_object_get(json_object_get(cell_of(document, 0, 0), "quantities"), "bandwidth");
	assert_true(json_is_null(json_object_get(figure, "value")));
	assert_true(json_is_null(json_object_get(figure, "low")));
	assert_string_equal(text_of(figure, "reason"), "a place is not copied to itself");
	assert_string_equal(text_of(cell_of(document, 0, 0), "status"), "not_applicable");
	assert_true(json_is_null(json_object_get(cell_of(document, 0, 0), "method")));
	figure = json_object_get(json_object_get(cell_of(document, 0, 7), "quantities"), "bandwidth");
	assert_string_equal(text_of(figure, "reason"), "interrupted");
	limit = json_object_get(cell_of(document, 0, 3), "limit");
	assert_true(json_is_null(json_object_get(limit, "value")));
	assert_string_equal(text_of(limit, "reason"), "the speed of this memory is not reported");
	json_decref(document);
}

static void cells_say_what_is_known_of_them(void **state)
{
	struct ws_result result = {0};
	json_t *document, *cell, *flags, *wrong;

	(void)state;
	sample_gaps(&result);
	document = parse(&result);
	cell = cell_of(document, 0, 3);
	flags = json_object_get(cell, "flags");
	assert_int_equal(json_array_size(flags), 2);
	assert_string_equal(json_string_value(json_array_get(flags, 0)), "unconverged");
	assert_string_equal(json_string_value(json_array_get(flags, 1)), "drift");
	assert_true(json_is_true(json_object_get(cell, "verified")));
	cell = cell_of(document, 0, 6);
	assert_true(json_is_false(json_object_get(cell, "verified")));
	assert_true(fabs(number_of(cell, "ratio") - 0.6) < 1e-12);
	assert_true(fabs(number_of(json_object_get(cell, "limit"), "value") - 20) < 1e-12);
	assert_string_equal(text_of(cell, "method"), "slope");
	assert_string_equal(text_of(cell_of(document, 0, 2), "status"), "wrong_data");
	wrong = json_object_get(json_array_get(json_object_get(document, "steps"), 2), "wrong");
	assert_int_equal(json_integer_value(json_object_get(wrong, "count")), 4096);
	assert_int_equal(json_integer_value(json_object_get(wrong, "first_offset")), 1048576);
	assert_string_equal(text_of(wrong, "expected"), "0x1234abcd");
	assert_string_equal(text_of(wrong, "found"), "0xdeadbeef");
	json_decref(document);
}

static void what_is_no_number_is_null(void **state)
{
	struct ws_result result = {0};
	struct ws_cell *cell;
	char *text;

	(void)state;
	sample_records(&result);
	cell = &result.tables[0].cells[0];
	cell->folded.figures[0].value = NAN;
	cell->folded.figures[1].high = INFINITY;
	cell->folded.precision = INFINITY;
	cell->limit = (struct ws_figure){.known = true, .value = -INFINITY};
	result.elapsed_s = NAN;
	result.steps[0].records.samples[0].lanes[1].values[1] = NAN;
	result.steps[0].records.samples[0].counters[0].delta = UINT64_MAX;
	text = print(&result);
	assert_null(strstr(text, "nan"));
	assert_null(strstr(text, "inf"));
	assert_non_null(strstr(text, "\"bandwidth\": {\"value\": null, \"low\": null, \"high\": null, "
				     "\"reason\": \"clocked"));
	assert_non_null(strstr(text, "\"time\": {\"value\": 2e-5, \"low\": null, \"high\": null, \"reason\": null}"));
	assert_non_null(strstr(text, "\"precision\": null"));
	assert_non_null(strstr(text, "\"elapsed_s\": null"));
	assert_non_null(strstr(text, "[33.7, null, 20.22]"));
	assert_non_null(strstr(text, "\"host0.sent\": [null, 1001, 1002]"));
	free(text);
	ws_result_release(&result);
}

static void the_same_result_gives_the_same_bytes(void **state)
{
	struct ws_result result = {0}, again = {0};
	char *text, *other;

	(void)state;
	sample_everything(&result);
	sample_everything(&again);
	text = print(&result);
	other = print(&again);
	assert_string_equal(text, other);
	free(text);
	free(other);
	ws_result_release(&result);
	ws_result_release(&again);
}

static void the_locale_does_not_matter(void **state)
{
	static const char *const with_comma[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "nl_NL.UTF-8"};
	static const char *const formats[] = {"text", "json", "csv"};
	const struct ws_report_options options = {.color = false};
	struct ws_result result = {0};
	const struct ws_report *report;
	char *texts[2][3];
	bool found = false;

	(void)state;
	for (size_t i = 0; i < sizeof(with_comma) / sizeof(with_comma[0]) && !found; i++)
		found = setlocale(LC_ALL, with_comma[i]) != NULL;
	if (!found) {
		print_message("SKIP: no locale with a decimal comma is installed\n");
		skip();
	}
	assert_string_equal(localeconv()->decimal_point, ",");
	sample_everything(&result);
	for (int i = 0; i < 2; i++) {
		for (int j = 0; j < 3; j++) {
			size_t size;

			assert_int_equal(ws_report_find(formats[j], &report, NULL), WS_OK);
			assert_int_equal(ws_report_print(report, &result, &options, &texts[i][j], &size, NULL), WS_OK);
		}
		setlocale(LC_ALL, "C");
	}
	for (int j = 0; j < 3; j++) {
		assert_string_equal(texts[0][j], texts[1][j]);
		free(texts[0][j]);
		free(texts[1][j]);
	}
	ws_result_release(&result);
}

/* jansson's allocations from the one of this number on fail. */
static size_t allocations_left;

static void *limited_malloc(size_t size)
{
	if (allocations_left == 0)
		return NULL;
	allocations_left--;
	return malloc(size);
}

static void no_memory_is_told_and_nothing_is_lost(void **state)
{
	const struct ws_report_options options = {.color = false};
	struct ws_result result = {0}, again = {0};
	const struct ws_report *report;
	int written = WS_ENOMEM, read = WS_ENOMEM;
	char *expected, *text = NULL;
	size_t size;

	(void)state;
	sample_records(&result);
	expected = print(&result);
	assert_int_equal(ws_report_find("json", &report, NULL), WS_OK);
	for (size_t i = 0; written != WS_OK; i++) {
		json_set_alloc_funcs(limited_malloc, free);
		allocations_left = i;
		written = ws_report_print(report, &result, &options, &text, &size, NULL);
		json_set_alloc_funcs(malloc, free);
		assert_true(written == WS_OK || written == WS_ENOMEM);
	}
	assert_string_equal(text, expected);
	free(text);
	/* jansson's parser takes some failures of its own for faults of the text. */
	for (size_t i = 0; read != WS_OK; i++) {
		json_set_alloc_funcs(limited_malloc, free);
		allocations_left = i;
		read = ws_json_read(expected, strlen(expected), sample_probe, &again, NULL);
		json_set_alloc_funcs(malloc, free);
		assert_true(read == WS_OK || read == WS_ENOMEM || read == WS_EINVAL);
	}
	text = print(&again);
	assert_string_equal(text, expected);
	free(text);
	ws_result_release(&again);
	free(expected);
	ws_result_release(&result);
}

static void what_is_no_utf8_becomes_question_marks(void **state)
{
	static const struct {
		const char *text, *expected;
	} cases[] = {
		{"plain", "plain"},
		{"\303\244 \342\202\254 \360\237\230\200", "\303\244 \342\202\254 \360\237\230\200"},
		{"cut \342\202", "cut ??"},
		{"\377\303\244\200", "?\303\244?"},
		{"\355\240\200", "???"},	     /* a surrogate */
		{"\300\200 \340\200\200", "?? ???"}, /* overlong */
		{"\364\220\200\200", "????"},	     /* beyond Unicode */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		json_t *value = ws_json_text(cases[i].text);

		assert_string_equal(json_string_value(value), cases[i].expected);
		json_decref(value);
	}
}

static void formats_are_found_by_name(void **state)
{
	const struct ws_report *report = NULL;
	struct ws_error error = {0};
	size_t count;

	(void)state;
	assert_string_equal(ws_report_rows(&count)[0]->name, "text");
	assert_int_equal(count, 3);
	assert_int_equal(ws_report_find("jsno", &report, &error), WS_EINVAL);
	assert_string_equal(error.text, "unknown format 'jsno'; did you mean 'json'?");
	error = (struct ws_error){0};
	assert_int_equal(ws_report_find("protobuf", &report, &error), WS_EINVAL);
	assert_string_equal(error.text, "unknown format 'protobuf'; there are text, json, csv");
	assert_null(report);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_key_has_its_place),
		cmocka_unit_test(a_missing_figure_is_null_and_has_a_reason),
		cmocka_unit_test(cells_say_what_is_known_of_them),
		cmocka_unit_test(what_is_no_number_is_null),
		cmocka_unit_test(the_same_result_gives_the_same_bytes),
		cmocka_unit_test(the_locale_does_not_matter),
		cmocka_unit_test(no_memory_is_told_and_nothing_is_lost),
		cmocka_unit_test(what_is_no_utf8_becomes_question_marks),
		cmocka_unit_test(formats_are_found_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
