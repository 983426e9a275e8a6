/* The matrices of p2pBandwidthLatencyTest: what each measures, and what its records say. */
#include "dialect/p2p_matrix.h"

#include <stdio.h>
#include <string.h>

#include "base/item.h"
#include "base/place.h"
#include "base/record.h"
#include "plan/plan_text.h"
#include "probe/probe.h"
#include "probe/shape_flow.h"

/* The tool's: copies in a row, and the bytes of a small one. */
enum { BANDWIDTH_LOOPS = 5, LATENCY_LOOPS = 100, LATENCY_BYTES = 16 };

/* Of a hand-written step: the time of a loop of its longest lane. */
enum { TIME_FIGURE = 1 };

bool p2p_reaches(const struct p2p_gpus *gpus, int row, int column)
{
	return row != column && ws_flows_reaches(gpus->list[row], gpus->list[column]);
}

/* Indices of GPUs. */
struct copy {
	int from, to, by;
};

static int add_copy(const struct p2p_gpus *gpus, const struct p2p_matrix *matrix, struct ws_step *step,
		    struct copy copy, bool direct, struct ws_error *error)
{
	const bool latency = matrix->test == P2P_LATENCY;
	struct ws_item *item = ws_step_add_item(step, WS_COPY);
	int rc = WS_OK;

	if (!item)
		return ws_fail(error, WS_ENOMEM, "no memory for an item");
	item->source = gpus->list[copy.from]->place;
	item->destination = gpus->list[copy.to]->place;
	item->engine.place = gpus->list[copy.by]->place;
	strcpy(item->engine.name, matrix->by_kernel && direct ? "sm" : "ce");
	item->size_bytes[0] = latency ? LATENCY_BYTES : matrix->size_bytes;
	item->size_count = 1;
	item->loops = latency ? LATENCY_LOOPS : BANDWIDTH_LOOPS;
	if (copy.from != copy.to)
		rc = ws_item_option_set(item, "peer", direct ? "on" : "off", error);
	/* The driver makes a large copy without access in pieces, and nobody says how many of those can be queued. */
	if (rc == WS_OK && copy.from != copy.to && !direct && !latency)
		rc = ws_item_option_set(item, "ungated", NULL, error);
	return rc;
}

static int add_cell(const struct p2p_gpus *gpus, const struct p2p_matrix *matrix, struct ws_plan *plan, int row,
		    int column, struct ws_error *error)
{
	const bool direct = matrix->peer && p2p_reaches(gpus, row, column);
	struct ws_step *step = ws_plan_add_step(plan, ws_probe_find(WS_PLAN_CUSTOM));
	char text[WS_PLACE_TEXT];
	int rc;

	if (!step)
		return ws_fail(error, WS_ENOMEM, "no memory for a step");
	ws_coords_set(&step->coords, "row", ws_place_format(&gpus->list[row]->place, text, sizeof(text)));
	ws_coords_set(&step->coords, "column", ws_place_format(&gpus->list[column]->place, text, sizeof(text)));
	if (matrix->reads)
		rc = add_copy(gpus, matrix, step, (struct copy){column, row, row}, direct, error);
	else
		rc = add_copy(gpus, matrix, step, (struct copy){row, column, row}, direct, error);
	if (rc == WS_OK && matrix->test == P2P_BOTH_WAYS)
		rc = add_copy(gpus, matrix, step, (struct copy){column, row, column}, direct, error);
	return rc;
}

static int make_plan(const struct p2p_gpus *gpus, const struct p2p_matrix *matrix, struct ws_plan *out,
		     struct ws_error *error)
{
	struct ws_plan plan = {.settings = ws_settings_default(false)};
	int rc = WS_OK;

	plan.settings.samples = 1;
	plan.settings.verify = WS_VERIFY_EACH;
	for (int row = 0; row < gpus->count && rc == WS_OK; row++)
		for (int column = 0; column < gpus->count && rc == WS_OK; column++)
			rc = add_cell(gpus, matrix, &plan, row, column, error);
	if (rc == WS_OK)
		rc = ws_plan_finish(&plan, error);
	if (rc != WS_OK) {
		ws_plan_release(&plan);
		return rc;
	}
	*out = plan;
	return WS_OK;
}

/* All that a loop moves in the time of the longest way; what stays inside a GPU was read and written. */
static double bandwidth(const struct p2p_matrix *matrix, int copies, bool local, double time_us)
{
	return (local ? 2 : 1) * (double)copies * (double)matrix->size_bytes / (time_us * 1e3);
}

/* How long the host took to issue a copy, in us; 0 = not known. */
static double issue_us(const struct ws_records *records)
{
	for (int i = 0; i < records->count; i++)
		if (!records->samples[i].discarded && records->samples[i].lane_count > 0)
			return (double)records->samples[i].lanes[0].issue_ns / 1e3 / LATENCY_LOOPS;
	return 0;
}

static void read_cell(const struct p2p_matrix *matrix, const struct ws_result *result, int index, bool local,
		      struct p2p_cell *out)
{
	const struct ws_step_result *step = &result->steps[index];
	const struct ws_cell *cell = &result->tables[0].cells[index];
	const struct ws_figure *time_us = &cell->folded.figures[TIME_FIGURE];
	const bool latency = matrix->test == P2P_LATENCY;

	*out = (struct p2p_cell){.issue_us = latency ? issue_us(&step->records) : 0};
	snprintf(out->reason, sizeof(out->reason), "%s",
		 cell->reason[0] ? cell->reason : "the samples do not yield it");
	out->known = cell->status == WS_CELL_MEASURED && time_us->known && (!latency || out->issue_us > 0);
	if (out->known)
		out->figure = latency ? time_us->value
				      : bandwidth(matrix, step->step.item_count, local, time_us->value);
}

/* Nothing is nothing in whatever time. */
static void measure_nothing(struct p2p_cell *cells, int count)
{
	for (int i = 0; i < count; i++)
		cells[i] = (struct p2p_cell){.known = true};
}

int p2p_matrix_measure(struct ws_stage *stage, const struct p2p_gpus *gpus, const struct p2p_matrix *matrix,
		       struct p2p_cell *cells, struct ws_error *error)
{
	const int count = gpus->count * gpus->count;
	struct ws_plan plan;
	struct ws_result result;
	int rc;

	if (matrix->test != P2P_LATENCY && matrix->size_bytes == 0) {
		measure_nothing(cells, count);
		return WS_OK;
	}
	rc = make_plan(gpus, matrix, &plan, error);
	if (rc != WS_OK)
		return rc;
	rc = ws_stage_measure(stage, &plan, &result, error);
	for (int i = 0; i < count && rc == WS_OK; i++)
		read_cell(matrix, &result, i, i % gpus->count == i / gpus->count, &cells[i]);
	ws_result_release(&result);
	ws_plan_release(&plan);
	return rc;
}
