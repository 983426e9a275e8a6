/* What the sizes of a sweep say together: a line for each series. */
#include <stdlib.h>
#include <string.h>

#include "base/item.h"
#include "base/units.h"
#include "judge/sweep.h"
#include "report/names.h"
#include "report/text_table.h"
#include "seam/probe.h"

/* A fit that is further off than this says nothing of the operation. */
#define DEVIATION_MAX 0.25

/* The index of the time of one operation among the quantities of a sweep; -1 if the probe is none. */
static int find_time(const struct ws_probe *probe)
{
	bool sweeps = false;

	for (int i = 0; i < ws_probe_axis_count(probe); i++)
		sweeps = sweeps || strcmp(probe->axes[i], "size") == 0;
	for (int i = 0; i < ws_probe_quantity_count(probe) && sweeps; i++)
		if (strcmp(probe->quantities[i].name, "time") == 0 && strcmp(probe->quantities[i].unit, "us") == 0)
			return i;
	return -1;
}

/* The coordinates of the series that a cell belongs to. */
static struct ws_coords series_of(const struct ws_cell *cell)
{
	struct ws_coords series = {.count = 0};

	for (int i = 0; i < cell->coords.count; i++)
		if (strcmp(cell->coords.at[i].axis, "size") != 0)
			ws_coords_set(&series, cell->coords.at[i].axis, cell->coords.at[i].value);
	return series;
}

static bool read_point(const struct ws_cell *cell, int quantity, double *bytes, double *time_us)
{
	const char *size = ws_coords_get(&cell->coords, "size");
	const struct ws_figure *figure = &cell->folded.figures[quantity];
	uint64_t number = 0;

	if (cell->status != WS_CELL_MEASURED || !ws_figure_known(figure) || !(figure->value > 0) || !size ||
	    ws_size_parse(size, &number) != WS_OK || number == 0)
		return false;
	*bytes = (double)number;
	*time_us = figure->value;
	return true;
}

static const char *format_bytes(double bytes, char *text, size_t size)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
	char figure[WS_UNITS_TEXT];
	size_t unit = 0;

	for (; bytes >= 1024 && unit + 1 < sizeof(units) / sizeof(units[0]); unit++)
		bytes /= 1024;
	snprintf(text, size, "%s %s", ws_figure_format(bytes, figure, sizeof(figure)), units[unit]);
	return text;
}

static void print_fit(const struct ws_page *page, const struct ws_coords *series, const struct ws_sweep_fit *fit)
{
	char coords[WS_COORDS_MAX * 60 + 2], rate[WS_UNITS_TEXT], cost[WS_UNITS_TEXT], within[WS_UNITS_TEXT];
	char half[WS_UNITS_TEXT + 8], ninety[WS_UNITS_TEXT + 8], text[700];

	ws_coords_format(series, coords, sizeof(coords) - 2);
	if (coords[0])
		strcat(coords, ": ");
	ws_figure_format(100 * fit->deviation, within, sizeof(within));
	if (fit->deviation > DEVIATION_MAX)
		snprintf(text, sizeof(text), "%snone: the times are up to %s %% off any line; caches may be at work",
			 coords, within);
	else
		snprintf(text, sizeof(text),
			 "%stime = %s us + size / %s GB/s, to within %s %%; 50 %% of it from %s, 90 %% from %s", coords,
			 ws_figure_format(fit->cost_us, cost, sizeof(cost)),
			 ws_figure_format(fit->rate, rate, sizeof(rate)), within,
			 format_bytes(fit->half_bytes, half, sizeof(half)),
			 format_bytes(fit->ninety_bytes, ninety, sizeof(ninety)));
	ws_page_wrap(page, WS_STYLE_PLAIN, "fit: ", text);
}

int ws_text_sweep(const struct ws_table *table, const struct ws_page *page, struct ws_error *error)
{
	const int quantity = find_time(table->probe);
	const size_t cells = (size_t)table->cell_count + 1;
	double *values = quantity < 0 ? NULL : malloc(2 * cells * sizeof(*values));
	bool *told = quantity < 0 ? NULL : calloc(cells, sizeof(*told));
	const int rc = quantity >= 0 && (!values || !told)
			       ? ws_fail(error, WS_ENOMEM, "no memory for the fit of a sweep")
			       : WS_OK;

	for (int i = 0; i < table->cell_count && quantity >= 0 && rc == WS_OK; i++) {
		const struct ws_coords series = series_of(&table->cells[i]);
		struct ws_sweep_fit fit;
		size_t count = 0;

		for (int k = i; k < table->cell_count && !told[i]; k++) {
			const struct ws_coords other = series_of(&table->cells[k]);

			if (!ws_coords_equal(&series, &other))
				continue;
			told[k] = k > i;
			count += read_point(&table->cells[k], quantity, &values[count], &values[cells + count]);
		}
		if (ws_sweep_fit(values, values + cells, count, &fit))
			print_fit(page, &series, &fit);
	}
	free(values);
	free(told);
	return rc;
}
