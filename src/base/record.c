/* Samples, records and results as data: building and freeing. */
#include "base/record.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/item.h"
#include "base/list.h"

struct ws_lane *ws_sample_add_lane(struct ws_sample *sample, int item, int lane)
{
	struct ws_lane *lanes = ws_list_grow(sample->lanes, sample->lane_count, sizeof(*lanes));

	if (!lanes)
		return NULL;
	sample->lanes = lanes;
	lanes[sample->lane_count] = (struct ws_lane){.item = item, .lane = lane};
	return &lanes[sample->lane_count++];
}

int ws_sample_add_counter(struct ws_sample *sample, const struct ws_counter *counter)
{
	struct ws_counter *counters = ws_list_grow(sample->counters, sample->counter_count, sizeof(*counters));

	if (!counters)
		return WS_ENOMEM;
	sample->counters = counters;
	counters[sample->counter_count++] = *counter;
	return WS_OK;
}

void ws_sample_release(struct ws_sample *sample)
{
	for (int i = 0; i < sample->lane_count; i++)
		free(sample->lanes[i].values);
	free(sample->lanes);
	free(sample->counters);
	*sample = (struct ws_sample){0};
}

int ws_records_add(struct ws_records *records, const struct ws_sample *sample, struct ws_error *error)
{
	if (records->count == records->capacity) {
		const int capacity = records->capacity ? 2 * records->capacity : 32;
		struct ws_sample *samples = realloc(records->samples, (size_t)capacity * sizeof(*samples));

		if (!samples)
			return ws_fail(error, WS_ENOMEM, "no memory for %d samples", capacity);
		records->samples = samples;
		records->capacity = capacity;
	}
	records->samples[records->count++] = *sample;
	return WS_OK;
}

void ws_records_release(struct ws_records *records)
{
	for (int i = 0; i < records->count; i++)
		ws_sample_release(&records->samples[i]);
	free(records->samples);
	*records = (struct ws_records){0};
}

int ws_lane_hold_times(struct ws_lane *lane, size_t most, const char *what, struct ws_error *error)
{
	lane->values = calloc(most, sizeof(*lane->values));
	if (!lane->values)
		return ws_fail(error, WS_ENOMEM, "no memory for the times of %zu %s", most, what);
	strcpy(lane->value_unit, "ns");
	return WS_OK;
}

void ws_lane_add_time(struct ws_lane *lane, double time_ns)
{
	lane->values[lane->value_count++] = time_ns;
}

int64_t ws_lane_timed_ns(const struct ws_lane *lane, int64_t host_ns)
{
	const double loops = lane->loops;

	if ((lane->lead_loops == 0 && lane->trail_loops == 0) || lane->loops == 0)
		return host_ns;
	return (int64_t)((double)host_ns * loops / (loops + lane->lead_loops + lane->trail_loops) + 0.5);
}

int64_t ws_lane_time_ns(const struct ws_lane *lane)
{
	const int64_t time_ns = lane->has_device ? lane->end_ns - lane->start_ns
						 : ws_lane_timed_ns(lane, lane->host_end_ns - lane->host_start_ns);

	return time_ns > 0 ? time_ns : 1;
}

void ws_check_add(struct ws_check *check, uint64_t wrong_count, uint64_t first_offset, uint64_t expected, uint64_t found,
		  int item, int rank)
{
	if (wrong_count > 0 && check->wrong_count > 0 && item != check->item)
		check->several_items = true;
	if (wrong_count > 0 && check->wrong_count == 0) {
		check->first_offset = first_offset;
		check->expected = expected;
		check->found = found;
		check->item = item;
		check->rank = rank;
	}
	check->wrong_count += wrong_count;
}

void ws_check_merge(struct ws_check *into, const struct ws_check *from)
{
	ws_check_add(into, from->wrong_count, from->first_offset, from->expected, from->found, from->item, from->rank);
	into->several_items = into->several_items || from->several_items;
}

struct ws_table *ws_result_table(struct ws_result *result, const struct ws_probe *probe)
{
	struct ws_table *tables;

	for (int i = 0; i < result->table_count; i++)
		if (result->tables[i].probe == probe)
			return &result->tables[i];
	tables = ws_list_grow(result->tables, result->table_count, sizeof(*tables));
	if (!tables)
		return NULL;
	result->tables = tables;
	tables[result->table_count] = (struct ws_table){.probe = probe};
	return &tables[result->table_count++];
}

struct ws_cell *ws_table_cell(struct ws_table *table, const struct ws_coords *coords)
{
	struct ws_cell *cells;

	for (int i = 0; i < table->cell_count; i++)
		if (ws_coords_equal(&table->cells[i].coords, coords))
			return &table->cells[i];
	cells = ws_list_grow(table->cells, table->cell_count, sizeof(*cells));
	if (!cells)
		return NULL;
	table->cells = cells;
	cells[table->cell_count] = (struct ws_cell){.coords = *coords};
	return &cells[table->cell_count++];
}

struct ws_step_result *ws_result_add_step(struct ws_result *result)
{
	struct ws_step_result *steps = ws_list_grow(result->steps, result->step_count, sizeof(*steps));

	if (!steps)
		return NULL;
	result->steps = steps;
	steps[result->step_count] = (struct ws_step_result){0};
	return &steps[result->step_count++];
}

static void table_release(struct ws_table *table)
{
	for (int i = 0; i < table->cell_count; i++)
		free(table->cells[i].items);
	free(table->cells);
}

void ws_result_release(struct ws_result *result)
{
	for (int i = 0; i < result->table_count; i++)
		table_release(&result->tables[i]);
	for (int i = 0; i < result->step_count; i++) {
		ws_step_release(&result->steps[i].step);
		ws_records_release(&result->steps[i].records);
		json_decref(result->steps[i].path);
	}
	free(result->tables);
	free(result->steps);
	json_decref(result->machine);
	json_decref(result->environment);
	*result = (struct ws_result){0};
}
