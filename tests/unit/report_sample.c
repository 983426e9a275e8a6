/* Results made by hand, for the tests of reports. */
#include "report_sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/item.h"
#include "base/place.h"
#include "base/record.h"

static const struct ws_probe probes[] = {
	{
		.name = "host_to_host_memcpy_cpu",
		.summary = "copies between memories by pinned threads",
		.axes = {"row", "column"},
		.quantities = {{"bandwidth", "GB/s", WS_HIGHER, "each byte once"}},
	},
	{
		.name = "both_ways",
		.summary = "copies there and back at the same time",
		.axes = {"row", "column"},
		.quantities = {{"first", "GB/s", WS_HIGHER, "each byte once"},
			       {"second", "GB/s", WS_HIGHER, "each byte once"},
			       {"total", "GB/s", WS_HIGHER, "each byte once"}},
	},
	{
		.name = "all_sizes",
		.summary = "a copy of each size",
		.axes = {"size"},
		.quantities = {{"bandwidth", "GB/s", WS_HIGHER, "each byte once"},
			       {"time", "us", WS_LOWER, NULL},
			       {"launches", "1", WS_NEITHER, NULL}},
	},
	{
		.name = "copy_pages",
		.axes = {"row", "column", "pages", "peer"},
		.quantities = {{"bandwidth", "GB/s", WS_HIGHER, "read + written"}},
	},
	{
		.name = "host_latency",
		.summary = "time of a load that misses the caches, from a node's CPU to a node's memory",
		.axes = {"row", "column"},
		.quantities = {{"latency", "ns", WS_LOWER, NULL}},
	},
	{
		.name = "custom",
		.summary = "steps written by hand",
		.quantities = {{"bandwidth", "GB/s", WS_HIGHER, "each byte once"}, {"time", "us", WS_LOWER, NULL}},
	},
};

const struct ws_probe *sample_probe(const char *name)
{
	for (size_t i = 0; i < sizeof(probes) / sizeof(probes[0]); i++)
		if (strcmp(probes[i].name, name) == 0)
			return &probes[i];
	return NULL;
}

static struct ws_coords coords_of(const char *row, const char *column)
{
	struct ws_coords coords = {0};

	ws_coords_set(&coords, "row", row);
	if (column)
		ws_coords_set(&coords, "column", column);
	return coords;
}

static void place_or_abort(const char *text, struct ws_place *place)
{
	if (ws_place_parse(text, place, NULL) != WS_OK)
		abort();
}

/* A step of one copy, and the cell that it fills. */
static struct ws_cell *add_copy(struct ws_result *result, const char *probe, const struct ws_coords *coords,
				const char *source, const char *destination, uint64_t size, uint64_t larger)
{
	struct ws_step_result *step = ws_result_add_step(result);
	struct ws_table *table = ws_result_table(result, sample_probe(probe));
	struct ws_cell *cell = ws_table_cell(table, coords);
	struct ws_item *item;

	step->step.probe = table->probe;
	step->step.coords = *coords;
	step->ending = WS_ENDED_PRECISE;
	step->check = (struct ws_check){.done = true, .rank = WS_RANK_NONE};
	item = ws_step_add_item(&step->step, WS_COPY);
	place_or_abort(source, &item->source);
	place_or_abort(destination, &item->destination);
	item->engine.place = ws_place_device(&item->destination);
	strcpy(item->engine.name, "cpu");
	item->size_bytes[0] = size;
	item->size_bytes[1] = larger;
	item->size_count = larger ? 2 : 1;
	if (ws_item_option_set(item, "threads", "4", NULL) != WS_OK ||
	    asprintf(&step->step.text, "%s[row=%s column=%s]: %s -> %s by %s.cpu 64M/256M threads=4", probe, source,
		     destination, source, destination, destination) < 0)
		abort();
	cell->step = result->step_count - 1;
	cell->items = calloc(1, sizeof(*cell->items));
	cell->item_count = 1;
	cell->folded.kept = 20;
	cell->folded.slope = larger != 0;
	cell->folded.has_precision = true;
	cell->folded.precision = 0.004;
	strcpy(cell->limit_reason, "the speed of this memory is not reported");
	return cell;
}

static void set_figure(struct ws_cell *cell, int quantity, double value)
{
	cell->folded.figures[quantity] = (struct ws_figure){
		.known = true, .has_interval = true, .value = value, .low = 0.996 * value, .high = 1.004 * value};
}

/* Takes the figure away again. */
static void set_status(struct ws_cell *cell, enum ws_cell_status status, const char *reason)
{
	cell->status = status;
	snprintf(cell->reason, sizeof(cell->reason), "%s", reason);
	memset(cell->folded.figures, 0, sizeof(cell->folded.figures));
	cell->folded.has_precision = false;
	cell->folded.kept = 0;
}

void sample_matrix(struct ws_result *result, int count, const char *prefix)
{
	char row[WS_PLACE_TEXT], column[WS_PLACE_TEXT];

	for (int i = 0; i < count; i++) {
		for (int j = 0; j < count; j++) {
			struct ws_coords coords;

			snprintf(row, sizeof(row), "%s%d", prefix, i);
			snprintf(column, sizeof(column), "%s%d", prefix, j);
			coords = coords_of(row, column);
			set_figure(
				add_copy(result, "host_to_host_memcpy_cpu", &coords, row, column, 64 << 20, 256 << 20),
				0, 10 + i + 0.1 * j);
		}
	}
	result->settings = ws_settings_default(true);
	result->elapsed_s = 12.345;
}

static void set_wrong(struct ws_result *result, struct ws_cell *cell)
{
	struct ws_check *check = &result->steps[cell->step].check;

	cell->status = WS_CELL_WRONG_DATA;
	result->steps[cell->step].ending = WS_ENDED_WRONG_DATA;
	check->wrong_count = 4096;
	check->several_items = true;
	check->first_offset = 1048576;
	check->expected = 0x1234abcd;
	check->found = 0xdeadbeef;
}

void sample_gaps(struct ws_result *result)
{
	struct ws_cell *cells;

	sample_matrix(result, 3, "host");
	cells = result->tables[0].cells;
	for (int i = 0; i < 9; i += 4)
		set_status(&cells[i], WS_CELL_NOT_APPLICABLE, "a place is not copied to itself");
	set_status(&cells[1], WS_CELL_FAILED,
		   "mbind: the kernel moved none of the pages to node 1, although the node has free memory and the "
		   "cpuset of this process allows it; try --host-node");
	result->steps[cells[1].step].ending = WS_ENDED_FAILED;
	result->steps[cells[1].step].status = WS_ESYSTEM;
	strcpy(result->steps[cells[1].step].reason, "mbind: the kernel moved none of the pages");
	set_wrong(result, &cells[2]);
	cells[3].folded.flags = WS_FLAG_UNCONVERGED | WS_FLAG_DRIFT;
	cells[3].folded.precision = 0.0234;
	cells[5].folded.flags = WS_FLAG_TWO_MODES | WS_FLAG_STALLS;
	cells[5].folded.kept = 112;
	cells[5].folded.discarded = 3;
	cells[6].folded.flags = WS_FLAG_UNVERIFIED;
	result->steps[cells[6].step].check.done = false;
	cells[6].limit = (struct ws_figure){.known = true, .value = 20};
	strcpy(cells[6].limit_reason, "2 channels of DDR5-5600");
	set_status(&cells[7], WS_CELL_INTERRUPTED, "");
	result->steps[cells[7].step].ending = WS_ENDED_INTERRUPTED;
}

void sample_both_ways(struct ws_result *result)
{
	for (int i = 0; i < 2; i++) {
		const char *row = i ? "host1" : "host0", *column = i ? "host0" : "host1";
		const struct ws_coords coords = coords_of(row, column);
		struct ws_cell *cell = add_copy(result, "both_ways", &coords, row, column, 64 << 20, 256 << 20);

		set_figure(cell, 0, 11.25 + i);
		set_figure(cell, 1, 9.75 - i);
		set_figure(cell, 2, 21);
		cell->limit = (struct ws_figure){.known = true, .value = 12.5};
		strcpy(cell->limit_reason, "UPI, 3 links");
		cell->wire = (struct ws_wire){.applies = true, .bytes = 1.0625 + 0.0625 * i, .used = 12 + i, .raw = 16};
	}
	result->settings = ws_settings_default(true);
}

void sample_sizes(struct ws_result *result)
{
	static const char *const names[] = {"4K", "64K", "1M", "16M", "256M", "1000001"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct ws_coords coords = {0};
		const uint64_t size = UINT64_C(4096) << (4 * i);
		struct ws_cell *cell;

		ws_coords_set(&coords, "size", names[i]);
		cell = add_copy(result, "all_sizes", &coords, "host0:pinned:thp", "host0:pinned:thp", size, 0);
		set_figure(cell, 0, 0.05123 * (double)(i + 1));
		set_figure(cell, 1, 18342.4 * (double)(i + 1));
		cell->folded.flags = WS_FLAG_UNVERIFIED;
		result->steps[cell->step].check.done = false;
		if (i == 5)
			set_status(cell, WS_CELL_NOT_APPLICABLE, "no multiple of 4");
	}
	result->settings = ws_settings_default(false);
	result->settings.verify = WS_VERIFY_NONE;
	result->elapsed_s = 0.5;
}

void sample_pages(struct ws_result *result)
{
	static const char *const pages[] = {"4k", "thp"};

	for (int i = 0; i < 8; i++) {
		const char *row = i & 4 ? "host1" : "host0", *column = i & 2 ? "host1" : "host0";
		struct ws_coords coords = coords_of(row, column);

		ws_coords_set(&coords, "pages", pages[i & 1]);
		ws_coords_set(&coords, "peer", "off");
		set_figure(add_copy(result, "copy_pages", &coords, row, column, 64 << 20, 256 << 20), 0, 123456 + i);
	}
	result->settings = ws_settings_default(true);
}

void sample_latency(struct ws_result *result)
{
	const struct ws_coords coords = coords_of("host0", "host1");
	struct ws_cell *cell = add_copy(result, "host_latency", &coords, "host1", "host0", 256 << 20, 0);

	set_figure(cell, 0, 98.76);
	cell->folded.has_precision = false;
	result->settings = ws_settings_default(true);
}

static void fill_sample(struct ws_step_result *step, int index)
{
	struct ws_sample sample = {
		.size_index = index & 1,
		.host_start_ns = INT64_C(86400000000123) + index * 1000000,
		.host_end_ns = INT64_C(86400000000123) + index * 1000000 + 777777,
		.has_span = index != 1,
		.span_ns = 700000,
		.release_skew_ns = 42,
		.check = {.done = index != 1, .rank = WS_RANK_NONE},
	};
	const struct ws_counter sent = {.name = "host0.sent", .delta = 1000 + (uint64_t)index};
	const struct ws_counter late = {.name = "host0.\"late\"", .delta = UINT64_C(7)};

	for (int i = 0; i < 2; i++) {
		struct ws_lane *lane = ws_sample_add_lane(&sample, i, 0);

		lane->bytes = UINT64_C(1) << (30 + i);
		lane->loops = 16;
		lane->lead_loops = 4;
		lane->gated = i == 0;
		lane->host_start_ns = sample.host_start_ns + i;
		lane->host_end_ns = sample.host_end_ns - i;
		lane->poll_gap_ns = 1500;
		if (i == 0) {
			lane->has_device = true;
			strcpy(lane->clock, "ocl0:event");
			lane->start_ns = -5;
			lane->end_ns = 699995;
			lane->issue_ns = 32000;
			continue;
		}
		lane->values = calloc(3, sizeof(*lane->values));
		for (int j = 0; j < 3; j++)
			lane->values[j] = 101.1 / (j + 3);
		lane->value_count = 3;
		strcpy(lane->value_unit, "ns");
	}
	ws_sample_add_counter(&sample, &sent);
	if (index == 2) {
		ws_sample_add_counter(&sample, &late);
		sample.discarded = true;
		strcpy(sample.discard_reason, "released late");
		ws_check_add(&sample.check, 3, 8, UINT64_C(0xffffffffffffffff), 0, 1, 1);
	}
	if (ws_records_add(&step->records, &sample, NULL) != WS_OK)
		abort();
}

void sample_records(struct ws_result *result)
{
	struct ws_coords coords = {0};
	struct ws_cell *cell;
	struct ws_step_result *step;
	struct ws_item *item;

	ws_coords_set(&coords, "label", "a \"quoted\", odd one");
	cell = add_copy(result, "custom", &coords, "r0/host0:pinned:thp", "r1/host0", 4096, 65536);
	set_figure(cell, 0, 1 / 3.0);
	set_figure(cell, 1, 2e-5);
	cell->folded.flags = WS_FLAG_STALLS;
	strcpy(cell->reason, "clocked \303\244t 2,1 GHz \377"); /* the last byte is no UTF-8 */
	step = &result->steps[cell->step];
	step->step.group = 3;
	step->path = json_pack("{s:{s:i, s:f}}", "host0", "cpus", 4, "clock_ghz", 2.1);
	item = ws_step_add_item(&step->step, WS_READ);
	place_or_abort("r1/host0", &item->source);
	item->engine.place = item->source;
	strcpy(item->engine.name, "cpu");
	item->size_bytes[0] = 4096;
	item->size_count = 1;
	item->loops = 16;
	ws_coords_set(&item->coords, "series", "noise");
	if (ws_item_option_set(item, "interfering", NULL, NULL) != WS_OK)
		abort();
	for (int i = 0; i < 3; i++)
		fill_sample(step, i);
	result->settings = ws_settings_default(true);
	result->settings.pattern = 1 + UINT64_C(4294967295);
	result->settings.seed = UINT64_C(0xfedcba9876543210);
	result->machine = json_pack("{s:[{s:s, s:i}]}", "places", "place", "host0", "cpus", 4);
	result->environment = json_pack("{s:s}", "OMP_NUM_THREADS", "4");
}

void sample_everything(struct ws_result *result)
{
	struct ws_coords none = {0};
	struct ws_step_result *step;
	struct ws_cell *cell;

	sample_gaps(result);
	sample_both_ways(result);
	sample_sizes(result);
	sample_pages(result);
	sample_records(result);
	/* A step with nothing to run, and its cell. */
	step = ws_result_add_step(result);
	step->step.probe = sample_probe("copy_pages");
	strcpy(step->step.reason, "one place only");
	cell = ws_table_cell(ws_result_table(result, step->step.probe), &none);
	cell->status = WS_CELL_NOT_APPLICABLE;
	strcpy(cell->reason, step->step.reason);
	cell->step = result->step_count - 1;
	result->simulated = true;
	result->incomplete = true;
	result->elapsed_s = 4.25;
}
