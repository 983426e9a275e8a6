/* What a path can carry at most. */
#include "judge/limit.h"

#include <stdio.h>
#include <string.h>

#include "base/item.h"
#include "judge/counting.h"
#include "judge/limit_net.h"
#include "judge/limit_path.h"
#include "seam/probe.h"

double ws_limit_nvlink(unsigned links, double link_mb_per_s, unsigned version)
{
	/* A driver that does not tell the generation tells the rate: the fourth has 26.5625 GB/s, all before have less.
	 */
	const bool framed = version >= 4 || (version == 0 && link_mb_per_s > 26000);

	return links * link_mb_per_s / 1000 * (framed ? 16.0 / 17 : 1);
}

double ws_limit_memory(double clock_mhz, unsigned bus_bits)
{
	return clock_mhz * 2 * bus_bits / 8 / 1000;
}

uint32_t ws_limit_pcie_speed(unsigned generation)
{
	static const uint32_t speeds[] = {0, 2500, 5000, 8000, 16000, 32000, 64000, 128000};

	return generation < sizeof(speeds) / sizeof(speeds[0]) ? speeds[generation] : 0;
}

static void set_unknown(struct ws_cell *cell, const char *reason)
{
	cell->limit = (struct ws_figure){.known = false};
	snprintf(cell->limit_reason, sizeof(cell->limit_reason), "%s", reason);
}

/* The first segment of a flow whose capacity is not known, or NULL. */
static const struct ws_segment *unknown_segment(const struct ws_net *net, const struct ws_net_flow *flow)
{
	for (int i = 0; i < flow->count; i++)
		if (!net->segments[flow->segments[i]].known)
			return &net->segments[flow->segments[i]];
	return NULL;
}

/* Says what holds the first flow up, and how many share it. */
static void explain(const struct ws_net *net, const struct ws_net_flow *flow, int flows, struct ws_cell *cell)
{
	const struct ws_segment *segment = &net->segments[flow->bottleneck];
	const int sharers = ws_net_sharers(net, flow->bottleneck);
	char shared[40] = "";

	if (sharers > 1)
		snprintf(shared, sizeof(shared), ", shared by %d", sharers);
	else if (flows > 1)
		snprintf(shared, sizeof(shared), ", one of %d", flows);
	snprintf(cell->limit_reason, sizeof(cell->limit_reason), "%.80s%s", segment->text, shared);
}

/* first[i] is the index of item i's first flow; first[item_count] their number. */
static void set_limit(const struct ws_step *step, const struct ws_net *net, const int *first, struct ws_cell *cell)
{
	const struct ws_net_flow *shown = NULL;
	double times = 1, sum = 0;
	const enum ws_counting counting = ws_counting_of(step->probe, &times);
	int flows = 0;

	if (counting == WS_COUNTS_NOTHING) {
		set_unknown(cell, strcmp(step->probe->quantities[0].unit, "GB/s") == 0
					  ? "no limit of such a figure is known to this version"
					  : "there are limits of bandwidth only");
		return;
	}
	for (int i = 0; i < cell->item_count; i++) {
		const int item = cell->items[i];

		for (int k = first[item]; k < first[item + 1]; k++) {
			const struct ws_net_flow *flow = &net->flows[k];
			const struct ws_segment *unknown = unknown_segment(net, flow);

			if (ws_item_flag(&step->items[item], "interfering") || (shown && counting == WS_COUNTS_FIRST_LANE))
				continue;
			if (unknown) {
				set_unknown(cell, unknown->text);
				return;
			}
			shown = shown ? shown : flow;
			sum += flow->rate;
			flows++;
		}
	}
	if (!shown || shown->bottleneck < 0) {
		set_unknown(cell, "nothing is known of its path");
		return;
	}
	cell->limit = (struct ws_figure){.known = true, .value = times * sum};
	explain(net, shown, flows, cell);
}

/* The limits of all cells of one step. */
static int limit_step(struct ws_result *result, int index, struct ws_error *error)
{
	const struct ws_step_result *step = &result->steps[index];
	int first[WS_PATH_ITEMS_MAX + 1], items = 0;
	struct ws_net net = {0};
	int rc = ws_path_step_flows(step, &net, first, &items, error);

	if (rc == WS_OK)
		rc = ws_net_fill(&net, error);
	for (int t = 0; t < result->table_count && rc == WS_OK; t++) {
		for (int c = 0; c < result->tables[t].cell_count; c++) {
			struct ws_cell *cell = &result->tables[t].cells[c];

			if (cell->step != index)
				continue;
			if (items == 0 || !step->path)
				set_unknown(cell, items == 0 ? "nothing was measured" : "nothing is known of its path");
			else
				set_limit(&step->step, &net, first, cell);
		}
	}
	ws_net_release(&net);
	return rc;
}

int ws_limit_result(struct ws_result *result, struct ws_error *error)
{
	int rc = WS_OK;

	for (int i = 0; i < result->step_count && rc == WS_OK; i++)
		rc = limit_step(result, i, error);
	return rc;
}
