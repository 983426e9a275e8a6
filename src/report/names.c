/* Words that every report uses for states and flags of cells, and what can be said of a cell without its records. */
#include "report/names.h"

#include <math.h>
#include <string.h>

#include "seam/probe.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *const status_names[] = {
	[WS_CELL_MEASURED] = "measured",     [WS_CELL_NOT_APPLICABLE] = "not_applicable", [WS_CELL_FAILED] = "failed",
	[WS_CELL_WRONG_DATA] = "wrong_data", [WS_CELL_INTERRUPTED] = "interrupted",
};
static const char *const better_names[] = {
	[WS_HIGHER] = "higher",
	[WS_LOWER] = "lower",
	[WS_NEITHER] = "neither",
};
static const char *const verify_names[] = {
	[WS_VERIFY_ENDS] = "ends",
	[WS_VERIFY_EACH] = "each",
	[WS_VERIFY_NONE] = "none",
};
static const char *const ending_names[] = {
	[WS_ENDED_NOT_RUN] = "not_run",		[WS_ENDED_COUNT] = "count",
	[WS_ENDED_PRECISE] = "precise",		[WS_ENDED_BUDGET] = "time_limit",
	[WS_ENDED_INTERRUPTED] = "interrupted", [WS_ENDED_FAILED] = "failed",
	[WS_ENDED_WRONG_DATA] = "wrong_data",
};
static const struct ws_flag_row flag_rows[] = {
	{WS_FLAG_UNCONVERGED, "unconverged", "not converged: its time was spent before it was precise enough"},
	{WS_FLAG_DRIFT, "drift", "drift: the samples move in one direction"},
	{WS_FLAG_TWO_MODES, "two_modes", "two modes: the samples gather around two figures"},
	{WS_FLAG_STALLS, "stalls", "stalls: a few samples took much longer than the rest"},
	{WS_FLAG_UNVERIFIED, "unverified", "not verified: the data that arrived was not compared"},
};

static int find(const char *name, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(name, names[i]) == 0)
			return (int)i;
	return -1;
}

const char *ws_cell_status_name(enum ws_cell_status status)
{
	return status_names[status];
}

int ws_cell_status_find(const char *name)
{
	return find(name, status_names, COUNT(status_names));
}

const char *ws_better_name(enum ws_better better)
{
	return better_names[better];
}

const char *ws_verify_name(enum ws_verify_policy policy)
{
	return verify_names[policy];
}

int ws_verify_find(const char *name)
{
	return find(name, verify_names, COUNT(verify_names));
}

const char *ws_ending_name(enum ws_ending ending)
{
	return ending_names[ending];
}

int ws_ending_find(const char *name)
{
	return find(name, ending_names, COUNT(ending_names));
}

const struct ws_flag_row *ws_flag_rows(size_t *count)
{
	*count = COUNT(flag_rows);
	return flag_rows;
}

int ws_probe_quantity_count(const struct ws_probe *probe)
{
	int count = 0;

	while (count < WS_QUANTITY_MAX && probe->quantities[count].name)
		count++;
	return count;
}

int ws_probe_axis_count(const struct ws_probe *probe)
{
	int count = 0;

	while (count < WS_COORDS_MAX && probe->axes[count])
		count++;
	return count;
}

bool ws_figure_known(const struct ws_figure *figure)
{
	return figure->known && isfinite(figure->value);
}

bool ws_figure_bounded(const struct ws_figure *figure)
{
	return ws_figure_known(figure) && figure->has_interval && isfinite(figure->low) && isfinite(figure->high);
}

bool ws_cell_ratio(const struct ws_cell *cell, double *ratio)
{
	const struct ws_figure *figure = &cell->folded.figures[0];

	if (cell->status == WS_CELL_WRONG_DATA || !ws_figure_known(figure) || !ws_figure_known(&cell->limit) ||
	    !(cell->limit.value > 0))
		return false;
	*ratio = figure->value / cell->limit.value;
	return isfinite(*ratio);
}

bool ws_wire_share(const struct ws_wire *wire, double *share)
{
	if (!wire->applies || !(wire->used > 0) || !(wire->raw > 0))
		return false;
	*share = wire->used / wire->raw;
	return isfinite(*share);
}

const char *ws_cell_missing(const struct ws_cell *cell)
{
	static const char *const otherwise[] = {
		[WS_CELL_MEASURED] = "the samples do not yield it",
		[WS_CELL_NOT_APPLICABLE] = "does not apply here",
		[WS_CELL_FAILED] = "failed",
		[WS_CELL_WRONG_DATA] = "wrong data arrived",
		[WS_CELL_INTERRUPTED] = "interrupted",
	};

	return cell->reason[0] ? cell->reason : otherwise[cell->status];
}

const struct ws_step_result *ws_cell_step(const struct ws_result *result, const struct ws_cell *cell)
{
	return cell->step >= 0 && cell->step < result->step_count ? &result->steps[cell->step] : NULL;
}

bool ws_cell_has_figures(const struct ws_cell *cell)
{
	for (int i = 0; i < WS_QUANTITY_MAX; i++)
		if (ws_figure_known(&cell->folded.figures[i]))
			return true;
	return false;
}

const char *ws_cell_method(const struct ws_probe *probe, const struct ws_cell *cell)
{
	if (!ws_cell_has_figures(cell))
		return NULL;
	if (cell->folded.slope)
		return "slope";
	return probe->quantities[0].bytes ? "size/time" : "time";
}

bool ws_cell_verified(const struct ws_result *result, const struct ws_cell *cell)
{
	const struct ws_step_result *step = ws_cell_step(result, cell);

	return ws_cell_has_figures(cell) && step && step->check.done && step->check.wrong_count == 0;
}
