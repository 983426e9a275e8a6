/* Text for a terminal: styles, wrapped paragraphs, and grids that are cut into blocks of columns to fit. */
#include "report/text_page.h"

#include <stdlib.h>
#include <string.h>

/* A column's label is broken if it is longer than that: 8 columns of figures beside their rows fill a page. */
#define LABEL_WIDTH 8
#define GAP 2

void ws_page_style(const struct ws_page *page, enum ws_style style)
{
	static const char *const codes[] = {
		[WS_STYLE_PLAIN] = "",
		[WS_STYLE_TITLE] = "\033[1m",
		[WS_STYLE_ALARM] = "\033[1;31m",
		[WS_STYLE_NOTICE] = "\033[33m",
	};

	if (page->color)
		fputs(codes[style], page->stream);
}

void ws_page_plain(const struct ws_page *page, enum ws_style style)
{
	if (page->color && style != WS_STYLE_PLAIN)
		fputs("\033[0m", page->stream);
}

/* Bytes that begin a character; the rest of a UTF-8 sequence takes no column. */
static bool takes_column(char byte)
{
	return ((unsigned char)byte & 0xc0) != 0x80;
}

static int width_of(const char *text, size_t length)
{
	int width = 0;

	for (size_t i = 0; i < length; i++)
		width += takes_column(text[i]);
	return width;
}

static void put_clean(FILE *stream, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		putc((unsigned char)text[i] < 0x20 || text[i] == 0x7f ? '?' : text[i], stream);
}

void ws_page_wrap(const struct ws_page *page, enum ws_style style, const char *lead, const char *text)
{
	const int indent = width_of(lead, strlen(lead));
	int column = indent;
	bool first = true;

	ws_page_style(page, style);
	fputs(lead, page->stream);
	for (text += strspn(text, " \n\t"); *text; text += strspn(text, " \n\t")) {
		const size_t length = strcspn(text, " \n\t");
		const int width = width_of(text, length);

		if (!first && column + 1 + width > WS_PAGE_WIDTH) {
			fprintf(page->stream, "\n%*s", indent, "");
			column = indent;
			first = true;
		}
		if (!first)
			putc(' ', page->stream);
		put_clean(page->stream, text, length);
		column += width + !first;
		first = false;
		text += length;
	}
	ws_page_plain(page, style);
	putc('\n', page->stream);
}

bool ws_grid_init(struct ws_grid *grid, int row_count, int column_count)
{
	const size_t rows = (size_t)row_count, columns = (size_t)column_count;

	*grid = (struct ws_grid){
		.corner = "",
		.row_count = row_count,
		.column_count = column_count,
		.rows = calloc(rows, sizeof(*grid->rows)),
		.columns = calloc(columns, sizeof(*grid->columns)),
		.cells = calloc(rows * columns, sizeof(*grid->cells)),
	};
	if (grid->rows && grid->columns && grid->cells)
		return true;
	ws_grid_release(grid);
	return false;
}

void ws_grid_release(struct ws_grid *grid)
{
	free(grid->rows);
	free(grid->columns);
	free(grid->cells);
	*grid = (struct ws_grid){0};
}

struct ws_grid_cell *ws_grid_at(const struct ws_grid *grid, int row, int column)
{
	return &grid->cells[(size_t)row * (size_t)grid->column_count + (size_t)column];
}

/* Where the label's line that starts here ends. */
static const char *line_end(const char *label)
{
	const char *end = label + strcspn(label, "\n"), *best = NULL;

	if (end - label <= LABEL_WIDTH)
		return end;
	for (const char *at = label + 1; at < end; at++) {
		const char *cut = *at == ':' ? at : *at == '/' ? at + 1 : NULL;

		if (cut && cut < end && (cut - label <= LABEL_WIDTH || !best))
			best = cut;
	}
	return best ? best : end;
}

static const char *line_next(const char *end)
{
	return *end == '\n' ? end + 1 : end;
}

static int line_count(const char *label)
{
	int count = 1;

	for (const char *end = line_end(label); *end; end = line_end(line_next(end)))
		count++;
	return count;
}

static int label_width(const char *label)
{
	int width = 0;

	for (const char *start = label, *end; *start; start = line_next(end)) {
		end = line_end(start);
		width = end - start > width ? (int)(end - start) : width;
	}
	return width;
}

struct column {
	int width;	/* of all of it */
	int mark_width; /* of its right end */
};

static struct column measure_column(const struct ws_grid *grid, int index)
{
	const int label = label_width(grid->columns[index]);
	struct column column = {0};
	int figure_width = 0;

	for (int i = 0; i < grid->row_count; i++) {
		const struct ws_grid_cell *cell = ws_grid_at(grid, i, index);
		const int figure = (int)strlen(cell->figure), mark = (int)strlen(cell->mark);

		figure_width = figure > figure_width ? figure : figure_width;
		column.mark_width = mark > column.mark_width ? mark : column.mark_width;
	}
	column.width = figure_width + column.mark_width;
	column.width = label > column.width ? label : column.width;
	return column;
}

static void put_spaces(FILE *stream, int count)
{
	fprintf(stream, "%*s", count > 0 ? count : 0, "");
}

/* Line number `line` of the labels, the last line of each being the last of all. */
static void print_labels(const struct ws_grid *grid, const struct ws_page *page, const struct column *columns,
			 int first, int end, int gap, int lines, int line, int row_width)
{
	int spaces = row_width;

	if (line == lines - 1) {
		fputs(grid->corner, page->stream);
		spaces -= (int)strlen(grid->corner);
	}
	for (int i = first; i < end; i++) {
		const char *start = grid->columns[i];
		int skip = line - (lines - line_count(start));
		int length = 0, right;

		for (; skip > 0; skip--)
			start = line_next(line_end(start));
		if (skip == 0)
			length = (int)(line_end(start) - start);
		right = length <= columns[i].width - columns[i].mark_width ? columns[i].mark_width : 0;
		spaces += gap + columns[i].width - right - length;
		if (length > 0) {
			put_spaces(page->stream, spaces);
			put_clean(page->stream, start, (size_t)length);
			spaces = 0;
		}
		spaces += right;
	}
	putc('\n', page->stream);
}

static void print_row(const struct ws_grid *grid, const struct ws_page *page, const struct column *columns, int first,
		      int end, int gap, int row, int row_width)
{
	int spaces = row_width - (int)strlen(grid->rows[row]);

	put_clean(page->stream, grid->rows[row], strlen(grid->rows[row]));
	for (int i = first; i < end; i++) {
		const struct ws_grid_cell *cell = ws_grid_at(grid, row, i);
		const int figure = (int)strlen(cell->figure), mark = (int)strlen(cell->mark);

		spaces += gap + columns[i].width - columns[i].mark_width - figure;
		if (figure > 0) {
			put_spaces(page->stream, spaces);
			ws_page_style(page, cell->style);
			fprintf(page->stream, "%s%s", cell->figure, cell->mark);
			ws_page_plain(page, cell->style);
			spaces = -mark;
		}
		spaces += columns[i].mark_width;
	}
	putc('\n', page->stream);
}

static void print_block(const struct ws_grid *grid, const struct ws_page *page, const struct column *columns, int first,
			int end, int gap, int row_width)
{
	int lines = 1;

	for (int i = first; i < end; i++) {
		const int count = line_count(grid->columns[i]);

		lines = count > lines ? count : lines;
	}
	for (int i = 0; i < lines; i++)
		print_labels(grid, page, columns, first, end, gap, lines, i, row_width);
	for (int i = 0; i < grid->row_count; i++)
		print_row(grid, page, columns, first, end, gap, i, row_width);
}

bool ws_grid_print(const struct ws_grid *grid, const struct ws_page *page)
{
	struct column *columns = calloc((size_t)grid->column_count + 1, sizeof(*columns));
	int row_width = (int)strlen(grid->corner), widest = 1, total = 0, gap = GAP, fitting, blocks, per_block;

	if (!columns)
		return false;
	for (int i = 0; i < grid->row_count; i++) {
		const int width = (int)strlen(grid->rows[i]);

		row_width = width > row_width ? width : row_width;
	}
	for (int i = 0; i < grid->column_count; i++) {
		columns[i] = measure_column(grid, i);
		widest = columns[i].width > widest ? columns[i].width : widest;
		total += columns[i].width + GAP;
	}
	/* A narrower gap rather than two blocks. */
	if (row_width + total > WS_PAGE_WIDTH && row_width + total - grid->column_count <= WS_PAGE_WIDTH)
		gap = 1;
	fitting = (WS_PAGE_WIDTH - row_width) / (widest + gap);
	if (row_width + total - grid->column_count * (GAP - gap) <= WS_PAGE_WIDTH)
		fitting = grid->column_count;
	fitting = fitting > 1 ? fitting : 1;
	blocks = (grid->column_count + fitting - 1) / fitting;
	per_block = blocks ? (grid->column_count + blocks - 1) / blocks : 0;
	for (int first = 0; first < grid->column_count; first += per_block) {
		const int end = first + per_block < grid->column_count ? first + per_block : grid->column_count;

		if (first > 0)
			putc('\n', page->stream);
		print_block(grid, page, columns, first, end, gap, row_width);
	}
	free(columns);
	return true;
}
