/* Shots and samples of ranks as JSON values. */
#include "activity/wire_record.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/record.h"
#include "base/units.h"

json_t *ws_wire_text(const char *text)
{
	json_t *value = json_string(text);
	char *plain;

	if (value)
		return value;
	plain = strdup(text);
	if (!plain)
		return NULL;
	for (char *at = plain; *at; at++)
		if ((unsigned char)*at >= 0x80)
			*at = '?';
	value = json_string(plain);
	free(plain);
	return value;
}

void ws_wire_copy(char *to, size_t size, const char *text)
{
	size_t length = strlen(text);

	length = length < size ? length : size - 1;
	/* Not through the middle of a character. */
	while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80)
		length--;
	for (size_t i = 0; i < length; i++)
		to[i] = (unsigned char)text[i] < ' ' || text[i] == 0x7f ? '?' : text[i];
	to[length] = '\0';
}

json_t *ws_wire_number(uint64_t number)
{
	return json_sprintf("%" PRIu64, number);
}

int ws_wire_read_number(const json_t *value, const char *what, uint64_t *number, struct ws_error *error)
{
	if (!json_is_string(value) || ws_count_parse(json_string_value(value), 0, UINT64_MAX, number) != WS_OK)
		return ws_fail(error, WS_ECORRUPT, "sends no number as \"%s\"", what);
	return WS_OK;
}

/* Numbers of loops by item; NULL when out of memory. */
static json_t *loops_value(const uint32_t *loops, int item_count)
{
	json_t *array = json_array();

	for (int i = 0; i < item_count; i++) {
		if (json_array_append_new(array, json_integer(loops ? loops[i] : 0)) < 0) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

json_t *ws_wire_shot(const struct ws_shot *shot, int item_count)
{
	return json_pack("{s:i,s:I,s:o,s:o,s:b,s:b,s:b,s:b}", "size_index", shot->size_index, "lead_loops",
			 (json_int_t)shot->lead_loops, "loops", loops_value(shot->loops, item_count), "trail_loops",
			 loops_value(shot->trail_loops, item_count), "gated", shot->gated, "mark_every_loop",
			 shot->mark_every_loop, "counters", shot->counters, "link_counters", shot->link_counters);
}

static bool is_uint32(json_int_t number)
{
	return number >= 0 && number <= UINT32_MAX;
}

static int read_loops(const json_t *list, int item_count, uint32_t *loops, struct ws_error *error)
{
	for (int i = 0; i < item_count; i++) {
		const json_t *number = json_array_get(list, (size_t)i);

		if (!json_is_integer(number) || !is_uint32(json_integer_value(number)))
			return ws_fail(error, WS_ECORRUPT, "sends no number of loops for item %d", i + 1);
		loops[i] = (uint32_t)json_integer_value(number);
	}
	return WS_OK;
}

int ws_wire_read_shot(const json_t *value, int item_count, uint32_t *loops, struct ws_shot *out, struct ws_error *error)
{
	int gated = 0, marks = 0, counters = 0, link_counters = 0;
	json_int_t lead = 0, size_index = 0;
	json_t *list = NULL, *trail = NULL;
	int rc;

	if (json_unpack((json_t *)(uintptr_t)value, "{s:I,s:I,s:o,s:o,s:b,s:b,s:b,s:b!}", "size_index", &size_index,
			"lead_loops", &lead, "loops", &list, "trail_loops", &trail, "gated", &gated, "mark_every_loop",
			&marks, "counters", &counters, "link_counters", &link_counters) < 0 ||
	    size_index < 0 || size_index > 1 || !is_uint32(lead) || json_array_size(list) != (size_t)item_count ||
	    json_array_size(trail) != (size_t)item_count)
		return ws_fail(error, WS_ECORRUPT, "sends what is no shot of %d items", item_count);
	rc = read_loops(list, item_count, loops, error);
	if (rc == WS_OK)
		rc = read_loops(trail, item_count, loops + item_count, error);
	if (rc != WS_OK)
		return rc;
	*out = (struct ws_shot){
		.size_index = (int)size_index,
		.lead_loops = (uint32_t)lead,
		.loops = loops,
		.trail_loops = loops + item_count,
		.gated = gated,
		.mark_every_loop = marks,
		.counters = counters,
		.link_counters = link_counters,
	};
	return WS_OK;
}

/* Appends to an array that may be NULL; takes over the value, which may be NULL: out of memory. */
static json_t *append(json_t *array, json_t *value)
{
	if (json_array_append_new(array, value) == 0)
		return array;
	json_decref(array);
	return NULL;
}

/* Sets a member of an object that may be NULL; takes over the value, which may be NULL: out of memory. */
static json_t *set(json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value) == 0)
		return object;
	json_decref(object);
	return NULL;
}

static json_t *lane_value(const struct ws_lane *lane)
{
	json_t *object =
		json_pack("{s:i,s:i,s:I,s:I,s:b}", "item", lane->item, "lane", lane->lane, "loops",
			  (json_int_t)lane->loops, "lead_loops", (json_int_t)lane->lead_loops, "gated", lane->gated);
	json_t *values = NULL;

	object = set(object, "bytes", ws_wire_number(lane->bytes));
	if (lane->trail_loops > 0)
		object = set(object, "trail_loops", json_integer(lane->trail_loops));
	if (lane->issue_ns > 0)
		object = set(object, "issue_ns", json_integer(lane->issue_ns));
	if (lane->has_device) {
		object = set(object, "clock", ws_wire_text(lane->clock));
		object = set(object, "start_ns", json_integer(lane->start_ns));
		object = set(object, "end_ns", json_integer(lane->end_ns));
	}
	if (lane->value_count > 0) {
		values = json_array();
		for (int i = 0; i < lane->value_count; i++)
			values = append(values, json_real(lane->values[i]));
		object = set(object, "values", values);
		object = set(object, "unit", ws_wire_text(lane->value_unit));
	}
	return object;
}

json_t *ws_wire_sample(const struct ws_sample *sample)
{
	json_t *lanes = json_array(), *counters = json_array(), *object = json_object();

	for (int i = 0; i < sample->lane_count; i++)
		lanes = append(lanes, lane_value(&sample->lanes[i]));
	for (int i = 0; i < sample->counter_count; i++) {
		json_t *counter = set(json_object(), "name", ws_wire_text(sample->counters[i].name));

		counters = append(counters, set(counter, "delta", ws_wire_number(sample->counters[i].delta)));
	}
	object = set(object, "lanes", lanes);
	return set(object, "counters", counters);
}

static int read_values(const json_t *list, const char *unit, struct ws_lane *lane, struct ws_error *error)
{
	const size_t count = json_array_size(list);
	double *values;

	if (!json_is_array(list) || count == 0 || count > INT32_MAX || !unit)
		return ws_fail(error, WS_ECORRUPT, "sends no values of item %d", lane->item + 1);
	values = malloc(count * sizeof(*values));
	if (!values)
		return ws_fail(error, WS_ENOMEM, "no memory for %zu values", count);
	for (size_t i = 0; i < count; i++) {
		const json_t *value = json_array_get(list, i);

		if (!json_is_number(value) || !isfinite(json_number_value(value))) {
			free(values);
			return ws_fail(error, WS_ECORRUPT, "sends no values of item %d", lane->item + 1);
		}
		values[i] = json_number_value(value);
	}
	ws_wire_copy(lane->value_unit, sizeof(lane->value_unit), unit);
	lane->values = values;
	lane->value_count = (int)count;
	return WS_OK;
}

static int read_lane(const json_t *value, int item_count, const bool *mine, struct ws_lane *out, struct ws_error *error)
{
	json_int_t item = 0, lane = 0, loops = 0, lead = 0, trail = 0, issue_ns = 0, start_ns = 0, end_ns = 0;
	const char *clock = NULL, *unit = NULL;
	json_t *bytes = NULL, *values = NULL;
	int gated = 0, rc;

	if (json_unpack((json_t *)(uintptr_t)value, "{s:I,s:I,s:I,s:I,s?I,s:b,s:o,s?I,s?s,s?I,s?I,s?o,s?s!}", "item",
			&item, "lane", &lane, "loops", &loops, "lead_loops", &lead, "trail_loops", &trail, "gated",
			&gated, "bytes", &bytes, "issue_ns", &issue_ns, "clock", &clock, "start_ns", &start_ns,
			"end_ns", &end_ns, "values", &values, "unit", &unit) < 0)
		return ws_fail(error, WS_ECORRUPT, "sends what is no lane of a sample");
	if (item < 0 || item >= item_count || !mine[item] || lane < 0 || lane > 1 || !is_uint32(loops) ||
	    !is_uint32(lead) || !is_uint32(trail) || issue_ns < 0)
		return ws_fail(error, WS_ECORRUPT, "sends a lane %lld of item %lld, which it does not run",
			       (long long)lane, (long long)item + 1);
	out->item = (int)item;
	out->lane = (int)lane;
	out->loops = (uint32_t)loops;
	out->lead_loops = (uint32_t)lead;
	out->trail_loops = (uint32_t)trail;
	out->gated = gated;
	out->issue_ns = issue_ns;
	out->has_device = clock != NULL;
	if (clock) {
		ws_wire_copy(out->clock, sizeof(out->clock), clock);
		out->start_ns = start_ns;
		out->end_ns = end_ns;
	}
	rc = ws_wire_read_number(bytes, "bytes", &out->bytes, error);
	return rc == WS_OK && values ? read_values(values, unit, out, error) : rc;
}

static int read_counter(const json_t *value, struct ws_counter *out, struct ws_error *error)
{
	const char *name = NULL;
	json_t *delta = NULL;

	if (json_unpack((json_t *)(uintptr_t)value, "{s:s,s:o!}", "name", &name, "delta", &delta) < 0)
		return ws_fail(error, WS_ECORRUPT, "sends what is no counter");
	ws_wire_copy(out->name, sizeof(out->name), name);
	return ws_wire_read_number(delta, "delta", &out->delta, error);
}

int ws_wire_read_sample(const json_t *value, int item_count, const bool *mine, struct ws_sample *into,
			struct ws_error *error)
{
	const int lanes_before = into->lane_count, counters_before = into->counter_count;
	json_t *lanes = NULL, *counters = NULL;
	int rc = WS_OK;

	if (json_unpack((json_t *)(uintptr_t)value, "{s:o,s:o!}", "lanes", &lanes, "counters", &counters) < 0 ||
	    !json_is_array(lanes) || !json_is_array(counters))
		return ws_fail(error, WS_ECORRUPT, "sends what is no sample");
	for (size_t i = 0; i < json_array_size(lanes) && rc == WS_OK; i++) {
		struct ws_lane read = {0}, *lane;

		rc = read_lane(json_array_get(lanes, i), item_count, mine, &read, error);
		if (rc != WS_OK)
			break;
		lane = ws_sample_add_lane(into, read.item, read.lane);
		if (lane)
			*lane = read;
		else
			free(read.values);
		rc = lane ? WS_OK : ws_fail(error, WS_ENOMEM, "no memory for the lanes of a sample");
	}
	for (size_t i = 0; i < json_array_size(counters) && rc == WS_OK; i++) {
		struct ws_counter counter = {0};

		rc = read_counter(json_array_get(counters, i), &counter, error);
		if (rc == WS_OK && ws_sample_add_counter(into, &counter) != WS_OK)
			rc = ws_fail(error, WS_ENOMEM, "no memory for the counters of a sample");
	}
	if (rc != WS_OK) {
		while (into->lane_count > lanes_before)
			free(into->lanes[--into->lane_count].values);
		into->counter_count = counters_before;
	}
	return rc;
}

json_t *ws_wire_check(const struct ws_check *check)
{
	json_t *object = json_object();

	object = set(object, "wrong_count", ws_wire_number(check->wrong_count));
	if (check->wrong_count == 0)
		return object;
	object = set(object, "first_offset", ws_wire_number(check->first_offset));
	object = set(object, "expected", ws_wire_number(check->expected));
	object = set(object, "found", ws_wire_number(check->found));
	if (check->several_items)
		object = set(object, "several_items", json_true());
	return set(object, "item", json_integer(check->item));
}

int ws_wire_read_check(const json_t *value, int item_count, int rank, struct ws_check *into, struct ws_error *error)
{
	json_t *wrong = NULL, *offset = NULL, *expected = NULL, *found = NULL;
	struct ws_check check = {0};
	json_int_t item = -1;
	int several = 0, rc;

	if (json_unpack((json_t *)(uintptr_t)value, "{s:o,s?o,s?o,s?o,s?b,s?I!}", "wrong_count", &wrong, "first_offset",
			&offset, "expected", &expected, "found", &found, "several_items", &several, "item", &item) < 0)
		return ws_fail(error, WS_ECORRUPT, "sends what is no check");
	rc = ws_wire_read_number(wrong, "wrong_count", &check.wrong_count, error);
	if (rc != WS_OK || check.wrong_count == 0)
		return rc;
	rc = ws_wire_read_number(offset, "first_offset", &check.first_offset, error);
	if (rc == WS_OK)
		rc = ws_wire_read_number(expected, "expected", &check.expected, error);
	if (rc == WS_OK)
		rc = ws_wire_read_number(found, "found", &check.found, error);
	if (rc == WS_OK && (item < 0 || item >= item_count))
		rc = ws_fail(error, WS_ECORRUPT, "sends a check of item %lld of %d", (long long)item + 1, item_count);
	if (rc != WS_OK)
		return rc;
	check.item = (int)item;
	check.rank = rank;
	check.several_items = several;
	ws_check_merge(into, &check);
	return WS_OK;
}

json_t *ws_wire_items(const bool *items, int item_count)
{
	json_t *list = json_array();

	for (int i = 0; i < item_count; i++)
		if (items[i])
			list = append(list, json_integer(i));
	return list;
}

int ws_wire_read_items(const json_t *value, int item_count, const bool *mine, bool *items, struct ws_error *error)
{
	for (size_t i = 0; i < json_array_size(value); i++) {
		const json_int_t item = json_integer_value(json_array_get(value, i));

		if (!json_is_integer(json_array_get(value, i)) || item < 0 || item >= item_count || !mine[item])
			return ws_fail(error, WS_ECORRUPT, "sends an item that it does not run");
	}
	if (!json_is_array(value))
		return ws_fail(error, WS_ECORRUPT, "sends no list of items");
	for (size_t i = 0; i < json_array_size(value); i++)
		items[json_integer_value(json_array_get(value, i))] = true;
	return WS_OK;
}
