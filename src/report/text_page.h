/* Text for a terminal: styles, wrapped paragraphs, and grids that are cut into blocks of columns to fit. */
#ifndef WS_REPORT_TEXT_PAGE_H
#define WS_REPORT_TEXT_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#define WS_PAGE_WIDTH 80

enum ws_style { WS_STYLE_PLAIN, WS_STYLE_TITLE, WS_STYLE_ALARM, WS_STYLE_NOTICE };

struct ws_page {
	FILE *stream;
	bool color;
};

/* Turns a style on, and off again; nothing without colour. */
void ws_page_style(const struct ws_page *page, enum ws_style style);
void ws_page_plain(const struct ws_page *page, enum ws_style style);

/*
 * Prints a paragraph: the lead, then text broken between words at the page's width, further lines indented by as much
 * as the lead is wide. Control characters become '?'.
 */
void ws_page_wrap(const struct ws_page *page, enum ws_style style, const char *lead, const char *text);

struct ws_grid_cell {
	char figure[24]; /* "" = nothing stands here */
	char mark[16];	 /* of its footnote, or "" */
	enum ws_style style;
};

struct ws_grid {
	const char *corner; /* above the row labels */
	int row_count, column_count;
	const char **rows;	    /* labels; the array is owned */
	const char **columns;	    /* labels; '\n' breaks a line, long places are broken at ':' and '/'; array owned */
	struct ws_grid_cell *cells; /* owned, by rows */
};

/* All empty; false when out of memory. */
bool ws_grid_init(struct ws_grid *grid, int row_count, int column_count);
void ws_grid_release(struct ws_grid *grid);
struct ws_grid_cell *ws_grid_at(const struct ws_grid *grid, int row, int column);

/* In as few blocks of columns as the page's width allows, an empty line between them. False when out of memory. */
bool ws_grid_print(const struct ws_grid *grid, const struct ws_page *page);

#endif
