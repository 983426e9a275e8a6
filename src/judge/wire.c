/* What NVLink carries for each byte of a copy, and how much of the links that is. */
#include "judge/wire.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "base/item.h"
#include "base/place.h"
#include "judge/counting.h"
#include "judge/limit_path.h"

/* Counters are whole KiB: of fewer bytes they are wrong by a percent. */
#define COUNTED_MIN (100 * 1024)

/* One cell of a step, and the flows of the step. */
struct judged {
	const struct ws_result *result;
	const struct ws_step_result *step;
	const struct ws_net *net;
	const int *first; /* flow of each item, as ws_path_step_flows says */
	struct ws_cell *cell;
	enum ws_counting counting;
	double rate; /* its figure, each byte once */
};

static void set_reason(struct ws_wire *wire, const char *text)
{
	snprintf(wire->reason, sizeof(wire->reason), "%s", text);
}

static bool is_measured(const struct judged *judged, int index)
{
	return !ws_item_flag(&judged->step->step.items[index], "interfering");
}

/* The first measured item that has a flow, or -1. */
static int first_item(const struct judged *judged)
{
	for (int i = 0; i < judged->cell->item_count; i++) {
		const int item = judged->cell->items[i];

		if (is_measured(judged, item) && judged->first[item] < judged->first[item + 1])
			return item;
	}
	return -1;
}

/* 1 if it goes through the segment. */
static int passes(const struct ws_net_flow *flow, int segment)
{
	for (int i = 0; i < flow->count; i++)
		if (flow->segments[i] == segment)
			return 1;
	return 0;
}

/* The flows that the figure is made of (segment < 0), or those of them through a segment. */
static int count_flows(const struct judged *judged, int segment)
{
	const struct ws_net_flow *flows = judged->net->flows;
	int count = 0;

	if (judged->counting == WS_COUNTS_FIRST_LANE)
		return segment < 0 ? 1 : passes(&flows[judged->first[first_item(judged)]], segment);
	for (int i = 0; i < judged->cell->item_count; i++) {
		const int item = judged->cell->items[i];

		for (int k = judged->first[item]; is_measured(judged, item) && k < judged->first[item + 1]; k++)
			count += segment < 0 ? 1 : passes(&flows[k], segment);
	}
	return count;
}

/* The NVLinks at that end of a flow which more of the figure's flows pass; -1 if it goes another way. */
static int busiest_links(const struct judged *judged, const struct ws_net_flow *flow)
{
	int busiest = -1;

	for (int i = 0; i < flow->count; i++) {
		const int segment = flow->segments[i];

		if (judged->net->segments[segment].nvlink &&
		    (busiest < 0 || count_flows(judged, segment) > count_flows(judged, busiest)))
			busiest = segment;
	}
	return busiest;
}

/* "tx" if the item's first bytes leave its engine's device, "rx" if they arrive there, NULL if neither. */
static const char *direction_of(const struct ws_item *item)
{
	const struct ws_place *engine = &item->engine.place;

	if (item->verb == WS_WRITE || (item->verb != WS_READ && ws_place_same_device(&item->source, engine)))
		return "tx";
	if (item->verb == WS_READ || ws_place_same_device(&item->destination, engine))
		return "rx";
	return NULL;
}

enum counted { COUNTED, NOT_COUNTED, BACKWARDS };

static enum counted count_samples(const struct ws_records *records, const char *name, double *bytes)
{
	enum counted counted = NOT_COUNTED;

	for (int i = 0; i < records->count; i++) {
		const struct ws_sample *sample = &records->samples[i];

		for (int k = 0; k < sample->counter_count; k++) {
			if (strcmp(sample->counters[k].name, name) != 0)
				continue;
			if (sample->counters[k].delta > INT64_MAX)
				return BACKWARDS;
			*bytes += (double)sample->counters[k].delta;
			counted = COUNTED;
		}
	}
	return counted;
}

/* What a counter of a place, such as raw_tx, rose by. */
static enum counted count(const struct ws_step_result *step, const char *place, const char *kind, const char *direction,
			  double *bytes)
{
	char name[WS_PLACE_TEXT + 40];
	const json_t *value;
	enum counted counted;

	*bytes = 0;
	snprintf(name, sizeof(name), "%s.nvlink.%s_%s_bytes", place, kind, direction);
	counted = count_samples(&step->records, name, bytes);
	if (counted != NOT_COUNTED)
		return counted;
	value = json_object_get(json_object_get(json_object_get(step->path, place), "counters"), name + strlen(place) + 1);
	if (json_is_null(value) || (json_is_integer(value) && json_integer_value(value) < 0))
		return BACKWARDS;
	*bytes = (double)json_integer_value(value);
	return json_is_integer(value) ? COUNTED : NOT_COUNTED;
}

/* Sets bytes, or the reason. */
static void set_bytes(const struct judged *judged, const struct ws_item *item, struct ws_wire *wire)
{
	const struct ws_place engine = ws_place_device(&item->engine.place);
	const bool ended = judged->result->settings.verify == WS_VERIFY_ENDS &&
			   judged->step->ending != WS_ENDED_INTERRUPTED;
	const char *direction = direction_of(item);
	char place[WS_PLACE_TEXT];
	double data = 0, raw = 0;
	enum counted of_data, of_raw;

	if (!direction) {
		set_reason(wire, "its engine is at neither end of the links");
		return;
	}
	ws_place_format(&engine, place, sizeof(place));
	of_data = count(judged->step, place, "data", direction, &data);
	of_raw = count(judged->step, place, "raw", direction, &raw);
	if (of_data == BACKWARDS || of_raw == BACKWARDS)
		snprintf(wire->reason, sizeof(wire->reason), "the NVLink counters of %s ran backwards", place);
	else if ((of_data == NOT_COUNTED || of_raw == NOT_COUNTED) && !ended && !judged->result->settings.counters)
		set_reason(wire, "NVLink's counters are read with the check at the end, which was left out");
	else if (of_data == NOT_COUNTED || of_raw == NOT_COUNTED)
		snprintf(wire->reason, sizeof(wire->reason), "%s does not tell what its NVLinks count", place);
	else if (data <= 0)
		snprintf(wire->reason, sizeof(wire->reason), "the NVLink counters of %s did not move", place);
	else if (data < COUNTED_MIN)
		set_reason(wire, "so few bytes do not show in counters of whole KiB");
	else if (raw < data)
		snprintf(wire->reason, sizeof(wire->reason), "the NVLink counters of %s contradict each other", place);
	else
		wire->bytes = raw / data;
}

/* All items of the figure copy as much. */
static bool are_alike(const struct judged *judged)
{
	const struct ws_item *items = judged->step->step.items, *one = &items[first_item(judged)];

	for (int i = 0; i < judged->cell->item_count; i++) {
		const int item = judged->cell->items[i];

		if (is_measured(judged, item) && (items[item].size_count != one->size_count ||
						  memcmp(items[item].size_bytes, one->size_bytes, sizeof(one->size_bytes)) != 0))
			return false;
	}
	return true;
}

/* Sets used and raw, or the reason. */
static void set_share(const struct judged *judged, int segment, struct ws_wire *wire)
{
	const struct ws_segment *links = &judged->net->segments[segment];
	const int own = count_flows(judged, segment), all = count_flows(judged, -1);

	wire->raw = links->raw;
	if (links->raw <= 0)
		set_reason(wire, links->text);
	if (wire->bytes <= 0)
		return;
	if (ws_net_sharers(judged->net, segment) > own)
		set_reason(wire, "others pass the same links, and are not part of the figure");
	else if (own < all && !are_alike(judged))
		set_reason(wire, "the copies differ in size, and only some of them pass the same links");
	else
		wire->used = judged->rate * own / all * wire->bytes;
}

static void judge_cell(struct judged *judged)
{
	struct ws_cell *cell = judged->cell;
	const struct ws_figure *figure = &cell->folded.figures[0];
	double times = 1;
	int item, segment;

	cell->wire = (struct ws_wire){0};
	judged->counting = ws_counting_of(judged->step->step.probe, &times);
	if (judged->counting == WS_COUNTS_NOTHING || !figure->known || !isfinite(figure->value) ||
	    (cell->status != WS_CELL_MEASURED && cell->status != WS_CELL_INTERRUPTED))
		return;
	judged->rate = figure->value / times;
	item = first_item(judged);
	segment = item < 0 ? -1 : busiest_links(judged, &judged->net->flows[judged->first[item]]);
	if (segment < 0)
		return;
	cell->wire.applies = true;
	set_bytes(judged, &judged->step->step.items[item], &cell->wire);
	set_share(judged, segment, &cell->wire);
}

static int judge_step(struct ws_result *result, int index, struct ws_error *error)
{
	const struct ws_step_result *step = &result->steps[index];
	int first[WS_PATH_ITEMS_MAX + 1], items = 0;
	struct ws_net net = {0};
	struct judged judged = {.result = result, .step = step, .net = &net, .first = first};
	int rc = ws_path_step_flows(step, &net, first, &items, error);

	for (int t = 0; t < result->table_count && rc == WS_OK; t++) {
		for (int c = 0; c < result->tables[t].cell_count; c++) {
			judged.cell = &result->tables[t].cells[c];
			if (judged.cell->step != index)
				continue;
			if (items > 0)
				judge_cell(&judged);
			else
				judged.cell->wire = (struct ws_wire){0};
		}
	}
	ws_net_release(&net);
	return rc;
}

int ws_wire_result(struct ws_result *result, struct ws_error *error)
{
	int rc = WS_OK;

	for (int i = 0; i < result->step_count && rc == WS_OK; i++)
		rc = judge_step(result, i, error);
	return rc;
}
