/* Words that every report uses for states and flags of cells, and what can be said of a cell without its records. */
#ifndef WS_REPORT_NAMES_H
#define WS_REPORT_NAMES_H

#include <stddef.h>

#include "seam/result.h"

/* Keys in JSON and CSV: "measured", "not_applicable", ... The finders return -1 for a name that there is not. */
const char *ws_cell_status_name(enum ws_cell_status status);
int ws_cell_status_find(const char *name);
const char *ws_better_name(enum ws_better better);
const char *ws_verify_name(enum ws_verify_policy policy);
int ws_verify_find(const char *name);
const char *ws_ending_name(enum ws_ending ending);
int ws_ending_find(const char *name);

struct ws_flag_row {
	unsigned flag;	     /* enum ws_cell_flag */
	const char *name;    /* key in JSON and CSV */
	const char *meaning; /* for a footnote */
};
const struct ws_flag_row *ws_flag_rows(size_t *count);

/* The number of a probe's quantities and of its axes. */
int ws_probe_quantity_count(const struct ws_probe *probe);
int ws_probe_axis_count(const struct ws_probe *probe);

/* Known, and a number that every format can hold: no NaN, no infinity. */
bool ws_figure_known(const struct ws_figure *figure);
/* Its interval is known, too. */
bool ws_figure_bounded(const struct ws_figure *figure);

/* The first figure divided by the limit; false where either is unknown, and of wrong data, which no figure is. */
bool ws_cell_ratio(const struct ws_cell *cell, double *ratio);

/* The part of a link that is in use; false where that is not known. */
bool ws_wire_share(const struct ws_wire *wire, double *share);

/* Why a figure of the cell is not known; never empty. */
const char *ws_cell_missing(const struct ws_cell *cell);

/* The step that filled the cell; NULL if it names none. */
const struct ws_step_result *ws_cell_step(const struct ws_result *result, const struct ws_cell *cell);

/* The cell has figures, every check of its step's data that was wanted was made, and nothing wrong was found. */
bool ws_cell_verified(const struct ws_result *result, const struct ws_cell *cell);

bool ws_cell_has_figures(const struct ws_cell *cell);

/* "slope", "size/time", or "time" where the first quantity is no rate of bytes; NULL for a cell without figures. */
const char *ws_cell_method(const struct ws_probe *probe, const struct ws_cell *cell);

#endif
