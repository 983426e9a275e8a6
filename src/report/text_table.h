/* One table as text: text_table.c writes what stands around the figures, text_matrix.c the figures. */
#ifndef WS_REPORT_TEXT_TABLE_H
#define WS_REPORT_TEXT_TABLE_H

#include "base/error.h"
#include "report/text_note.h"
#include "report/text_page.h"
#include "seam/result.h"

/* Title, units, how it was measured, figures, spread, limit, footnotes. */
int ws_text_table(const struct ws_result *result, const struct ws_table *table, const struct ws_page *page,
		  struct ws_error *error);

/*
 * The figures alone: the first axis gives the rows, the second the columns, the others a block for each combination of
 * their values. Several quantities are columns of a list where there is but one column, else a matrix each.
 */
int ws_text_figures(const struct ws_result *result, const struct ws_table *table, const struct ws_page *page,
		    struct ws_notes *notes, struct ws_error *error);

/*
 * Of a table with an axis "size" and the time of one operation: for each series over sizes what an operation costs beside
 * its bytes. WS_ENOMEM.
 */
int ws_text_sweep(const struct ws_table *table, const struct ws_page *page, struct ws_error *error);

/* "bandwidth in GB/s" in `text`, whose length is returned; "launches" of a mere count, whose unit is "1". */
size_t ws_text_quantity(const struct ws_quantity *quantity, char *text, size_t size);

#endif
