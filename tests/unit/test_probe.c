/* The table of probes: rows that hold together, selection by name, family and pattern, options that are honoured. */
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
#include "probe/probe.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void rows_hold_together(void **state)
{
	const struct ws_probe *row;
	size_t count = 0;

	(void)state;
	for (; (row = ws_probe_row(count)) != NULL; count++) {
		struct ws_item item = {.verb = row->verb};

		assert_ptr_equal(ws_probe_find(row->name), row);
		assert_true(row->summary[0] && strlen(row->summary) < 90);
		assert_true(row->family[0] && row->needs[0] && row->honours);
		assert_non_null(row->expand);
		assert_non_null(row->fold);
		assert_non_null(row->axes[0]);
		assert_non_null(row->quantities[0].name);
		for (size_t i = 0; row->quantities[i].name; i++)
			assert_true((strcmp(row->quantities[i].unit, "GB/s") == 0) == (row->quantities[i].bytes != NULL));
		assert_true(ws_verb_row(row->verb)->built);
		if (row->item_flags && !strpbrk(row->item_flags, " ="))
			assert_int_equal(ws_item_option_set(&item, row->item_flags, NULL, NULL), WS_OK);
		/* A name that is also a family would mean two things. */
		for (size_t i = 0; ws_probe_row(i); i++) {
			assert_string_not_equal(ws_probe_row(i)->family, row->name);
			assert_true(i == count || strcmp(ws_probe_row(i)->name, row->name) != 0);
		}
	}
	assert_in_range(count, 5, WS_SELECTION_MAX);
	assert_non_null(ws_probe_find("custom"));
	assert_null(ws_probe_find("host"));
}

static char *names_of(const struct ws_selection *selection, char *text, size_t size)
{
	text[0] = '\0';
	for (size_t i = 0; i < selection->count; i++)
		snprintf(text + strlen(text), size - strlen(text), "%s%s%s", i ? " " : "", selection->probes[i]->name,
			 selection->named[i] ? "!" : "");
	return text;
}

static void names_families_and_patterns_select(void **state)
{
	static const struct {
		const char *names[3];
		const char *selected;
	} cases[] = {
		{{NULL}, "host_memory_read host_memory_copy_nt host_latency "
			 "host_to_device_memcpy_ce device_to_host_memcpy_ce device_to_device_memcpy_read_ce "
			 "device_to_device_memcpy_write_ce device_to_device_bidirectional_memcpy_write_ce "
			 "device_local_copy_sm device_local_read_sm device_local_write_sm host_device_latency_sm "
			 "device_to_device_latency_sm"},
		{{"host_latency"}, "host_latency!"},
		{{"host_latency", "host_memory_read", "host_latency"}, "host_memory_read! host_latency!"},
		{{"memory"}, "host_memory_read host_memory_write host_memory_copy_nt device_local_copy device_local_copy_sm "
			     "device_local_read_sm device_local_write_sm device_local_copy_tma"},
		{{"latency", "kinds"}, "host_latency host_device_latency_sm device_to_device_latency_sm "
				       "device_to_device_latency_tma device_local_latency_sm "
				       "host_device_pingpong_sm device_to_device_pingpong_sm "
				       "host_device_pingpong_acqrel_sm device_to_device_pingpong_acqrel_sm "
				       "host_to_device_memcpy_ce_kinds device_to_host_memcpy_ce_kinds "
				       "host_to_device_memcpy_sm_kinds device_to_host_memcpy_sm_kinds"},
		{{"*_memory_*"}, "host_memory_read host_memory_write host_memory_copy_nt"},
		{{"host_l*", "host_to_h*"}, "host_to_host_memcpy_cpu host_latency"},
		{{"host_memory_rea?", "host_m*", "host_memory_write"}, "host_memory_read host_memory_write! host_memory_copy_nt"},
	};
	char text[600];

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ws_selection selection;
		size_t count = 0;

		while (count < COUNT(cases[i].names) && cases[i].names[count])
			count++;
		assert_int_equal(ws_probe_select(cases[i].names, count, &selection, NULL), WS_OK);
		assert_string_equal(names_of(&selection, text, sizeof(text)), cases[i].selected);
	}
}

static void what_selects_nothing_is_refused(void **state)
{
	static const struct {
		const char *name, *message;
	} cases[] = {
		{"host_memory_raed", "unknown probe \"host_memory_raed\"; did you mean \"host_memory_read\"?"},
		{"memry", "unknown probe \"memry\"; did you mean \"memory\"?"},
		{"custom", "unknown probe \"custom\" (\"wirespeed list\" shows them)"},
		{"", "unknown probe \"\" (\"wirespeed list\" shows them)"},
		{"cuda_*", "no probe matches \"cuda_*\""},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		const char *const names[] = {"host_latency", cases[i].name};
		struct ws_selection selection;
		struct ws_error error = {0};

		assert_int_equal(ws_probe_select(names, 2, &selection, &error), WS_EINVAL);
		assert_non_null(strstr(error.text, cases[i].message));
	}
}

static void options_must_be_honoured(void **state)
{
	static const char *const given[] = {"size", "threads"};
	const char *latency = "host_latency", *both = "host_memory_*";
	struct ws_selection selection;
	struct ws_error error = {0};

	(void)state;
	assert_int_equal(ws_probe_select(&latency, 1, &selection, NULL), WS_OK);
	assert_int_equal(ws_probe_check_options(&selection, given, 1, NULL), WS_OK);
	assert_int_equal(ws_probe_check_options(&selection, given, 2, &error), WS_EINVAL);
	assert_string_equal(error.text, "--threads: none of the selected probes honours it; these would: host_memory_read, "
					"host_memory_write, host_memory_copy_nt, host_to_host_memcpy_cpu");
	assert_int_equal(ws_probe_select(&both, 1, &selection, NULL), WS_OK);
	assert_int_equal(ws_probe_check_options(&selection, given, 2, NULL), WS_OK);
	error = (struct ws_error){0};
	assert_int_equal(ws_probe_check_options(&selection, (const char *const[]){"hots"}, 1, &error), WS_EINVAL);
	assert_string_equal(error.text, "--hots: none of the selected probes honours it; no probe of this build does");
}

/* 12 samples of a million bytes a loop, 8 loops in a millisecond, at one size or two. */
static struct ws_folded fold(const char *probe, int size_count)
{
	struct ws_item item = {.size_count = size_count};
	const struct ws_step step = {.probe = ws_probe_find(probe), .items = &item, .item_count = 1};
	const struct ws_settings settings = ws_settings_default(false);
	struct ws_records records = {0};
	struct ws_folded folded = {0};
	const int items[] = {0};

	for (int i = 0; i < 24; i++) {
		struct ws_sample sample = {.size_index = i % size_count};
		struct ws_lane *lane = ws_sample_add_lane(&sample, 0, 0);

		lane->loops = 8;
		lane->bytes = 8000000u * (1 + (unsigned)sample.size_index);
		lane->host_end_ns = 1000000 * (1 + sample.size_index);
		lane->values = malloc(sizeof(*lane->values));
		lane->values[0] = 80 + i % 3;
		lane->value_count = 1;
		assert_int_equal(ws_records_add(&records, &sample, NULL), WS_OK);
	}
	step.probe->fold(&(struct ws_fold_input){&step, items, 1, &records, &settings}, &folded);
	ws_records_release(&records);
	return folded;
}

static void folds_count_bytes_as_their_rows_say(void **state)
{
	(void)state;
	for (int sizes = 1; sizes <= 2; sizes++) {
		assert_float_equal(fold("host_memory_read", sizes).figures[0].value, 8, 1e-9);
		assert_float_equal(fold("host_to_host_memcpy_cpu", sizes).figures[0].value, 8, 1e-9);
		assert_float_equal(fold("host_memory_copy_nt", sizes).figures[0].value, 16, 1e-9);
		assert_float_equal(fold("host_memory_copy_nt", sizes).figures[0].low, 16, 1e-9);
		assert_float_equal(fold("host_memory_copy_nt", sizes).figures[0].high, 16, 1e-9);
		assert_int_equal(fold("host_memory_copy_nt", sizes).slope, sizes == 2);
	}
	assert_float_equal(fold("host_latency", 1).figures[0].value, 81, 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_hold_together),
		cmocka_unit_test(names_families_and_patterns_select),
		cmocka_unit_test(what_selects_nothing_is_refused),
		cmocka_unit_test(options_must_be_honoured),
		cmocka_unit_test(folds_count_bytes_as_their_rows_say),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
