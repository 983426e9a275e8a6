/* JSON back into a result: records, from columns. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/record.h"
#include "report/json_read.h"

/* Beyond any clock, and so that differences of two times fit as well. */
#define TIME_MAX (INT64_C(1) << 60)

void ws_json_read_wrong(struct ws_json_get *get, const json_t *value, int item_count, struct ws_check *out)
{
	out->rank = WS_RANK_NONE;
	if (json_is_null(value) || !ws_json_to_object(get, value))
		return;
	out->wrong_count = (uint64_t)ws_json_get_integer(get, value, "count", 1, INT64_MAX);
	out->first_offset = (uint64_t)ws_json_get_integer(get, value, "first_offset", 0, INT64_MAX);
	out->expected = ws_json_get_bits(get, value, "expected");
	out->found = ws_json_get_bits(get, value, "found");
	out->item = (int)ws_json_get_integer(get, value, "item", 0, item_count - 1);
	if (json_object_get(value, "several_items"))
		out->several_items = ws_json_get_bool(get, value, "several_items");
	if (!json_is_null(json_object_get(value, "rank")))
		out->rank = (int)ws_json_get_integer(get, value, "rank", 0, INT_MAX);
}

/* One value of a column; the place is the column's name and the row. */
struct column {
	const char *key;
	bool may_lack; /* results of earlier versions have none */
	const json_t *array; /* NULL = lacks */
};

static json_t *enter_row(struct ws_json_get *get, const struct column *column, size_t row)
{
	ws_json_enter(get, column->key);
	ws_json_enter_index(get, row);
	return json_array_get(column->array, row);
}

static void leave_row(struct ws_json_get *get)
{
	ws_json_leave(get);
	ws_json_leave(get);
}

static int64_t row_integer(struct ws_json_get *get, const struct column *column, size_t row, int64_t minimum,
			   int64_t maximum)
{
	const int64_t number = ws_json_to_integer(get, enter_row(get, column, row), minimum, maximum);

	leave_row(get);
	return number;
}

static int64_t row_time(struct ws_json_get *get, const struct column *column, size_t row)
{
	return row_integer(get, column, row, -TIME_MAX, TIME_MAX);
}

static bool row_bool(struct ws_json_get *get, const struct column *column, size_t row)
{
	const bool truth = ws_json_to_bool(get, enter_row(get, column, row));

	leave_row(get);
	return truth;
}

/* False for null. */
static bool row_text(struct ws_json_get *get, const struct column *column, size_t row, char *out, size_t size)
{
	const json_t *value = enter_row(get, column, row);
	const bool is_null = json_is_null(value);

	if (!is_null)
		ws_json_copy_text(get, value, out, size);
	leave_row(get);
	return !is_null;
}

static bool row_is_null(const struct column *column, size_t row)
{
	return json_is_null(json_array_get(column->array, row));
}

/* All columns are as long as the first. */
static size_t read_columns(struct ws_json_get *get, const json_t *object, struct column *columns, size_t count)
{
	size_t length = 0;

	for (size_t i = 0; i < count; i++) {
		if (columns[i].may_lack && !json_object_get(object, columns[i].key))
			continue;
		columns[i].array = ws_json_get_array(get, object, columns[i].key, INT_MAX);
		if (i == 0)
			length = json_array_size(columns[0].array);
		if (json_array_size(columns[i].array) == length)
			continue;
		ws_json_enter(get, columns[i].key);
		ws_json_wrong(get, WS_EINVAL, "has %zu elements, %s has %zu", json_array_size(columns[i].array),
			      columns[0].key, length);
		ws_json_leave(get);
	}
	return get->status == WS_OK ? length : 0;
}

static void read_samples(struct ws_json_get *get, const json_t *object, struct ws_step_result *step)
{
	enum { SIZE_INDEX, START, END, SPAN, SKEW, DISCARDED, CHECKED, WRONG, COUNT };
	struct column columns[COUNT] = {
		[SIZE_INDEX] = {.key = "size_index"}, [START] = {.key = "host_start_ns"},
		[END] = {.key = "host_end_ns"},	      [SPAN] = {.key = "span_ns"},
		[SKEW] = {.key = "release_skew_ns"},  [DISCARDED] = {.key = "discarded"},
		[CHECKED] = {.key = "checked"},	      [WRONG] = {.key = "wrong"},
	};
	const size_t count = read_columns(get, object, columns, COUNT);

	for (size_t i = 0; i < count && get->status == WS_OK; i++) {
		struct ws_sample sample = {
			.size_index = (int)row_integer(get, &columns[SIZE_INDEX], i, 0, 1),
			.host_start_ns = row_time(get, &columns[START], i),
			.host_end_ns = row_time(get, &columns[END], i),
			.has_span = !row_is_null(&columns[SPAN], i),
			.release_skew_ns = row_time(get, &columns[SKEW], i),
		};

		if (sample.has_span)
			sample.span_ns = row_time(get, &columns[SPAN], i);
		sample.discarded =
			row_text(get, &columns[DISCARDED], i, sample.discard_reason, sizeof(sample.discard_reason));
		sample.check.done = row_bool(get, &columns[CHECKED], i);
		ws_json_read_wrong(get, enter_row(get, &columns[WRONG], i), step->step.item_count, &sample.check);
		leave_row(get);
		if (ws_records_add(&step->records, &sample, NULL) != WS_OK)
			ws_json_wrong(get, WS_ENOMEM, "no memory for it");
	}
}

static void read_counters(struct ws_json_get *get, const json_t *samples, struct ws_records *records)
{
	json_t *object = ws_json_get_object(get, samples, "counters"), *array;
	const char *name;

	ws_json_enter(get, "counters");
	json_object_foreach(object, name, array)
	{
		struct column column = {.key = name};
		struct ws_counter counter = {.delta = 0};
		const size_t length = read_columns(get, object, &column, 1);

		ws_json_enter(get, name);
		if (strlen(name) >= sizeof(counter.name))
			ws_json_wrong(get, WS_EINVAL, "the name is longer than %zu bytes", sizeof(counter.name) - 1);
		else
			strcpy(counter.name, name);
		if (length != (size_t)records->count)
			ws_json_wrong(get, WS_EINVAL, "has %zu elements for %d samples", length, records->count);
		ws_json_leave(get);
		for (size_t i = 0; i < length && get->status == WS_OK; i++) {
			if (row_is_null(&column, i))
				continue;
			counter.delta = (uint64_t)row_integer(get, &column, i, 0, INT64_MAX);
			if (ws_sample_add_counter(&records->samples[i], &counter) != WS_OK)
				ws_json_wrong(get, WS_ENOMEM, "no memory for it");
		}
	}
	ws_json_leave(get);
}

static void read_values(struct ws_json_get *get, const struct column *column, size_t row, struct ws_lane *lane)
{
	json_t *array = enter_row(get, column, row), *value;
	const size_t count = ws_json_to_array(get, array, INT_MAX);
	size_t i;

	lane->values = calloc(count + 1, sizeof(*lane->values));
	if (!lane->values)
		ws_json_wrong(get, WS_ENOMEM, "no memory for it");
	for (i = 0; lane->values && i < count && get->status == WS_OK; i++) {
		value = json_array_get(array, i);
		ws_json_enter_index(get, i);
		lane->values[lane->value_count++] = json_is_null(value) ? (double)NAN : ws_json_to_real(get, value);
		ws_json_leave(get);
	}
	leave_row(get);
}

enum {
	SAMPLE,
	ITEM,
	LANE,
	BYTES,
	LOOPS,
	LEAD_LOOPS,
	TRAIL_LOOPS,
	GATED,
	HOST_START,
	HOST_END,
	POLL_GAP,
	ISSUE,
	CLOCK,
	DEVICE_START,
	DEVICE_END,
	VALUES,
	VALUE_UNIT,
	LANE_COLUMNS
};

static void read_lane(struct ws_json_get *get, const struct column *columns, size_t row, struct ws_lane *lane)
{
	lane->bytes = (uint64_t)row_integer(get, &columns[BYTES], row, 0, INT64_MAX);
	lane->loops = (uint32_t)row_integer(get, &columns[LOOPS], row, 0, UINT32_MAX);
	lane->lead_loops = (uint32_t)row_integer(get, &columns[LEAD_LOOPS], row, 0, UINT32_MAX);
	if (columns[TRAIL_LOOPS].array)
		lane->trail_loops = (uint32_t)row_integer(get, &columns[TRAIL_LOOPS], row, 0, UINT32_MAX);
	lane->gated = row_bool(get, &columns[GATED], row);
	lane->host_start_ns = row_time(get, &columns[HOST_START], row);
	lane->host_end_ns = row_time(get, &columns[HOST_END], row);
	lane->poll_gap_ns = row_time(get, &columns[POLL_GAP], row);
	if (columns[ISSUE].array && !row_is_null(&columns[ISSUE], row))
		lane->issue_ns = row_integer(get, &columns[ISSUE], row, 1, TIME_MAX);
	lane->has_device = row_text(get, &columns[CLOCK], row, lane->clock, sizeof(lane->clock));
	if (lane->has_device) {
		lane->start_ns = row_time(get, &columns[DEVICE_START], row);
		lane->end_ns = row_time(get, &columns[DEVICE_END], row);
	}
	if (!row_is_null(&columns[VALUES], row)) {
		read_values(get, &columns[VALUES], row, lane);
		row_text(get, &columns[VALUE_UNIT], row, lane->value_unit, sizeof(lane->value_unit));
	}
}

static void read_lanes(struct ws_json_get *get, const json_t *object, struct ws_step_result *step)
{
	struct column columns[LANE_COLUMNS] = {
		[SAMPLE] = {.key = "sample"},
		[ITEM] = {.key = "item"},
		[LANE] = {.key = "lane"},
		[BYTES] = {.key = "bytes"},
		[LOOPS] = {.key = "loops"},
		[LEAD_LOOPS] = {.key = "lead_loops"},
		[TRAIL_LOOPS] = {.key = "trail_loops", .may_lack = true},
		[GATED] = {.key = "gated"},
		[HOST_START] = {.key = "host_start_ns"},
		[HOST_END] = {.key = "host_end_ns"},
		[POLL_GAP] = {.key = "poll_gap_ns"},
		[ISSUE] = {.key = "issue_ns", .may_lack = true},
		[CLOCK] = {.key = "clock"},
		[DEVICE_START] = {.key = "start_ns"},
		[DEVICE_END] = {.key = "end_ns"},
		[VALUES] = {.key = "values"},
		[VALUE_UNIT] = {.key = "value_unit"},
	};
	const size_t count = read_columns(get, object, columns, LANE_COLUMNS);
	int64_t sample = 0;

	for (size_t i = 0; i < count && get->status == WS_OK; i++) {
		int64_t item, number;
		struct ws_lane *lane;

		/* In the order of samples. */
		sample = row_integer(get, &columns[SAMPLE], i, sample, step->records.count - 1);
		item = row_integer(get, &columns[ITEM], i, 0, step->step.item_count - 1);
		number = row_integer(get, &columns[LANE], i, 0, 1);
		if (get->status != WS_OK)
			break;
		lane = ws_sample_add_lane(&step->records.samples[sample], (int)item, (int)number);
		if (lane)
			read_lane(get, columns, i, lane);
		else
			ws_json_wrong(get, WS_ENOMEM, "no memory for it");
	}
}

void ws_json_read_records(struct ws_json_get *get, const json_t *object, struct ws_step_result *step)
{
	const json_t *samples = ws_json_get_object(get, object, "samples");
	const json_t *lanes = ws_json_get_object(get, object, "lanes");

	ws_json_enter(get, "samples");
	read_samples(get, samples, step);
	read_counters(get, samples, &step->records);
	ws_json_leave(get);
	ws_json_enter(get, "lanes");
	read_lanes(get, lanes, step);
	ws_json_leave(get);
}
