/* Places as text, item options, coordinates, and lists that grow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/item.h"
#include "base/place.h"
#include "base/record.h"
#include "base/uuid.h"

static void places_survive_text(void **state)
{
	static const char *const texts[] = {"host0", "host12:thp", "host0:pinned:1g", "cuda3:vmm", "r17/cuda0",
					    "peer/host0:pinned", "ocl0", "host0:4k"};
	char text[WS_PLACE_TEXT];
	struct ws_place place;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_int_equal(ws_place_parse(texts[i], &place, NULL), WS_OK);
		assert_string_equal(ws_place_format(&place, text, sizeof(text)), texts[i]);
	}
}

static void bad_places_are_refused(void **state)
{
	static const char *const texts[] = {"", "host", "hos0", "host-1", "host00", "host0:", "host0:4k:thp", "host0:4k:pinned",
					    "host0:pinned:pinned", "r/host0", "r1host0", "peer/r0/host0", "host10000",
					    "HOST0", "host0 ", "peer/", "r99999999999/host0"};
	struct ws_place place;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct ws_error error = {0};

		assert_int_equal(ws_place_parse(texts[i], &place, &error), WS_EINVAL);
		assert_non_null(strstr(error.text, "is no place"));
	}
}

static void places_compare(void **state)
{
	struct ws_place a, b, device;
	char text[WS_PLACE_TEXT];

	(void)state;
	ws_place_parse("r1/host0:pinned:thp", &a, NULL);
	ws_place_parse("r1/host0", &b, NULL);
	assert_true(ws_place_same_device(&a, &b));
	assert_false(ws_place_equal(&a, &b));
	device = ws_place_device(&a);
	assert_true(ws_place_equal(&device, &b));
	assert_string_equal(ws_place_format(&device, text, sizeof(text)), "r1/host0");
	ws_place_parse("r2/host0", &b, NULL);
	assert_false(ws_place_same_device(&a, &b));
}

/* Nodes: 0 without CPUs, 1 and 2 with some, 3 not usable, 4 a device's memory; 5 is the far end's. */
static void host_memory_is_chosen_near_a_device(void **state)
{
	static const struct ws_place_facts nodes[] = {
		{.place = {.rank = WS_RANK_NONE, .family = "host", .index = 0}},
		{.place = {.rank = 3, .family = "host", .index = 2}, .cpu_count = 8},
		{.place = {.rank = WS_RANK_NONE, .family = "host", .index = 1}, .cpu_count = 8},
		{.place = {.rank = WS_RANK_NONE, .family = "host", .index = 2}, .cpu_count = 8},
		{.place = {.rank = WS_RANK_NONE, .family = "host", .index = 3}, .cpu_count = 8, .absent = "offline"},
		{.place = {.rank = WS_RANK_NONE, .family = "host", .index = 4}, .pci = "0009:01:00.0"},
		{.place = {.rank = WS_RANK_NONE, .peer = true, .family = "host", .index = 5}, .cpu_count = 8},
	};
	static const struct {
		int near, first, count; /* the list's part that there is */
		bool cpus_only;
		int chosen; /* index in nodes, -1 = none */
	} cases[] = {
		{2, 0, 7, false, 3}, {0, 0, 7, false, 0},  {0, 0, 7, true, 2},	 {3, 0, 7, false, 2},
		{4, 0, 7, false, 2}, {5, 0, 7, true, 2},   {-1, 0, 7, false, 2}, {-1, 0, 1, false, 0},
		{0, 0, 1, true, -1}, {4, 4, 3, false, -1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct ws_place_facts device = {.place = {.rank = WS_RANK_NONE, .family = "cuda"},
						      .numa_node = cases[i].near};
		struct ws_place_facts list[sizeof(nodes) / sizeof(nodes[0])];
		const struct ws_places places = {.at = list, .count = cases[i].count};
		const struct ws_place_facts *host;

		memcpy(list, &nodes[cases[i].first], (size_t)cases[i].count * sizeof(*list));
		host = ws_places_near_host(&places, &device, cases[i].cpus_only);
		assert_int_equal(host ? host - list + cases[i].first : -1, cases[i].chosen);
	}
}

static void uuids_print_in_the_order_of_their_bytes(void **state)
{
	static const unsigned char bytes[WS_UUID_BYTES] = {0x6a, 0x1f, 0x0c, 0x53, 0x9d, 0x0e, 0x4e, 0x6b,
							   0x80, 0x00, 0x00, 0x00, 0x01, 0x23, 0xab, 0xff};
	char text[48];

	(void)state;
	assert_string_equal(ws_uuid_format("GPU-", bytes, text, sizeof(text)),
			    "GPU-6a1f0c53-9d0e-4e6b-8000-00000123abff");
	assert_string_equal(ws_uuid_format("", bytes, text, sizeof(text)), "6a1f0c53-9d0e-4e6b-8000-00000123abff");
	assert_string_equal(ws_uuid_format("", bytes, text, 9), "6a1f0c53");
}

static void options_say_what_is_wrong(void **state)
{
	static const struct {
		const char *name, *value, *message;
	} cases[] = {
		{"nx", NULL, "did you mean \"nt\"?"},
		{"nt", "1", "takes no value"},
		{"threads", "0", "whole numbers from 1 to 4096"},
		{"threads", NULL, "whole numbers from 1 to 4096"},
		{"peer", "maybe", "allowed are on off"},
		{"redop", "sum", "does not go with ->"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ws_item item = {.verb = WS_COPY};
		struct ws_error error = {0};

		assert_int_equal(ws_item_option_set(&item, cases[i].name, cases[i].value, &error), WS_EINVAL);
		assert_non_null(strstr(error.text, cases[i].message));
		assert_int_equal(item.option_count, 0);
	}
}

static void options_are_kept(void **state)
{
	struct ws_item item = {.verb = WS_COPY}, put = {.verb = WS_PUT};
	struct ws_error error = {0};

	(void)state;
	assert_int_equal(ws_item_option_set(&item, "nt", NULL, NULL), WS_OK);
	assert_int_equal(ws_item_option_set(&item, "threads", "7", NULL), WS_OK);
	assert_int_equal(ws_item_option_set(&item, "peer", "off", NULL), WS_OK);
	assert_int_equal(ws_item_option_set(&put, "len", "64K", NULL), WS_OK);
	assert_true(ws_item_flag(&item, "nt"));
	assert_false(ws_item_flag(&item, "ungated"));
	assert_int_equal(ws_item_number(&item, "threads", 1), 7);
	assert_int_equal(ws_item_number(&put, "len", 1), 65536);
	assert_int_equal(ws_item_number(&put, "vec", 3), 3);
	assert_string_equal(ws_item_word(&item, "peer", "on"), "off");
	assert_int_equal(ws_item_option_set(&item, "nt", NULL, &error), WS_EINVAL);
	assert_non_null(strstr(error.text, "given twice"));
}

static void an_items_coordinates_override_its_steps(void **state)
{
	struct ws_step step = {0};
	struct ws_item item = {0};
	struct ws_coords cell, other = {0};
	char text[80];

	(void)state;
	ws_coords_set(&step.coords, "row", "host0");
	ws_coords_set(&step.coords, "column", "host1");
	ws_coords_set(&item.coords, "column", "host2");
	cell = ws_item_cell(&step, &item);
	assert_string_equal(ws_coords_format(&cell, text, sizeof(text)), "row=host0 column=host2");
	ws_coords_set(&other, "column", "host2");
	assert_false(ws_coords_equal(&cell, &other));
	ws_coords_set(&other, "row", "host0");
	assert_true(ws_coords_equal(&cell, &other));
	assert_null(ws_coords_get(&cell, "size"));
	assert_string_equal(ws_coords_format(&cell, text, 8), "row=hos");
}

static void steps_are_copied_deeply(void **state)
{
	struct ws_plan plan = {0};
	struct ws_step copy = {0};

	(void)state;
	for (int i = 0; i < 37; i++) {
		struct ws_step *step = ws_plan_add_step(&plan, NULL);
		struct ws_item *item = ws_step_add_item(step, WS_COLLECTIVE);

		step->group = i;
		item->members = calloc(2, sizeof(*item->members));
		item->member_count = 2;
		item->members[1].index = i;
	}
	plan.steps[36].text = strdup("line");
	assert_int_equal(ws_step_copy(&plan.steps[36], &copy, NULL), WS_OK);
	ws_plan_release(&plan);
	assert_int_equal(copy.group, 36);
	assert_int_equal(copy.items[0].members[1].index, 36);
	assert_string_equal(copy.text, "line");
	ws_step_release(&copy);
}

static void a_plans_places_are_found_once_each(void **state)
{
	static const char *const texts[][3] = {
		{"host0:pinned", "cuda1", "cuda1"}, {"cuda1", "host0", "cuda0"}, {"", "r1/cuda1", "r1/cuda1"}};
	static const char *const expected[] = {"cuda1", "host0", "cuda0", "r1/cuda1", "cuda7"};
	struct ws_plan plan = {0};
	struct ws_place *places = NULL;
	char text[WS_PLACE_TEXT];
	int count = 7;

	(void)state;
	assert_int_equal(ws_plan_places(&plan, &places, &count, NULL), WS_OK);
	assert_null(places);
	assert_int_equal(count, 0);
	assert_non_null(ws_plan_add_step(&plan, NULL));
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct ws_item *item = ws_step_add_item(ws_plan_add_step(&plan, NULL), WS_COPY);
		struct ws_place *parts[] = {&item->source, &item->destination, &item->engine.place};

		for (int k = 0; k < 3; k++)
			if (texts[i][k][0])
				assert_int_equal(ws_place_parse(texts[i][k], parts[k], NULL), WS_OK);
		item->members = i == 2 ? calloc(2, sizeof(*item->members)) : NULL;
		item->member_count = i == 2 ? 2 : 0;
	}
	assert_int_equal(ws_place_parse("cuda7", &plan.steps[3].items[0].members[1], NULL), WS_OK);
	assert_int_equal(ws_plan_places(&plan, &places, &count, NULL), WS_OK);
	assert_int_equal(count, 5);
	for (int i = 0; i < count; i++)
		assert_string_equal(ws_place_format(&places[i], text, sizeof(text)), expected[i]);
	free(places);
	ws_plan_release(&plan);
}

static void findings_add_up_and_the_first_stays(void **state)
{
	struct ws_check check = {0};

	(void)state;
	ws_check_add(&check, 0, 9, 9, 9, 9, 9);
	ws_check_add(&check, 3, 64, 1, 2, 0, 1);
	ws_check_add(&check, 5, 8, 3, 4, 1, 2);
	assert_int_equal(check.wrong_count, 8);
	assert_int_equal(check.first_offset, 64);
	assert_int_equal(check.rank, 1);
}

static void results_grow(void **state)
{
	struct ws_result result = {0};
	struct ws_table *table = ws_result_table(&result, NULL);
	struct ws_coords coords = {0};

	(void)state;
	assert_ptr_equal(ws_result_table(&result, NULL), table);
	for (int i = 0; i < 100; i++) {
		char value[12];

		snprintf(value, sizeof(value), "%d", i);
		ws_coords_set(&coords, "row", value);
		assert_non_null(ws_table_cell(table, &coords));
		assert_non_null(ws_result_add_step(&result));
	}
	assert_ptr_equal(ws_table_cell(table, &coords), &table->cells[99]);
	assert_int_equal(table->cell_count, 100);
	ws_result_release(&result);
}

static void a_device_clock_is_believed_before_the_hosts(void **state)
{
	struct ws_lane lane = {.host_start_ns = 100, .host_end_ns = 400, .start_ns = 7, .end_ns = 57};

	(void)state;
	assert_int_equal(ws_lane_time_ns(&lane), 300);
	lane.has_device = true;
	assert_int_equal(ws_lane_time_ns(&lane), 50);
	lane.end_ns = lane.start_ns;
	assert_int_equal(ws_lane_time_ns(&lane), 1);
}

static void many_steps_share_their_time(void **state)
{
	static const struct {
		int steps;
		int64_t limit_ns, shared_ns;
	} rows[] = {
		{0, 1000000000, 1000000000}, {6, 1000000000, 1000000000}, {7, 1000000000, 857000000},
		{9, 1000000000, 666000000},  {62, 1000000000, 96000000},  {700, 1000000000, 83000000},
		{23, 400000000, 104000000},   {62, 10000000000, 967000000},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ws_plan plan = {.settings.time_limit_ns = rows[i].limit_ns};

		for (int k = 0; k < rows[i].steps + 3; k++) {
			struct ws_step *step = ws_plan_add_step(&plan, NULL);

			/* Steps that only say why there is nothing to do take no time. */
			if (k >= 3)
				assert_non_null(ws_step_add_item(step, WS_COPY));
		}
		ws_plan_share_time(&plan);
		assert_int_equal(plan.settings.time_limit_ns, rows[i].shared_ns);
		ws_plan_release(&plan);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places_survive_text),
		cmocka_unit_test(bad_places_are_refused),
		cmocka_unit_test(places_compare),
		cmocka_unit_test(host_memory_is_chosen_near_a_device),
		cmocka_unit_test(uuids_print_in_the_order_of_their_bytes),
		cmocka_unit_test(options_say_what_is_wrong),
		cmocka_unit_test(options_are_kept),
		cmocka_unit_test(an_items_coordinates_override_its_steps),
		cmocka_unit_test(steps_are_copied_deeply),
		cmocka_unit_test(a_plans_places_are_found_once_each),
		cmocka_unit_test(findings_add_up_and_the_first_stays),
		cmocka_unit_test(results_grow),
		cmocka_unit_test(many_steps_share_their_time),
		cmocka_unit_test(a_device_clock_is_believed_before_the_hosts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
