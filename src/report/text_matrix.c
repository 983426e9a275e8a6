/* The figures of a table: cells arranged by their coordinates. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/item.h"
#include "base/units.h"
#include "report/names.h"
#include "report/text_table.h"
#include "seam/probe.h"

#define AXIS_MAX (2 * WS_COORDS_MAX)

struct arrangement {
	const struct ws_result *result;
	const struct ws_probe *probe;
	const struct ws_page *page;
	struct ws_notes *notes;
	const char *axes[AXIS_MAX]; /* the probe's, then others that cells bring along */
	int axis_count;
	int quantity_count;
	const struct ws_table *table;
	int *cells; /* of the block at hand, indices in the table; room for all */
	int cell_count;
	const char **rows, **columns; /* values of the first two axes in the block; room for one per cell */
	int row_count, column_count;
};

static const struct ws_cell *cell_at(const struct arrangement *arrangement, int index)
{
	return &arrangement->table->cells[arrangement->cells[index]];
}

static const char *value_of(const struct ws_cell *cell, const char *axis)
{
	const char *value = axis ? ws_coords_get(&cell->coords, axis) : NULL;

	return value ? value : "";
}

static int index_of(const char *const *list, int count, const char *text)
{
	int i = 0;

	while (i < count && strcmp(list[i], text) != 0)
		i++;
	return i;
}

static void collect_axes(struct arrangement *arrangement, const struct ws_table *table)
{
	arrangement->axis_count = ws_probe_axis_count(table->probe);
	memcpy(arrangement->axes, table->probe->axes, (size_t)arrangement->axis_count * sizeof(arrangement->axes[0]));
	for (int i = 0; i < table->cell_count; i++) {
		const struct ws_coords *coords = &table->cells[i].coords;

		for (int j = 0; j < coords->count && arrangement->axis_count < AXIS_MAX; j++)
			if (index_of(arrangement->axes, arrangement->axis_count, coords->at[j].axis) ==
			    arrangement->axis_count)
				arrangement->axes[arrangement->axis_count++] = coords->at[j].axis;
	}
}

static bool same_block(const struct arrangement *arrangement, const struct ws_cell *a, const struct ws_cell *b)
{
	for (int i = 2; i < arrangement->axis_count; i++)
		if (strcmp(value_of(a, arrangement->axes[i]), value_of(b, arrangement->axes[i])) != 0)
			return false;
	return true;
}

static int collect_values(const struct arrangement *arrangement, int axis, const char **values)
{
	const char *name = axis < arrangement->axis_count ? arrangement->axes[axis] : NULL;
	int count = 0;

	for (int i = 0; i < arrangement->cell_count; i++) {
		const char *value = value_of(cell_at(arrangement, i), name);

		if (index_of(values, count, value) == count)
			values[count++] = value;
	}
	return count;
}

/*
 * Rows and columns in the order in which they appear, except that columns that are also rows stand in the rows' order:
 * where a place has no cell with itself, the first row would put it last.
 */
static void arrange_block(struct arrangement *arrangement)
{
	int sorted = 0;

	arrangement->row_count = collect_values(arrangement, 0, arrangement->rows);
	arrangement->column_count = collect_values(arrangement, 1, arrangement->columns);
	for (int i = 0; i < arrangement->row_count; i++) {
		const char *value = arrangement->rows[i];
		const int at = index_of(arrangement->columns, arrangement->column_count, value);

		if (at == arrangement->column_count)
			continue;
		memmove(&arrangement->columns[sorted + 1], &arrangement->columns[sorted],
			(size_t)(at - sorted) * sizeof(*arrangement->columns));
		arrangement->columns[sorted++] = value;
	}
}

static bool fill_cell(const struct arrangement *arrangement, const struct ws_cell *cell, int quantity,
		      struct ws_grid_cell *out)
{
	static const char *const without_figure[] = {
		[WS_CELL_MEASURED] = "-",	[WS_CELL_NOT_APPLICABLE] = "-", [WS_CELL_FAILED] = "FAIL",
		[WS_CELL_WRONG_DATA] = "WRONG", [WS_CELL_INTERRUPTED] = "-",
	};
	const struct ws_figure *figure = &cell->folded.figures[quantity];
	const int note = ws_notes_add(arrangement->notes, arrangement->result, cell, quantity);
	char text[WS_UNITS_TEXT];

	if (note < 0)
		return false;
	*out = (struct ws_grid_cell){0};
	if (ws_figure_known(figure) && (cell->status == WS_CELL_MEASURED || cell->status == WS_CELL_INTERRUPTED))
		snprintf(out->figure, sizeof(out->figure), "%s", ws_figure_format(figure->value, text, sizeof(text)));
	else
		snprintf(out->figure, sizeof(out->figure), "%s", without_figure[cell->status]);
	if (note > 0) {
		snprintf(out->mark, sizeof(out->mark), "[%d]", note);
		out->style = arrangement->notes->at[note - 1].style;
	}
	return true;
}

static const char *label(const char *value)
{
	return value[0] ? value : "-";
}

static const char *corner(const struct arrangement *arrangement)
{
	const char *name = arrangement->axis_count > 0 ? arrangement->axes[0] : "";

	return strcmp(name, "row") == 0 ? "" : name;
}

static int print_grid(struct arrangement *arrangement, struct ws_grid *grid, bool filled)
{
	grid->corner = corner(arrangement);
	for (int i = 0; i < arrangement->row_count; i++)
		grid->rows[i] = label(arrangement->rows[i]);
	filled = filled && ws_grid_print(grid, arrangement->page);
	ws_grid_release(grid);
	return filled ? WS_OK : WS_ENOMEM;
}

/* One quantity, by rows and columns. */
static int print_matrix(struct arrangement *arrangement, int quantity)
{
	struct ws_grid grid;
	bool filled = true;

	if (!ws_grid_init(&grid, arrangement->row_count, arrangement->column_count))
		return WS_ENOMEM;
	for (int i = 0; i < arrangement->column_count; i++)
		grid.columns[i] = label(arrangement->columns[i]);
	for (int i = 0; i < arrangement->cell_count; i++) {
		const struct ws_cell *cell = cell_at(arrangement, i);
		const int row =
			index_of(arrangement->rows, arrangement->row_count, value_of(cell, arrangement->axes[0]));
		const int column =
			index_of(arrangement->columns, arrangement->column_count, value_of(cell, arrangement->axes[1]));

		filled = filled && fill_cell(arrangement, cell, quantity, ws_grid_at(&grid, row, column));
	}
	return print_grid(arrangement, &grid, filled);
}

/* All quantities as columns: there is one cell in each row. */
static int print_list(struct arrangement *arrangement)
{
	char labels[WS_QUANTITY_MAX][64];
	struct ws_grid grid;
	bool filled = true;

	if (!ws_grid_init(&grid, arrangement->row_count, arrangement->quantity_count))
		return WS_ENOMEM;
	for (int i = 0; i < arrangement->quantity_count; i++) {
		const struct ws_quantity *quantity = &arrangement->probe->quantities[i];

		snprintf(labels[i], sizeof(labels[i]), "%s\n%s", quantity->name,
			 strcmp(quantity->unit, "1") == 0 ? "" : quantity->unit);
		grid.columns[i] = labels[i];
	}
	for (int i = 0; i < arrangement->cell_count; i++) {
		const struct ws_cell *cell = cell_at(arrangement, i);
		const int row =
			index_of(arrangement->rows, arrangement->row_count, value_of(cell, arrangement->axes[0]));

		for (int j = 0; j < arrangement->quantity_count; j++)
			filled = filled && fill_cell(arrangement, cell, j, ws_grid_at(&grid, row, j));
	}
	return print_grid(arrangement, &grid, filled);
}

/* What the block's cells have in common besides row and column, and what a matrix shows where that is not obvious. */
static void print_caption(const struct arrangement *arrangement, int quantity, bool is_list)
{
	char text[1200] = "";
	const struct ws_cell *cell = cell_at(arrangement, 0);
	const char *separator = "";
	size_t length = 0;

	if (quantity >= 0) {
		length = ws_text_quantity(&arrangement->probe->quantities[quantity], text, 200);
		separator = "; ";
	}
	for (int i = is_list ? 1 : 2; i < arrangement->axis_count; i++) {
		const char *value = value_of(cell, arrangement->axes[i]);

		if (!value[0])
			continue;
		length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%s=%s", separator,
					   arrangement->axes[i], value);
		assert(length < sizeof(text));
		separator = " ";
	}
	putc('\n', arrangement->page->stream);
	if (text[0])
		ws_page_wrap(arrangement->page, WS_STYLE_PLAIN, "", text);
}

static int print_block(struct arrangement *arrangement)
{
	int status = WS_OK;

	arrange_block(arrangement);
	if (arrangement->axis_count < 2 || (arrangement->column_count == 1 && arrangement->quantity_count > 1)) {
		print_caption(arrangement, -1, true);
		return print_list(arrangement);
	}
	for (int i = 0; i < arrangement->quantity_count && status == WS_OK; i++) {
		print_caption(arrangement, arrangement->quantity_count > 1 ? i : -1, false);
		status = print_matrix(arrangement, i);
	}
	return status;
}

/* A probe that found nothing to measure here has a cell without coordinates: a line rather than a grid. */
static void print_nowhere(const struct arrangement *arrangement, const struct ws_table *table, bool *printed)
{
	for (int i = 0; i < table->cell_count; i++) {
		const struct ws_cell *cell = &table->cells[i];

		if (cell->coords.count > 0 || ws_cell_has_figures(cell) || cell->status == WS_CELL_WRONG_DATA)
			continue;
		ws_page_wrap(arrangement->page, cell->status == WS_CELL_FAILED ? WS_STYLE_ALARM : WS_STYLE_PLAIN,
			     cell->status == WS_CELL_FAILED ? "  FAILED: " : "  not measured: ", ws_cell_missing(cell));
		printed[i] = true;
	}
}

static int print_blocks(struct arrangement *arrangement, const struct ws_table *table, bool *printed)
{
	int status = WS_OK, blocks = 0;

	for (int i = 0; i < table->cell_count && status == WS_OK; i++) {
		if (printed[i])
			continue;
		arrangement->cell_count = 0;
		for (int j = i; j < table->cell_count; j++) {
			if (printed[j] || !same_block(arrangement, &table->cells[i], &table->cells[j]))
				continue;
			printed[j] = true;
			arrangement->cells[arrangement->cell_count++] = j;
		}
		status = print_block(arrangement);
		blocks++;
	}
	if (blocks > 0)
		putc('\n', arrangement->page->stream);
	return status;
}

int ws_text_figures(const struct ws_result *result, const struct ws_table *table, const struct ws_page *page,
		    struct ws_notes *notes, struct ws_error *error)
{
	const size_t count = (size_t)table->cell_count + 1;
	struct arrangement arrangement = {
		.result = result,
		.probe = table->probe,
		.table = table,
		.page = page,
		.notes = notes,
		.quantity_count = ws_probe_quantity_count(table->probe),
		.cells = calloc(count, sizeof(*arrangement.cells)),
		.rows = calloc(count, sizeof(*arrangement.rows)),
		.columns = calloc(count, sizeof(*arrangement.columns)),
	};
	bool *printed = calloc(count, sizeof(*printed));
	int status = WS_ENOMEM;

	if (arrangement.cells && arrangement.rows && arrangement.columns && printed) {
		collect_axes(&arrangement, table);
		print_nowhere(&arrangement, table, printed);
		status = print_blocks(&arrangement, table, printed);
	}
	free(arrangement.cells);
	free(arrangement.rows);
	free(arrangement.columns);
	free(printed);
	return status == WS_OK ? WS_OK : ws_fail(error, status, "no memory for the text report");
}
