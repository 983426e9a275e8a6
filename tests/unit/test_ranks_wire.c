/* Orders and answers of ranks: what is written reads back, and what is not one is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "activity/wire.h"
#include "activity/wire_record.h"
#include "base/place.h"
#include "base/record.h"

static json_t *json_of(const char *text)
{
	json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);

	if (!value)
		fail_msg("the test's own JSON is bad: %s", text);
	return value;
}

static void every_order_reads_back(void **state)
{
	(void)state;
	for (int kind = 0; kind < WS_ORDER_COUNT; kind++) {
		struct ws_order order = {.id = INT64_MAX - kind, .kind = (enum ws_order_kind)kind, .step = kind};
		struct ws_order again = {0};
		char *text = NULL;
		size_t size = 0;

		order.within_ns = kind % 2 ? INT64_MAX : 0;
		order.data = kind % 3 ? json_pack("{s:i}", "x", kind) : NULL;
		assert_int_equal(ws_order_print(&order, &text, &size, NULL), WS_OK);
		assert_int_equal(size, strlen(text));
		assert_int_equal(ws_order_parse(text, size, &again, NULL), WS_OK);
		assert_int_equal(again.id, order.id);
		assert_int_equal(again.kind, kind);
		assert_int_equal(again.step, kind);
		assert_int_equal(again.within_ns, order.within_ns);
		assert_true(order.data ? json_equal(order.data, again.data) : again.data == NULL);
		free(text);
		ws_order_release(&order);
		ws_order_release(&again);
	}
}

static void every_status_reads_back(void **state)
{
	(void)state;
	for (int status = WS_OK; status >= WS_EINTERRUPTED; status--) {
		struct ws_answer answer = {.id = 3, .status = status, .text = "bad \"thing\" \xff\x01"}, again = {0};
		char *text = NULL;
		size_t size = 0;

		answer.data = status == WS_OK ? json_object() : NULL;
		assert_int_equal(ws_answer_print(&answer, &text, &size, NULL), WS_OK);
		assert_int_equal(ws_answer_parse(text, size, &again, NULL), WS_OK);
		assert_int_equal(again.id, 3);
		assert_int_equal(again.status, status);
		/* What is no text, or would move the cursor, is a question mark. */
		assert_string_equal(again.text, status == WS_OK ? "" : "bad \"thing\" ??");
		assert_true((again.data != NULL) == (status == WS_OK));
		free(text);
		ws_answer_release(&answer);
		ws_answer_release(&again);
	}
}

static void what_is_no_order_is_refused(void **state)
{
	static const char *const texts[] = {
		"",
		"{",
		"[]",
		"7",
		"{}",
		"{\"id\":1,\"order\":\"arm\",\"step\":2}",
		"{\"id\":1,\"order\":\"arm\",\"step\":2,\"within_ns\":3} x",
		"{\"id\":0,\"order\":\"arm\",\"step\":2,\"within_ns\":3}",
		"{\"id\":1.0,\"order\":\"arm\",\"step\":2,\"within_ns\":3}",
		"{\"id\":1,\"order\":\"Arm\",\"step\":2,\"within_ns\":3}",
		"{\"id\":1,\"order\":\"arm\",\"step\":-2,\"within_ns\":3}",
		"{\"id\":1,\"order\":\"arm\",\"step\":2,\"within_ns\":-3}",
		"{\"id\":1,\"order\":\"arm\",\"step\":2,\"within_ns\":99999999999999999999}",
		"{\"id\":1,\"order\":\"arm\",\"step\":2,\"within_ns\":3,\"more\":4}",
		"{\"id\":1,\"id\":1,\"order\":\"arm\",\"step\":2,\"within_ns\":3}",
		"{\"id\":1,\"order\":\"arm\",\"step\":2,\"within_ns\":3,\"data\":[]}",
	};
	static const char *const answers[] = {
		"{\"id\":1}",
		"{\"id\":1,\"status\":\"fine\"}",
		"{\"id\":1,\"status\":\"unknown\"}",
		"{\"id\":1,\"status\":\"ok\",\"error\":\"but\"}",
		"{\"id\":1,\"status\":\"driver\"}",
		"{\"id\":-1,\"status\":\"ok\"}",
		"{\"id\":1,\"status\":\"ok\",\"data\":1}",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct ws_order order = {.id = 77};
		struct ws_answer answer = {.id = 77};
		struct ws_error error = {0};

		assert_int_equal(ws_order_parse(texts[i], strlen(texts[i]), &order, &error), WS_ECORRUPT);
		assert_memory_equal(error.text, "sends what is no ", 17);
		assert_int_equal(ws_answer_parse(texts[i], strlen(texts[i]), &answer, NULL), WS_ECORRUPT);
		assert_int_equal(order.id + answer.id, 2 * 77);
	}
	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		struct ws_answer answer = {.id = 77};

		assert_int_equal(ws_answer_parse(answers[i], strlen(answers[i]), &answer, NULL), WS_ECORRUPT);
		assert_int_equal(answer.id, 77);
	}
}

static void shots_read_back(void **state)
{
	const uint32_t loops[] = {1, 0, WS_LOOPS_UNTIL_STOPPED};
	const uint32_t trail_loops[] = {7, 0, 1};
	const struct ws_shot shot = {1, UINT32_MAX, loops, trail_loops, true, false, true, false};
	json_t *value = ws_wire_shot(&shot, 3);
	uint32_t read[7] = {9, 9, 9, 9, 9, 9, 9};
	struct ws_shot again = {0};

	(void)state;
	assert_int_equal(ws_wire_read_shot(value, 3, read, &again, NULL), WS_OK);
	assert_memory_equal(read, loops, sizeof(loops));
	assert_memory_equal(read + 3, trail_loops, sizeof(trail_loops));
	assert_int_equal(read[6], 9);
	assert_ptr_equal(again.loops, read);
	assert_ptr_equal(again.trail_loops, read + 3);
	assert_int_equal(again.size_index, 1);
	assert_int_equal(again.lead_loops, UINT32_MAX);
	assert_true(again.gated && !again.mark_every_loop && again.counters && !again.link_counters);
	assert_int_equal(ws_wire_read_shot(value, 2, read, &again, NULL), WS_ECORRUPT);
	assert_int_equal(ws_wire_read_shot(value, 4, read, &again, NULL), WS_ECORRUPT);
	json_object_set_new(value, "size_index", json_integer(2));
	assert_int_equal(ws_wire_read_shot(value, 3, read, &again, NULL), WS_ECORRUPT);
	json_object_set_new(value, "size_index", json_integer(0));
	json_array_set_new(json_object_get(value, "loops"), 1, json_integer(INT64_C(1) << 32));
	assert_int_equal(ws_wire_read_shot(value, 3, read, &again, NULL), WS_ECORRUPT);
	json_array_set_new(json_object_get(value, "loops"), 1, json_integer(0));
	assert_int_equal(ws_wire_read_shot(value, 3, read, &again, NULL), WS_OK);
	json_array_remove(json_object_get(value, "trail_loops"), 2);
	assert_int_equal(ws_wire_read_shot(value, 3, read, &again, NULL), WS_ECORRUPT);
	json_decref(value);
	assert_int_equal(ws_wire_read_shot(NULL, 3, read, &again, NULL), WS_ECORRUPT);
}

/* Lanes that would make rank 0 read beyond its arrays, or compute with what is no number. */
static void lanes_are_not_believed(void **state)
{
	static const char fine[] = "{\"item\":1,\"lane\":0,\"loops\":1,\"lead_loops\":0,\"gated\":true,\"bytes\":\"5\"";
	static const char *const tails[] = {"", ",\"clock\":\"a\",\"start_ns\":1,\"end_ns\":2", ",\"values\":[1,2.5],\"unit\":\"ns\""};
	static const char *const bad[] = {
		"{\"item\":2,\"lane\":0,\"loops\":1,\"lead_loops\":0,\"gated\":true,\"bytes\":\"5\"}",
		"{\"item\":-1,\"lane\":0,\"loops\":1,\"lead_loops\":0,\"gated\":true,\"bytes\":\"5\"}",
		"{\"item\":0,\"lane\":0,\"loops\":1,\"lead_loops\":0,\"gated\":true,\"bytes\":\"5\"}",
		"{\"item\":1,\"lane\":2,\"loops\":1,\"lead_loops\":0,\"gated\":true,\"bytes\":\"5\"}",
		"{\"item\":1,\"lane\":0,\"loops\":1,\"lead_loops\":0,\"gated\":true,\"bytes\":\"5\",\"issue_ns\":-1}",
		"{\"item\":1,\"lane\":0,\"loops\":-1,\"lead_loops\":0,\"gated\":true,\"bytes\":\"5\"}",
		"{\"item\":1,\"lane\":0,\"loops\":1,\"lead_loops\":4294967296,\"gated\":true,\"bytes\":\"5\"}",
		"{\"item\":1,\"lane\":0,\"loops\":1,\"lead_loops\":0,\"trail_loops\":-1,\"gated\":true,\"bytes\":\"5\"}",
		"{\"item\":1,\"lane\":0,\"loops\":1,\"lead_loops\":0,\"gated\":1,\"bytes\":\"5\"}",
		"{\"item\":1,\"lane\":0,\"loops\":1,\"lead_loops\":0,\"gated\":true,\"bytes\":5}",
		"{\"item\":1,\"lane\":0,\"loops\":1,\"lead_loops\":0,\"gated\":true,\"bytes\":\"-5\"}",
		"{\"item\":1,\"lane\":0,\"loops\":1,\"lead_loops\":0,\"gated\":true,\"bytes\":\"5\",\"values\":[]}",
		"{\"item\":1,\"lane\":0,\"loops\":1,\"lead_loops\":0,\"gated\":true,\"bytes\":\"5\",\"values\":[\"x\"],\"unit\":\"ns\"}",
		"{\"item\":1,\"lane\":0,\"loops\":1,\"lead_loops\":0,\"gated\":true,\"bytes\":\"5\",\"values\":[1]}",
		"{\"item\":1,\"lane\":0,\"loops\":1,\"lead_loops\":0,\"gated\":true,\"bytes\":\"5\",\"host_end_ns\":1}",
	};
	static const bool mine[] = {false, true};
	struct ws_sample sample = {0};
	char text[700];

	(void)state;
	for (int i = 0; i < 3; i++) {
		json_t *value;

		snprintf(text, sizeof(text), "{\"lanes\":[%s%s}],\"counters\":[{\"name\":\"n\",\"delta\":\"1\"}]}", fine, tails[i]);
		value = json_of(text);
		assert_int_equal(ws_wire_read_sample(value, 2, mine, &sample, NULL), WS_OK);
		assert_int_equal(sample.lane_count, i + 1);
		assert_int_equal(sample.counter_count, i + 1);
		json_decref(value);
	}
	assert_true(sample.lanes[1].has_device && !sample.lanes[0].has_device);
	assert_int_equal(sample.lanes[2].value_count, 2);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct ws_error error = {0};
		json_t *value;

		/* A good lane before the bad one is not kept either. */
		snprintf(text, sizeof(text), "{\"lanes\":[%s%s},%s],\"counters\":[]}", fine, tails[2], bad[i]);
		value = json_of(text);
		if (ws_wire_read_sample(value, 2, mine, &sample, &error) != WS_ECORRUPT)
			fail_msg("believed: %s", bad[i]);
		assert_memory_equal(error.text, "sends ", 6);
		assert_int_equal(sample.lane_count, 3);
		json_decref(value);
	}
	ws_sample_release(&sample);
}

static void what_is_not_finite_is_not_written(void **state)
{
	struct ws_sample sample = {0};
	struct ws_lane *lane = ws_sample_add_lane(&sample, 0, 0);

	(void)state;
	lane->values = malloc(2 * sizeof(*lane->values));
	lane->value_count = 2;
	lane->values[0] = 1;
	lane->values[1] = NAN;
	assert_null(ws_wire_sample(&sample));
	lane->values[1] = INFINITY;
	assert_null(ws_wire_sample(&sample));
	ws_sample_release(&sample);
}

static void checks_add_up(void **state)
{
	struct ws_check wrong = {true, UINT64_MAX / 2, UINT64_MAX, 0xfedcba9876543210, 1, 1, WS_RANK_NONE, false};
	const struct ws_check fine = {.done = true};
	struct ws_check into = {.rank = WS_RANK_NONE};
	json_t *value = ws_wire_check(&fine);

	(void)state;
	assert_int_equal(ws_wire_read_check(value, 2, 4, &into, NULL), WS_OK);
	assert_true(into.wrong_count == 0 && into.rank == WS_RANK_NONE);
	json_decref(value);
	value = ws_wire_check(&wrong);
	assert_int_equal(ws_wire_read_check(value, 1, 4, &into, NULL), WS_ECORRUPT);
	assert_int_equal(ws_wire_read_check(value, 2, 4, &into, NULL), WS_OK);
	assert_int_equal(ws_wire_read_check(value, 2, 5, &into, NULL), WS_OK);
	assert_true(into.wrong_count == UINT64_MAX - 1 && into.first_offset == UINT64_MAX);
	assert_true(into.expected == 0xfedcba9876543210 && into.found == 1 && into.item == 1 && into.rank == 4);
	assert_false(into.several_items);
	json_object_del(value, "found");
	assert_int_equal(ws_wire_read_check(value, 2, 5, &into, NULL), WS_ECORRUPT);
	json_decref(value);
	/* Another item, here or of what was sent. */
	wrong.item = 0;
	value = ws_wire_check(&wrong);
	assert_int_equal(ws_wire_read_check(value, 2, 4, &into, NULL), WS_OK);
	assert_true(into.several_items && into.item == 1);
	json_decref(value);
	wrong.several_items = true;
	value = ws_wire_check(&wrong);
	into = (struct ws_check){.rank = WS_RANK_NONE};
	assert_int_equal(ws_wire_read_check(value, 2, 4, &into, NULL), WS_OK);
	assert_true(into.several_items);
	json_decref(value);
}

static void items_are_only_its_own(void **state)
{
	static const bool mine[] = {true, false, true}, both[] = {true, false, true};
	static const char *const bad[] = {"[1]", "[0,3]", "[-1]", "[0,\"2\"]", "{}", "7"};
	bool items[3] = {false};
	json_t *value;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		value = json_of(bad[i]);
		assert_int_equal(ws_wire_read_items(value, 3, mine, items, NULL), WS_ECORRUPT);
		assert_false(items[0] || items[1] || items[2]);
		json_decref(value);
	}
	value = ws_wire_items(both, 3);
	assert_int_equal(ws_wire_read_items(value, 3, mine, items, NULL), WS_OK);
	assert_memory_equal(items, both, sizeof(both));
	json_decref(value);
}

static void places_are_the_ranks_own(void **state)
{
	static const char *const bad[] = {"", "r1/host0", "peer/host0", "host", "hosts0"};
	struct ws_place_facts facts = {.place = {.rank = WS_RANK_NONE, .family = "host"}, .numa_node = 3};
	struct ws_places own = {0}, into = {0};
	json_t *value;

	(void)state;
	assert_int_equal(ws_places_add(&own, &facts, NULL), WS_OK);
	value = ws_wire_places(&own);
	assert_int_equal(ws_wire_read_places(value, 6, &into, NULL), WS_OK);
	assert_int_equal(into.count, 1);
	assert_int_equal(into.at[0].place.rank, 6);
	assert_int_equal(into.at[0].numa_node, 3);
	assert_string_equal(into.at[0].same_as, "");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		json_object_set_new(json_array_get(value, 0), "place", json_string(bad[i]));
		assert_int_equal(ws_wire_read_places(value, 6, &into, NULL), WS_ECORRUPT);
	}
	json_object_set_new(json_array_get(value, 0), "place", json_string("host0"));
	json_object_set_new(json_array_get(value, 0), "cpu_count", json_integer(INT64_MAX));
	assert_int_equal(ws_wire_read_places(value, 6, &into, NULL), WS_ECORRUPT);
	json_object_del(json_array_get(value, 0), "cpu_count");
	assert_int_equal(ws_wire_read_places(value, 6, &into, NULL), WS_ECORRUPT);
	assert_int_equal(into.count, 1);
	json_decref(value);
	ws_places_release(&own);
	ws_places_release(&into);
}

static void text_is_cut_between_characters(void **state)
{
	char text[6];

	(void)state;
	ws_wire_copy(text, sizeof(text), "abcd\xc3\xa9");
	assert_string_equal(text, "abcd");
	ws_wire_copy(text, sizeof(text), "abc\xc3\xa9");
	assert_string_equal(text, "abc\xc3\xa9");
	ws_wire_copy(text, sizeof(text), "a\033\n\x7f");
	assert_string_equal(text, "a???");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_order_reads_back),
		cmocka_unit_test(every_status_reads_back),
		cmocka_unit_test(what_is_no_order_is_refused),
		cmocka_unit_test(shots_read_back),
		cmocka_unit_test(lanes_are_not_believed),
		cmocka_unit_test(what_is_not_finite_is_not_written),
		cmocka_unit_test(checks_add_up),
		cmocka_unit_test(items_are_only_its_own),
		cmocka_unit_test(places_are_the_ranks_own),
		cmocka_unit_test(text_is_cut_between_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
