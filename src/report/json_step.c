/* JSON of a step: its items, and its records as columns. */
#include <assert.h>
#include <string.h>

#include "base/item.h"
#include "base/place.h"
#include "report/json.h"
#include "report/names.h"
#include "seam/probe.h"

static json_t *place_json(const struct ws_place *place)
{
	char text[WS_PLACE_TEXT];

	return ws_place_is_set(place) ? json_string(ws_place_format(place, text, sizeof(text))) : json_null();
}

static json_t *engine_json(const struct ws_engine *engine)
{
	char text[WS_PLACE_TEXT + sizeof(engine->name)];
	size_t length;

	if (!ws_place_is_set(&engine->place))
		return json_null();
	ws_place_format(&engine->place, text, WS_PLACE_TEXT);
	length = strlen(text);
	snprintf(text + length, sizeof(text) - length, ".%s", engine->name);
	return json_string(text);
}

static json_t *options_json(struct ws_json_put *put, const struct ws_item *item)
{
	json_t *object = json_object();

	for (int i = 0; i < item->option_count; i++) {
		const struct ws_item_option *option = &item->options[i];
		json_t *value = option->row->kind == WS_OPTION_FLAG   ? json_true()
				: option->row->kind == WS_OPTION_WORD ? json_string(option->word)
								      : ws_json_count(option->number);

		ws_json_set(put, object, option->row->name, value);
	}
	return object;
}

static json_t *item_json(struct ws_json_put *put, const struct ws_item *item)
{
	json_t *object = json_object(), *array;

	ws_json_set(put, object, "coords", ws_json_coords(put, &item->coords));
	ws_json_set(put, object, "verb", json_string(ws_verb_row(item->verb)->name));
	ws_json_set(put, object, "collective", ws_json_text_or_null(item->collective));
	ws_json_set(put, object, "source", place_json(&item->source));
	ws_json_set(put, object, "destination", place_json(&item->destination));
	array = ws_json_set_array(put, object, "members");
	for (int i = 0; i < item->member_count; i++)
		ws_json_append(put, array, place_json(&item->members[i]));
	ws_json_set(put, object, "engine", engine_json(&item->engine));
	array = ws_json_set_array(put, object, "size_bytes");
	for (int i = 0; i < item->size_count; i++)
		ws_json_append(put, array, ws_json_count(item->size_bytes[i]));
	ws_json_set(put, object, "loops", item->loops ? ws_json_count(item->loops) : json_null());
	ws_json_set(put, object, "options", options_json(put, item));
	return object;
}

/* null where nothing is wrong. */
static json_t *wrong_json(struct ws_json_put *put, const struct ws_check *check)
{
	json_t *object;

	if (check->wrong_count == 0)
		return json_null();
	object = json_object();
	ws_json_set(put, object, "count", ws_json_count(check->wrong_count));
	ws_json_set(put, object, "first_offset", ws_json_count(check->first_offset));
	ws_json_set(put, object, "expected", ws_json_bits(check->expected));
	ws_json_set(put, object, "found", ws_json_bits(check->found));
	ws_json_set(put, object, "item", json_integer(check->item));
	if (check->several_items)
		ws_json_set(put, object, "several_items", json_true());
	ws_json_set(put, object, "rank", check->rank == WS_RANK_NONE ? json_null() : json_integer(check->rank));
	return object;
}

static json_t *counters_json(struct ws_json_put *put, const struct ws_records *records, int sample_count)
{
	json_t *object = json_object();

	for (int i = 0; i < sample_count; i++) {
		const struct ws_sample *sample = &records->samples[i];

		for (int j = 0; j < sample->counter_count; j++) {
			const struct ws_counter *counter = &sample->counters[j];
			json_t *column = json_object_get(object, counter->name);

			if (!column)
				column = ws_json_set_array(put, object, counter->name);
			while (json_array_size(column) < (size_t)i && !put->failed)
				ws_json_append(put, column, json_null());
			if (json_array_size(column) == (size_t)i)
				ws_json_append(put, column, ws_json_count(counter->delta));
		}
	}
	return object;
}

/* Every counter's column gets as long as there are samples. */
static void pad_columns(struct ws_json_put *put, json_t *object, int length)
{
	const char *key;
	json_t *column;

	json_object_foreach(object, key, column) while (json_array_size(column) < (size_t)length && !put->failed)
		ws_json_append(put, column, json_null());
}

static json_t *samples_json(struct ws_json_put *put, const struct ws_records *records, int64_t origin_ns)
{
	json_t *object = json_object();
	json_t *size_index = ws_json_set_array(put, object, "size_index");
	json_t *start = ws_json_set_array(put, object, "host_start_ns");
	json_t *end = ws_json_set_array(put, object, "host_end_ns");
	json_t *span = ws_json_set_array(put, object, "span_ns");
	json_t *skew = ws_json_set_array(put, object, "release_skew_ns");
	json_t *discarded = ws_json_set_array(put, object, "discarded");
	json_t *checked = ws_json_set_array(put, object, "checked");
	json_t *wrong = ws_json_set_array(put, object, "wrong");
	json_t *counters;

	for (int i = 0; i < records->count; i++) {
		const struct ws_sample *sample = &records->samples[i];

		ws_json_append(put, size_index, json_integer(sample->size_index));
		ws_json_append(put, start, json_integer(sample->host_start_ns - origin_ns));
		ws_json_append(put, end, json_integer(sample->host_end_ns - origin_ns));
		ws_json_append(put, span, sample->has_span ? json_integer(sample->span_ns) : json_null());
		ws_json_append(put, skew, json_integer(sample->release_skew_ns));
		ws_json_append(put, discarded, sample->discarded ? ws_json_text(sample->discard_reason) : json_null());
		ws_json_append(put, checked, json_boolean(sample->check.done));
		ws_json_append(put, wrong, wrong_json(put, &sample->check));
	}
	counters = counters_json(put, records, records->count);
	pad_columns(put, counters, records->count);
	ws_json_set(put, object, "counters", counters);
	return object;
}

/* Columns of lanes, in the order of append_lane's values. */
static const char *const lane_keys[] = {"sample",     "item",	  "lane",	   "bytes",	  "loops",
					"lead_loops", "trail_loops", "gated",	       "host_start_ns", "host_end_ns",
					"poll_gap_ns", "issue_ns",   "clock",	       "start_ns",	"end_ns",
					"values",      "value_unit"};

static json_t *values_json(struct ws_json_put *put, const struct ws_lane *lane)
{
	json_t *array = json_array();

	for (int i = 0; i < lane->value_count; i++)
		ws_json_append(put, array, ws_json_real(lane->values[i]));
	return array;
}

static void append_lane(struct ws_json_put *put, json_t *object, int sample, const struct ws_lane *lane,
			int64_t origin_ns)
{
	json_t *const values[] = {
		json_integer(sample),
		json_integer(lane->item),
		json_integer(lane->lane),
		ws_json_count(lane->bytes),
		ws_json_count(lane->loops),
		ws_json_count(lane->lead_loops),
		ws_json_count(lane->trail_loops),
		json_boolean(lane->gated),
		json_integer(lane->host_start_ns - origin_ns),
		json_integer(lane->host_end_ns - origin_ns),
		json_integer(lane->poll_gap_ns),
		lane->issue_ns > 0 ? json_integer(lane->issue_ns) : json_null(),
		lane->has_device ? ws_json_text(lane->clock) : json_null(),
		lane->has_device ? json_integer(lane->start_ns) : json_null(),
		lane->has_device ? json_integer(lane->end_ns) : json_null(),
		lane->value_count > 0 ? values_json(put, lane) : json_null(),
		lane->value_count > 0 ? ws_json_text(lane->value_unit) : json_null(),
	};

	static_assert(sizeof(values) / sizeof(values[0]) == sizeof(lane_keys) / sizeof(lane_keys[0]),
		      "a key for each value");
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		ws_json_append(put, json_object_get(object, lane_keys[i]), values[i]);
}

static json_t *lanes_json(struct ws_json_put *put, const struct ws_records *records, int64_t origin_ns)
{
	json_t *object = json_object();

	for (size_t i = 0; i < sizeof(lane_keys) / sizeof(lane_keys[0]); i++)
		ws_json_set(put, object, lane_keys[i], json_array());
	for (int i = 0; i < records->count; i++)
		for (int j = 0; j < records->samples[i].lane_count; j++)
			append_lane(put, object, i, &records->samples[i].lanes[j], origin_ns);
	return object;
}

json_t *ws_json_step(struct ws_json_put *put, const struct ws_step_result *result, int64_t origin_ns)
{
	const struct ws_step *step = &result->step;
	json_t *object = json_object(), *items;

	ws_json_set(put, object, "text", ws_json_text_or_null(step->text));
	ws_json_set(put, object, "probe", ws_json_text(step->probe->name));
	ws_json_set(put, object, "coords", ws_json_coords(put, &step->coords));
	ws_json_set(put, object, "group", step->group ? json_integer(step->group) : json_null());
	ws_json_set(put, object, "reason", ws_json_text_or_null(step->reason));
	items = ws_json_set_array(put, object, "items");
	for (int i = 0; i < step->item_count; i++)
		ws_json_append(put, items, item_json(put, &step->items[i]));
	ws_json_set(put, object, "ending", json_string(ws_ending_name(result->ending)));
	ws_json_set(put, object, "status", json_string(ws_status_name(result->status)));
	ws_json_set(put, object, "status_reason", ws_json_text_or_null(result->reason));
	ws_json_set(put, object, "path", ws_json_share(result->path));
	ws_json_set(put, object, "checked", json_boolean(result->check.done));
	ws_json_set(put, object, "wrong", wrong_json(put, &result->check));
	ws_json_set(put, object, "samples", samples_json(put, &result->records, origin_ns));
	ws_json_set(put, object, "lanes", lanes_json(put, &result->records, origin_ns));
	return object;
}
